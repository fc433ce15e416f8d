import { join } from 'node:path'
import { freePort } from '../../server/test/support/free-port.ts'
import { until } from '../support/http.ts'
import type { Machine } from '../support/machine.ts'

const RULES = join(import.meta.dirname, '../prometheus/alerts.yaml')
const RULE_TESTS = join(import.meta.dirname, '../prometheus/alerts.test.yaml')
const START_WITHIN_MS = 60_000
const PROMTOOL = '/usr/bin/promtool'

export type Rule = {
  readonly name: string
  readonly health: string
  readonly lastError?: string
  readonly state: 'inactive' | 'pending' | 'firing'
}

/** A Prometheus from Debian. Every second it scrapes the processes of Portico and evaluates the alert rules. */
export class Prometheus {
  readonly #url: string

  private constructor(url: string) {
    this.#url = url
  }

  /** Checks the rules and runs their unit tests first. If one fails, `start` rejects with promtool's output. */
  static async start(machine: Machine, processes: readonly { readonly port: number }[]): Promise<Prometheus> {
    const targets = processes.map(({ port }) => `127.0.0.1:${port}`)
    const settings = {
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
      rule_files: [RULES],
      scrape_configs: [{ job_name: 'portico', static_configs: [{ targets }] }],
    }
    // Prometheus reads YAML, and JSON is YAML.
    const config = await machine.file('prometheus.json', JSON.stringify(settings, null, 2))
    const check = (name: string, args: readonly string[]) => machine.run({ name, command: PROMTOOL, args })
    await check('check-config', ['check', 'config', config])
    await check('check-rules', ['check', 'rules', RULES])
    await check('test-rules', ['test', 'rules', RULE_TESTS])
    const port = await freePort()
    const options = {
      'config.file': config,
      'storage.tsdb.path': join(machine.directory, 'prometheus'),
      'web.listen-address': `127.0.0.1:${port}`,
    }
    const args = Object.entries(options).map(([option, value]) => `--${option}=${value}`)
    machine.start({ name: 'prometheus', command: '/usr/bin/prometheus', args })
    const prometheus = new Prometheus(`http://127.0.0.1:${port}`)
    await until('Prometheus is ready', START_WITHIN_MS, () =>
      fetch(`${prometheus.#url}/-/ready`).then(
        (response) => response.ok,
        () => false,
      ),
    )
    return prometheus
  }

  /** The number of series of an expression, or Prometheus' error for an expression that it does not accept. */
  async query(expression: string): Promise<number | string> {
    const query = `query=${encodeURIComponent(expression)}`
    const response = await fetch(`${this.#url}/api/v1/query?${query}`)
    const { data, error } = (await response.json()) as { data?: { result: readonly unknown[] }; error?: string }
    return data?.result.length ?? error ?? `status ${response.status}`
  }

  /** The names of all metrics that were scraped; a histogram has one name. */
  async names(): Promise<ReadonlySet<string>> {
    return new Set(Object.keys(await this.#read<Readonly<Record<string, unknown>>>('/api/v1/metadata')))
  }

  async rules(): Promise<readonly Rule[]> {
    const { groups } = await this.#read<{ groups: readonly { rules: readonly Rule[] }[] }>('/api/v1/rules')
    return groups.flatMap(({ rules }) => rules)
  }

  async #read<T>(path: string): Promise<T> {
    const response = await fetch(this.#url + path)
    if (!response.ok) throw new Error(`GET ${path}: ${response.status}`)
    return ((await response.json()) as { data: T }).data
  }
}
