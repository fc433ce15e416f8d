import { expect, test } from 'vitest'
import { parsePostmasterPid } from './server-process.ts'

const READY = '4857\n/srv/cluster\n1794711467\n5432\n/srv/socket\n\n  2187265        12\nready   \n'

test('the file of a ready server on a socket is parsed', () => {
  const endpoint = { kind: 'socket', directory: '/srv/socket', port: 5432 }
  expect(parsePostmasterPid(READY)).toEqual({ pid: 4857, dataDirectory: '/srv/cluster', endpoint, status: 'ready' })
})

test('the file of a server on a TCP port is parsed', () => {
  const text = READY.replace('/srv/socket\n\n', '\n127.0.0.1\n')
  expect(parsePostmasterPid(text)).toMatchObject({ endpoint: { kind: 'tcp', port: 5432 } })
})

test.each(['starting', 'stopping'])('the file of a server that is %s is parsed', (status) => {
  expect(parsePostmasterPid(READY.replace('ready   ', status))).toMatchObject({ status })
})

test('a file with only its first two lines has neither endpoint nor status', () => {
  const file = { pid: 4857, dataDirectory: '/srv/cluster', endpoint: undefined, status: 'unknown' }
  expect(parsePostmasterPid('4857\n/srv/cluster\n')).toEqual(file)
})

test('a standalone backend writes its pid with a minus sign, which is removed', () => {
  expect(parsePostmasterPid('-77\n/srv/cluster\n')).toMatchObject({ pid: 77 })
})

test.each(['', '\n', 'x\n/srv/cluster\n', '0\n'])('%j is not a postmaster.pid, so the result is undefined', (text) => {
  expect(parsePostmasterPid(text)).toBeUndefined()
})
