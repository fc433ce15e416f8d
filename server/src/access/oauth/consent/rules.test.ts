import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SCOPE_NAMES } from '#access/scopes/index.ts'
import { parseQueryText } from '#http/input/read-query.ts'
import { formTargets, returnPlace } from '#pages/return-place.ts'
import { authorizeAddress } from '../oauth-protocol.ts'
import { grantedOf, offerOf } from './consent-pages.ts'

const someScopes = fc.subarray([...SCOPE_NAMES])

describe('the granted scopes', () => {
  test('are never more than was requested and never more than was ticked', () => {
    const ticks = fc.array(fc.oneof(fc.constantFrom(...SCOPE_NAMES), fc.string()))
    fc.assert(
      fc.property(someScopes, ticks, fc.boolean(), (requested, ticked, approved) => {
        const granted = grantedOf(offerOf(requested, { onTeam: false, approved }), ticked)
        for (const name of granted) {
          expect(requested).toContain(name)
          expect(ticked.flatMap((value) => value.split(' '))).toContain(name)
          expect(name === 'read:investors:pii' && !approved).toBe(false)
          expect(name).not.toBe('read:public')
        }
      }),
    )
  })

  test('offered plus withheld scopes are the requested scopes', () => {
    fc.assert(
      fc.property(someScopes, fc.boolean(), (requested, onTeam) => {
        const { offered, withheld, isPublic } = offerOf(requested, { onTeam, approved: false })
        const told = [...offered, ...withheld.map(({ scope }) => scope), ...(isPublic ? ['read:public'] : [])]
        expect(told.sort()).toEqual([...requested].sort())
      }),
    )
  })
})

describe('the return address shown to the person', () => {
  test.each([
    ['https://app.fieldbook.example/cb', { kind: 'site', host: 'app.fieldbook.example' }],
    ['https://app.fieldbook.example:8443/cb', { kind: 'site', host: 'app.fieldbook.example:8443' }],
    ['http://127.0.0.1:4711/cb', { kind: 'computer' }],
    ['http://[::1]/cb', { kind: 'computer' }],
    ['http://localhost:1/cb', { kind: 'computer' }],
    ['com.fieldbook.app:/cb', { kind: 'device', scheme: 'com.fieldbook.app' }],
  ])('%s', (uri, place) => {
    expect(returnPlace(uri)).toEqual(place)
  })

  test('look-alike letters are shown in punycode', () => {
    expect(returnPlace('https://wefundеr.com/')).toEqual({ kind: 'site', host: 'xn--wefundr-dhg.com' })
  })

  test('http is allowed to this machine only', () => {
    expect(formTargets('http://localhost:99/cb')).toEqual(['https:', 'http://localhost:*', 'http://127.0.0.1:*'])
  })

  test('http to the IPv6 address of this machine needs http to all hosts: browsers ignore a policy that names [::1]', () => {
    expect(formTargets('http://[::1]:99/cb')).toEqual(['https:', 'http:'])
  })
})

describe('the address of a request', () => {
  test('holds every value of every parameter, so that every check gives the same result', () => {
    const text = 'client_id=a&scope=read%3Aprofile+read%3Apublic&state=%26%3D%C3%A9&state=two&x='
    const { values } = parseQueryText(text)
    const again = authorizeAddress({ values, malformed: false }).split('?')[1] ?? ''
    expect(parseQueryText(again).values).toEqual(values)
  })

  test('names the redirect URI once, also if the app left it out or empty', () => {
    const redirectUri = 'com.fieldbook.app:/cb'
    for (const text of ['client_id=a', 'redirect_uri=&client_id=a', `redirect_uri=${redirectUri}&client_id=a`]) {
      const { values } = parseQueryText(text)
      const again = authorizeAddress({ values, malformed: false }, redirectUri).split('?')[1] ?? ''
      expect([...parseQueryText(again).values].toSorted()).toEqual([
        ['client_id', ['a']],
        ['redirect_uri', [redirectUri]],
      ])
    }
  })
})
