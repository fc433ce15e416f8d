import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Site, userIn } from '#access/installations/testing/site.ts'
import { deactivateUser } from '#access/people/index.ts'
import { advance } from '#access/tokens/testing/stage.ts'
import { occasionAt } from '#test/caused-events.ts'
import { refusalOf } from '#test/refusal.ts'
import { aVisit, continueAt, eventsOf, inTest, openJoinSite, wayIn } from '../join-api/testing/join-site.ts'
import { signIn } from '../join-session.ts'

let site: Site
beforeAll(async () => {
  site = await openJoinSite()
})
afterAll(() => site.close())

type Visit = Awaited<ReturnType<typeof aVisit>>
const userOf = async ({ read }: Pick<Visit, 'read'>) => (await read())['user']
const ADA = (it: Visit) => ({ id: userIn(it.ada), name: 'Ada Lovelace' })
const names = async ({ syndicate }: Visit) => (await eventsOf(site, syndicate)).map(({ name }) => name)
const signedInAs = (it: Visit, userId = userIn(it.ada)) =>
  inTest(site, (tx) => signIn(tx, { id: it.id, userId }, occasionAt()))

describe('the first page of a join session', () => {
  test('names the account and the app, lists what the app will see, and lets the person switch accounts', async () => {
    const it = await aVisit(site)
    const { status, text } = await it.browser.open(it.path)
    expect(status).toBe(200)
    expect(wayIn(text)).toBe('continue')
    expect(text).toContain('>Continue as Ada Lovelace</button>')
    expect(text).toContain('<bdi>Fieldbook CRM</bdi> sees who you are: your name, <strong><bdi>Ada Lovelace</bdi>')
    expect(text).toContain('Not you?')
    expect(text).toContain('Lakeshore Angels')
  })

  test('shows the user’s name, which the app will read, even if the account has another name', async () => {
    const it = await aVisit(site)
    await site.db.sql(`update test.users set name = 'Countess <i>Lovelace</i>' where id = $1`, [userIn(it.ada)])
    const { text } = await it.browser.open(it.path)
    expect(text).toContain('Continue as Ada Lovelace')
    expect(text).toContain('Countess &lt;i&gt;Lovelace&lt;/i&gt;')
    await continueAt(it.browser, it.path)
    expect(await userOf(it)).toEqual({ id: userIn(it.ada), name: 'Countess <i>Lovelace</i>' })
  })

  test('a person who only opens the link and signs in does not become the session’s user', async () => {
    const it = await aVisit(site)
    await site.browser().open(it.path)
    await it.browser.open(it.path)
    await it.browser.open(it.path)
    expect(await it.read()).toMatchObject({ user: null, status: 'open' })
    await it.send('DELETE', `${it.at}/${it.id}`)
    expect((await eventsOf(site, it.syndicate)).at(-1)?.data).toMatchObject({ user: null })
  })

  test('pressing Continue sets the session’s user, records no event, and redirects to the next page', async () => {
    const it = await aVisit(site)
    expect(await continueAt(it.browser, it.path)).toMatchObject({ status: 303, location: it.path })
    expect(await it.read()).toMatchObject({ status: 'open', user: ADA(it), membership_id: null })
    expect(await names(it)).toEqual([])
    expect(wayIn((await it.browser.open(it.path)).text)).toBe('apply')
    // The person presses the button again on the page that is still open.
    expect(await it.browser.submit(it.path, { way: 'continue' })).toMatchObject({ status: 303, location: it.path })
    expect(await userOf(it)).toEqual(ADA(it))
  })

  test('if a person continued and the app canceled the session, the event names that person', async () => {
    const it = await aVisit(site)
    await continueAt(it.browser, it.path)
    await it.send('DELETE', `${it.at}/${it.id}`)
    const [canceled, ...more] = await eventsOf(site, it.syndicate)
    expect(more).toEqual([])
    expect(canceled).toMatchObject({ name: 'join_session.canceled', data: { user: { id: userIn(it.ada) } } })
  })

  test('before the session has a user, the forms of later pages do nothing', async () => {
    const it = await aVisit(site, { auto_approval: true })
    await it.browser.open(it.path)
    for (const way of ['join', 'apply', 'member', 'blocked', '']) {
      const { status, text } = await it.browser.submit(it.path, { way })
      expect([status, wayIn(text)]).toEqual([409, 'continue'])
      expect(text).toContain('Nothing was done')
    }
    expect(await it.read()).toMatchObject({ user: null, status: 'open' })
    expect(await names(it)).toEqual([])
  })
})

describe('people who cannot continue', () => {
  test('a form from another site, with a wrong token, or from a signed-out browser sets no user', async () => {
    const it = await aVisit(site)
    await it.browser.open(it.path)
    const way = { way: 'continue' }
    expect((await it.browser.submit(it.path, way, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await it.browser.submit(it.path, { ...way, csrf: 'x' })).status).toBe(403)
    const stranger = site.browser()
    await stranger.open('/sign-in')
    expect((await stranger.submit(it.path, way)).location).toContain('/sign-in?return_to=')
    expect(await userOf(it)).toBeNull()
  })

  test('of two people who press Continue at the same moment, one becomes the user and the other is rejected', async () => {
    for (let round = 0; round < 5; round++) {
      const it = await aVisit(site)
      const grace = await site.person(undefined, 'Grace Hopper')
      const browsers = [it.browser, await site.signedIn(grace)]
      for (const browser of browsers) await browser.open(it.path)
      const responses = await Promise.all(browsers.map((browser) => browser.submit(it.path, { way: 'continue' })))
      expect(responses.map(({ status }) => status).toSorted()).toEqual([303, 403])
      expect(responses.find(({ status }) => status === 403)?.text).toContain('This link is another person’s')
      const winner = responses[0]?.status === 303 ? userIn(it.ada) : userIn(grace)
      expect(await userOf(it)).toMatchObject({ id: winner })
    }
  })

  test('a person who opened the page before another person continued is rejected', async () => {
    const it = await aVisit(site)
    const late = await site.signedIn(await site.person())
    await late.open(it.path)
    await continueAt(it.browser, it.path)
    expect((await late.submit(it.path, { way: 'continue' })).status).toBe(403)
    expect((await late.submit(it.path, { way: 'apply' })).status).toBe(403)
    expect(await userOf(it)).toEqual(ADA(it))
    expect(await names(it)).toEqual([])
  })

  test('a disabled account is signed out, and a deactivated user is rejected', async () => {
    const disabled = await aVisit(site)
    await disabled.browser.open(disabled.path)
    await site.db.sql('update platform.accounts set disabled_at = clock_timestamp() where id = $1', [
      disabled.ada.account,
    ])
    const { status, location } = await disabled.browser.submit(disabled.path, { way: 'continue' })
    expect([status, location]).toEqual([303, expect.stringContaining('/sign-in?return_to=')])
    expect(await userOf(disabled)).toBeNull()
    const gone = await aVisit(site)
    await gone.browser.open(gone.path)
    await inTest(site, (tx) => deactivateUser(tx, userIn(gone.ada), occasionAt()))
    expect((await gone.browser.submit(gone.path, { way: 'continue' })).status).toBe(403)
    expect(await userOf(gone)).toBeNull()
  })

  test('an account without a user in the session’s world is rejected', async () => {
    const it = await aVisit(site)
    const elsewhere = await site.signedIn(await site.person(['live']))
    await elsewhere.open(it.path)
    expect((await elsewhere.submit(it.path, { way: 'continue' })).status).toBe(403)
    expect(await userOf(it)).toBeNull()
  })

  test('no person can continue a canceled session, or a session of an app that was removed from the syndicate', async () => {
    const canceled = await aVisit(site)
    await canceled.browser.open(canceled.path)
    await canceled.send('DELETE', `${canceled.at}/${canceled.id}`)
    expect((await canceled.browser.submit(canceled.path, { way: 'continue' })).status).toBe(409)
    expect(await userOf(canceled)).toBeNull()
    const off = await aVisit(site)
    await off.browser.open(off.path)
    await site.db.sql(
      `update test.installations set state = 'revoked', revoked_at = test.world_now(), revoked_by_role = 'manager'
        where id = $1`,
      [off.installation],
    )
    expect((await off.browser.submit(off.path, { way: 'continue' })).status).toBe(403)
    const [row] = await site.db.sql('select user_id from test.join_sessions where id = $1', [off.id])
    expect(row).toEqual({ user_id: null })
  })

  test('no person can continue an expired session: the page shows the expiry, which is recorded without a user', async () => {
    const it = await aVisit(site, {}, { expires_in_hours: 1 })
    await it.browser.open(it.path)
    await advance(site.db, '1 hour')
    const late = await it.browser.submit(it.path, { way: 'continue' })
    expect([late.status, late.text.includes('This link has expired')]).toEqual([409, true])
    const [expired] = await eventsOf(site, it.syndicate)
    expect(expired).toMatchObject({ name: 'join_session.expired', data: { user: null } })
  })
})

describe('the sandbox’s sign_in and the Continue button set the same user', () => {
  test('after the sandbox’s sign_in, the page continues with that person and rejects every other person', async () => {
    const it = await aVisit(site)
    await signedInAs(it)
    expect(await it.read()).toMatchObject({ status: 'open', user: ADA(it) })
    expect(wayIn((await it.browser.open(it.path)).text)).toBe('apply')
    const other = await site.signedIn(await site.person())
    expect((await continueAt(other, it.path)).status).toBe(403)
    expect(await userOf(it)).toEqual(ADA(it))
  })

  test('after Continue, the sandbox’s sign_in changes nothing for the same person and is rejected for another', async () => {
    const it = await aVisit(site)
    await continueAt(it.browser, it.path)
    await signedInAs(it)
    const other = userIn(await site.person())
    expect(await refusalOf(signedInAs(it, other))).toBe('user already_signed_in')
    expect(await userOf(it)).toEqual(ADA(it))
  })
})
