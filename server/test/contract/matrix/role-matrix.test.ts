import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOperatorKey, revokeOperatorKey } from '#access/operator/index.ts'
import type { Route } from '#http/route.ts'
import { PLATFORM_ROLES, type PlatformRole } from '#kernel/caller.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { describedRoutes } from '#main/generated-documents.ts'
import { type ServiceInProcess, serviceInProcess } from '#test/service-in-process.ts'
import { aStaffMember, type Staff } from '#test/staff.ts'
import { addressOf } from './address.ts'
import { openSender, type Sender } from './ask.ts'
import type { Line } from './line.ts'
import { lineOf, nameOf } from './lines.ts'

/**
 * Checks every route for operators with every role: with a key of each world, and as a staff member in a browser. The
 * lowest role of each route is in its line (platform-lines.ts, sandbox-lines.ts), so this test fails if a route accepts
 * a lower role.
 */
const ROUTES = describedRoutes()
  .filter(({ access }) => access.kind === 'token' && access.holders.includes('operator'))
  .map((route) => [nameOf(route), route] as const)

type Column = {
  readonly name: string
  readonly authorization: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** The world and the role of a valid credential. */
  readonly role?: PlatformRole
  readonly world?: World
  readonly isStaff?: true
  /** The response of every route to an invalid credential. */
  readonly rejected?: string
}

let service: ServiceInProcess
let calls: Sender
let columns: readonly Column[]
let admin: Staff

beforeAll(async () => {
  service = await serviceInProcess()
  calls = openSender(service.url)
  admin = await aStaffMember(service.db, service.url, { role: 'admin' })
  columns = [...(await keyColumns()), ...(await staffColumns()), ...(await rejectedColumns())]
})
afterAll(async () => {
  calls?.close()
  await service?.close()
})

async function keyOf(world: World, role: PlatformRole, days: number | null = null) {
  const { platform } = service.db.databases
  return platform.transaction((tx) => createOperatorKey(tx, { world, name: 'Matrix', role, days }, 'tests'))
}

async function keyColumns(): Promise<Column[]> {
  const made: Column[] = []
  for (const world of WORLDS) {
    for (const role of PLATFORM_ROLES) {
      const { key } = await keyOf(world, role, 30)
      made.push({ name: `${world} key: ${role}`, authorization: `Bearer ${key}`, role, world })
    }
  }
  return made
}

async function staffColumns(): Promise<Column[]> {
  const made: Column[] = []
  for (const role of PLATFORM_ROLES) {
    const { headers } = await aStaffMember(service.db, service.url, { role })
    for (const world of WORLDS) {
      const sent = { ...headers, 'x-portico-mode': world }
      made.push({ name: `staff in ${world}: ${role}`, authorization: null, headers: sent, role, world, isStaff: true })
    }
  }
  return made
}

const UNKNOWN = '401 invalid_token'

async function rejectedColumns(): Promise<Column[]> {
  const { db, url } = service
  const [revoked, expired] = [await keyOf('live', 'admin'), await keyOf('live', 'admin', 1)]
  await db.databases.platform.transaction((tx) => revokeOperatorKey(tx, revoked.id, 'tests'))
  await db.sql(
    `update platform.operator_keys set created_at = now() - interval '2 days', expires_at = now() - interval '1 second'
      where id = $1`,
    [expired.id],
  )
  const person = async (name: string, rejected: string, staff: Parameters<typeof aStaffMember>[2]) => {
    const { headers, account } = await aStaffMember(db, url, staff)
    return { name, authorization: null, headers, isStaff: true as const, rejected, account }
  }
  const disabled = await person('a disabled account', UNKNOWN, { role: 'admin' })
  await db.sql('update platform.accounts set disabled_at = now() where id = $1', [disabled.account])
  return [
    { name: 'no credential', authorization: null, rejected: UNKNOWN },
    {
      name: 'an unknown cookie',
      authorization: null,
      headers: { cookie: `portico=${'x'.repeat(43)}` },
      rejected: UNKNOWN,
    },
    { name: 'a revoked key', authorization: `Bearer ${revoked.key}`, rejected: UNKNOWN },
    { name: 'an expired key', authorization: `Bearer ${expired.key}`, rejected: UNKNOWN },
    disabled,
    await person('a partner', '403 forbidden no_staff_role', { role: null }),
    await person('staff without a factor', '403 forbidden second_factor_required', { role: 'admin', hasFactor: false }),
    await person('a session without the factor', '403 forbidden staff_session_ended', {
      ...{ role: 'admin', provenMinutesAgo: null },
    }),
    await person('a session of yesterday', '403 forbidden staff_session_ended', {
      ...{ role: 'admin', provenMinutesAgo: 8 * 60 + 1 },
    }),
    await person('a session left idle', '403 forbidden staff_session_ended', {
      ...{ role: 'admin', provenMinutesAgo: 60, seenMinutesAgo: 31 },
    }),
    // The invalid bearer token decides, even if a valid cookie is sent with it.
    {
      name: 'an invalid key with a valid cookie',
      authorization: 'Bearer ok_live_x',
      headers: admin.headers,
      rejected: UNKNOWN,
    },
  ]
}

/** Sandbox routes that also accept an app's token ignore cookies. */
const servesStaff = ({ serves }: Line) => serves.every((kind) => kind === 'operator')

function expectedFor(line: Line, { role, world, isStaff, rejected }: Column): string {
  if (rejected !== undefined) return isStaff === true && !servesStaff(line) ? UNKNOWN : rejected
  if (isStaff === true && !servesStaff(line)) return UNKNOWN
  if (role === undefined || line.role === undefined) throw new Error('a line for operators must name its lowest role')
  if (line.only === 'test' && world === 'live') return '403 sandbox_only'
  if (PLATFORM_ROLES.indexOf(role) < PLATFORM_ROLES.indexOf(line.role)) return '403 forbidden role_too_low'
  return line.only === 'live' && world === 'test' ? '403 forbidden' : line.answers
}

describe('who may call, by role', () => {
  test.each(ROUTES)('%s', async (name, route: Route) => {
    const line = lineOf(name)
    const path = addressOf(route, line, NO_PLACES)
    const cells = await Promise.all(
      columns.map(async (column) => {
        const { authorization, headers = {} } = column
        const sent = { method: route.method, path, authorization, headers, body: line.body }
        return { who: column.name, answer: await calls.send(sent), expected: expectedFor(line, column) }
      }),
    )
    expect(cells.filter((cell) => cell.answer !== cell.expected)).toEqual([])
    expect(cells.some(({ answer }) => answer === line.answers)).toBe(true)
  })
})

const CHANGES = ROUTES.filter(([name, { method }]) => method !== 'GET' && servesStaff(lineOf(name)))

describe('a change by a browser needs the CSRF token and the origin of our own page', () => {
  test.each(CHANGES)('%s', async (name, route: Route) => {
    const line = lineOf(name)
    const { 'x-portico-csrf': _csrf, ...without } = admin.headers
    const sent = { method: route.method, path: addressOf(route, line, NO_PLACES), authorization: null }
    const mode = { 'x-portico-mode': line.only ?? 'live' }
    expect(await calls.send({ ...sent, headers: { ...without, ...mode } })).toBe('403 forbidden')
    const foreign = { ...admin.headers, ...mode, origin: 'https://elsewhere.example' }
    expect(await calls.send({ ...sent, headers: foreign })).toBe('403 forbidden')
  })
})

const says = ({ about }: Line, method: string) => about === 'person' || (about === 'partner' && method !== 'GET')

describe('a request about a person, or a change of a partner, needs the operator’s reason', () => {
  test.each(ROUTES)('%s', async (name, route: Route) => {
    const line = lineOf(name)
    const path = addressOf(route, line, NO_PLACES)
    const mode = line.only ?? 'live'
    const { key } = await keyOf(mode, 'admin')
    const asPerson = { ...admin.headers, 'x-portico-mode': mode }
    const expected = says(line, route.method) ? '422 validation_error X-Portico-Reason required' : line.answers
    for (const { authorization, headers } of [
      { authorization: `Bearer ${key}`, headers: {} },
      ...(servesStaff(line) ? [{ authorization: null, headers: asPerson }] : []),
    ]) {
      const sent = { method: route.method, path, authorization, body: line.body }
      expect(await calls.send({ ...sent, headers: { ...headers, 'x-portico-reason': ' ' } })).toBe(expected)
      expect(await calls.send({ ...sent, headers: { ...headers, 'x-portico-reason': 'Ticket%204' } })).toBe(
        line.answers,
      )
    }
  })
})

const NO_PLACES = { offering: '', company: '', syndicate: '', member: '', companyInstallation: '', endpoint: '' }
