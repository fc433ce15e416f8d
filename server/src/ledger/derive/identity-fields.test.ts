import { describe, expect, test } from 'vitest'
import { identityFields } from '../publish/head.ts'

const text = (investor: object, identity = ',"name":"Ada"},"external_username":null,"message":null') => ({
  body: `{"id":"inv_1","visible":true,"status":"active","investor":${JSON.stringify(investor).slice(0, -1)}`,
  identity,
})
const ADA = text({ id: 'usr_1', deactivated: false })
const RENAMED = text({ id: 'usr_1', deactivated: false }, ',"name":"Grace"},"external_username":"g","message":null')
const DEACTIVATED = text({ id: 'usr_1', deactivated: true }, ',"name":"[deleted user]"},"message":null')
const names = (changed: readonly string[], before: typeof ADA | null, after: typeof ADA) => [
  ...identityFields(changed, before, after),
]

describe('fields that differ only for readers with identity', () => {
  test('always include external_username and message', () => {
    expect(names(['status', 'investor', 'external_username', 'message'], null, ADA)).toEqual([
      'external_username',
      'message',
    ])
  })

  test('include investor, but not if a part of it that every reader sees differs too', () => {
    expect(names(['investor', 'external_username'], ADA, RENAMED)).toEqual(['investor', 'external_username'])
    expect(names(['investor', 'message'], ADA, DEACTIVATED)).toEqual(['message'])
    expect(names(['status'], ADA, ADA)).toEqual([])
  })
})
