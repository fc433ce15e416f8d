import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openForm } from '#http/browser/return-to.ts'
import { newId } from '#kernel/ids.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'
import { movableClock } from '#test/clock.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { quickHasher } from '#test/quick-hasher.ts'
import { createAccount } from '../index.ts'
import { type AccountService, accountService } from '../testing/account-service.ts'
import { hiddenFields, type TestBrowser } from '../testing/browser.ts'

const PASSWORD = 'correct horse battery'
const FORM = '/settings/email'

const clock = movableClock()
let db: TestDatabase
let service: AccountService
beforeAll(async () => {
  db = await testDatabase()
  service = await accountService(db, { clock })
})
afterAll(async () => {
  await service.close()
  await db.close()
})

const makeProofOld = (id: string) =>
  db.sql(`update platform.sign_in_sessions set proven_at = now() - interval '11 minutes' where account_id = $1`, [id])

/** A person whose proof became too old while the page with the form was open. */
async function aPerson() {
  const email = `${newId('account')}@example.org`.toLowerCase()
  const passwordHash = await quickHasher.hash(PASSWORD)
  const id = await db.databases.platform.transaction((tx) => createAccount(tx, { email, name: 'Ada', passwordHash }))
  const browser = service.browser()
  await browser.submit('/sign-in', '/sign-in', { email, password: PASSWORD })
  const { csrf = '' } = hiddenFields((await browser.open(FORM)).text)
  await makeProofOld(id)
  return { id, email, browser, csrf }
}

const post = (browser: TestBrowser, path: string, fields: Readonly<Record<string, string>>) =>
  browser.send(path, { method: 'POST', body: new URLSearchParams(fields) })

/** Sends the form without a recent proof. Follows the 307 like a browser: sends the form again to the address in the response. */
async function sealForm(
  { browser, csrf }: Pick<Awaited<ReturnType<typeof aPerson>>, 'browser' | 'csrf'>,
  email: string,
) {
  const fields = { csrf, email, current: PASSWORD }
  const first = await post(browser, FORM, fields)
  expect(first.status).toBe(307)
  return { first, page: await post(browser, first.location ?? '', fields) }
}

const changesOf = (id: string) =>
  db.sql(`select account_id from platform.account_links where account_id = $1 and purpose = 'change_email'`, [id])

describe('a form without a recent proof', () => {
  test('is sealed while its sender confirms their identity, and is submitted afterwards; the person enters secrets again', async () => {
    const person = await aPerson()
    const { browser } = person
    const wanted = `new-${person.email}`
    const { first, page } = await sealForm(person, wanted)
    expect(first.location).toBe('/sign-in/confirm/form?for=%2Fsettings%2Femail&return_to=%2Fsettings%2Femail')
    expect(page.status).toBe(200)
    expect(page.text).toContain('Confirm that it is you')
    // The page contains the sealed form, but shows none of its values.
    expect([page.text.includes(wanted), page.text.includes(PASSWORD)]).toEqual([false, false])
    const fields = hiddenFields(page.text)
    const sender = { cookieValue: browser.cookies.get('portico') ?? '', path: FORM }
    const ports = { answers: sealedBox(service.keys('stored-answers')), clock }
    expect(openForm(ports, sender, fields['kept_form'] ?? '')).toEqual({ email: wanted })
    expect(await changesOf(person.id)).toEqual([])

    const wrong = await post(browser, '/sign-in/confirm', { ...fields, password: 'wrong' })
    expect([wrong.status, hiddenFields(wrong.text)['kept_form']]).toEqual([422, fields['kept_form']])
    const sent = { ...fields, password: PASSWORD }
    const confirmed = await post(browser, '/sign-in/confirm', sent)
    expect([confirmed.status, confirmed.location]).toEqual([307, FORM])
    const again = await post(browser, FORM, sent)
    expect([again.status, again.text.includes('Enter your current password.')]).toEqual([422, true])
    expect(again.text).toContain(`value="${wanted}"`)
    expect((await browser.submit(FORM, FORM, { email: wanted, current: PASSWORD })).status).toBe(200)
  })

  test('is submitted right after the confirmation if it contains no secrets', async () => {
    const { id, browser, csrf } = await aPerson()
    await db.sql(`insert into platform.account_totp (account_id, secret, last_step) values ($1, '\\x00', 1)`, [id])
    const path = '/settings/security/authenticator/remove'
    const { location } = await post(browser, path, { csrf })
    const fields = hiddenFields((await post(browser, location ?? '', { csrf })).text)
    const sent = { ...fields, password: PASSWORD }
    expect((await post(browser, '/sign-in/confirm', sent)).location).toBe(path)
    expect((await post(browser, path, sent)).location).toBe('/settings/security?done=authenticator_removed')
    expect(await db.sql('select account_id from platform.account_totp where account_id = $1', [id])).toEqual([])
  })

  test('cannot be unsealed by another session, for another path, or after ten minutes', async () => {
    const person = await aPerson()
    const { page } = await sealForm(person, `new-${person.email}`)
    const { kept_form = '' } = hiddenFields(page.text)
    const thief = await aPerson()
    const { csrf } = thief
    const stolen = { csrf, kept_form, for: FORM, password: PASSWORD }
    // The thief's own confirmation is accepted, but the form of another session is not submitted.
    expect((await post(thief.browser, '/sign-in/confirm', stolen)).status).toBe(303)
    expect((await post(thief.browser, FORM, stolen)).status).toBe(403)
    expect(await changesOf(thief.id)).toEqual([])

    const own = { csrf: person.csrf, kept_form, password: PASSWORD, return_to: FORM }
    const elsewhere = { ...own, for: '/settings/security/recovery-codes' }
    expect((await post(person.browser, '/sign-in/confirm', elsewhere)).location).toBe(FORM)
    expect((await post(person.browser, '/settings/security/recovery-codes', elsewhere)).status).toBe(403)
    clock.advance(600_000)
    const late = await post(person.browser, '/sign-in/confirm', { ...own, for: FORM })
    expect([late.status, late.location]).toEqual([303, FORM])
    expect((await post(person.browser, FORM, own)).status).toBe(403)
  })

  test('is neither sealed nor submitted without the CSRF token, or for an address of another site', async () => {
    const person = await aPerson()
    const { browser, csrf } = person
    expect((await post(browser, `/sign-in/confirm/form?for=${FORM}`, { email: 'a@b.example' })).status).toBe(403)
    const { page } = await sealForm(person, `new-${person.email}`)
    const { kept_form = '' } = hiddenFields(page.text)
    for (const path of ['//evil.example/x', 'https://evil.example/', '/sign-in/confirm']) {
      const address = `/sign-in/confirm/form?${new URLSearchParams({ for: path })}`
      expect((await post(browser, address, { csrf })).text).not.toContain('kept_form')
    }
    await post(browser, '/sign-in/confirm', { csrf, password: PASSWORD })
    expect((await post(browser, FORM, { kept_form })).status).toBe(403)
    expect(await changesOf(person.id)).toEqual([])
  })

  test('is not sealed if it is too long; the person returns to the page of the form', async () => {
    const { browser, csrf } = await aPerson()
    const fields = { csrf, email: 'a'.repeat(90_000) }
    const page = await post(browser, `/sign-in/confirm/form?for=${FORM}&return_to=${FORM}`, fields)
    expect([page.status, page.text.includes('kept_form')]).toEqual([200, false])
    const sent = { ...hiddenFields(page.text), password: PASSWORD }
    const confirmed = await post(browser, '/sign-in/confirm', sent)
    expect([confirmed.status, confirmed.location]).toEqual([303, FORM])
  })
})

describe('Cancel on the confirm page', () => {
  test.each([
    [
      '/settings/organizations/org_1/apps/app_1/keys',
      'leads back to that page',
      '/settings/organizations/org_1/apps/app_1/keys',
    ],
    ['/intents/int_1/review', 'leads back to that page', '/intents/int_1/review'],
    [FORM, 'leads to the settings, because that page would ask for the proof again', '/settings'],
    [
      '/settings/security/passkeys/new',
      'leads to the settings, because that page would ask for the proof again',
      '/settings',
    ],
    ['//evil.example/', 'leads to a page of this service', '/settings/security'],
  ])('from %s %s', async (returnTo, _, expected) => {
    const { id, browser } = await aPerson()
    const { text } = await browser.open(`/sign-in/confirm?${new URLSearchParams({ return_to: returnTo })}`)
    expect(/<a href="([^"]*)">Cancel<\/a>/.exec(text)?.[1]).toBe(expected)
    await browser.open(expected)
    const [session] = await db.sql<{ old: boolean }>(
      `select proven_at < now() - interval '10 minutes' as old from platform.sign_in_sessions where account_id = $1`,
      [id],
    )
    expect(session?.old).toBe(true)
  })
})
