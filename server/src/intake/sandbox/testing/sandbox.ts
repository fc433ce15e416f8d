import { Value } from 'typebox/value'
import { expect } from 'vitest'
import { operatorAudit } from '#access/audit/index.ts'
import { EVENT_DATA } from '#events/http.ts'
import { EVENT_NAMES, type EventName } from '#events/index.ts'
import { callerOf } from '#http/testing/callers.ts'
import { type ErrorResponse, readError } from '#http/testing/error-response.ts'
import { type ProbeApp, serveProbes } from '#http/testing/probe-app.ts'
import { forgetUser } from '#intake/facts/index.ts'
import type { Caller } from '#kernel/caller.ts'
import { VERSION_STEPS } from '#main/routes.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { FACT_SETTINGS } from '#test/fact-settings.ts'
import { sandboxRoutes } from '../http.ts'

type CausedEvent = {
  readonly id: string
  readonly event: string
  readonly occurred_at: string
  readonly data: Readonly<Record<string, unknown>>
}

export type Played = {
  readonly status: number
  readonly replayed: boolean
  readonly data: Readonly<Record<string, unknown>> & { readonly id: string }
  readonly events: readonly CausedEvent[]
  /** The names of the events, in order. */
  readonly names: readonly string[]
}

type How = {
  readonly as?: string
  readonly key?: string
  readonly body?: unknown
  /** The operator's reason in X-Portico-Reason; null sends none. */
  readonly why?: string | null
}

/** Serves the sandbox over HTTP on a real database. It accepts every bearer of `http/testing`, in the live world too. */
export type Sandbox = {
  readonly db: TestDatabase
  readonly app: ProbeApp
  /** Arranges the test world through use cases. */
  arrange<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  send(method: 'GET' | 'POST', path: string, how?: How): Promise<Response>
  /** A POST that must succeed. */
  play(path: string, body?: unknown, how?: How): Promise<Played>
  /** A POST that must be rejected. */
  refused(path: string, body?: unknown, how?: How): Promise<ErrorResponse & { readonly status: number }>
  close(): Promise<void>
}

export const GRACE_DAYS = 7

export async function openSandbox(): Promise<Sandbox> {
  const db = await testDatabase()
  const routes = sandboxRoutes({ ...FACT_SETTINGS, reinstatementGraceDays: GRACE_DAYS, forgetUser })
  const app = await serveProbes(routes, {
    settings: { versionSteps: VERSION_STEPS },
    ports: {
      databases: db.databases,
      authenticate: async (bearer) => callerInWorld(bearer),
      operatorAudit: operatorAudit(db.databases.platform),
    },
  })

  const send: Sandbox['send'] = (method, path, { as = 'ok_test_operator', key, body, why = 'A test' } = {}) =>
    fetch(`${app.url}/sandbox${path}`, {
      method,
      headers: {
        authorization: `Bearer ${as}`,
        ...(why === null ? {} : { 'x-portico-reason': encodeURIComponent(why) }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })

  return {
    db,
    app,
    arrange: (work) => db.databases.test.transaction(work),
    send,
    play: async (path, body, how) => {
      const response = await send('POST', path, { ...how, body })
      const text = await response.text()
      if (!response.ok) throw new Error(`POST ${path} returned ${response.status} ${text}`)
      const { data, meta } = JSON.parse(text) as { data: Played['data']; meta: { events: CausedEvent[] } }
      for (const { event, data } of meta.events) expectValidEvent(event, data)
      const names = meta.events.map(({ event }) => event)
      const replayed = response.headers.get('idempotent-replayed') === 'true'
      return { status: response.status, replayed, data, events: meta.events, names }
    },
    refused: async (path, body, how) => {
      const response = await send('POST', path, { ...how, body })
      if (response.ok) throw new Error(`POST ${path} was not rejected: ${await response.text()}`)
      return { ...(await readError(response)), status: response.status }
    },
    close: async () => {
      await app.close()
      await db.close()
    },
  }
}

/** Expects that a returned event matches its schema in the catalogue. */
function expectValidEvent(event: string, data: unknown): void {
  expect(EVENT_NAMES).toContain(event)
  expect(Value.Errors(EVENT_DATA[event as EventName], data), event).toEqual([])
}

/** A bearer with `_live_` gets the caller of the same bearer with `_test_`, but in the live world. */
function callerInWorld(bearer: string): Caller | null {
  const caller = callerOf(bearer.replace('_live_', '_test_'))
  return caller !== null && bearer.includes('_live_') ? { ...caller, world: 'live' } : caller
}
