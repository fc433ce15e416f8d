import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '#http/route.ts'
import { describedRoutes } from '#main/described-routes.ts'
import { SCOPE_NAMES } from '#modules/scopes/index.ts'
import { addressOf } from './address.ts'
import { type Asking, asking } from './ask.ts'
import type { Credential } from './credentials.ts'
import { expected } from './expected.ts'
import { type Lines, NOT_FOUND } from './line.ts'
import { FOR_VISITORS, OPEN, SIGNED_IN } from './other-routes.ts'
import { PARTNER_LINES } from './partner-lines.ts'
import { PLATFORM_LINES } from './platform-lines.ts'
import { SANDBOX_LINES } from './sandbox-lines.ts'
import { EVERY_SCOPE } from './scope-catalogue.ts'
import { type MatrixStage, openMatrixStage } from './stage.ts'

/**
 * Every operation against every kind of credential, each scope alone and all together: who hears 200, 401, 403 and 404.
 * The routes come from the service's own table, so that none escapes; what is expected of them comes from the
 * specification alone. A new route needs a line of its own: in partner-lines.ts as a rule.
 */
const LINES: Lines = { ...PARTNER_LINES, ...PLATFORM_LINES, ...SANDBOX_LINES }

const ROUTES = describedRoutes()
const nameOf = ({ method, path }: Route) => `${method} ${path}`
const routesOf = (kind: Route['access']['kind']) => ROUTES.filter(({ access }) => access.kind === kind)
const TOKEN_ROUTES = routesOf('token').map((route) => [nameOf(route), route] as const)

let stage: MatrixStage
let calls: Asking
beforeAll(async () => {
  stage = await openMatrixStage()
  calls = asking(stage.service.url)
})
afterAll(async () => {
  calls?.close()
  await stage?.service.close()
})

describe('no route escapes', () => {
  test('each that takes a bearer has its line, and each line its route', () => {
    expect(TOKEN_ROUTES.map(([name]) => name).sort()).toEqual(Object.keys(LINES).sort())
  })

  test('each that is open, or for visitors, is one that was thought of', () => {
    const visitors = routesOf('session').filter(({ access }) => access.kind === 'session' && !access.required)
    expect(routesOf('open').map(nameOf).sort()).toEqual([...OPEN].sort())
    expect(visitors.map(nameOf).sort()).toEqual([...FOR_VISITORS].sort())
  })

  test('each scope of the catalogue has its column', () => {
    expect([...EVERY_SCOPE].sort()).toEqual([...SCOPE_NAMES].sort())
  })
})

/** A single scope says nothing where none is asked for: there, only the strongest and the weakest come. */
function columnsFor(name: string): readonly Credential[] {
  if (name in PARTNER_LINES) return stage.credentials
  return stage.credentials.filter(({ known }) => known === null || known.scopes.length !== 1)
}

describe('who may call', () => {
  test.each(TOKEN_ROUTES)('%s', async (name, route) => {
    const line = LINES[name]
    if (line === undefined) throw new Error('the specification’s table has no line for it')
    const path = addressOf(route, line, stage.places)
    const cells = await Promise.all(
      columnsFor(name).map(async ({ name: who, authorization, known }) => {
        const heard = await calls.ask({ method: route.method, path, authorization, body: line.body })
        return { who, heard, expected: expected(line, known) }
      }),
    )
    expect(cells.filter((cell) => cell.heard !== cell.expected)).toEqual([])
    // A line that nobody passes would be green for a route that refuses everybody.
    expect(cells.some(({ heard }) => heard === line.answers)).toBe(true)
  })
})

describe('under /api/v2 the door is the same', () => {
  test.each(TOKEN_ROUTES)('%s', async (name, route) => {
    const line = LINES[name]
    if (line === undefined || route.alias === false) return
    const path = `/api/v2${addressOf(route, line, stage.places)}`
    const chosen = stage.credentials.filter(({ name: who }) => ALIAS_COLUMNS.has(who))
    expect(chosen).toHaveLength(ALIAS_COLUMNS.size)
    for (const { name: who, authorization, known } of chosen) {
      const heard = await calls.ask({ method: route.method, path, authorization, body: line.body })
      expect([who, heard]).toEqual([who, expected(line, known)])
    }
  })
})

const ALIAS_COLUMNS = new Set(['none', 'revoked', 'publishable', 'user: nothing', 'user: every scope', 'live user'])

describe('a bearer is nobody to pages and the portal', () => {
  const pages = routesOf('session')
    .filter(({ access }) => access.kind === 'session' && access.required)
    .map((route) => [nameOf(route), route] as const)

  test.each(pages)('%s', async (name, route) => {
    expect(name).toMatch(SIGNED_IN)
    const path = addressOf(route, { serves: [], needs: [], answers: NOT_FOUND }, stage.places)
    for (const { name: who, authorization } of stage.credentials.filter(({ name: it }) => STRONGEST.has(it))) {
      const heard = await calls.ask({ method: route.method, path, authorization })
      expect([who, heard]).toEqual([who, expect.stringMatching(/^(303|40[13])/)])
    }
  })
})

const STRONGEST = new Set(['user: every scope', 'company: every scope', 'operator live'])
