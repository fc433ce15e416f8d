import { join } from 'node:path'
import { connectionUrlOfRunning } from '@portico/embedded-postgres'
import { Client } from 'pg'
import type { Browser } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '#test/browser.ts'
import { expectAccessible } from './accessibility.ts'
import {
  accountOf,
  asOperator,
  type ConsoleDemo,
  decide,
  enterReadingReason,
  giveRole,
  heading,
  press,
  REASON,
  type StaffState,
  sendFact,
  signIn,
  staffStateOf,
  visit,
} from './console.ts'
import { demoService } from './demo-service.ts'

let demo: ConsoleDemo
let browser: Browser
let db: Client
/** An admin of the platform's staff who has proved their second factor. */
let state: StaffState | undefined

demoService<ConsoleDemo>(async (made, data) => {
  demo = made
  const from = { dataDirectory: join(data, 'postgres'), database: 'portico' }
  const connectionString = await connectionUrlOfRunning(from)
  if (connectionString === undefined) throw new Error('the demo’s PostgreSQL is not running')
  db = new Client({ connectionString })
  await db.connect()
  browser = await launchBrowser()
  await giveRole(demo, demo.people.manager, 'admin')
})
afterAll(async () => {
  await browser?.close()
  await db?.end()
})

/** Opens a page of the console. The first call in this file signs in, and later calls reuse the session. */
async function open(path: string) {
  state ??= await staffStateOf({ demo, browser }, demo.people.manager)
  return visit({ demo, browser, state }, path)
}

const anId = (kind: string, word: string) => `${kind}_${word.padEnd(24, '0')}`
const investmentOf = (word: string, investor: string, more: object = {}) => ({
  ...{ id: anId('inv', word), offering: demo.ids.offering_public, investor, amount_cents: 25_000, currency: 'usd' },
  ...more,
})
const send = (id: string, type: string, data: object) => sendFact(demo, { id, type, data })

describe('a refused fact', () => {
  test('is found by its subject, shows why it was refused, and is applied after staff mended it', async () => {
    const investment = investmentOf('Mended', demo.people.investor.id, { amount_cents: 25_050 })
    const id = 'invested/1'
    await send(id, 'investment.created', investment)
    const page = await open(`/console/facts/refused?subject=${investment.id}`)
    await enterReadingReason(page)
    await page.getByText('No refused fact matches').waitFor()
    await page.getByRole('navigation', { name: 'Mode' }).getByRole('link', { name: 'Test' }).click()
    const row = page.getByRole('row', { name: id })
    await row.getByText('not_a_multiple').waitFor()
    await expectAccessible(page)
    await row.getByRole('link').focus()
    await page.keyboard.press('Enter')
    await heading(page, 'Refused fact')
    await page.getByText('must be a multiple of 100').first().waitFor()
    await expectAccessible(page)

    const editor = page.getByLabel('The fact', { exact: true })
    const text = await editor.inputValue()
    await editor.fill(`${text}}`)
    await page.getByText('This is not JSON').waitFor()
    expect(await page.getByRole('button', { name: 'Send the mended fact' }).isDisabled()).toBe(true)
    await editor.fill(text.replace('25050', '25075'))
    await decide(page, 'Send the mended fact', 'Send again')
    await page.getByText('It was refused again').waitFor()
    await editor.fill(text.replace('25050', '25100'))
    await decide(page, 'Send the mended fact', 'Send again')
    await page.getByRole('heading', { name: 'The fact is applied' }).waitFor()
    await page.getByRole('link', { name: 'Open the fact' }).click()
    await heading(page, id)
    const events = page.getByRole('list', { name: 'Events that it caused' })
    await events.getByText('investment.created', { exact: true }).waitFor()
    await expectAccessible(page)
    const received = await events.getByRole('link', { name: 'Apps that got evt_' }).first().getAttribute('href')
    expect(received).toMatch(/^\/console\/partners\?query=evt_/)
    await events.getByRole('link', { name: `Facts about ${investment.id}` }).click()
    await heading(page, 'Facts')
    await page.getByRole('row', { name: `${id} investment.created` }).waitFor()
    await expectAccessible(page)
    await page.goto(`${demo.base_url}/console/facts?mode=test&fact_id=${id}&subject=${anId('inv', 'Other')}`)
    await page.getByText('No fact matches').waitFor()
    await page.getByRole('link', { name: 'Refused', exact: true }).click()
    await page.getByText('No refused fact matches').waitFor()
  })

  test('that is not stored, because the limit of its day was reached, is counted above the list', async () => {
    await db.query('insert into test.refused_fact_days (day, left_out) values (current_date - 1, 1)')
    const page = await open('/console/facts/refused?mode=test')
    await enterReadingReason(page)
    expect(await page.getByText(/^1 more fact/).innerText()).toContain('1 more fact was refused. It is not stored,')
  })

  test('is sent again unchanged, after an operator removed the cause', async () => {
    const user = anId('usr', 'Early')
    await send('early', 'investment.created', investmentOf('Early', user))
    const page = await open('/console/facts/refused?mode=test&fact_id=early')
    await enterReadingReason(page)
    await page.getByRole('link', { name: 'early' }).click()
    await page.getByText('unknown_reference').first().waitFor()
    await send('registered', 'user.registered', { id: user, name: 'Ada', email: 'ada.l@example.org' })
    await decide(page, 'Send it as it is', 'Send again')
    await page.getByRole('heading', { name: 'The fact is applied' }).waitFor()
    await page.goto(`${demo.base_url}/console/facts/applied/early?mode=test`)
    const events = page.getByRole('list', { name: 'Events that it caused' })
    await events.getByText('investment.created', { exact: true }).waitFor()
  })
})

describe('a fact whose id belongs to another fact', () => {
  test('leaves the list when compliance dismisses it with a reason, and is shown under a filter', async () => {
    const user = { id: anId('usr', 'Reused'), name: 'Emmy', email: 'emmy.n@example.org' }
    await send('reused', 'user.registered', user)
    await send('reused', 'user.registered', { ...user, name: 'Emmy Noether' })
    const page = await open('/console/facts/refused?mode=test&fact_id=reused')
    await giveRole(demo, demo.people.manager, 'compliance')
    await page.reload()
    await enterReadingReason(page)
    await page.getByRole('link', { name: 'reused' }).click()
    await page.getByText('It can never be applied under this id.').waitFor()
    await expectAccessible(page)
    await decide(page, 'Dismiss the fact', 'Dismiss')
    await page.getByText('It was dismissed').waitFor()
    expect(await page.getByRole('button', { name: 'Dismiss the fact' }).count()).toBe(0)
    await page.goto(`${demo.base_url}/console/facts/refused?mode=test&fact_id=reused`)
    await page.getByText('No refused fact matches').waitFor()
    await page.getByLabel('Show').selectOption('Dismissed ones')
    await page.getByRole('row', { name: 'reused id_reused' }).getByText('Dismissed').waitFor()
    await expectAccessible(page)
    await giveRole(demo, demo.people.manager, 'admin')
    const entry = await asOperator(demo, 'live', '/platform/audit?action=fact.dismissed&subject=reused')
    expect(entry.data).toMatchObject([{ attributes: { reason: REASON, by_operator: true } }])
  })
})

describe('an account', () => {
  test('is unlocked after too many wrong passwords and gets a new password, with which the person signs in', async () => {
    const { investor } = demo.people
    const person = await visit({ demo, browser }, '/sign-in')
    for (let attempt = 0; attempt < 5; attempt++) {
      await signIn(person, { ...investor, password: `wrong password ${attempt}` })
      await person.getByText('Email or password is wrong').first().waitFor()
      await person.goto(`${demo.base_url}/sign-in`)
    }
    await signIn(person, investor)
    await person.getByText('There were too many tries').first().waitFor()

    const page = await open('/console/accounts')
    await enterReadingReason(page)
    await page.getByLabel('Search').fill(investor.email)
    await page.keyboard.press('Enter')
    await page.getByRole('row', { name: investor.email }).waitFor()
    await expectAccessible(page)
    await page.getByRole('row', { name: investor.email }).getByRole('link').click()
    await heading(page, 'Account')
    await page.getByRole('heading', { name: 'Where the person is signed in' }).waitFor()
    await expectAccessible(page)
    await decide(page, 'Make a password link', 'Make the link')
    await page.getByRole('dialog', { name: 'The password link' }).waitFor()
    const link = await page.locator('.secret code').innerText()
    await press(page, 'I have copied it')
    await person.goto(link)
    const password = 'a longer staple battery'
    await person.getByLabel('New password').fill(password)
    await press(person, 'Set the password')
    await person.waitForURL((url) => !url.pathname.startsWith('/sign-in'))

    // The link signed that browser in. Another browser is still locked out, even with the new password.
    const other = await visit({ demo, browser }, '/sign-in')
    await signIn(other, { ...investor, password })
    await other.getByText('There were too many tries').first().waitFor()

    await decide(page, 'Unlock the account', 'Unlock')
    await page.getByText('The person can try to sign in again').waitFor()
    await signIn(other, { ...investor, password })
    await other.waitForURL((url) => url.pathname !== '/sign-in')

    await page.reload()
    await page.getByRole('list', { name: 'Sign-in sessions' }).waitFor()
    await decide(page, 'End all sessions', 'End all sessions')
    await page.getByText('Nowhere.').waitFor()
    await other.goto(`${demo.base_url}/settings`)
    await other.getByLabel('Password', { exact: true }).waitFor()
    await decide(page, 'Disable the account', 'Disable')
    await page.getByRole('button', { name: 'Enable the account' }).waitFor()
  })

  test('is created, gets a staff role from an admin, and loses the role', async () => {
    const page = await open('/console/accounts?only=staff')
    await enterReadingReason(page)
    await page.getByRole('row', { name: demo.people.manager.email }).waitFor()
    await decide(page, 'Invite a person', 'Send the invitation', (dialog) =>
      dialog.getByLabel('Email').fill('invited@example.org'),
    )
    await page.getByRole('dialog', { name: 'invited@example.org is invited' }).waitFor()
    await press(page, 'I have copied it')
    await decide(page, 'Create an account', 'Create the account', async (dialog) => {
      await dialog.getByLabel('Email').fill('grace@example.org')
      await dialog.getByLabel('Name').fill('Grace Hopper')
    })
    await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
    await decide(page, 'Give a role', 'Give the role', async (dialog) => {
      await dialog.getByLabel('Role').selectOption('support')
    })
    await page.getByText('The role is given').waitFor()
    const grace = async () =>
      JSON.stringify((await asOperator(demo, 'live', '/platform/accounts?query=grace@example.org')).data)
    expect(await grace()).toContain('"staff_role":"support"')
    await decide(page, 'Revoke the role', 'Revoke')
    await page.getByText('The role is revoked').waitFor()
    await page.getByRole('button', { name: 'Give a role' }).waitFor()
    expect(await grace()).toContain('"staff_role":null')
  })
})

describe('the audit', () => {
  test('takes its filters from the URL, and names a row that was changed in the database', async () => {
    const page = await open('/console/audit?action=account.staff_role_granted&by=operators')
    await enterReadingReason(page)
    const entry = page.getByRole('row', { name: 'account.staff_role_granted' }).last()
    await entry.getByText('demo.json', { exact: true }).waitFor()
    expect(await page.getByText('operator.read').count()).toBe(0)
    await press(page, 'Verify the chain')
    await page.getByText('Intact until').waitFor()

    const chained = async () =>
      (await db.query<{ id: string }>('select min(entry_id)::text as id from platform.audit_digests')).rows[0]?.id ??
      null
    await expect.poll(chained).not.toBeNull()
    const id = await chained()
    // Only the owner of the database can change the row. The triggers reject all other users.
    await db.query('alter table platform.audit_entries disable trigger user')
    await db.query(`update platform.audit_entries set action = 'app.harmless' where id = $1`, [id])
    await db.query('alter table platform.audit_entries enable trigger user')
    await press(page, 'Verify the chain')
    const broken = page.getByRole('list', { name: 'Broken entries' })
    await broken.getByText(`Entry ${id} was changed after it was written`).waitFor()
    expect(await page.getByText('Intact until').count()).toBe(0)
    await expectAccessible(page)
    await broken.getByRole('link', { name: id ?? '' }).click()
    await heading(page, `Entry ${id}`)
    await page.getByRole('heading', { name: 'app.harmless' }).waitFor()
    await expectAccessible(page)
  })

  test('hides reads until they are switched on, and says on a phone who acted', async () => {
    const page = await open('/console/audit')
    await enterReadingReason(page)
    await page.getByRole('row', { name: 'account.staff_role_granted' }).first().waitFor()
    expect(await page.getByRole('row', { name: 'operator.read' }).count()).toBe(0)
    await page.getByLabel('Show reads too').check()
    await page.getByRole('row', { name: 'operator.read' }).first().waitFor()
    expect(page.url()).toContain('reads=shown')
    await page.setViewportSize({ width: 375, height: 800 })
    const granted = page.getByRole('row', { name: 'account.staff_role_granted' }).first()
    await granted.getByText(/^by \S/).waitFor()
    expect(await page.getByRole('columnheader', { name: 'Who' }).count()).toBe(0)
    await expectAccessible(page)
  })
})

describe('the reason that a person entered in a tab', () => {
  test('is not used for the next person who signs in there', async () => {
    const page = await open('/console/accounts')
    await enterReadingReason(page)
    await page.getByText(`and why: ${REASON}`).waitFor()
    await page.reload()
    await page.getByText(`and why: ${REASON}`).waitFor()

    await giveRole(demo, demo.people.developer, 'support')
    const { cookies } = await staffStateOf({ demo, browser }, demo.people.developer)
    await page.context().clearCookies()
    await page.context().addCookies(cookies)
    await page.reload()
    await page.getByLabel('Why do you read it?').waitFor()
    expect(await page.getByText(REASON).count()).toBe(0)
    await giveRole(demo, demo.people.developer, 'viewer')
  })
})

describe('a lower role', () => {
  test('support reads a refused fact and a staff account, and cannot change them', async () => {
    await send('wrong', 'investment.created', investmentOf('Wrong', demo.people.investor.id, { currency: 'US' }))
    const page = await open('/console/facts/refused?mode=test&fact_id=wrong')
    await giveRole(demo, demo.people.manager, 'support')
    await page.reload()
    await enterReadingReason(page)
    await page.getByRole('link', { name: 'wrong' }).click()
    await page.getByText('The role admin may mend it and send it again.').waitFor()
    await page.getByText('"US"').waitFor()
    await page.getByText('The role compliance may dismiss it.').waitFor()
    expect(await page.getByRole('button', { name: /Send|Dismiss/ }).count()).toBe(0)
    await page.goto(`${demo.base_url}/console/accounts/${await accountOf(demo, demo.people.manager)}`)
    await page.getByText('only the role admin changes their account').waitFor()
    await page.getByText('Only an admin can give, change or revoke it.').waitFor()
    expect(await page.getByRole('button', { name: /Unlock|link|Reset|Disable|End|role/ }).count()).toBe(0)
    await expectAccessible(page)
    await giveRole(demo, demo.people.manager, 'admin')
  })
})

describe('a viewer', () => {
  const PATHS = ['/console/facts', '/console/facts/refused/1', '/console/accounts', '/console/audit']

  test('sees the sandbox clock that an admin moved; pages and API routes about people reject the viewer', async () => {
    const page = await open('/console/sandbox-clock')
    await page.getByText('Not at all').waitFor()
    await decide(page, 'Move the clock', 'Move the clock')
    await page.getByText('1 day', { exact: true }).first().waitFor()

    const account = await accountOf(demo, demo.people.investor)
    await giveRole(demo, demo.people.manager, 'viewer')
    await page.reload()
    await page.getByText('The role support, and every role above it, moves the clock.').waitFor()
    await expectAccessible(page)
    const sections = page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
    expect(await sections.allInnerTexts()).toEqual(
      expect.arrayContaining(['Requests', 'Partners', 'Webhooks', 'Sandbox clock']),
    )
    for (const name of ['Facts', 'Accounts', 'Audit']) {
      expect(await page.getByRole('link', { name, exact: true }).count(), name).toBe(0)
    }
    for (const path of [...PATHS, `/console/accounts/${account}`]) {
      await page.goto(demo.base_url + path)
      await page.getByText('You have the role viewer.').waitFor()
      expect(await page.getByRole('button', { name: /Show it|Create|Invite|Verify|Send/ }).count(), path).toBe(0)
    }
    await expectAccessible(page)

    const { meta } = await (await page.context().request.get(`${demo.base_url}/portal/api/me`)).json()
    const headers = { 'x-portico-csrf': meta.csrf, 'x-portico-reason': REASON, origin: demo.base_url }
    const statusOf = async (method: string, path: string) => {
      const test = /sandbox/.test(path) ? { 'x-portico-mode': 'test' } : {}
      const sent = { method, headers: { ...headers, ...test }, ...(method === 'POST' ? { data: {} } : {}) }
      const answer = await page.context().request.fetch(demo.base_url + path, sent)
      return [path, answer.status(), (await answer.json()).error?.details?.reason]
    }
    for (const [method, path] of [
      ['GET', '/platform/facts'],
      ['GET', '/platform/refused_facts'],
      ['POST', '/platform/refused_facts/1/send'],
      ['POST', '/platform/refused_facts/1/dismiss'],
      ['GET', `/platform/accounts/${account}`],
      ['POST', `/platform/accounts/${account}/unlock`],
      ['POST', `/platform/accounts/${account}/sign_in_link`],
      ['GET', '/platform/audit'],
      ['GET', '/platform/audit/verification'],
      ['POST', '/sandbox/clock'],
    ] as const) {
      expect(await statusOf(method, path)).toEqual([path, 403, 'role_too_low'])
    }
  })
})

describe('a fact of the test world', () => {
  test('shows its times by the clock of that world, which is ahead, so no time is in the future', async () => {
    await giveRole(demo, demo.people.manager, 'support')
    await asOperator(demo, 'test', '/sandbox/clock', { body: { advance: 'P3D' } })
    const user = { id: anId('usr', 'Ahead'), name: 'Mary', email: 'mary.s@example.org' }
    await send('ahead', 'user.registered', user)
    const investment = investmentOf('Ahead', user.id)
    await send('ahead-2', 'investment.created', investment)
    const page = await open(`/console/facts?mode=test&subject=${investment.id}`)
    await enterReadingReason(page)
    await page.getByText('Times are those of the test world, whose clock is').waitFor()
    const row = page.getByRole('row', { name: 'ahead-2' })
    await row.getByText(/just now|ago$/).waitFor()
    await row.getByRole('link').click()
    await heading(page, 'ahead-2')
    const times = page.getByRole('main').locator('time')
    await times.first().waitFor()
    await expect
      .poll(async () => (await times.allInnerTexts()).filter((text) => !/just now|ago$/.test(text)))
      .toEqual([])
    await page.goto(`${demo.base_url}/console/facts?mode=live`)
    await heading(page, 'Facts')
    expect(await page.getByText('Times are those of the test world').count()).toBe(0)
  })
})
