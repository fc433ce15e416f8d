import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isRegistered, namesInJson, OAuthError, readParameters } from './oauth-protocol.ts'

const FORM = 'application/x-www-form-urlencoded'
const form = (body: string) => readParameters({ body, contentType: FORM }).parameters
const json = (value: unknown, contentType = 'application/json') =>
  readParameters({ body: typeof value === 'string' ? value : JSON.stringify(value), contentType }).parameters

function refusal(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    if (error instanceof OAuthError && error.code === 'invalid_request') return error.description
    throw error
  }
  throw new Error('it was read')
}

describe('the parameters of a request', () => {
  test('are the fields of its form, decoded once', () => {
    expect(form('grant_type=client_credentials&scope=read%3Apublic+write%3Areferral_codes&code=%2525')).toEqual({
      grant_type: 'client_credentials',
      scope: 'read:public write:referral_codes',
      code: '%25',
    })
  })

  test.each(['application/json', 'Application/JSON; charset=utf-8', ' application/json ;charset=UTF-8'])(
    'are the fields of its JSON object: %s',
    (contentType) => {
      expect(json({ grant_type: 'refresh_token', scope: 'read:profile' }, contentType)).toEqual({
        grant_type: 'refresh_token',
        scope: 'read:profile',
      })
    },
  )

  test('without a value count as omitted, in a form and in JSON', () => {
    expect(form('grant_type=&scope&code=')).toEqual({})
    expect(json({ grant_type: '', scope: '' })).toEqual({})
  })

  test('with unknown names are ignored, even if they are repeated', () => {
    expect(form('resource=a&resource=b&__proto__=x&constructor=y&token=t')).toEqual({ token: 't' })
    expect(
      json('{"resource":[1],"resource":null,"deep":{"token":"no"},"__proto__":{"code":"no"},"token":"t"}'),
    ).toEqual({
      token: 't',
    })
  })

  test('may be absent', () => {
    expect(form('')).toEqual({})
    expect(form('&&')).toEqual({})
    expect(json({})).toEqual({})
  })
})

describe('invalid_request', () => {
  test.each([
    ['twice in a form', () => form('scope=a&scope=b')],
    ['twice in a form, once without a value', () => form('scope=a&scope=')],
    ['twice in a form, once with an encoded name', () => form('scope=a&%73cope=b')],
    ['twice in JSON', () => json('{"scope":"a","scope":"b"}')],
    ['twice in JSON, with the same value', () => json('{"scope":"a", "scope" : "a"}')],
    ['twice in JSON, once with an escaped name', () => json('{"scope":"a","\\u0073cope":"b"}')],
    ['twice in JSON, with braces and quotes between them', () => json('{"scope":"}{\\"","x":{"scope":1},"scope":"b"}')],
  ])('for a parameter sent %s', (_, read) => {
    expect(refusal(read)).toBe('scope was sent more than once.')
  })

  test.each([
    ['a number', 5],
    ['a boolean', true],
    ['null', null],
    ['a list', ['read:public']],
    ['an object', { read: 'public' }],
  ])('for a JSON value that is %s', (_, scope) => {
    expect(refusal(() => json({ scope }))).toBe('scope must be a string.')
  })

  test.each([
    ['a list', '[]'],
    ['a text', '"grant_type=x"'],
    ['a number', '1'],
    ['null', 'null'],
  ])('for JSON that is %s', (_, body) => {
    expect(refusal(() => json(body))).toBe('The body must be a JSON object.')
  })

  test.each(['{', '{"a":}', 'grant_type=x', "{'a':1}", '{"a":1}x', '\u0000', `${'['.repeat(60_000)}`])(
    'for invalid JSON: %#',
    (body) => {
      expect(refusal(() => json(body))).toBe('The body is not JSON.')
    },
  )

  test.each(['scope=%', 'scope=%zz', 'scope=%ff', '%=a', 'a=%c3%28', 'unknown=%'])(
    'for a form that is not percent-encoded UTF-8: %s',
    (body) => {
      expect(refusal(() => form(body))).toBe('The form is not correctly percent-encoded.')
    },
  )

  test.each([
    ['NUL', () => form('code=a%00b')],
    ['a line break', () => form('code=a%0d%0ab')],
    ['characters outside ASCII', () => form('code=%C3%A9')],
    ['half of a surrogate pair', () => json('{"code":"\\ud800"}')],
    ['NUL in JSON', () => json('{"code":"\\u0000"}')],
  ])('for a value with %s', (_, read) => {
    expect(refusal(read)).toBe('code must be plain ASCII.')
  })

  test('for a huge value', () => {
    expect(form(`code=${'a'.repeat(4_096)}`).code).toHaveLength(4_096)
    expect(refusal(() => form(`code=${'a'.repeat(4_097)}`))).toBe('code is too long.')
    expect(refusal(() => json({ code: 'a'.repeat(4_097) }))).toBe('code is too long.')
  })

  test('never quotes the request', () => {
    expect(refusal(() => json('{"client_secret":"sk_test_hidden",'))).not.toContain('hidden')
  })
})

test('every body is either parsed or rejected with invalid_request', () => {
  const body = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.webQueryParameters(),
    fc
      .dictionary(fc.constantFrom('code', 'scope', 'token', 'x'), fc.jsonValue())
      .map((fields) => JSON.stringify(fields)),
  )
  fc.assert(
    fc.property(body, fc.constantFrom(FORM, 'application/json', undefined), (sent, contentType) => {
      try {
        readParameters({ body: sent, contentType })
      } catch (error) {
        expect(error).toBeInstanceOf(OAuthError)
        expect(error).toMatchObject({ code: 'invalid_request' })
      }
    }),
  )
})

test('the reader of names in JSON finds the same names as JSON.parse', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), (fields) => {
      const json = JSON.stringify(fields)
      expect([...namesInJson(json)].sort()).toEqual(Object.keys(JSON.parse(json)).sort())
    }),
  )
})

describe('the names written in JSON', () => {
  test.each([
    ['{}', []],
    ['{"a":1,"b":{"c":2,"d":[{"e":3}]},"f":"g:h"}', ['a', 'b', 'f']],
    ['{"a":"\\"b\\":","c":"{[","d":[":"]}', ['a', 'c', 'd']],
    ['{ "a" : 1 , "a" :\n2 }', ['a', 'a']],
    ['{"\\u0061":1,"":2}', ['a', '']],
    ['[{"a":1}]', []],
  ])('%s', (text, names) => {
    expect(namesInJson(text)).toEqual(names)
  })
})

describe('a registered redirect URI matches', () => {
  test.each([
    ['itself', 'https://a.example/cb', 'https://a.example/cb'],
    ['itself with its query', 'https://a.example/cb?x=1', 'https://a.example/cb?x=1'],
    ['itself with its port', 'https://a.example:8443/cb', 'https://a.example:8443/cb'],
    ['a private-use scheme', 'com.example.app:/cb', 'com.example.app:/cb'],
    ['loopback with any port', 'http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb'],
    ['loopback with another port', 'http://127.0.0.1:8080/cb', 'http://127.0.0.1:51004/cb'],
    ['loopback with no port where a port was registered', 'http://127.0.0.1:8080/cb', 'http://127.0.0.1/cb'],
    ['loopback with the default port', 'http://127.0.0.1/cb', 'http://127.0.0.1:80/cb'],
    ['loopback without a path', 'http://127.0.0.1', 'http://127.0.0.1:51004'],
    ['loopback with a query', 'http://127.0.0.1/cb?x=1', 'http://127.0.0.1:51004/cb?x=1'],
    ['IPv6 loopback with any port', 'http://[::1]/cb', 'http://[::1]:51004/cb'],
    ['localhost with any port', 'http://localhost/cb', 'http://localhost:51004/cb'],
  ])('%s', (_, registered, presented) => {
    expect(isRegistered(presented, [registered])).toBe(true)
  })
})

describe('a registered redirect URI does not match', () => {
  test.each([
    ['another path', 'https://a.example/cb', 'https://a.example/other'],
    ['a longer path', 'https://a.example/cb', 'https://a.example/cb/more'],
    ['a shorter path', 'https://a.example/cb', 'https://a.example/'],
    ['a trailing slash', 'https://a.example/cb', 'https://a.example/cb/'],
    ['a slash where no path was registered', 'https://a.example', 'https://a.example/'],
    ['a path in other case', 'https://a.example/cb', 'https://a.example/CB'],
    ['a host in other case', 'https://a.example/cb', 'https://A.example/cb'],
    ['a scheme in other case', 'https://a.example/cb', 'HTTPS://a.example/cb'],
    ['another scheme', 'https://a.example/cb', 'http://a.example/cb'],
    ['another host', 'https://a.example/cb', 'https://b.example/cb'],
    ['a subdomain', 'https://a.example/cb', 'https://x.a.example/cb'],
    ['a longer host', 'https://a.example/cb', 'https://a.example.evil.example/cb'],
    ['a host with a dot at its end', 'https://a.example/cb', 'https://a.example./cb'],
    ['another port', 'https://a.example:8443/cb', 'https://a.example:9443/cb'],
    ['the default port written out', 'https://a.example/cb', 'https://a.example:443/cb'],
    ['a query', 'https://a.example/cb', 'https://a.example/cb?x=1'],
    ['an empty query', 'https://a.example/cb', 'https://a.example/cb?'],
    ['another query', 'https://a.example/cb?x=1', 'https://a.example/cb?x=2'],
    ['no query', 'https://a.example/cb?x=1', 'https://a.example/cb'],
    ['a fragment', 'https://a.example/cb', 'https://a.example/cb#x'],
    ['an empty fragment', 'https://a.example/cb', 'https://a.example/cb#'],
    ['a user', 'https://a.example/cb', 'https://u@a.example/cb'],
    ['the host as a user', 'https://a.example/cb', 'https://a.example@evil.example/cb'],
    ['a backslash', 'https://a.example/cb', 'https://a.example\\cb'],
    ['an encoded letter', 'https://a.example/cb', 'https://a.example/%63b'],
    ['an encoded slash', 'https://a.example/a/b', 'https://a.example/a%2Fb'],
    ['dot segments', 'https://a.example/cb', 'https://a.example/x/../cb'],
    ['a space at the end', 'https://a.example/cb', 'https://a.example/cb '],
    ['nothing', 'https://a.example/cb', ''],
    ['loopback in another form', 'http://127.0.0.1/cb', 'http://localhost/cb'],
    ['loopback in the other family', 'http://127.0.0.1/cb', 'http://[::1]/cb'],
    ['loopback with https', 'http://127.0.0.1/cb', 'https://127.0.0.1:51004/cb'],
    ['loopback with another path', 'http://127.0.0.1/cb', 'http://127.0.0.1:51004/other'],
    ['loopback with a slash more', 'http://127.0.0.1', 'http://127.0.0.1:51004/'],
    ['loopback with a query', 'http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb?x=1'],
    ['loopback with a fragment', 'http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb#x'],
    ['loopback as a user', 'http://127.0.0.1/cb', 'http://127.0.0.1:51004@evil.example/cb'],
    ['a host that only begins like loopback', 'http://127.0.0.1/cb', 'http://127.0.0.1.evil.example/cb'],
    ['a port that is part of another host', 'http://127.0.0.1/cb', 'http://127.0.0.1:80.evil.example/cb'],
    ['a port that does not exist', 'http://127.0.0.1/cb', 'http://127.0.0.1:99999/cb'],
    ['port 0', 'http://127.0.0.1/cb', 'http://127.0.0.1:0/cb'],
    ['an empty port', 'http://127.0.0.1/cb', 'http://127.0.0.1:/cb'],
    ['a user on loopback', 'http://127.0.0.1/cb', 'http://u:p@127.0.0.1:51004/cb'],
    ['::1 written out', 'http://[::1]/cb', 'http://[0:0:0:0:0:0:0:1]:51004/cb'],
    ['a line break at the end', 'http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb\n'],
    ['https on loopback with another port', 'https://127.0.0.1/cb', 'https://127.0.0.1:51004/cb'],
    ['another private-use path', 'com.example.app:/cb', 'com.example.app:/other'],
    ['another private-use scheme', 'com.example.app:/cb', 'com.example.app2:/cb'],
    ['a private-use scheme with an authority', 'com.example.app:/cb', 'com.example.app://cb'],
  ])('%s', (_, registered, presented) => {
    expect(isRegistered(presented, [registered])).toBe(false)
  })
})
