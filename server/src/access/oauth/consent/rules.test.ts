import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SCOPE_NAMES } from '#access/scopes/index.ts'
import { parseQueryText } from '#http/input/read-query.ts'
import { formTargets, returnPlace } from '#pages/return-place.ts'
import { authorizeAddress } from '../oauth-protocol.ts'
import { grantedOf, offerOf } from './consent-pages.ts'

const someScopes = fc.subarray([...SCOPE_NAMES])

describe('the granted scopes', () => {
  test('are never more than the requested scopes and never more than the selected scopes', () => {
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

  test('offered and withheld scopes together are the requested scopes, apart from read:public', () => {
    fc.assert(
      fc.property(someScopes, fc.boolean(), (requested, onTeam) => {
        const { offered, withheld, isPublic } = offerOf(requested, { onTeam, approved: false })
        const named = [...offered, ...withheld.map(({ scope }) => scope), ...(isPublic ? ['read:public'] : [])]
        expect(named.sort()).toEqual([...requested].sort())
      }),
    )
  })
})

describe('the site to which the page says that the person returns', () => {
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

  test('is shown in punycode if it contains look-alike letters', () => {
    expect(returnPlace('https://wefundеr.com/')).toEqual({ kind: 'site', host: 'xn--wefundr-dhg.com' })
  })

  test('allows http only for this machine, in the form’s policy', () => {
    expect(formTargets('http://localhost:99/cb')).toEqual(['https:', 'http://localhost:*', 'http://127.0.0.1:*'])
  })

  test('allows http to all hosts for this machine’s IPv6 address, because browsers ignore a policy that names [::1]', () => {
    expect(formTargets('http://[::1]:99/cb')).toEqual(['https:', 'http:'])
  })
})

describe('the address of a request', () => {
  test('contains every value of every parameter, so that every check gives the same result', () => {
    const text = 'client_id=a&scope=read%3Aprofile+read%3Apublic&state=%26%3D%C3%A9&state=two&x='
    const { values } = parseQueryText(text)
    const again = authorizeAddress({ values, malformed: false }).split('?')[1] ?? ''
    expect(parseQueryText(again).values).toEqual(values)
  })

  test('contains the redirect URI once, even if the app omitted it or sent it empty', () => {
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
