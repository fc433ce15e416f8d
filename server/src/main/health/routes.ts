import { Type } from 'typebox'
import { open } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { type Facts, readiness } from './readiness.ts'

export type HealthDeps = {
  /** Gathers what readiness is decided on. */
  facts(): Promise<Facts>
  /** Prometheus text of every thread of this process. */
  metrics(): Promise<string>
}

const Alive = Type.Object({ status: Type.Literal('ok') }, { title: 'Alive', additionalProperties: false })

const Ready = Type.Object(
  {
    status: Type.Union([Type.Literal('ready'), Type.Literal('not_ready')]),
    checks: Type.Object(
      {
        database: Type.Union([Type.Literal('ok'), Type.Literal('unreachable')]),
        migrations: Type.Union([
          Type.Literal('ok'),
          Type.Literal('behind'),
          Type.Literal('ahead'),
          Type.Literal('unknown'),
        ]),
        workers: Type.Union([Type.Literal('ok'), Type.Literal('silent'), Type.Literal('elsewhere')]),
      },
      { additionalProperties: false },
    ),
    lag: Type.Object(
      { api_event_loop_ms: Type.Number(), worker_event_loop_ms: Type.Union([Type.Number(), Type.Null()]) },
      { additionalProperties: false },
    ),
  },
  { title: 'Ready', additionalProperties: false },
)

export function healthRoutes(deps: HealthDeps): Route[] {
  return [
    route({
      operation: 'getHealth',
      method: 'GET',
      path: '/healthz',
      alias: false,
      summary: 'Check liveness',
      description: 'Answers 200 while the process is alive. It checks nothing else.',
      tag: 'Service',
      access: open('a supervisor asks before any caller has a credential, and learns nothing but that we run'),
      schema: { response: { 200: Alive } },
      handler: async () => ({ status: 200, body: { status: 'ok' as const } }),
    }),
    route({
      operation: 'getReadiness',
      method: 'GET',
      path: '/readyz',
      alias: false,
      summary: 'Check readiness',
      description:
        'Returns whether the process can serve, with the state of the database, the migrations, the workers and their lag.',
      tag: 'Service',
      access: open('a load balancer asks without a credential; the answer names no customer and no address'),
      schema: { response: { 200: Ready, 503: Ready } },
      handler: async () => {
        const body = readiness(await deps.facts())
        return body.status === 'ready' ? { status: 200, body } : { status: 503, body }
      },
    }),
    route({
      operation: 'getMetrics',
      method: 'GET',
      path: '/metrics',
      alias: false,
      summary: 'Get metrics',
      description: 'Returns the metrics in the text format of Prometheus.',
      tag: 'Service',
      access: open('scrapers have no credential; the numbers name operations, never callers'),
      contentType: 'text/plain; charset=utf-8',
      schema: { response: { 200: Type.String() } },
      handler: async () => ({ status: 200, body: await deps.metrics() }),
    }),
  ]
}
