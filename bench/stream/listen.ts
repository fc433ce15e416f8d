import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { readOptions } from '../arguments.ts'
import { withDataDirectory, withService } from '../service.ts'
import { median, printTable, whole } from '../table.ts'

const OPTIONS = { events: { usual: 100, most: 2_000 } } as const

const COMMAND_LINE = join(import.meta.dirname, '../../cli/bin/portico.js')
const BETWEEN_MS = 200
const GIVE_UP_MS = 30_000

type Demo = {
  readonly base_url: string
  readonly operator_keys: { readonly test: string }
  readonly apps: readonly { readonly keys: readonly { client_id: string; client_secret?: string; mode: string }[] }[]
  readonly people: { readonly investor: { readonly id: string } }
  readonly ids: { readonly offering_public: string }
}

/** Where an event goes: forwarded by `portico listen`, or delivered to a webhook endpoint. */
const WAYS = ['listen', 'webhook'] as const
type Way = (typeof WAYS)[number]

/**
 * Measures the time from the request for an investment until its event is received, once forwarded by `portico listen` and once delivered
 * to a webhook endpoint. One process receives the event both ways, so the difference shows how much later `portico listen` forwards it.
 */
export async function measureListen(argv: readonly string[]): Promise<void> {
  const { events } = readOptions(argv, OPTIONS, []).numbers
  await withDataDirectory((directory) =>
    withService(directory, () => measure(directory, events), { settings: { PORTICO_DEMO: 'on' } }),
  )
}

async function measure(directory: string, count: number): Promise<void> {
  const demo: Demo = JSON.parse(await readFile(join(directory, 'demo.json'), 'utf8'))
  const receiver = await openReceiver()
  const project = join(directory, 'project')
  await mkdir(join(project, '.portico'), { recursive: true })
  await writeFile(join(project, '.portico/demo.json'), JSON.stringify(demo))
  // In the demo, `portico trigger` installs the app before the first event.
  await ended(portico(project, ['trigger', 'investment.created']))
  await createEndpoint(demo, receiver.url('webhook'))
  const listening = portico(project, [
    'listen',
    '--forward-to',
    receiver.url('listen'),
    '--events',
    'investment.created',
  ])
  try {
    await ready(listening)
    const took: Record<Way, number[]> = { listen: [], webhook: [] }
    for (let at = 0; at < count; at++) {
      await wait(BETWEEN_MS + Math.random() * BETWEEN_MS)
      const from = performance.now()
      const arrivals = await receiver.arrivalsOf(await invest(demo))
      for (const way of WAYS) took[way].push(arrivals[way] - from)
    }
    report(took, count)
  } finally {
    listening.kill('SIGKILL')
    receiver.close()
  }
}

function report(took: Readonly<Record<Way, readonly number[]>>, count: number): void {
  const at = (way: Way, share: number) =>
    took[way].toSorted((a, b) => a - b)[Math.min(count - 1, Math.floor(count * share))] ?? 0
  const difference = took.listen.map((ms, index) => ms - (took.webhook[index] ?? 0))
  printTable(`from the request to the received event, ms, ${count} events one at a time`, [
    ['', 'median', '10 %', '90 %', '99 %'],
    ...WAYS.map((way): [string, ...string[]] => [
      way === 'listen' ? 'portico listen, forwarded' : 'webhook delivery',
      ...[median(took[way]), at(way, 0.1), at(way, 0.9), at(way, 0.99)].map((ms) => whole(ms)),
    ]),
    ['listen minus webhook, for the same event', whole(median(difference)), '', '', ''],
  ])
}

/** Starts a server that records when it received each event, by the event's id and by the way in which it was sent. */
async function openReceiver() {
  const receivedAt = new Map<string, Partial<Record<Way, number>>>()
  const server = createServer(async (request, response) => {
    const { id }: { id: string } = JSON.parse(String(Buffer.concat(await request.toArray())))
    const way = WAYS.find((name) => request.url === `/${name}`)
    if (way !== undefined) receivedAt.set(id, { ...receivedAt.get(id), [way]: performance.now() })
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (way: Way) => `http://127.0.0.1:${port}/${way}`,
    arrivalsOf: async (id: string): Promise<Record<Way, number>> => {
      const until = performance.now() + GIVE_UP_MS
      while (performance.now() < until) {
        const { listen, webhook } = receivedAt.get(id) ?? {}
        if (listen !== undefined && webhook !== undefined) return { listen, webhook }
        await wait(1)
      }
      throw new Error(`${id} was not received both ways: ${JSON.stringify(receivedAt.get(id))}`)
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function invest({ base_url, operator_keys, ids, people }: Demo): Promise<string> {
  const body = { offering: ids.offering_public, investor: people.investor.id, amount_cents: 25_000 }
  const { meta } = await post(`${base_url}/sandbox/investments`, `Bearer ${operator_keys.test}`, body)
  const event = meta?.events.find((one) => one.event === 'investment.created')
  if (event === undefined) throw new Error('the investment caused no event')
  return event.id
}

async function createEndpoint({ base_url, apps }: Demo, url: string): Promise<void> {
  const key = apps[0]?.keys.find(({ mode, client_secret }) => mode === 'test' && client_secret !== undefined)
  const basic = Buffer.from(`${key?.client_id}:${key?.client_secret}`).toString('base64')
  await post(`${base_url}/webhook_endpoints`, `Basic ${basic}`, { url, events: ['investment.created'] })
}

type Answer = { readonly meta?: { readonly events: readonly { readonly id: string; readonly event: string }[] } }

async function post(url: string, authorization: string, body: object): Promise<Answer> {
  const headers = { authorization, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`)
  return JSON.parse(text)
}

function portico(directory: string, argv: readonly string[]): ChildProcess {
  const env = { PATH: process.env['PATH'], HOME: directory }
  return spawn(process.execPath, [COMMAND_LINE, ...argv], { cwd: directory, env, stdio: ['ignore', 'ignore', 'pipe'] })
}

function ended(child: ChildProcess): Promise<void> {
  child.stderr?.resume()
  return new Promise((resolve, reject) => {
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`portico ended with ${code}`))))
  })
}

async function ready(child: ChildProcess): Promise<void> {
  if (child.stderr === null) return
  for await (const line of createInterface({ input: child.stderr })) {
    if (line.startsWith('Ready.')) break
  }
  child.stderr.resume()
}
