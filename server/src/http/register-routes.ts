import type { FastifyInstance } from 'fastify'
import { actionOf } from './action-name.ts'
import { admit } from './admit.ts'
import { requireMediaType } from './input/read-body.ts'
import { inputReader } from './input/read-input.ts'
import { pathsOf } from './known-paths.ts'
import type { Edge, ServedRoute } from './request-state.ts'
import type { Route } from './route.ts'
import { serve } from './serve.ts'
import { stepsOf } from './version-steps.ts'

export function registerRoutes(app: FastifyInstance, edge: Edge, routes: readonly Route[]): void {
  refuseIncomplete(routes)
  refuseUnservable(edge, routes)
  for (const route of routes) {
    const steps = stepsOf(route.operation, edge.settings.versionSteps)
    const limiter = edge.ports.limit?.of(route) ?? null
    const served: ServedRoute = { route, readInput: inputReader(route), steps, action: actionOf(route), limiter }
    for (const path of pathsOf(route)) register(app, edge, served, path)
  }
}

function register(app: FastifyInstance, edge: Edge, served: ServedRoute, url: string): void {
  const { method, schema, accepts = ['application/json'], bodyBytesMax = edge.settings.bodyBytesMax } = served.route
  app.route({
    method,
    url,
    config: { served },
    bodyLimit: bodyBytesMax,
    schema: { response: schema.response },
    onRequest: (request, reply) => admit(edge, served, request, reply),
    preParsing: (request, _reply, _body, done) => {
      // A body on a read means nothing in HTTP and is not looked at.
      if (method !== 'GET') requireMediaType(request.headers, accepts)
      done()
    },
    handler: (request, reply) => serve(edge, served, request, reply),
  })
}

/** Types see to it that a route says who may call it; this catches what was cast past them, and names used twice. */
function refuseIncomplete(routes: readonly Route[]): void {
  const operations = new Set<string>()
  for (const route of routes) {
    const problem = problemOf(route)
    if (problem !== null) throw new Error(`${route.operation} ${problem}`)
    // Idempotency keys, logs and metrics go by the operation's name.
    if (operations.has(route.operation)) throw new Error(`two routes are named ${route.operation}`)
    operations.add(route.operation)
  }
}

function problemOf({ access, work, schema, contentType, cors }: Route): string | null {
  if (access === undefined) return 'has no access rule'
  const changes = work !== 'handler'
  const refusal = Object.keys(schema.response).find((status) => Number(status) >= 400)
  return (
    [
      access.kind !== 'token' && work === 'transaction' && 'cannot have a transaction: no credential, no world',
      access.kind === 'open' && work === 'platform' && 'is open and cannot work on what both worlds share',
      access.kind !== 'open' && cors === 'any' && 'knows its callers and cannot be open to pages of every origin',
      // A refusal that is returned would commit what the work had done so far; thrown, it undoes it.
      changes && refusal !== undefined && `declares to return ${refusal} from a transaction: refusals are thrown`,
      // What a key keeps is text.
      changes && contentType === 'image/*' && 'must read the picture it answers',
    ].find((problem) => problem !== false) || null
  )
}

/** People cannot be served where nobody knows who signed in, or how to tell their forms from others'. */
function refuseUnservable({ ports }: Edge, routes: readonly Route[]): void {
  const forPeople = routes.find(({ access }) => access.kind === 'session')
  if (forPeople === undefined || (ports.signIns !== undefined && ports.csrfKeys !== undefined)) return
  throw new Error(`${forPeople.operation} serves people and needs the ports signIns and csrfKeys`)
}
