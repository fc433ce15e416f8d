import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { systemClock } from '#kernel/clock.ts'
import { pageOfError } from '#pages/error-page.ts'
import type { SealedBox } from '#system/crypto/sealed-box.ts'
import type { PlatformDatabase, PlatformTx, Tx, WorldDatabase } from '#system/postgres/database.ts'
import { type App, buildApp } from '../app.ts'
import type { HttpSettings } from '../edge.ts'
import type { Ports } from '../ports.ts'
import type { Route } from '../route.ts'
import { callerOf } from './callers.ts'

export type ProbeApp = {
  readonly app: App
  readonly url: string
  readonly port: number
  /** All lines of the log. */
  readonly logLines: readonly string[]
  readonly observed: readonly { readonly operation: string; readonly status: number }[]
  /** All bearer tokens that were looked up. */
  readonly lookups: readonly string[]
  close(): Promise<void>
}

/** The real edge on a real port, with routes that a test defines. */
export async function serveProbes(
  routes: readonly Route[],
  { ports, settings }: { readonly ports?: Partial<Ports>; readonly settings?: Partial<HttpSettings> } = {},
): Promise<ProbeApp> {
  const logLines: string[] = []
  const observed: { operation: string; status: number }[] = []
  const lookups: string[] = []
  const app = buildApp({
    routes,
    ports: {
      authenticate: async (bearer) => {
        lookups.push(bearer)
        return callerOf(bearer)
      },
      databases: { test: noDatabase('test'), live: noDatabase('live') },
      platform: NO_PLATFORM,
      clock: systemClock,
      log: pino({}, { write: (line: string) => logLines.push(line) }),
      metrics: { observe: (operation, status) => observed.push({ operation, status }) },
      answers: UNSEALED,
      ...ports,
    },
    pageOfError: pageOfError('Portico'),
    ...(settings === undefined ? {} : { settings }),
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const close = async () => {
    const closed = app.close()
    app.server.closeAllConnections()
    await closed
  }
  return { app, url: `http://127.0.0.1:${port}`, port, logLines, observed, lookups, close }
}

/** Transactions that run their work without a database, for tests of the code around a transaction. */
function noDatabase(world: 'test' | 'live'): WorldDatabase {
  const nothing = { world } as Tx
  return {
    world,
    transaction: (work) => work(nothing),
    snapshot: (work) => work(nothing),
    beside: (tx, work) => work(tx),
    reads: nothing,
    short: async () => [],
  }
}

const NO_PLATFORM: PlatformDatabase = { transaction: (work) => work({} as PlatformTx), reads: {} as PlatformTx }

const UNSEALED: SealedBox = { seal: (plain) => plain, open: (sealed) => sealed }
