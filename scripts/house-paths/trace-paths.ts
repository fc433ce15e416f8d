import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { type Demo, required } from '../examples/calls.ts'
import { type Client, connect, type Person, type SignedIn, signIn } from '../examples/credentials.ts'
import { startDemo } from '../examples/demo-service.ts'
import { type CoverageSession, openCoverage, type Ran, type RanFunctions } from './coverage.ts'

export type TracedPath = { readonly name: string; readonly wanted: number; readonly files: readonly string[] }

/** Longer than every poll interval of the workers, so that the idle run contains all functions that run without a request. */
const IDLE_MS = 3_000
const SETTLED_WITHIN_MS = 30_000

/**
 * The files to open in order to follow one act from beginning to end: files with a function that ran for the act and
 * did not run while the service was idle. Functions that run only the first time are not counted, because the act is
 * performed once before. Files with only constants, schemas or types run nothing, so they are not counted either.
 */
export async function tracePaths(root: string): Promise<readonly TracedPath[]> {
  await using opened = new AsyncDisposableStack()
  const { demo, inspectorUrl, stop } = await startDemo({ inspect: true })
  opened.defer(stop)
  const receiver = await openReceiver()
  opened.defer(receiver.close)
  const coverage = await openCoverage(required(inspectorUrl), root)
  opened.defer(coverage.close)
  const acts = await actsIn(demo, receiver)
  for (const { perform } of acts) await perform()
  const idle = await idleFunctions(coverage)
  const paths: TracedPath[] = []
  for (const { name, wanted, thread, perform } of acts) {
    await coverage.take()
    await perform()
    paths.push({ name, wanted, files: filesOf((await coverage.take())[thread], idle) })
    await setTimeout(IDLE_MS)
  }
  return paths
}

/** The functions that run without a request. Collects them until a period of `IDLE_MS` adds no new function. */
async function idleFunctions(coverage: CoverageSession): Promise<RanFunctions> {
  const until = Date.now() + SETTLED_WITHIN_MS
  const idle = new Set<string>()
  let hasNew = true
  await coverage.take()
  while (hasNew && Date.now() < until) {
    await setTimeout(IDLE_MS)
    const { main, workers } = await coverage.take()
    const found = [...main, ...workers].filter((name) => !idle.has(name))
    for (const name of found) idle.add(name)
    hasNew = found.length > 0
  }
  return idle
}

function filesOf(ran: RanFunctions, idle: RanFunctions): readonly string[] {
  const files = [...ran].filter((name) => !idle.has(name)).map((name) => name.replace(/:\d+$/, ''))
  return [...new Set(files)].sort()
}

type Act = {
  readonly name: string
  readonly wanted: number
  /** The thread of the act: requests run in the main thread, deliveries in the workers'. */
  readonly thread: keyof Ran
  readonly perform: () => Promise<void>
}

async function actsIn(demo: Demo, receiver: Receiver): Promise<readonly Act[]> {
  const app = required(demo.apps[0])
  const client = required(app.keys.find(({ mode, client_secret }) => mode === 'test' && client_secret !== undefined))
  const founder = await signIn(demo.base_url, demo.people.founder)
  const scopes = app.scopes.filter((scope) => !scope.includes('referral_codes'))
  const tokenOf = async (browser: SignedIn) => (await connect(browser, client, scopes)).access_token
  const tokenOfPerson = async (person: Person) => tokenOf(await signIn(demo.base_url, person))
  const call = callerOf(demo.base_url)
  const token = await tokenOf(founder)
  const list = (as: string) => call('GET', '/investments?per_page=2', as)
  const target = { target_type: 'syndicate', target_id: required(demo.ids['syndicate']) }
  await call('POST', '/installations', await tokenOfPerson(demo.people.manager), target)
  const developer = await tokenOfPerson(demo.people.developer)
  await call('POST', '/webhook_endpoints', developer, { url: receiver.url, events: ['syndicate_member.invited'] })
  return [
    { name: 'GET /investments', wanted: 25, thread: 'main' as const, perform: () => list(token) },
    { name: 'one delivery', wanted: 30, thread: 'workers' as const, perform: () => deliverOne(demo, receiver) },
    { name: 'one consent', wanted: 20, thread: 'main' as const, perform: () => consent(founder, client) },
  ]
}

/** Requests the authorize page, posts its form, and exchanges the code for a token. */
async function consent(browser: SignedIn, client: Client): Promise<void> {
  await connect(browser, client, ['read:profile'])
}

let invited = 0

/**
 * Invites a person in the sandbox, because the event of an invitation does not involve the ledger. The workers then
 * make only the delivery: from the queued event to the entry in the history.
 */
async function deliverOne(demo: Demo, receiver: Receiver): Promise<void> {
  const path = `/sandbox/syndicates/${required(demo.ids['syndicate'])}/invite`
  const delivered = receiver.next()
  await callerOf(demo.base_url)('POST', path, demo.operator_keys.test, { email: `traced.${++invited}@example.com` })
  await delivered
  await setTimeout(IDLE_MS)
}

function callerOf(base: string) {
  return async (method: string, path: string, token: string, body?: object): Promise<void> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${base}${path}`, { method, headers, ...sent })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  }
}

type Receiver = { readonly url: string; next(): Promise<void>; close(): void }

async function openReceiver(): Promise<Receiver> {
  let arrived = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.end()
      arrived.resolve()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    next: () => {
      arrived = Promise.withResolvers()
      return arrived.promise
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
