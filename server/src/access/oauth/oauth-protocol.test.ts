import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { namesInJson, OAuthError, readParameters } from './oauth-protocol.ts'

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

  test('without a value count as left out, in a form and in JSON', () => {
    expect(form('grant_type=&scope&code=')).toEqual({})
    expect(json({ grant_type: '', scope: '' })).toEqual({})
  })

  test('with unknown names are ignored, also repeated ones', () => {
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
    ['twice in JSON, with braces and quotes in between', () => json('{"scope":"}{\\"","x":{"scope":1},"scope":"b"}')],
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

test('finds the same names as JSON.parse, with duplicates', () => {
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
