import { expect, test } from 'vitest'
import { type AccountCaller, type Caller, callerIdentity, type Scope } from './caller.ts'
import { newClientId, newId } from './ids.ts'

test('the identity of a caller stays the same when its token is refreshed, and two callers never have the same identity', () => {
  const scopes = new Set<Scope>()
  const keyId = newClientId('test')
  const app = { world: 'test', appId: newId('app'), keyId, scopes, apiVersion: '2026-11-01' } as const
  const account = {
    kind: 'account',
    accountId: newId('account'),
    name: 'Ada',
    email: 'ada@example.com',
    provenSecondsAgo: 0,
  } as const
  const userId = newId('user')
  const callers: (Caller | AccountCaller)[] = [
    { ...app, kind: 'client' },
    { ...app, kind: 'user', userId },
    { ...app, kind: 'user', userId: newId('user') },
    { ...app, kind: 'installation', installationId: newId('installation') },
    {
      kind: 'operator',
      world: 'test',
      actor: newId('operatorKey'),
      name: 'Feed',
      role: 'admin',
      reason: null,
      session: null,
    },
    { ...account, sessionHash: Buffer.alloc(32) },
  ]
  expect(new Set(callers.map(callerIdentity)).size).toBe(callers.length)
  expect(callerIdentity({ ...app, kind: 'user', userId })).toBe(callerIdentity({ ...app, kind: 'user', userId }))
  const elsewhere = { ...account, sessionHash: Buffer.alloc(32, 1) }
  expect(callerIdentity(elsewhere)).toBe(callerIdentity({ ...account, sessionHash: Buffer.alloc(32) }))
})
