import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { seeded } from '../../server/test/prove/random.ts'
import { freePort } from '../../server/test/support/free-port.ts'
import { traceCollector } from '../../server/test/support/trace-collector.ts'
import { RedisNode } from '../ha/redis.ts'
import { factLoad } from '../support/facts.ts'
import { Statuses, until } from '../support/http.ts'
import type { Machine } from '../support/machine.ts'
import { commonSettings, PorticoNode, presentRelease } from '../support/portico.ts'
import { PostgresServer } from '../support/postgres-server.ts'
import type { Receiver } from '../support/receiver.ts'
import type { Check } from '../support/report-checks.ts'
import { logStep } from '../support/run.ts'
import { makeDemo, setStage } from '../support/stage.ts'
import { Prometheus, type Rule } from './prometheus.ts'

const DASHBOARD = join(import.meta.dirname, '../grafana/dashboard.json')
const LOAD_MS = 20_000
const NOTICED_WITHIN_MS = 60_000

type Dashboard = { readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[] }

/** The dashboard's expressions, with its variables filled in as Grafana does. */
async function dashboardExpressions(): Promise<readonly string[]> {
  const { panels } = JSON.parse(await readFile(DASHBOARD, 'utf8')) as Dashboard
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '1m')))
}

/** Starts a service with every part that has metrics. */
async function startService(machine: Machine, receiver: Receiver) {
  const release = await presentRelease(machine)
  const server = await PostgresServer.create(machine, 'postgres')
  const redis = await RedisNode.start(machine)
  const collector = await traceCollector()
  machine.defer(() => collector.close())
  const api = { name: 'api1', role: 'api' as const, port: await freePort() }
  const baseUrl = `http://127.0.0.1:${api.port}`
  const settings = {
    ...commonSettings(server.url, baseUrl),
    REDIS_URL: redis.url,
    PORTICO_API_PROCESSES: '2',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    // The primary is also listed as a replica. Portico does not read from it as a replica, but exports the metrics of a replica.
    PORTICO_REPLICA_URLS: server.url,
  }
  const worker = { name: 'worker1', role: 'worker' as const, port: await freePort() }
  const demo = await makeDemo(machine, release, {
    settings: { ...settings, PORTICO_API_PROCESSES: '1' },
    port: await freePort(),
  })
  const nodes = [api, worker].map((options) => new PorticoNode(machine, release, settings, options))
  for (const each of nodes) each.launch()
  await Promise.all(nodes.map((each) => each.ready()))
  return { nodes, stage: await setStage(baseUrl, demo, receiver) }
}

export async function watchService(machine: Machine, receiver: Receiver): Promise<readonly Check[]> {
  logStep('starting Portico')
  const { nodes, stage } = await startService(machine, receiver)
  logStep('checking the rules, running their tests, and starting Prometheus')
  const prometheus = await Prometheus.start(machine, nodes)
  const isOver = { now: false }
  const writing = factLoad(stage, new Statuses()).write(seeded(1), 100, () => isOver.now)
  await wait(LOAD_MS)
  isOver.now = true
  await writing
  await until('both nodes are scraped', NOTICED_WITHIN_MS, async () => (await prometheus.query('up == 1')) === 2)

  logStep('checking the rules, the expressions and the metrics')
  const rules = await prometheus.rules()
  const expressions = await dashboardExpressions()
  const rejected: string[] = []
  for (const expression of expressions) {
    const found = await prometheus.query(expression)
    if (typeof found === 'string') rejected.push(`${expression}: ${found}`)
  }
  const names = await prometheus.names()
  const texts = [await readFile(join(import.meta.dirname, '../prometheus/alerts.yaml'), 'utf8'), ...expressions]
  const named = new Set(texts.flatMap((text) => text.match(/\bportico_\w+/g) ?? []))
  const isScraped = (name: string) => names.has(name) || names.has(name.replace(/_(bucket|count|sum)$/, ''))
  const raised = ({ name, state }: Rule) => (state === 'inactive' ? [] : [`${name} is ${state}`])

  logStep('killing both nodes')
  for (const each of nodes) await each.end('SIGKILL')
  const isDown = async () =>
    (await prometheus.rules()).some(({ name, state }) => name === 'PorticoDown' && state !== 'inactive')
  const noticed = await until('PorticoDown is raised', NOTICED_WITHIN_MS, isDown).then(
    () => [],
    (error: unknown) => [String(error)],
  )
  return [
    [
      'rules that did not evaluate',
      rules.length,
      rules.flatMap(({ name, health, lastError = '' }) => (health === 'ok' ? [] : [`${name}: ${health} ${lastError}`])),
    ],
    ['expressions of the dashboard that did not evaluate', expressions.length, rejected],
    ['metrics that Prometheus did not scrape', named.size, [...named].filter((name) => !isScraped(name))],
    ['alerts raised while the service is well', rules.length, rules.flatMap(raised)],
    ['a killed service that raised no alert', 1, noticed],
  ]
}
