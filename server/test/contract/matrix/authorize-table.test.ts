import { describe, expect, test } from 'vitest'
import { heldScopes } from '#access/scopes/index.ts'
import type { TokenAccess } from '#http/access.ts'
import { authorize } from '#http/authorize.ts'
import { NEWEST } from '#http/versions.ts'
import type { Caller } from '#kernel/caller.ts'
import { ApiError } from '#kernel/errors.ts'
import { type ClientId, newId } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { describedRoutes } from '#main/generated-documents.ts'
import { expectedRefusal } from './expected.ts'
import { INSTALLATIONS, type Kind, type Line } from './line.ts'
import { lineOf, nameOf } from './lines.ts'
import { CLIENT_SCOPES, EVERY_SCOPE } from './scope-catalogue.ts'

/**
 * Checks every operation with every kind of credential in both worlds, with no scope, each scope alone and all scopes:
 * whether `authorize` admits the caller, and otherwise the error and the scopes in `WWW-Authenticate`. No server is
 * involved. `scope-matrix.test.ts` proves over HTTP that routes call `authorize`.
 */
const ROUTES = describedRoutes().flatMap((route) =>
  route.access.kind === 'token' ? [[nameOf(route), route.access] as const] : [],
)

const KINDS = ['publishable', 'client', 'user', 'installation', 'operator'] as const
type CredentialKind = (typeof KINDS)[number]
type Credential = { readonly kind: CredentialKind; readonly world: World; readonly scopes: readonly string[] }

const CREDENTIALS: readonly Credential[] = WORLDS.flatMap((world) =>
  KINDS.flatMap((kind) => grantsOf(kind).map((scopes) => ({ kind, world, scopes }))),
)

function grantsOf(kind: CredentialKind): readonly (readonly string[])[] {
  if (kind === 'operator') return [[]]
  if (kind === 'publishable') return [['read:public']]
  const all = kind === 'client' ? CLIENT_SCOPES : EVERY_SCOPE
  return [[], ...all.map((scope) => [scope]), all]
}

describe('authorize, for every scope', () => {
  test.each(ROUTES)('%s', (name, access) => {
    const cells = CREDENTIALS.map((credential) => ({
      credential,
      decided: decision(access, credential),
      expected: expectedDecision(lineOf(name), credential),
    }))
    expect(cells.filter((cell) => cell.decided !== cell.expected)).toEqual([])
    expect(cells.some(({ decided }) => decided === LET_IN)).toBe(true)
  })
})

const LET_IN = 'admitted'

function decision(access: TokenAccess, credential: Credential): string {
  try {
    authorize(access, callerWith(credential))
    return LET_IN
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const [, scopes = ''] = /scope="([^"]*)"/.exec(error.headers['WWW-Authenticate'] ?? '') ?? []
    return `403 ${error.type} ${scopes}`.trimEnd()
  }
}

function callerWith({ kind, world, scopes }: Credential): Caller {
  if (kind === 'operator')
    return { kind, world, actor: newId('operatorKey'), name: 'Tests', role: 'admin', reason: null, session: null }
  const keyId = `pk_${world}_${'0'.repeat(24)}` as ClientId
  const app = { world, appId: newId('app'), keyId, scopes: heldScopes(scopes, NEWEST), apiVersion: NEWEST }
  switch (kind) {
    case 'user':
      return { ...app, kind, userId: newId('user') }
    case 'installation':
      return { ...app, kind, installationId: newId('installation') }
    default:
      return { ...app, kind }
  }
}

/**
 * The specification's decision, as far as it depends on the kind of credential. The route itself checks to which
 * company, syndicate or connection an installation token is bound.
 */
function expectedDecision(line: Line, { kind, world, scopes }: Credential): string {
  const kinds: readonly Kind[] = kind === 'installation' ? INSTALLATIONS : [kind]
  const refusals = kinds.map((it) => expectedRefusal(line, { kind: it, world, scopes }))
  return refusals.includes(null) ? LET_IN : (refusals[0] ?? LET_IN)
}
