import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, type Credentials, connect } from '../../server/test/acceptance/person.ts'
import { retryUntilAnswered, Statuses, until } from './http.ts'
import type { Machine } from './machine.ts'
import { PorticoNode, type Release, type Settings } from './portico.ts'
import type { Receiver } from './receiver.ts'

type Key = Client & { readonly type: string; readonly mode: string }

type DemoFile = {
  readonly operator_keys: { readonly test: string }
  readonly apps: readonly { readonly id: string; readonly keys: readonly Key[] }[]
  readonly people: Readonly<
    Record<'developer' | 'founder' | 'investor', Credentials & { readonly id: string; readonly companies: string[] }>
  >
  readonly ids: { readonly offering_public: string }
}

/** The records that the load uses: an app that is installed on a company, its key and its endpoint, and the platform's key. */
export type Stage = {
  readonly baseUrl: string
  readonly operatorKey: string
  readonly offering: string
  readonly company: string
  readonly installation: string
  /** When the endpoint was created. The endpoint is entitled to later events only. */
  readonly endpointSince: string
  readonly client: { readonly clientId: string; readonly clientSecret: string }
  /** A founder's token, which reads the company's investments. */
  readonly founderToken: string
  /** A token of the app's team, which lists the app's events. */
  readonly teamToken: string
}

const FILE_WITHIN_MS = 60_000

/**
 * Fills the test world with the demo, as an operator fills a staging database: starts a process that does this, and ends it afterwards.
 */
export async function makeDemo(
  machine: Machine,
  release: Release,
  { settings, port }: { readonly settings: Settings; readonly port: number },
): Promise<DemoFile> {
  const data = join(machine.directory, 'demo-data')
  const environment = { ...settings, PORTICO_DEMO: 'on', PORTICO_DATA: data }
  const maker = new PorticoNode(machine, release, environment, { name: 'demo-maker', role: 'all', port })
  maker.launch()
  await maker.ready()
  const file = join(data, 'demo.json')
  await until('the demo has its keys', FILE_WITHIN_MS, () => existsSync(file))
  const demo: DemoFile = JSON.parse(await readFile(file, 'utf8'))
  await maker.end('SIGTERM')
  return demo
}

/** Installs the app on the founder's company and creates its endpoint, over HTTP, as people do. */
export async function setStage(baseUrl: string, demo: DemoFile, receiver: Receiver): Promise<Stage> {
  const { people } = demo
  const key = demo.apps[0]?.keys.find(({ type, mode }) => type === 'confidential' && mode === 'test')
  const [company] = people.founder.companies
  if (key?.client_secret === undefined || company === undefined)
    throw new Error('the first app of the demo has no confidential test key, or its founder has no company')
  const tokenOf = async (person: Credentials, scopes: readonly string[]) =>
    (await connect(baseUrl, person, { client: key, scopes })).access_token

  const installing = await tokenOf(people.founder, ['write:installations'])
  const target = { target_type: 'company', target_id: company }
  const installed = await post<{ id: string }>(baseUrl, '/installations', installing, target)
  const teamToken = await tokenOf(people.developer, ['write:webhooks'])
  const wanted = { url: receiver.url, events: ['investment.*'] }
  const endpoint = await post<{ attributes: { secret: string; created_at: string } }>(
    baseUrl,
    '/webhook_endpoints',
    teamToken,
    wanted,
  )
  receiver.secret = endpoint.attributes.secret
  return {
    baseUrl,
    operatorKey: demo.operator_keys.test,
    offering: demo.ids.offering_public,
    company,
    installation: installed.id,
    endpointSince: endpoint.attributes.created_at,
    client: { clientId: key.client_id, clientSecret: key.client_secret },
    founderToken: await tokenOf(people.founder, ['read:investments']),
    teamToken,
  }
}

async function post<T>(baseUrl: string, path: string, token: string, body: object): Promise<T> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': crypto.randomUUID(),
  }
  const reply = await retryUntilAnswered(new Statuses(), baseUrl + path, { headers, body: JSON.stringify(body) })
  if (reply === null || reply.status >= 300) throw new Error(`POST ${path}: ${reply?.status} ${reply?.text}`)
  return (JSON.parse(reply.text) as { data: T }).data
}
