import { expect, test } from 'vitest'
import { authorizationResponse } from './oauth-protocol.ts'

const code = { code: 'ac_test_x', state: 'a b&c', iss: 'https://portico.example' }
const ENCODED = 'code=ac_test_x&iss=https%3A%2F%2Fportico.example&state=a+b%26c'

test.each([
  ['https://partner.example/cb', `https://partner.example/cb?${ENCODED}`],
  ['https://partner.example', `https://partner.example?${ENCODED}`],
  ['https://partner.example/cb?tenant=7', `https://partner.example/cb?tenant=7&${ENCODED}`],
  ['https://partner.example/cb?', `https://partner.example/cb?${ENCODED}`],
  ['https://partner.example/cb?a&', `https://partner.example/cb?a&${ENCODED}`],
  ['http://127.0.0.1:51004/cb', `http://127.0.0.1:51004/cb?${ENCODED}`],
  ['com.example.app:/cb', `com.example.app:/cb?${ENCODED}`],
])('adds the response to the query of %s and leaves the rest unchanged', (redirectUri, location) => {
  expect(authorizationResponse(redirectUri, code)).toBe(location)
})

test('returns no state if the request had no state', () => {
  const { searchParams } = new URL(authorizationResponse('https://partner.example/cb', { ...code, state: null }))
  expect([...searchParams.keys()]).toEqual(['code', 'iss'])
})
