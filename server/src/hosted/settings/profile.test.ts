import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSite, type Site, userIn } from '#access/installations/testing/site.ts'
import { settingsRoutes } from './http.ts'

let site: Site
beforeAll(async () => {
  site = await openSite((deps) =>
    settingsRoutes({ ...deps, platformNames: 'wefunder', mails: null, onDeleted: [], onRevoked: [] }),
  )
})
afterAll(() => site.close())

const nameOf = async (account: string) => {
  const [row] = await site.db.sql<{ name: string }>('select name from platform.accounts where id = $1', [account])
  return row?.name
}

describe('GET /settings', () => {
  test('303 to the sign-in page without sign-in', async () => {
    const seen = await site.browser().open('/settings')
    expect([seen.status, seen.location]).toEqual([303, '/sign-in?return_to=%2Fsettings'])
  })

  test('shows the name, the email address with a link to change it, the date of the account, and the user of each world', async () => {
    const person = await site.person(['live'], 'Ada Lovelace')
    const { status, text } = await (await site.signedIn(person)).open('/settings')
    expect(status).toBe(200)
    expect(text).toContain('value="Ada Lovelace"')
    expect(text).toContain('href="/settings/email"')
    expect(text).toContain('Member since')
    expect(text).toContain(userIn(person, 'live'))
    expect(text).toContain('No sandbox user is linked.')
    expect(text).toContain('<a href="/settings" aria-current="page">Profile</a>')
  })

  test('shows a deactivated user as deactivated', async () => {
    const person = await site.person(['test'])
    await site.db.sql(
      `update test.users set name = null, email = null, deactivated_at = clock_timestamp() where id = $1`,
      [userIn(person)],
    )
    expect((await (await site.signedIn(person)).open('/settings')).text).toContain('Deactivated')
  })
})

describe('POST /settings', () => {
  test('changes the name on the next page; the audit records the change without the names', async () => {
    const person = await site.person([], 'Before')
    const browser = await site.signedIn(person)
    await browser.open('/settings')
    const seen = await browser.submit('/settings', { name: 'After <i>' })
    expect(seen.location).toBe('/settings?done=name')
    expect((await browser.open('/settings?done=name')).text).toContain('value="After &lt;i&gt;"')
    expect(await nameOf(person.account)).toBe('After <i>')
    const entries = await site.db.sql('select action, details from platform.audit_entries where actor = $1', [
      person.account,
    ])
    expect(entries).toEqual([{ action: 'account.renamed', details: {} }])
    await browser.submit('/settings', { name: 'After <i>' })
    expect(await site.db.sql('select 1 from platform.audit_entries where actor = $1', [person.account])).toHaveLength(1)
  })

  test.each([
    ['nothing', '', 'Name is required.'],
    ['a name of one invisible character', '\u3164', 'Name does not have the right form.'],
    ['a web address', 'Win at https://evil.example', 'Name must not contain a web address.'],
    ['a domain name', 'evil.example', 'Name must not contain a web address.'],
    ['a name that is too long', 'x'.repeat(201), 'Name must have at most 200 characters.'],
  ])('422 for %s: the field shows the error, and nothing changes', async (_, name, message) => {
    const person = await site.person([], 'Before')
    const browser = await site.signedIn(person)
    await browser.open('/settings')
    const { status, text } = await browser.submit('/settings', { name })
    expect(status).toBe(422)
    expect(text).toContain(`id="field-name-error">${message}`)
    expect(await nameOf(person.account)).toBe('Before')
  })

  test('403 without this browser’s token', async () => {
    const person = await site.person([], 'Before')
    const browser = await site.signedIn(person)
    await browser.open('/settings')
    expect((await browser.submit('/settings', { name: 'Forged', csrf: 'x' })).status).toBe(403)
    expect(await nameOf(person.account)).toBe('Before')
  })
})
