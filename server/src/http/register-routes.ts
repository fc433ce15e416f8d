import type { FastifyInstance } from 'fastify'
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
    const served: ServedRoute = { route, readInput: inputReader(route), steps }
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
    preParsing: async (request) => {
      // A body on a read means nothing in HTTP and is not looked at.
      if (method !== 'GET') requireMediaType(request.headers, accepts)
    },
    handler: (request, reply) => serve(edge, served, request, reply),
  })
}

/** Types see to it that a route says who may call it; this catches what was cast past them, and names used twice. */
function refuseIncomplete(routes: readonly Route[]): void {
  const operations = new Set<string>()
  for (const { operation, access, work, schema } of routes) {
    if (access === undefined) throw new Error(`${operation} has no access rule`)
    if (access.kind !== 'token' && work === 'transaction') {
      throw new Error(`${operation} cannot have a transaction: no credential, no world`)
    }
    if (access.kind === 'open' && work === 'platform') {
      throw new Error(`${operation} is open and cannot work on what both worlds share`)
    }
    // A refusal that is returned would commit what the work had done so far; thrown, it undoes it.
    const refusal = Object.keys(schema.response).find((status) => Number(status) >= 400)
    if (work !== 'handler' && refusal !== undefined) {
      throw new Error(`${operation} declares to return ${refusal} from a transaction: refusals are thrown`)
    }
    // Idempotency keys, logs and metrics go by the operation's name.
    if (operations.has(operation)) throw new Error(`two routes are named ${operation}`)
    operations.add(operation)
  }
}

/** People cannot be served where nobody knows who signed in, or how to tell their forms from others'. */
function refuseUnservable({ ports }: Edge, routes: readonly Route[]): void {
  const forPeople = routes.find(({ access }) => access.kind === 'session')
  if (forPeople === undefined || (ports.signIns !== undefined && ports.csrfKeys !== undefined)) return
  throw new Error(`${forPeople.operation} serves people and needs the ports signIns and csrfKeys`)
}
