import { newId } from '#kernel/ids.ts'
import { type Envelope, type EventStage, type Listener, named } from '../events/stage.ts'
import { clientCredentials, consent } from '../flow.ts'
import { INSTALLING, type Target } from '../installing.ts'
import type { Send } from '../sender.ts'
import type { App, Person } from '../stage.ts'

/** A partner app with referral codes, a webhook receiver, and the programs that its scopes need. */
export type Marketer = {
  readonly app: App
  /** Calls the API with the app's server key. */
  readonly send: Send
  /** Creates a code, and returns its id. */
  code(code: string): Promise<string>
  readonly listener: Listener
  /** Returns the received investment.referred events. */
  referred(): Promise<readonly Envelope[]>
}

const OF_ITS_OWN = ['read:referral_codes', 'write:referral_codes']
const PROGRAM = { program: 'marketing_partner', tier: 1 }

/**
 * The app declares `scopes` and the scopes of referral codes. The default program, `marketing_partner`, adds
 * `read:attribution:anonymized`.
 */
export async function aMarketer(
  stage: EventStage,
  {
    scopes = ['read:companies'],
    programs = [PROGRAM],
  }: { scopes?: readonly string[]; programs?: readonly object[] } = {},
): Promise<Marketer> {
  const app = await stage.partner([...scopes, ...OF_ITS_OWN])
  for (const program of programs) await stage.operator('POST', `/platform/apps/${app.id}/programs`, program)
  // Each call gets a new token, because the clock moves and tokens expire.
  const send: Send = async (...request) => stage.api((await clientCredentials(stage, app.key)).access_token)(...request)
  const listener = await stage.listen(app)
  const code = async (wanted: string) => {
    const { status, data } = await send('POST', '/referral_codes', { code: wanted })
    if (status !== 201) throw new Error(`the code was answered with ${status}`)
    return data.id
  }
  return { app, send, code, listener, referred: async () => named(await listener.received(), 'investment.referred') }
}

type InstallOptions = {
  readonly app: App
  readonly by: Person
  readonly on: Target
  readonly scopes?: readonly string[]
}

/** Installs the app on the company, with these scopes or all declared scopes. */
export async function installPartner(stage: EventStage, { app, by, on, scopes }: InstallOptions): Promise<string> {
  const { access_token } = await consent(stage, app.key, by, { scope: INSTALLING.join(' ') })
  const body = { ...on, ...(scopes === undefined ? {} : { scopes }) }
  const answer = await stage.api(access_token)('POST', '/installations', body)
  if (answer.status !== 201) throw new Error(`installing was answered with ${answer.status}`)
  return answer.data.id
}

export type InvestOptions = {
  readonly offering: string
  readonly investor: Pick<Person, 'user'>
  readonly cents?: number
  readonly referral?: { readonly code: string; readonly clicked_at?: string } | null
}

/** Reports an investment as the host platform does, and returns its id. */
export async function invest(
  stage: EventStage,
  { offering, investor, cents = 25_000, ...told }: InvestOptions,
): Promise<string> {
  const id = newId('investment')
  const about = { id, offering, investor: investor.user, amount_cents: cents, currency: 'usd' }
  await stage.sendFact('investment.created', { ...about, ...told })
  return id
}

export const reportVisit = (stage: EventStage, { user }: Pick<Person, 'user'>, company: string, code: string) =>
  stage.sendFact('referral.visited', { user, company, code })

let made = 0
export const aCode = () => `autumn-${++made}-${newId('request').slice(-8)}`
