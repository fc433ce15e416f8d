import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { clientAddress, requestedHost, trusts } from './client-address.ts'

const from = (remoteAddress: string | undefined, headers: IncomingMessage['headers'] = {}) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage

describe('the address of a client', () => {
  test('is the connection’s address if no proxy is trusted', () => {
    const address = clientAddress([])
    expect(address(from('203.0.113.9', { 'x-forwarded-for': '198.51.100.1' }))).toBe('203.0.113.9')
    expect(address(from('::ffff:203.0.113.9'))).toBe('203.0.113.9')
    expect(address(from(undefined))).toBe('')
  })

  test.each([
    ['one trusted proxy', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['two trusted proxies', '10.0.0.1', '198.51.100.1, 10.0.0.2', '198.51.100.1'],
    ['the client’s own entry is ignored', '10.0.0.1', '1.2.3.4, 198.51.100.1', '198.51.100.1'],
    ['an untrusted proxy is ignored', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['a malformed entry is ignored', '10.0.0.1', '198.51.100.1, unknown', '10.0.0.1'],
    ['no header', '10.0.0.1', '', '10.0.0.1'],
    ['all entries are trusted proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['it is IPv6', '10.0.0.1', '2001:db8::1', '2001:db8::1'],
    ['the proxy has an IPv4 address on a dual-stack socket', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['it comes with a port', '10.0.0.1', '198.51.100.1:5678', '198.51.100.1'],
    ['it is IPv6 with a port', '10.0.0.1', '[2001:db8::1]:443', '2001:db8::1'],
    ['it is IPv6 in brackets', '10.0.0.1', '[2001:db8::1]', '2001:db8::1'],
    ['a trusted proxy with a port', '10.0.0.1', '198.51.100.1:1, 10.0.0.2:2', '198.51.100.1'],
    ['a malformed entry with a port', '10.0.0.1', 'unknown:80', '10.0.0.1'],
    ['the proxy has a link-local address', 'fe80::7%eth0', '198.51.100.1', '198.51.100.1'],
    ['it is a link-local address', '10.0.0.1', 'fe80::9%eth1', 'fe80::9'],
    ['the proxy is on this machine', '::1', '198.51.100.1', '198.51.100.1'],
  ])('%s', (_, peer, forwarded, expected) => {
    const address = clientAddress(['10.0.0.0/8', 'fe80::/10', 'loopback'])
    expect(address(from(peer, { 'x-forwarded-for': forwarded }))).toBe(expected)
  })
})

test('the requested host comes from a trusted proxy, otherwise from the request', () => {
  const host = requestedHost(['10.0.0.1'])
  const headers = { host: 'inside:3000', 'x-forwarded-host': 'evil.example, api.example' }
  const plain = { host: null }
  expect(host(from('10.0.0.1', headers), plain)).toBe('api.example')
  expect(host(from('10.0.0.2', headers), plain)).toBe('inside:3000')
  expect(host(from('10.0.0.1', { host: 'inside:3000' }), plain)).toBe('inside:3000')
  expect(host(from('10.0.0.2', headers), { host: 'named.example' })).toBe('named.example')
})

describe('trusted proxies', () => {
  test.each(['10.0.0.1', '10.0.0.0/8', '2001:db8::/32', '::1', 'loopback'])('may be %s', (entry) => {
    expect(() => trusts([entry])).not.toThrow()
  })

  test.each(['', 'true', '10.0.0.0/33', '::/129', '10.0.0', 'example.com', '10.0.0.1/x', '10.1/8', 'fe80::1%eth0'])(
    'must not be %j',
    (entry) => {
      expect(() => trusts([entry])).toThrow('not an address or a range')
    },
  )
})
