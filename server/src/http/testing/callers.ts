import type { Caller, PlatformRole, Scope } from '#kernel/caller.ts'
import { newClientId, newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'

const scopes = (...all: Scope[]): ReadonlySet<Scope> => new Set(all)
const app = { world: 'test', appId: newId('app'), keyId: newClientId('test'), apiVersion: '2026-11-01' } as const

const operatorIn = (world: World, role: PlatformRole) =>
  ({ kind: 'operator', world, actor: newId('operatorKey'), name: 'Tests', role, reason: null, session: null }) as const

/** Callers by their bearer tokens, with every kind except `server_key`. */
export const CALLERS = {
  pk_test_public: { ...app, kind: 'publishable', scopes: scopes('read:public') },
  at_test_client: { ...app, kind: 'client', scopes: scopes('read:public') },
  at_test_user: { ...app, kind: 'user', userId: newId('user'), scopes: scopes('read:profile', 'write:things') },
  at_test_other: { ...app, kind: 'user', userId: newId('user'), scopes: scopes('read:profile', 'write:things') },
  at_test_pinned: {
    ...app,
    kind: 'user',
    userId: newId('user'),
    scopes: scopes('read:profile', 'write:things'),
    apiVersion: '2025-01-15',
  },
  at_test_install: {
    ...app,
    kind: 'installation',
    installationId: newId('installation'),
    scopes: scopes('read:public'),
  },
  ok_test_operator: operatorIn('test', 'admin'),
  ok_live_operator: operatorIn('live', 'admin'),
  ok_live_support: operatorIn('live', 'support'),
} as const satisfies Record<string, Caller>

export type Bearer = keyof typeof CALLERS

export function callerOf(bearer: string): Caller | null {
  return Object.hasOwn(CALLERS, bearer) ? CALLERS[bearer as Bearer] : null
}
