/**
 * A partner's site that signs a person up to a syndicate: it creates a join session, sends the person to its link, and gets
 * the outcome by verified webhooks. Node 24 runs this file without dependencies, against the sandbox of a server on the same
 * machine:
 *
 *   TOKEN=at_test_… node docs/examples/join-session.ts http://localhost:4400 syn_…
 *
 * TOKEN is a token of the app's installation on that syndicate, with write:syndicate_members, read:syndicates and
 * write:webhooks.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const EVENTS = [
  'join_session.pending_approval',
  'join_session.completed',
  'join_session.rejected',
  'join_session.ineligible',
  'join_session.canceled',
  'join_session.expired',
  'syndicate_member.joined',
]
const OVER: ReadonlySet<string> = new Set(['joined', 'rejected', 'ineligible', 'canceled', 'expired'])
const TOLERATED_SECONDS = 300
/**
 * How long to wait for syndicate_member.joined after join_session.completed. A person who was a member already causes
 * no syndicate_member.joined.
 */
const ACCOMPANIED_WITHIN_MS = 5_000

export type Delivered = {
  readonly id: string
  readonly event: string
  readonly installation: { readonly id: string }
  readonly data: {
    readonly id: string
    readonly status: string
    readonly occurred_at: string
    readonly user: { readonly id: string; readonly name: string } | null
    readonly ineligible_reason?: string | null
  }
}

export type Joining = {
  readonly base: string
  readonly token: string
  readonly syndicate: string
  /** Shows the link to the person: by a redirect, a button or a mail. */
  readonly send: (link: string) => void
  readonly print?: (line: string) => void
}

export type Outcome = {
  readonly status: string
  readonly received: readonly Delivered[]
  readonly returned: string | null
}

/** Runs a join session for one person. Resolves when the session is over and its last events have arrived. */
export async function runJoinSession({ base, token, syndicate, send, print = () => {} }: Joining): Promise<Outcome> {
  const call = caller(base, token)
  const site = await openSite()
  try {
    const { data: endpoint } = await call('POST', '/webhook_endpoints', { url: `${site.origin}/hook`, events: EVENTS })
    site.verifyWith(String(endpoint.attributes['secret']))
    try {
      const made = await call('POST', `/syndicates/${syndicate}/join_sessions`, {
        return_url: `${site.origin}/welcome`,
        expires_in_hours: 24,
      })
      send(String(made.data.attributes['url']))
      const received = await site.untilOver(made.data.id, print)
      // Do not trust the status in the return address: a person can change it. Read the outcome from the API.
      const { data } = await call('GET', `/syndicates/${syndicate}/join_sessions/${made.data.id}`)
      return { status: String(data.attributes['status']), received, returned: site.returned() }
    } finally {
      await call('DELETE', `/webhook_endpoints/${endpoint.id}`)
    }
  } finally {
    await site.close()
  }
}

type Resource = { readonly data: { readonly id: string; readonly attributes: Readonly<Record<string, unknown>> } }

function caller(base: string, token: string) {
  return async (method: string, path: string, body?: object): Promise<Resource> => {
    const answer = await fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Resource
  }
}

/** The partner's own site: a page to which the person returns, and an endpoint for webhooks. */
async function openSite() {
  let secret = ''
  let returned: string | null = null
  const inbox = new Inbox()
  const server = createServer(async (request, response) => {
    if (request.url?.startsWith('/welcome')) {
      returned = request.url
      response.end('Thank you. You can close this window.')
      return
    }
    const body = Buffer.concat(await request.toArray())
    if (!isGenuine(secret, request.headers['wefunder-signature'], body)) return void response.writeHead(400).end()
    inbox.put(JSON.parse(String(body)))
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    verifyWith: (given: string) => {
      secret = given
    },
    returned: () => returned,
    untilOver: (session: string, print: (line: string) => void) => inbox.untilOver(session, print),
    close: () => closed(server),
  }
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/**
 * Verifies the header `t=…,v1=…`. Each v1 is the HMAC-SHA256 of the time, a dot and the received body. During a rotation
 * there is one v1 for each secret.
 */
export function isGenuine(secret: string, header: string | string[] | undefined, body: Buffer): boolean {
  const parts = String(header ?? '')
    .split(',')
    .map((part) => part.trim().split('='))
  const time = parts.find(([key]) => key === 't')?.[1] ?? ''
  if (!/^\d+$/.test(time) || Math.abs(Date.now() / 1_000 - Number(time)) > TOLERATED_SECONDS) return false
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest()
  return parts.some(([key, value = '']) => {
    const given = Buffer.from(value, 'hex')
    return key === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/**
 * Delivery is "at-least-once and unordered", so the inbox removes duplicates and sorts events by the time at which they
 * happened.
 */
export class Inbox {
  readonly #seen = new Map<string, Delivered>()
  readonly #waiting = new Set<() => void>()

  put(delivered: Delivered): void {
    this.#seen.set(`${delivered.id}/${delivered.installation.id}`, delivered)
    for (const check of this.#waiting) check()
  }

  /** All events about the session, and syndicate_member.joined of the same person, which has no session id. */
  about(session: string): readonly Delivered[] {
    const all = [...this.#seen.values()]
    const own = all.filter(({ data }) => data.id === session)
    const people = new Set(own.map(({ data }) => data.user?.id))
    const joined = all.filter(({ event, data }) => event === 'syndicate_member.joined' && people.has(data.user?.id))
    return [...own, ...joined].toSorted((a, b) => (a.data.occurred_at < b.data.occurred_at ? -1 : 1))
  }

  /** Resolves with the events once the session is over. After a completion it waits `within` ms for syndicate_member.joined. */
  untilOver(
    session: string,
    print: (line: string) => void,
    within = ACCOMPANIED_WITHIN_MS,
  ): Promise<readonly Delivered[]> {
    const printed = new Set<string>()
    const { promise, resolve } = Promise.withResolvers<readonly Delivered[]>()
    let timer: NodeJS.Timeout | undefined
    const finish = () => {
      clearTimeout(timer)
      this.#waiting.delete(check)
      resolve(this.about(session))
    }
    const check = () => {
      const received = this.about(session)
      for (const delivered of received.filter(({ id }) => !printed.has(id))) {
        print(sentence(delivered))
        printed.add(delivered.id)
      }
      const end = received.find(({ data }) => data.id === session && OVER.has(data.status))
      if (end === undefined) return
      if (end.data.status !== 'joined' || received.some(({ data }) => data.status === 'member')) finish()
      else timer ??= setTimeout(finish, within)
    }
    this.#waiting.add(check)
    check()
    return promise
  }
}

function sentence({ event, data }: Delivered): string {
  return `${event}: ${data.status}${data.user === null ? '' : ` (${data.user.name})`}`
}

if (import.meta.main) {
  const [base = '', syndicate = ''] = process.argv.slice(2)
  const print = (line: string) => process.stdout.write(`${line}\n`)
  const send = (link: string) => print(`Open this as the person who wants to join:\n${link}`)
  const { status } = await runJoinSession({ base, syndicate, token: process.env['TOKEN'] ?? '', send, print })
  print(`The session is ${status}.`)
}
