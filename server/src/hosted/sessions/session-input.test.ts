import { describe, expect, test } from 'vitest'
import { ApiError } from '#kernel/errors.ts'
import { acceptedReturnUrl, type ReturnUrl } from './session-input.ts'

const accepted = (text: string, more: Partial<ReturnUrl> = {}) => {
  try {
    return acceptedReturnUrl(text, { field: 'return_url', world: 'test', ...more })
  } catch (error) {
    return error instanceof ApiError ? error.type : error
  }
}
const ANSWERED = { answered: ['status'] }

describe('a return URL', () => {
  test.each([
    'https://partner.example/welcome?plan=a',
    'https://partner.example:8443/',
    'http://127.0.0.1:4500/in',
    'http://[::1]:4500/',
    'https://xn--bcher-kva.example/',
    'https://partner.example/done#there',
    'https://partner.example/?status=mine',
  ])('accepted: %s', (url) => {
    expect(accepted(url)).toBe(url)
  })

  test('is normalized as a browser normalizes it', () => {
    expect(accepted('https://Partner.Example/a/../b')).toBe('https://partner.example/b')
  })

  test.each([
    'http://partner.example/',
    'javascript:alert(1)',
    '/welcome',
    'https://*/',
    'https://*.partner.example/',
    'https://a;sandbox/',
    "https://partner.example'/",
    'https://partner.example/"x',
    'https://partner.example/<x>',
    'https://a:b@partner.example/',
    'https://partner.example/ü',
    `https://partner.example/${'a'.repeat(2_000)}`,
    `https://${'a'.repeat(1_900)};/`,
  ])('rejected: %s', (url) => {
    expect(accepted(url)).toBe('validation_error')
  })

  test('on a loopback address is rejected in the live world', () => {
    expect(accepted('http://127.0.0.1:4500/', { world: 'live' })).toBe('validation_error')
  })

  test('to which we add parameters has no fragment, no parameter of the same name, and space for our parameters', () => {
    for (const end of ['#there', '?status=joined', 'a'.repeat(1_890)]) {
      expect(accepted(`https://partner.example/${end}`, ANSWERED)).toBe('validation_error')
    }
    expect(accepted('https://partner.example/?state=x', ANSWERED)).toBe('https://partner.example/?state=x')
  })
})
