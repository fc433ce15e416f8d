import { setTimeout as wait } from 'node:timers/promises'
import { whole } from '../../bench/table.ts'
import { freePort } from '../../server/test/support/free-port.ts'
import { startProxy } from '../ha/haproxy.ts'
import { until } from '../support/http.ts'
import type { Machine } from '../support/machine.ts'
import { commonSettings, PorticoNode, presentRelease, type Release, runCommand } from '../support/portico.ts'
import { PostgresServer } from '../support/postgres-server.ts'
import type { Receiver } from '../support/receiver.ts'
import { logStep } from '../support/run.ts'
import { makeDemo, type Stage, setStage } from '../support/stage.ts'
import { fillDeliveryHistory } from './fill.ts'
import { type Previous, previousRelease } from './previous.ts'

export type Install = {
  readonly server: PostgresServer
  readonly previous: Previous
  readonly present: Release
  readonly stage: Stage
  readonly receiver: Receiver
  readonly old: readonly PorticoNode[]
  /** The first process of the present release: it starts while the old ones run, and runs the migrations. */
  readonly first: PorticoNode
}

const PUBLISHED_WITHIN_MS = 45 * 60_000
const POLL_MS = 2_000
const UNPUBLISHED = 'select exists (select from live.investment_changes)'

type Wanted = { readonly receiver: Receiver; readonly rows: number }

/** The previous release on a filled database: two API processes behind HAProxy, and two workers. */
export async function installPrevious(machine: Machine, { receiver, rows }: Wanted): Promise<Install> {
  logStep('installing the previous release and bundling the present one')
  const previous = await previousRelease(machine)
  const present = await presentRelease(machine)
  logStep(`from ${previous.commit.slice(0, 12)}, new migrations: ${previous.newMigrations.join(', ')}`)
  // The previous release does not turn off compilation (JIT) by itself. With JIT, PostgreSQL would compile some
  // statements for up to 20 s.
  const server = await PostgresServer.create(machine, 'postgres', ['jit=off'])
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const settings = commonSettings(server.url, baseUrl)
  const node = async (name: string, role: 'api' | 'worker') =>
    new PorticoNode(machine, previous.release, settings, { name, role, port: await freePort() })
  const old = [
    await node('api1', 'api'),
    await node('api2', 'api'),
    await node('worker1', 'worker'),
    await node('worker2', 'worker'),
  ]
  const first = await node('api3', 'api')
  await startProxy(machine, { api: { port, servers: [...old.slice(0, 2), first] } })
  const demo = await makeDemo(machine, previous.release, { settings, port: await freePort() })
  logStep(`filling the live world: ${whole(rows)} investments, ${whole(rows)} ended deliveries`)
  await runCommand(machine, previous.release, {
    name: 'seed',
    args: ['--investments', String(rows), '--world', 'live'],
    settings,
  })
  await fillDeliveryHistory(server, rows)
  for (const each of old) each.launch()
  await Promise.all(old.map((each) => each.ready()))
  logStep('waiting until all investments of the live world are published')
  await until('all investments of the live world are published', PUBLISHED_WITHIN_MS, async () => {
    await wait(POLL_MS)
    return (await server.sql(UNPUBLISHED, 'portico')).trim() === 'f'
  })
  const stage = await setStage(baseUrl, demo, receiver)
  return { server, previous, present, stage, receiver, old, first }
}
