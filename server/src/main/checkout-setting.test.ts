import { expect, test } from 'vitest'
import { ConfigError, parseConfig } from './config.ts'

const parsed = (PORTICO_CHECKOUT_URL: string) => parseConfig({ PORTICO_CHECKOUT_URL }).checkoutUrl

test.each([
  'https://host.example/checkout?offering={offering}&session={session}&invite={invite}',
  'https://host.example/{offering}/invest?back={return_url}&done={success_url}',
  'http://127.0.0.1:9000/checkout/{session}',
])('%s is accepted unchanged', (template) => {
  expect(parsed(template)).toBe(template)
})

test.each([
  'http://host.example/{session}',
  'https://{offering}.example/',
  'https://host.example{session}/',
  'https://host.example/{email}',
  'https://host.example/#{session}',
  'javascript:alert({session})',
  '/checkout/{session}',
])('%s is rejected: an unsafe address or an unknown placeholder', (template) => {
  expect(() => parsed(template)).toThrow(ConfigError)
})
