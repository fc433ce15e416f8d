import { describe, expect, test } from 'vitest'
import { ApiError } from '#kernel/errors.ts'
import { foldedEmail } from '../email-address.ts'
import {
  carriedReturnTo,
  clientIdIn,
  DEFAULT_RETURN_TO,
  formTargetsAfter,
  localReturnTo,
  worldOfReturnTo,
} from './return-to.ts'

describe('the page after a sign-in', () => {
  test.each([
    '/settings/apps',
    '/oauth/authorize?client_id=pk_test_x&redirect_uri=https%3A%2F%2Fpartner.example%2Fcb&state=a%20b',
    '/apps/pk_live_x/install?state=1',
    '/?next=//evil.example',
    '/a/..%2fb',
    '/search?q=https://evil.example',
  ])('%s is one of our paths and stays unchanged', (path) => {
    expect(localReturnTo(path)).toBe(path)
  })

  test.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['another host', 'https://evil.example/'],
    ['another host without a scheme', '//evil.example'],
    ['three slashes', '///evil.example'],
    ['a backslash for a slash', '/\\evil.example'],
    ['two backslashes', '\\\\evil.example'],
    ['a backslash later in the path', '/a\\b'],
    ['an encoded slash', '/%2Fevil.example'],
    ['an encoded backslash', '/%5cevil.example'],
    ['a tab that browsers drop', '/\t/evil.example'],
    ['a line break that browsers drop', '/\n/evil.example'],
    ['a header in the path', '/x\r\nSet-Cookie: a=b'],
    ['a NUL', '/\0/evil.example'],
    ['a space', '/ /evil.example'],
    ['a dot that browsers drop', '/.//evil.example'],
    ['an encoded dot that browsers drop', '/%2e//evil.example'],
    ['two dots that browsers drop', '/x/..//evil.example'],
    ['letters that need encoding', '/ä'],
    ['a sign that looks like a slash', '/／evil.example'],
    ['a script', 'javascript:alert(1)'],
    ['a document', 'data:text/html,x'],
    ['a relative path', 'settings/apps'],
    ['userinfo', '@evil.example'],
    ['the sign-in page', '/sign-in?return_to=/sign-in'],
    ['a path that browsers normalize to the sign-in page', '/x/../sign-in'],
    ['the start of a sign-in at the provider', '/sign-in/openid'],
    ['signing out', '/sign-out'],
    ['a path that is too long', `/${'a'.repeat(8_000)}`],
  ])('%s is replaced by the default page', (_, wanted) => {
    expect(localReturnTo(wanted)).toBe(DEFAULT_RETURN_TO)
  })

  test('drops the fragment, and normalizes the path like a browser', () => {
    expect(localReturnTo('/settings/apps#top')).toBe('/settings/apps')
    expect(localReturnTo('/a/./b/../c')).toBe('/a/c')
    expect(localReturnTo('/sign-ins')).toBe('/sign-ins')
  })

  test('is always a path of this service', () => {
    for (const start of ['/', '//', '/\\', '/.', '/%2e', '/%2f', '/\t', '/@', '/:', '/;', '/?', '/#']) {
      for (const middle of ['/', '\\', '', '//', '..//', '%5c']) {
        const location = localReturnTo(`${start}${middle}evil.example`)
        expect(new URL(location, 'https://portico.example').origin).toBe('https://portico.example')
        expect(location).not.toMatch(/^\/[/\\]/)
      }
    }
  })
})

test('an address that is too long for a sign-in is rejected, not dropped', () => {
  expect(carriedReturnTo(`/${'a'.repeat(7_999)}`)).toHaveLength(8_000)
  expect(() => carriedReturnTo(`/${'a'.repeat(8_000)}`)).toThrow(ApiError)
  expect(carriedReturnTo(undefined)).toBe(DEFAULT_RETURN_TO)
})

describe('sites to which the sign-in form may lead, by the return address', () => {
  const LOCAL = ['https:', 'http://localhost:*', 'http://127.0.0.1:*']
  const authorize = (redirectUri: string) => `/oauth/authorize?${new URLSearchParams({ redirect_uri: redirectUri })}`

  test.each([
    ['an app on the web', authorize('https://partner.example/cb'), ['https:']],
    ['an app on this machine', authorize('http://127.0.0.1:4711/cb'), LOCAL],
    ['an app with a private scheme', authorize('com.example.app:/cb'), ['com.example.app:']],
    ['an app with one redirect URI, which the request omits', '/oauth/authorize?client_id=x', ['https:']],
    ['an app that is being installed', '/apps/pk_live_x/install?state=1', LOCAL],
  ])('%s', (_, returnTo, targets) => {
    expect(formTargetsAfter(returnTo)).toEqual(targets)
  })

  test.each([
    ['another of our pages', '/settings/apps?redirect_uri=https://evil.example/'],
    ['a script', authorize('javascript:alert(1)')],
    ['a document', authorize('data:text/html,x')],
    ['a file', authorize('file:///etc/passwd')],
    ['http elsewhere', authorize('http://evil.example/')],
    ['a private scheme that is not a domain name', authorize('myapp:/cb')],
    ['a malformed address', authorize('https://')],
    ['a text that contains another policy', authorize("x; script-src 'unsafe-inline'")],
    ['a relative redirect URI', authorize('/cb')],
    ['two redirect URIs', '/oauth/authorize?redirect_uri=https%3A%2F%2Fa.example&redirect_uri=https%3A%2F%2Fb.example'],
  ])('%s adds no site', (_, returnTo) => {
    expect(formTargetsAfter(returnTo)).toEqual([])
  })
})

describe('the world of the return address, which decides whether the page shows the sandbox’s band', () => {
  test.each([
    ['/oauth/authorize?client_id=pk_test_abc&scope=x', 'test'],
    ['/apps/pk_test_abc/install?state=1', 'test'],
    ['/oauth/authorize?client_id=pk_live_abc', null],
    ['/oauth/authorize?state=pk_test_abc', null],
    ['/settings/apps', null],
  ])('for %s is %s', (returnTo, world) => {
    expect(worldOfReturnTo(returnTo)).toBe(world)
  })
})

test('an email address is compared without spaces around it; only the case of ASCII letters is ignored', () => {
  expect(foldedEmail(' Ada.ÖL@Example.ORG ')).toBe('ada.Öl@example.org')
})

describe('the app for which a person signs in', () => {
  test.each([
    ['/oauth/authorize?client_id=pk_test_1&scope=x', 'pk_test_1'],
    ['/apps/pk_live_2/install?state=x', 'pk_live_2'],
    ['/oauth/authorize?client_id=a&client_id=b', null],
    ['/oauth/authorize', null],
    ['/apps/pk_live_2', null],
    ['/settings/apps?client_id=pk_test_1', null],
    ['/', null],
  ])('%s names %s', (returnTo, clientId) => {
    expect(clientIdIn(returnTo)).toBe(clientId)
  })
})
