import { expect, test } from 'vitest'
import { postmasterOpts, serverArguments } from './settings.ts'

const SOCKET = { kind: 'socket', directory: '/srv/a, "b"', port: 5432 } as const
const OPTIONS = { cluster: '/srv/cluster', endpoint: SOCKET, durable: true, settings: {} }

test('the data directory is the first argument, by which isPostmasterOf recognizes the process', () => {
  expect(serverArguments(OPTIONS).slice(0, 2)).toEqual(['-D', '/srv/cluster'])
})

test('a socket directory is quoted as an element of a list, and nothing listens on the network', () => {
  const args = serverArguments(OPTIONS)
  expect(args).toContain('unix_socket_directories="/srv/a, ""b"""')
  expect(args).toContain('listen_addresses=')
})

test('with TCP the server listens on the loopback address and on no socket', () => {
  const args = serverArguments({ ...OPTIONS, endpoint: { kind: 'tcp', port: 6000 } })
  for (const arg of ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'port=6000']) expect(args).toContain(arg)
})

test('settings of the caller override our own, except those for listening', () => {
  const settings = { max_connections: '20', listen_addresses: '*' }
  const args = serverArguments({ ...OPTIONS, settings })
  expect(args).toContain('max_connections=20')
  expect(args).not.toContain('listen_addresses=*')
})

test('fsync is off only if the data need not be durable', () => {
  expect(serverArguments(OPTIONS)).not.toContain('fsync=off')
  expect(serverArguments({ ...OPTIONS, durable: false })).toContain('fsync=off')
})

test('postmasterOpts returns the text that PostgreSQL writes to postmaster.opts', () => {
  expect(postmasterOpts('/bin/postgres', ['-D', '/a b'])).toBe('/bin/postgres "-D" "/a b"')
})
