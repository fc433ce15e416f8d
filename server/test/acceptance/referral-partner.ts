import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { type Received, webhookReceiver } from '#test/webhook-receiver.ts'
import { demoData } from './data-directory.ts'
import { type Client, type Credentials, connect } from './person.ts'
import { startService } from './service.ts'

export type Demo = {
  readonly base_url: string
  readonly operator_keys: { readonly test: string }
  readonly apps: readonly { name: string; keys: (Client & { mode: string; type: string })[] }[]
  readonly people: Readonly<Record<'developer', Credentials>>
  readonly ids: { readonly company: string; readonly offering_public: string }
}
export type Fields = Readonly<Record<string, unknown>>
type Group = { readonly investors: { min: number; max: number | null }; readonly by_status: Fields }
export type Week = { readonly week: string; readonly k: number; companies: (Fields & { credited: Group | null })[] }
export type Envelope = {
  readonly id: string
  readonly event: string
  readonly data: { week: string; published_at: string }
}
type Code = { readonly id: string; readonly attributes: { readonly code: string; readonly counts: unknown } }

/** Acts as the demo's partner with its server key, as its developer and as the host platform, all over HTTP. */
export function referralPartner(demo: Demo) {
  const keys = demo.apps.find(({ name }) => name === 'Fieldbook CRM')?.keys
  const crm = keys?.find(({ mode, type }) => mode === 'test' && type === 'confidential')
  if (crm === undefined) throw new Error('the demo has no such key')

  async function send<Data>(bearer: string, method: string, path: string, body?: unknown): Promise<Data> {
    const answer = await fetch(demo.base_url + path, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    expect(answer.status, `${method} ${path}: ${text}`).toBeLessThan(300)
    return JSON.parse(text).data as Data
  }

  /** Gets a new token for each call, because a token is valid for a day and the test moves the clock by weeks. */
  async function serverKey(): Promise<string> {
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: crm?.client_id ?? '' })
    body.set('client_secret', crm?.client_secret ?? '')
    const answer = await fetch(`${demo.base_url}/oauth/token`, { method: 'POST', body })
    return ((await answer.json()) as { access_token: string }).access_token
  }

  const platform = (path: string, body: unknown) => send(demo.operator_keys.test, 'POST', path, body)
  return {
    code: async (): Promise<Code> => send(await serverKey(), 'POST', '/referral_codes', { name: 'Newsletter' }),
    find: async (id: string): Promise<Code> => send(await serverKey(), 'GET', `/referral_codes/${id}`),
    stats: async (id: string): Promise<Week[]> => send(await serverKey(), 'GET', `/referral_codes/${id}/stats`),
    pass: (duration: string) => platform('/sandbox/clock', { advance: duration }),
    /** Registers people who invest in the demo's public offering through a code. */
    invest: async (ref: string, { first, count }: { readonly first: number; readonly count: number }) => {
      for (let nth = first; nth < first + count; nth++) {
        const id = `usr_0ReferredInvestor0000${String(nth).padStart(3, '0')}`
        const data = { id, name: 'Grace Hopper', email: `${id}@example.org` }
        const occurred_at = '2026-01-10T09:00:00Z'
        await platform('/platform/facts', [{ id: `registered-${id}`, type: 'user.registered', occurred_at, data }])
        const offering = demo.ids.offering_public
        await platform('/sandbox/investments', { offering, investor: id, amount_cents: 50_000, ref })
      }
    },
    /** Creates an app-wide endpoint, and returns its signing secret. */
    listen: async (url: string): Promise<string> => {
      const wanted = { client: crm, scopes: ['write:webhooks'] }
      const { access_token } = await connect(demo.base_url, demo.people.developer, wanted)
      const endpoint = { url, events: ['referral_cohorts.published'] }
      const made = await send<{ attributes: { secret: string } }>(access_token, 'POST', '/webhook_endpoints', endpoint)
      return made.attributes.secret
    },
  }
}

/** Starts a webhook receiver. Each call of `start` starts a service on the same data directory with the demo world. */
export async function referralServices() {
  const data = await demoData(onTestFinished)
  const receiver = await webhookReceiver()
  onTestFinished(() => receiver.close())
  const start = async () => {
    const service = await startService({ PORT: '0', PORTICO_DATA: data, LOG_LEVEL: 'warn', PORTICO_DEMO: 'on' })
    const demo: Demo = JSON.parse(await readFile(join(data, 'demo.json'), 'utf8'))
    return { service, demo, partner: referralPartner(demo) }
  }
  return { receiver, start }
}

export const envelopeOf = ({ body }: Received): Envelope => JSON.parse(body.toString())
