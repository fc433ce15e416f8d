import { type Client, type Credentials, connect } from '../person.ts'
import type { StrictClient } from './client.ts'

export type Demo = {
  base_url: string
  operator_keys: { test: string }
  apps: { id: string; name: string; scopes: string[]; keys: (Client & { mode: string; type: string })[] }[]
  people: Record<Part, Credentials & { id: string; companies: string[] }>
  ids: Record<'company' | 'offering_public' | 'offering_private' | 'syndicate' | 'investment', string>
}
type Part = 'founder' | 'investor' | 'manager' | 'developer'

/** A client with the tokens and records that its program uses. */
export type Stage = {
  readonly client: StrictClient
  readonly tokens: Readonly<Record<Part | 'app', string>>
  readonly operator: string
  readonly key: Client
  readonly ids: Demo['ids']
  /** A different text for every client, so that no client finds records of another client. */
  readonly unique: string
  readonly own: OwnRecords
  /** Returns the world time of this many milliseconds ago, as ISO 8601. Responses and filters use world time. */
  ago(ms: number): Promise<string>
}
/**
 * The demo's company, and records that only this client's program uses. The program deactivates, cancels or closes
 * these records.
 */
export type OwnRecords = {
  readonly company: string
  readonly offering: string
  readonly second: string
  /** An offering that the demo's syndicate runs. */
  readonly deal: string
  readonly users: readonly [string, string, string, string, string]
}

export const APP = 'Fieldbook CRM'
/** Scopes that no person is asked to grant. The calls that need them use the app's own token or an installation's token. */
const NOT_BY_CONSENT = /referral_codes|investors:pii|invite_links|investment_sessions/

export async function stageOf(demo: Demo, client: StrictClient, unique: string): Promise<Stage> {
  const app = demo.apps.find(({ name }) => name === APP)
  const key = app?.keys.find(({ mode, type }) => mode === 'test' && type === 'confidential')
  if (app === undefined || key === undefined) throw new Error('the demo has no such key')
  const scopes = app.scopes.filter((scope) => !NOT_BY_CONSENT.test(scope))
  const of = async (part: Part) =>
    (await connect(demo.base_url, demo.people[part], { client: key, scopes })).access_token
  const { client_id, client_secret = '' } = key
  const form = { grant_type: 'client_credentials', client_id, client_secret }
  const ago = async (ms: number) => {
    const bearer = demo.operator_keys.test
    const clock = await client.call('readSandboxClock', 'GET', '/sandbox/clock', { bearer })
    return new Date(Date.parse(String(clock.data['now'])) - ms).toISOString()
  }
  const made = await client.call('createToken', 'POST', '/oauth/token', { form })
  return {
    client,
    key,
    unique,
    ids: demo.ids,
    operator: demo.operator_keys.test,
    tokens: {
      app: String(made.raw['access_token']),
      founder: await of('founder'),
      investor: await of('investor'),
      manager: await of('manager'),
      developer: await of('developer'),
    },
    own: await ownRecords(demo, unique, await ago(0)),
    ago,
  }
}

/** Reports records as facts, like the host platform. */
async function ownRecords(demo: Demo, unique: string, occurred_at: string): Promise<OwnRecords> {
  const body = (name: string) => (name + unique.replaceAll(/[^0-9a-z]/g, '')).padEnd(24, '0')
  const user = (name: string) => `usr_${body(name)}`
  const users = [user('One'), user('Two'), user('Three'), user('Four'), user('Five')] as const
  const company = demo.people.founder.companies[0] ?? ''
  const offering = `ofr_${body('First')}`
  const second = `ofr_${body('Second')}`
  const deal = `ofr_${body('Deal')}`
  const security = { type: 'safe', terms: { valuation_cap: '8000000' } }
  const round = { company, currency: 'usd', exemption: 'reg_cf', security }
  const happened = [
    ...users.map((id, at) => ['user.registered', { id, name: `Person ${at}`, email: `${at}-${unique}@example.org` }]),
    ...[offering, second, deal].map((id) => ['offering.created', { id, ...round }]),
    ['offering.opened', { id: deal }],
    ['syndicate.deal_added', { syndicate: demo.ids.syndicate, offering: deal }],
  ]
  const facts = happened.map(([type, data], at) => ({ id: `${unique}-${at}`, type, occurred_at, data }))
  const answer = await fetch(`${demo.base_url}/platform/facts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.operator_keys.test}`, 'content-type': 'application/json' },
    body: JSON.stringify(facts),
  })
  const text = await answer.text()
  if (!answer.ok || text.includes('"error"')) throw new Error(`the facts were refused: ${text}`)
  return { company, offering, second, deal, users }
}
