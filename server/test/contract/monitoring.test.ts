import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { queueMail } from '#mail/index.ts'
import { openMetrics, prometheusText } from '#system/metrics.ts'
import { type ServiceInProcess, serviceInProcess } from '#test/service-in-process.ts'

/** Compares the alert rules and the dashboard in ops/ with the metrics of the service. */

const ROOT = join(import.meta.dirname, '../../..')
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')

type Rule = { readonly alert: string; readonly expr: string; readonly annotations: { readonly runbook: string } }
type Rules = { readonly groups: readonly { readonly rules: readonly Rule[] }[] }
type RuleTest = {
  readonly name: string
  readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts: readonly unknown[] }[]
}
type Dashboard = {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { expr: string }[] }[]
}

const rules = (parse(textOf('ops/prometheus/alerts.yaml')) as Rules).groups.flatMap((group) => group.rules)
/** The tests of the rules, which promtool runs (`npm run ops:monitoring`). */
const ruleTests = (parse(textOf('ops/prometheus/alerts.test.yaml')) as { tests: readonly RuleTest[] }).tests
const dashboard = JSON.parse(textOf('ops/grafana/dashboard.json')) as Dashboard

let service: ServiceInProcess
/** The type of each metric, by its name. */
let metrics: ReadonlyMap<string, string>
beforeAll(async () => {
  service = await serviceInProcess()
  const others = [openMetrics('worker'), openMetrics('primary', 1)]
  const snapshots = await Promise.all(others.map((thread) => thread.snapshot()))
  for (const thread of others) thread.stop()
  const text = (await page()) + (await prometheusText(snapshots))
  metrics = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]))
})
afterAll(() => service.close())

const page = async () => (await fetch(`${service.url}/metrics`)).text()

/** Returns the series of a metric of this type. */
function seriesOf(name: string): readonly string[] {
  return metrics.get(name) === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name]
}

/** Returns the series that the expression names and the service does not have. */
function unknownIn(expression: string): readonly string[] {
  const known = new Set([...metrics.keys()].flatMap(seriesOf))
  const named = expression.match(/\bportico_\w+/g) ?? []
  return named.length === 0 ? ['no metric at all'] : named.filter((name) => !known.has(name))
}

describe('the alert rules', () => {
  test('name metrics that exist', () => {
    expect(rules.length).toBeGreaterThan(10)
    expect(rules.flatMap(({ alert, expr }) => unknownIn(expr).map((name) => `${alert}: ${name}`))).toEqual([])
  })

  test('each have a test case that raises the alert, and the test case of a healthy service raises none', () => {
    const [well, ...cases] = ruleTests
    const names = rules.map(({ alert }) => alert)
    expect(cases.map(({ name, alert_rule_test: [raised] }) => [name, raised?.alertname])).toEqual(
      names.map((name) => [name, name]),
    )
    expect(cases.every(({ alert_rule_test: [raised] }) => raised?.exp_alerts.length === 1)).toBe(true)
    expect(well?.alert_rule_test.map(({ alertname }) => alertname)).toEqual(names)
    expect(well?.alert_rule_test.flatMap(({ exp_alerts }) => exp_alerts)).toEqual([])
  })

  test('have one line each in the runbook, which has no other alerts', () => {
    const [, table = ''] = textOf('docs/operations.md').split('\n### Alerts\n')
    const [section = ''] = table.split('\n## ')
    const listed = [...section.matchAll(/^\| `(Portico\w+)` \| .+ \| .+ \|$/gm)].map(([, name]) => name)
    expect(listed).toEqual(rules.map(({ alert }) => alert))
    expect(new Set(rules.map(({ annotations }) => annotations.runbook))).toEqual(new Set(['docs/operations.md#alerts']))
  })
})

describe('the dashboard', () => {
  test('names metrics that exist', () => {
    const targets = dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })))
    expect(targets.length).toBeGreaterThan(10)
    expect(targets.flatMap(({ title, expr }) => unknownIn(expr).map((name) => `${title}: ${name}`))).toEqual([])
  })

  test('shows every metric of the service', () => {
    const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n')
    const hidden = [...metrics.keys()].filter((name) => !seriesOf(name).some((series) => shown.includes(series)))
    expect(hidden).toEqual([])
  })
})

describe('the metrics', () => {
  const readingOf = (text: string, series: string) => {
    const line = text.split('\n').find((each) => each.startsWith(`${series} `))
    return line === undefined ? null : Number(line.slice(series.length + 1))
  }

  test('of queues show how many items wait and how long, also for an empty queue', async () => {
    await service.db.databases.platform.transaction((tx) =>
      queueMail(tx, { key: 'monitoring', to: 'someone@example.com', letter: { subject: 'x', paragraphs: [] } }),
    )
    await service.db.sql(`update platform.mails set due_at = clock_timestamp() - interval '1 hour'`)
    // The service reads the queues again when the last read is older than a few seconds.
    await expect
      .poll(async () => readingOf(await page(), 'portico_queue_length{queue="mails",world="platform"}'))
      .toBe(1)
    const text = await page()
    const oldest = readingOf(text, 'portico_queue_oldest_seconds{queue="mails",world="platform"}')
    expect(oldest).toBeGreaterThanOrEqual(3_600)
    for (const queue of ['changes', 'events', 'stream_entries', 'deliveries']) {
      expect([queue, readingOf(text, `portico_queue_length{queue="${queue}",world="live"}`)]).toEqual([queue, 0])
      expect([queue, readingOf(text, `portico_queue_oldest_seconds{queue="${queue}",world="live"}`)]).toEqual([
        queue,
        0,
      ])
    }
  })

  test('of connection pools show how many connections are in use', async () => {
    expect(
      readingOf(await page(), 'portico_database_connections{pool="requests",home="live",state="in_use",thread="api"}'),
    ).toBe(0)
  })
})
