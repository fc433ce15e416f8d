import { hash } from 'node:crypto'
import fastJson from 'fast-json-stringify'
import type { TSchema } from 'typebox'
import type { Access } from './access.ts'
import type { CompiledSchemas, Edge, KnownPath, ServedRoute } from './edge.ts'
import { inputReader } from './input/read-input.ts'
import { isOpenDocument } from './open-document.ts'
import { actionOf } from './record-action.ts'
import type { Route } from './route.ts'
import { Router } from './router.ts'
import { allowsAnyOrigin, browserAccess } from './security-headers.ts'
import { STREAMED_TYPES } from './send-response.ts'
import { stepsOf } from './version-steps.ts'

type Registered = { readonly router: Router<ServedRoute>; readonly served: readonly ServedRoute[] }

export function registerRoutes(edge: Edge, routes: readonly Route[]): Registered {
  rejectIncomplete(routes)
  rejectUnservable(edge, routes)
  const router = new Router<ServedRoute>()
  const all = routes.map((route) => servedRoute(edge, route))
  for (const served of all) for (const path of pathsOf(served.route)) router.add(served.route.method, path, served)
  return { router, served: all }
}

function servedRoute({ settings, ports }: Edge, route: Route): ServedRoute {
  return {
    route,
    schemas: compiledOnce(route),
    steps: stepsOf(route.operation, settings.versionSteps),
    action: actionOf(route),
    isOpenDocument: isOpenDocument(route),
    limiter: ports.limit?.of(route) ?? null,
    allowsAnyOrigin: allowsAnyOrigin(route),
  }
}

function compiledOnce(route: Route): () => CompiledSchemas {
  let compiled: CompiledSchemas | null = null
  return () => {
    compiled ??= { readInput: inputReader(route), writers: writersOf(route) }
    return compiled
  }
}

type Writer = CompiledSchemas['writers'][number]

/**
 * Compiled writers by the schema's text. Half of the declared bodies have the same schema as another body, and a process that
 * composes the service many times, as tests do, compiles each schema once.
 */
const writers = new Map<string, Writer>()

/** Bodies that are not JSON are written unchanged. */
function writersOf({ schema, contentType }: Route): CompiledSchemas['writers'] {
  if (contentType !== undefined) return {}
  return Object.fromEntries(Object.entries(schema.response).map(([status, body]) => [status, writerOf(body)]))
}

function writerOf(body: TSchema): Writer {
  const name = hash('sha256', JSON.stringify(body))
  const cached = writers.get(name)
  if (cached !== undefined) return cached
  const writer = fastJson(body)
  writers.set(name, writer)
  return writer
}

/**
 * The types make every route declare its access. These checks find routes that a cast hides from the types, contradictions and
 * duplicate names.
 */
function rejectIncomplete(routes: readonly Route[]): void {
  const operations = new Set<string>()
  for (const route of routes) {
    const problem = problemOf(route)
    if (problem !== null) throw new Error(`${route.operation} ${problem}`)
    // Idempotency keys, logs and metrics use the operation's name.
    if (operations.has(route.operation)) throw new Error(`two routes are named ${route.operation}`)
    operations.add(route.operation)
  }
}

function problemOf({ access, work, method, schema, contentType, cors, inWorld, stale }: Route): string | null {
  if (access === undefined) return 'has no access rule'
  const changes = work !== 'handler'
  const refusal = Object.keys(schema.response).find((status) => Number(status) >= 400)
  return (
    [
      work === 'transaction' && !hasWorld(access, inWorld) && 'cannot have a transaction: no credential, no world',
      access.kind === 'open' && work === 'platform' && 'is open and cannot work on what both worlds share',
      access.kind === 'token' &&
        access.holders.includes('operator') !== (access.leastRole !== undefined) &&
        'names a role without serving operators, or serves operators without a least role',
      access.kind !== 'open' && cors === 'any' && 'identifies its callers and cannot be for pages of every origin',
      // A request must not decide or write anything based on old data.
      stale === 'ok' && (changes || method !== 'GET') && 'changes something and cannot read old data',
      // A returned rejection would commit the work so far. A thrown rejection rolls it back.
      changes && refusal !== undefined && `declares to return ${refusal} from a transaction: refusals are thrown`,
      // The response that is stored for an idempotency key must be text.
      changes && contentType === 'image/*' && 'must be a handler: it returns a picture',
      // Nothing is sent while a transaction is open.
      changes && STREAMED_TYPES.has(contentType ?? '') && 'must be a handler: it sends its response in pieces',
      changes && contentType === 'text/event-stream' && 'must be a handler: it sends a live response',
    ].find((problem) => problem !== false) || null
  )
}

/**
 * Whether the world of the transaction is known: a token belongs to a world, and a route for signed-in people names one
 * (`inWorld`).
 */
function hasWorld(access: Access, inWorld: Route['inWorld']): boolean {
  if (access.kind !== 'session') return access.kind === 'token'
  return access.required && inWorld !== undefined
}

/** Routes for people need the lookup of sign-ins and the keys of CSRF tokens. */
function rejectUnservable({ ports }: Edge, routes: readonly Route[]): void {
  const forPeople = routes.find(({ access }) => access.kind === 'session')
  if (forPeople === undefined || (ports.signIns !== undefined && ports.csrfKeys !== undefined)) return
  throw new Error(`${forPeople.operation} serves people and needs the ports signIns and csrfKeys`)
}

const ALIAS_PREFIX = '/api/v2'

/** The paths of a route: its own, and for API routes also the older prefix. */
function pathsOf(route: Route): readonly string[] {
  return route.alias === false ? [route.path] : [route.path, ALIAS_PREFIX + route.path]
}

type Pattern = { readonly segments: readonly string[]; readonly route: Route }

/**
 * Distinguishes an unknown path (404) from a known path with another method (405). Only requests that the router did
 * not match need it, so a scan over all patterns is fast enough.
 */
export function knownPaths(routes: readonly Route[]): (path: string) => KnownPath | null {
  const patterns: Pattern[] = routes.flatMap((route) =>
    pathsOf(route).map((path) => ({ segments: path.split('/'), route })),
  )
  return (path) => {
    const segments = path.split('/')
    const here = patterns.filter((pattern) => fits(pattern.segments, segments)).map(({ route }) => route)
    const [first] = here
    if (first === undefined) return null
    const methods = new Set<string>(here.map(({ method }) => method))
    if (methods.has('GET')) methods.add('HEAD')
    methods.add('OPTIONS')
    return {
      methods: [...methods].sort(),
      browsers: browserAccess(here),
      errorsAs: first.errorsAs ?? 'envelope',
    }
  }
}

function fits(pattern: readonly string[], path: readonly string[]): boolean {
  if (pattern.at(-1)?.startsWith('*')) {
    return path.length >= pattern.length && fits(pattern.slice(0, -1), path.slice(0, pattern.length - 1))
  }
  if (path.length !== pattern.length) return false
  return pattern.every((part, at) => (part.startsWith(':') ? path[at] !== '' : part === path[at]))
}
