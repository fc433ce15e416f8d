import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPE_NAMES } from '#access/scopes/index.ts'
import type { Route } from '#http/route.ts'
import { describedRoutes } from '#main/generated-documents.ts'
import { addressOf } from './address.ts'
import { openSender, type Sender } from './ask.ts'
import type { Credential } from './credentials.ts'
import { expected } from './expected.ts'
import { type Line, NOT_FOUND, TOKENS } from './line.ts'
import { LINES, lineOf, nameOf } from './lines.ts'
import { FOR_VISITORS, OPEN, SIGNED_IN } from './other-routes.ts'
import { EVERY_SCOPE, opens } from './scope-catalogue.ts'
import { type MatrixStage, openMatrixStage } from './stage.ts'

/**
 * Calls every operation over HTTP with every kind of credential, and checks who gets 200, 401, 403 and 404. For each
 * kind of token there is one with a granting scope and one without. `authorize-table.test.ts` covers every scope. The
 * routes are those of the service's own table, so that none is missed. The expectations are from the specification
 * alone. A new route needs its own line, usually in partner-lines.ts.
 */
const ROUTES = describedRoutes()
const routesOf = (kind: Route['access']['kind']) => ROUTES.filter(({ access }) => access.kind === kind)
const TOKEN_ROUTES = routesOf('token').map((route) => [nameOf(route), route] as const)

let stage: MatrixStage
let calls: Sender
beforeAll(async () => {
  stage = await openMatrixStage()
  calls = openSender(stage.service.url)
})
afterAll(async () => {
  calls?.close()
  await stage?.service.close()
})

describe('every route is in the matrix', () => {
  test('each route that accepts a bearer token has its line, and each line has its route', () => {
    expect(TOKEN_ROUTES.map(([name]) => name).sort()).toEqual(Object.keys(LINES).sort())
  })

  test('each route that is open, or for visitors, is listed by name', () => {
    const visitors = routesOf('session').filter(({ access }) => access.kind === 'session' && !access.required)
    expect(routesOf('open').map(nameOf).sort()).toEqual([...OPEN].sort())
    expect(visitors.map(nameOf).sort()).toEqual([...FOR_VISITORS].sort())
  })

  test('each scope of the catalogue has its column', () => {
    expect([...EVERY_SCOPE].sort()).toEqual([...SCOPE_NAMES].sort())
  })
})

/**
 * Selects all invalid credentials, all keys, and all tokens without a scope or with several scopes. Of the tokens with a
 * single scope, it selects for each kind one that is accepted and one that is not. These two differ from route to route,
 * so that all routes together use all tokens.
 */
function columnsFor({ needs }: Line, turn: number): readonly Credential[] {
  const single = stage.credentials.filter(({ known }) => known?.scopes.length === 1 && known.kind !== 'publishable')
  const others = stage.credentials.filter((credential) => !single.includes(credential))
  if (needs.length === 0) return others
  const chosen = TOKENS.flatMap((kind) => {
    const ofKind = single.filter(({ known }) => known?.kind === kind)
    const opening = ofKind.filter(({ known }) => needs.some((needed) => opens(known?.scopes ?? [], needed)))
    const missing = ofKind.filter((credential) => !opening.includes(credential))
    return [opening, missing].flatMap((choices) => choices.at(turn % Math.max(choices.length, 1)) ?? [])
  })
  return [...others, ...chosen]
}

describe('callers of each route', () => {
  test.each(TOKEN_ROUTES)('%s', async (name, route) => {
    const line = lineOf(name)
    const path = addressOf(route, line, stage.places)
    const cells = await Promise.all(
      columnsFor(
        line,
        TOKEN_ROUTES.findIndex(([it]) => it === name),
      ).map(async ({ name: who, authorization, known }) => {
        const answer = await calls.send({ method: route.method, path, authorization, body: line.body })
        return { who, answer, expected: expected(line, known) }
      }),
    )
    expect(cells.filter((cell) => cell.answer !== cell.expected)).toEqual([])
    // A line that admits no caller would also pass for a route that rejects every caller.
    expect(cells.some(({ answer }) => answer === line.answers)).toBe(true)
  })
})

describe('the access is the same under /api/v2', () => {
  test.each(TOKEN_ROUTES.filter(([, { alias }]) => alias !== false))('%s', async (name, route) => {
    const line = lineOf(name)
    const path = `/api/v2${addressOf(route, line, stage.places)}`
    const chosen = stage.credentials.filter(({ name: who }) => ALIAS_COLUMNS.has(who))
    expect(chosen).toHaveLength(ALIAS_COLUMNS.size)
    for (const { name: who, authorization, known } of chosen) {
      const answer = await calls.send({ method: route.method, path, authorization, body: line.body })
      expect([who, answer]).toEqual([who, expected(line, known)])
    }
  })
})

describe('a route without an alias is not found under /api/v2', () => {
  test.each(TOKEN_ROUTES.filter(([, { alias }]) => alias === false))('%s', async (name, route) => {
    const path = `/api/v2${addressOf(route, lineOf(name), stage.places)}`
    for (const { authorization } of stage.credentials.filter(({ name: who }) => STRONGEST.has(who))) {
      expect(await calls.send({ method: route.method, path, authorization })).toBe(NOT_FOUND)
    }
  })
})

const ALIAS_COLUMNS = new Set(['none', 'revoked', 'publishable', 'user: nothing', 'user: every scope', 'live user'])

describe('pages and the portal ignore a bearer token', () => {
  const pages = routesOf('session')
    .filter(({ access }) => access.kind === 'session' && access.required)
    .map((route) => [nameOf(route), route] as const)

  test.each(pages)('%s', async (name, route) => {
    expect(name).toMatch(SIGNED_IN)
    const path = addressOf(route, { serves: [], needs: [], answers: NOT_FOUND }, stage.places)
    for (const { name: who, authorization } of stage.credentials.filter(({ name: it }) => STRONGEST.has(it))) {
      const answer = await calls.send({ method: route.method, path, authorization })
      expect([who, answer]).toEqual([who, expect.stringMatching(/^(303|40[13])/)])
    }
  })
})

const STRONGEST = new Set(['user: every scope', 'company: every scope', 'operator live'])
