import { expect, test } from 'vitest'
import { type Caller, callerIdentity } from './caller.ts'
import { newId } from './ids.ts'
import type { Scope } from './scope.ts'

test('a caller keeps its identity when its token is refreshed, and two callers never share one', () => {
  const app = { world: 'test', appId: newId('app'), scopes: new Set<Scope>(), apiVersion: '2026-11-01' } as const
  const userId = newId('user')
  const callers: Caller[] = [
    { ...app, kind: 'client' },
    { ...app, kind: 'user', userId },
    { ...app, kind: 'user', userId: newId('user') },
    { ...app, kind: 'installation', installationId: newId('installation') },
    { kind: 'operator', world: 'test', operatorKeyId: newId('operatorKey') },
  ]
  expect(new Set(callers.map(callerIdentity)).size).toBe(callers.length)
  expect(callerIdentity({ ...app, kind: 'user', userId })).toBe(callerIdentity({ ...app, kind: 'user', userId }))
})
