import { rm } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from '../../server/test/prove/random.ts'
import { freePort } from '../../server/test/support/free-port.ts'
import { openCopies } from '../support/copies.ts'
import { missingDeliveries } from '../support/deliveries.ts'
import { type Acknowledged, factLoad, lostFacts, resend } from '../support/facts.ts'
import { bearer, retryUntilAnswered, Statuses, until } from '../support/http.ts'
import type { Machine } from '../support/machine.ts'
import { commonSettings, PorticoNode, type Release } from '../support/portico.ts'
import { PostgresServer } from '../support/postgres-server.ts'
import type { Receiver } from '../support/receiver.ts'
import type { Check } from '../support/report-checks.ts'
import { logStep } from '../support/run.ts'
import { makeDemo, type Stage, setStage } from '../support/stage.ts'
import type { Method } from './methods.ts'

export type Parts = {
  readonly machine: Machine
  readonly release: Release
  readonly receiver: Receiver
  readonly random: Random
  method(machine: Machine, server: () => PostgresServer): Method
}

export type Drilled = {
  readonly name: string
  readonly checks: readonly Check[]
  readonly happened: readonly [string, string][]
}

const WRITERS = 2

/** Backs up, deletes the database, restores it, sends all facts again, and checks what is missing. */
export async function drill({ machine, release, receiver, random, method: methodOf }: Parts): Promise<Drilled> {
  const state: { server: PostgresServer } = { server: await PostgresServer.inFolder(machine, 'never-started') }
  const method = methodOf(machine, () => state.server)
  logStep(`${method.name}: starting PostgreSQL 15 and Portico`)
  state.server = await PostgresServer.create(machine, 'first', method.settings)
  await method.prepare()
  const port = await freePort()
  const common = commonSettings(state.server.url, `http://127.0.0.1:${port}`)
  const demo = await makeDemo(machine, release, { settings: common, port: await freePort() })
  const before = new PorticoNode(machine, release, common, { name: 'before', role: 'all', port })
  before.launch()
  await before.ready()
  const stage = await setStage(before.url, demo, receiver)
  const statuses = new Statuses()
  const facts = factLoad(stage, statuses)
  const copies = openCopies(stage, machine.directory)

  const load = async (ms: number, work: () => Promise<void>) => {
    const isOver = { now: false }
    const over = () => isOver.now
    const writing = Array.from({ length: WRITERS }, () => facts.write(random.fork(), 100, over))
    const syncing = copies.map((copy) => copy.syncRepeatedly(random.fork(), over))
    await wait(ms)
    await work()
    isOver.now = true
    await Promise.all([...writing, ...syncing])
  }

  logStep(`${method.name}: backing up under load`)
  let beforeBackup = 0
  await load(5_000, async () => {
    beforeBackup = facts.acknowledged.length
    await timed(`${method.name}: the backup`, () => method.backUp())
    await wait(2_000)
  })
  await method.mark()
  const marked = facts.acknowledged.length
  const restoredCount = method.restoresTo === 'the mark' ? marked : beforeBackup
  await load(8_000, async () => {})
  // The copies sync past the moment that will be restored, so the ledger will assign the positions in their cursors again.
  await Promise.all(copies.map((copy) => copy.differences()))
  const ahead = facts.acknowledged.slice(marked)

  logStep(`${method.name}: deleting the database, which has ${ahead.length} facts from after the mark`)
  await before.end('SIGKILL')
  // The switch sends the last segment of the log to the archive, because the marked moment may be in it. Without the switch, only
  // moments before that segment could be restored.
  await state.server.sql('select pg_switch_wal()')
  await wait(3_000)
  await state.server.stop('immediate')
  await rm(state.server.data, { recursive: true, force: true })

  const restoreStartedMs = performance.now()
  state.server = await method.restore()
  const settings = { ...common, DATABASE_URL: state.server.url }
  await method.afterwards(release, settings)
  const after = new PorticoNode(machine, release, settings, { name: 'after', role: 'all', port })
  after.launch()
  await after.ready()
  const restoredMs = performance.now() - restoreStartedMs
  logStep(`${method.name}: restored in ${Math.round(restoredMs / 1_000)} s`)

  const restored = await knownFacts(stage, facts.acknowledged.slice(0, restoredCount), statuses)
  const afterMark = await knownFacts(stage, ahead, statuses)
  // The platform sends all facts again, and then new ones.
  const again = await resend(stage, facts.acknowledged, statuses)
  await load(4_000, async () => {})
  const lost = await lostFacts(stage, again, statuses)
  const delivered = await missingDeliveries(stage, again, { receiver, statuses })
  const differences = (await Promise.all(copies.map((copy) => copy.differences()))).flat()
  const epochs = await state.server.sql('select count(*) from test.ledger_epochs', 'portico')
  await after.end('SIGTERM')
  await state.server.stop()

  return {
    name: method.name,
    checks: [
      ['facts before the restored moment that are unknown', sum(restored), restored.unknown],
      ['facts after the mark that are known', sum(afterMark), afterMark.known],
      ['facts lost after they were sent again', again.length, lost],
      ['entitled deliveries lost', delivered.entitled, delivered.missing],
      ['records in which a copy differs from a listing', copies.length, differences],
      ['responses 500', statuses.total, statuses.faults],
      ['epochs that did not begin', 1, Number(epochs) > 1 ? [] : ['the ledger has only one epoch']],
    ],
    happened: [
      ['facts acknowledged before and after the mark', `${marked}, ${ahead.length}`],
      ['from the loss to /readyz 200', `${(restoredMs / 1_000).toFixed(1)} s`],
      ['listings of the copies', String(copies.reduce((sum, { counts }) => sum + counts.listings, 0))],
      ['epochs', epochs.trim()],
    ],
  }
}

async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const startedMs = performance.now()
  await work()
  logStep(`${what} took ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`)
}

type Known = { readonly known: string[]; readonly unknown: string[] }

const sum = ({ known, unknown }: Known) => known.length + unknown.length

/** Reads every tenth fact by its id, and returns which of them the service knows. */
async function knownFacts(
  { baseUrl, operatorKey }: Stage,
  acknowledged: readonly Acknowledged[],
  statuses: Statuses,
): Promise<Known> {
  const [known, unknown]: [string[], string[]] = [[], []]
  await until('PostgreSQL answers', 60_000, async () => (await fetch(`${baseUrl}/readyz`)).ok)
  for (const { fact } of acknowledged.filter((_, at) => at % 10 === 0)) {
    const url = `${baseUrl}/platform/facts/${encodeURIComponent(fact.id)}`
    const reply = await retryUntilAnswered(statuses, url, { headers: bearer(operatorKey) })
    if (reply?.status === 200) known.push(fact.id)
    else unknown.push(`${fact.id}: ${reply?.status}`)
  }
  return { known, unknown }
}
