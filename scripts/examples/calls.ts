import type { Client, Person, SignedIn } from './credentials.ts'
import { connect, signIn } from './credentials.ts'
import type { Recorder } from './recorder.ts'

export type Demo = {
  readonly base_url: string
  readonly operator_keys: { readonly test: string; readonly live: string }
  readonly apps: readonly {
    readonly id: string
    readonly organization_id: string
    readonly scopes: readonly string[]
    readonly keys: readonly (Client & { readonly mode: string; readonly type: string })[]
  }[]
  readonly people: Readonly<Record<'founder' | 'editor' | 'investor' | 'manager' | 'developer', Person>>
  readonly ids: Readonly<Record<string, string>>
}

/** The callers and their credentials: the demo's people, its app and the operators. */
export type Cast = {
  readonly demo: Demo
  readonly ids: Readonly<Record<string, string>>
  readonly client: Client
  readonly operator: string
  readonly liveOperator: string
  readonly developer: SignedIn
  readonly investor: SignedIn
  readonly tokens: Readonly<Record<'founder' | 'investor' | 'manager' | 'developer', string>>
  readonly refreshToken: string
  readonly hookUrl: string
}

const SAME_FOR_MS = 3_000
const TURNS_MAX = 20

/**
 * Waits until the ledger has published the demo's investments, so that the recorded figures are the same in every run. They
 * count as published when the figures of an offering have not changed for three seconds. Throws after a minute.
 */
async function untilPublished(demo: Demo, token: string): Promise<void> {
  const url = `${demo.base_url}/offerings/${required(demo.ids['offering_public'])}/stats`
  let before: string | undefined
  for (let turn = 0; turn < TURNS_MAX; turn++) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    const text = await response.text()
    if (!response.ok) throw new Error(`the figures of the demo's offering cannot be read: ${response.status} ${text}`)
    const { data } = JSON.parse(text) as { data: { total: { count: number } } }
    const now = JSON.stringify(data)
    if (now === before && data.total.count > 0) return
    before = now
    await new Promise((resolve) => setTimeout(resolve, SAME_FOR_MS))
  }
  throw new Error(`the ledger has not published the demo's investments after a minute; its figures are ${before}`)
}

export async function castOf(recorder: Recorder, demo: Demo, hookUrl: string): Promise<Cast> {
  const app = required(demo.apps[0])
  const client = required(app.keys.find(({ mode, client_secret }) => mode === 'test' && client_secret !== undefined))
  const { test: operator, live: liveOperator } = demo.operator_keys
  const at = { app_id: app.id }
  await recorder.call('grantProgram', { as: liveOperator, path: at, body: { program: 'marketing_partner', tier: 0 } })
  await recorder.call('addPlatformScopes', { as: liveOperator, path: at, body: { scopes: ['read:files'] } })
  const scopes = app.scopes.filter((scope) => !scope.includes('referral_codes'))
  const browsers = await Promise.all(
    (['founder', 'investor', 'manager', 'developer'] as const).map(async (part) => {
      const browser = await signIn(demo.base_url, demo.people[part])
      return [part, { browser, tokens: await connect(browser, client, scopes) }] as const
    }),
  )
  const people = Object.fromEntries(browsers)
  const token = (part: string) => required(people[part]).tokens.access_token
  await untilPublished(demo, token('founder'))
  return {
    demo,
    ids: demo.ids,
    client,
    operator,
    liveOperator,
    developer: required(people['developer']).browser,
    investor: required(people['investor']).browser,
    tokens: {
      founder: token('founder'),
      investor: token('investor'),
      manager: token('manager'),
      developer: token('developer'),
    },
    refreshToken: required(people['investor']).tokens.refresh_token,
    hookUrl,
  }
}

/** Calls the operations about the catalogue, users, investments, OAuth and referral codes. */
export async function callUserOperations(recorder: Recorder, cast: Cast): Promise<void> {
  const { client, ids, tokens } = cast
  const { client_id, client_secret = '' } = client
  const key = client_id
  await recorder.call('listOfferings', { as: key, query: { sort: 'most_raised', per_page: 2 } })
  await recorder.call('searchCompanies', { as: key, query: { q: 'bright' } })
  await recorder.call('getOffering', { as: key, path: { id: required(ids['offering_public']) } })
  await recorder.call('getCompany', { as: key, path: { id: required(ids['company']) } })
  const content = { id: required(ids['company']) }
  const updates = await recorder.call('listCompanyUpdates', { as: key, path: content, query: { per_page: 1 } })
  const [update] = updates.data as { id: string }[]
  await recorder.call('getCompanyUpdate', { as: key, path: { ...content, update_id: required(update).id } })
  await recorder.call('getCurrentUser', { as: tokens.investor })
  await recorder.call('updateCurrentUser', { as: tokens.investor, body: { city: 'Seattle', state: 'WA' } })
  await recorder.call('listMyCompanies', { as: tokens.founder })
  await recorder.call('followCompany', { as: tokens.investor, path: { company_id: required(ids['company']) } })
  await recorder.call('listFollowedCompanies', { as: tokens.investor, query: { per_page: 2 } })
  await recorder.call('unfollowCompany', { as: tokens.investor, path: { company_id: required(ids['company']) } })
  await recorder.call('getPortfolio', { as: tokens.investor })
  await recorder.call('listPortfolioPositions', { as: tokens.investor, query: { per_page: 1 } })
  await recorder.call('listInvestments', { as: tokens.investor, query: { per_page: 2 } })
  await recorder.call('getInvestment', { as: tokens.investor, path: { id: required(ids['investment']) } })
  const company = { company_id: required(ids['company']) }
  await recorder.call('listCompanyInvestmentChanges', { as: tokens.founder, path: company, query: { per_page: 2 } })
  await recorder.call('getOfferingStats', { as: tokens.founder, path: { id: required(ids['offering_public']) } })
  await recorder.call('listCompanyInvestors', { as: tokens.founder, path: company, query: { per_page: 2 } })
  await recorder.call('listCompanyFundraises', { as: tokens.founder, path: company, query: { per_page: 2 } })
  await recorder.call('listCampaigns', { as: tokens.founder, query: { per_page: 2 } })
  const apps = await recorder.call('listConnectedApps', { as: tokens.investor })
  const other = apps.data?.find((one: { id: string }) => one.id !== cast.demo.apps[0]?.id) ?? apps.data?.[0]
  if (other !== undefined) await recorder.call('revokeConnectedApp', { as: tokens.investor, path: { id: other.id } })
  await recorder.call('listActivity', { as: tokens.investor, query: { per_page: 2 } })
  const basic = { client_id, client_secret }
  const made = await recorder.call('createToken', { form: { grant_type: 'client_credentials', ...basic } })
  await recorder.call('introspectToken', { form: { token: made.access_token, ...basic } })
  const wrong = { client_id, client_secret: 'sk_test_notTheSecret' }
  const expired = { grant_type: 'refresh_token', refresh_token: 'rt_test_alreadyUsed', ...basic }
  await recorder.call('createToken', { form: expired })
  await recorder.call('createToken', { form: { grant_type: 'client_credentials', ...wrong } })
  await recorder.call('introspectToken', { form: { token: '', ...basic } })
  await recorder.call('introspectToken', { form: { token: made.access_token, ...wrong } })
  const spare = await recorder.call('createToken', { form: { grant_type: 'client_credentials', ...basic } })
  // The successful call comes before the two that fail, because the body of the first call becomes the example.
  await recorder.call('revokeToken', { form: { token: spare.access_token, ...basic } })
  await recorder.call('revokeToken', { form: { token: '', ...basic } })
  await recorder.call('revokeToken', { form: { token: made.access_token, ...wrong } })
  const codes = made.access_token
  const code = await recorder.call('createReferralCode', {
    as: codes,
    body: { code: 'SPRING-26', name: 'Spring letter' },
  })
  const at = { id: idOf(code) }
  await recorder.call('sandboxUserVisit', {
    as: cast.operator,
    path: { id: cast.demo.people.editor.id },
    body: { company: company.company_id, ref: 'SPRING-26' },
  })
  await recorder.call('listReferralCodes', { as: codes, query: { per_page: 2 } })
  await recorder.call('getReferralCode', { as: codes, path: at })
  await recorder.call('getReferralCodeStats', { as: codes, path: at })
  await recorder.call('updateReferralCode', { as: codes, path: at, body: { status: 'paused' } })
}

/**
 * Calls the operations about installations, and those that use an installation's token: invite links, sessions,
 * webhooks.
 */
export async function callInstallations(recorder: Recorder, cast: Cast): Promise<void> {
  const { ids, tokens, operator } = cast
  await recorder.call('listEligibleInstallTargets', { as: tokens.founder, query: { target_type: 'company' } })
  const target = { target_type: 'company', target_id: required(ids['company']) }
  const installed = await recorder.call('createInstallation', { as: tokens.founder, body: target })
  const syndicate = { target_type: 'syndicate', target_id: required(ids['syndicate']) }
  await recorder.call('createInstallation', { as: tokens.manager, body: syndicate })
  const at = { id: idOf(installed) }
  await recorder.call('listInstallations', { as: tokens.founder, query: { per_page: 2 } })
  await recorder.call('getInstallation', { as: tokens.founder, path: at })
  const minted = await recorder.call('createInstallationToken', { as: tokens.founder, path: at, body: {} })
  const token = tokenIn(minted)
  await callPartner(recorder, cast, token)
  await callWebhooks(recorder, cast)
  await callSetAside(recorder, cast)
  await recorder.call('readInstallationByOperator', { as: operator, path: at })
  await recorder.call('revokeInstallation', { as: tokens.founder, path: at })
  const again = await recorder.call('createInstallation', { as: tokens.founder, body: target })
  await recorder.call('revokeInstallationByOperator', { as: operator, path: { id: idOf(again) } })
  const last = await recorder.call('createInstallation', { as: tokens.founder, body: target })
  const app = required(cast.demo.apps[0]).id
  await recorder.call('listAppInstallations', { as: cast.developer, path: { app_id: app }, query: { mode: 'test' } })
  await recorder.call('revokeAppInstallation', { as: cast.developer, path: { app_id: app, id: idOf(last) } })
  // The events of the following moves need an installation.
  await recorder.call('createInstallation', { as: tokens.founder, body: target })
}

async function callPartner(recorder: Recorder, { ids, demo, operator }: Cast, as: string): Promise<void> {
  const spv = { spv_id: required(ids['offering_public']) }
  const email = 'grace@example.com'
  const session = { spv_id: spv.spv_id, email, allocation_cents: 500_000 }
  const made = await recorder.call('createInvestmentSession', { as, body: { investment_session: session } })
  await recorder.call('createInvestmentSession', { as, body: { investment_session: session } })
  const other = { investment_session: { email: 'alan@example.com' } }
  await recorder.call('createInvestmentSessionOfOffering', { as, path: spv, body: other })
  await recorder.call('createInvestmentSessionOfOffering', { as, path: spv, body: other })
  const move = (operation: string, id: string, body: object) =>
    recorder.call(operation, { as: operator, path: { id }, body })
  const another = async (address: string) =>
    idOf(
      await recorder.call('createInvestmentSession', {
        as,
        body: { investment_session: { ...session, email: address } },
      }),
    )
  const checkout = await another('mary@example.com')
  await move('sandboxInvestmentSessionStart', checkout, { user: demo.people.developer.id })
  await move('sandboxInvestmentSessionComplete', checkout, { user: demo.people.developer.id, amount_cents: 100_000 })
  const late = await another('emmy@example.com')
  await recorder.call('sandboxInvestmentSessionExpire', { as: operator, path: { id: late } })
  await recorder.call('listInvestmentSessions', { as, query: { per_page: 1 } })
  const at = { session_id: idOf(made) }
  await recorder.call('getInvestmentSession', { as, path: at })
  await recorder.call('cancelInvestmentSession', { as, path: at })
  const invite = { invite_link: { email, first_name: 'Grace', last_name: 'Hopper', allocation_cents: 500_000 } }
  const link = await recorder.call('createInviteLink', { as, path: spv, body: invite })
  const one = { ...spv, invite_link_id: idOf(link) }
  const unsent = { invite_link: { email: 'dorothy@example.com', send_email: false } }
  const quiet = await recorder.call('createInviteLink', { as, path: spv, body: unsent })
  await recorder.call('showInvitation', { path: { link: linkOf(link) } })
  await recorder.call('showInvestmentSession', { path: { link: linkOf(made) } })
  await recorder.call('listInviteLinks', { as, path: spv, query: { per_page: 1 } })
  await recorder.call('getInviteLink', { as, path: one })
  await recorder.call('updateInviteLink', { as, path: one, body: { invite_link: { allocation_cents: 750_000 } } })
  await recorder.call('resendInviteLink', { as, path: { ...spv, invite_link_id: idOf(quiet) } })
  await recorder.call('cancelInviteLink', { as, path: one })
  const items = [{ email: 'katherine@example.com' }, { platform_user_id: demo.people.investor.id }]
  await recorder.call('createInviteLinks', { as, path: spv, body: { invite_links: items } })
}

async function callWebhooks(recorder: Recorder, { tokens, operator, ids, hookUrl }: Cast): Promise<void> {
  const as = tokens.developer
  const body = { url: hookUrl, events: ['investment.created', 'investment.amount_changed', 'investment.changed'] }
  const made = await recorder.call('createWebhookEndpoint', { as, body })
  const at = { id: idOf(made) }
  await recorder.call('listWebhookEndpoints', { as, query: { per_page: 2 } })
  await recorder.call('getWebhookEndpoint', { as, path: at })
  await recorder.call('testWebhookEndpoint', { as, path: at, body: { event: 'investment.created' } })
  const change = { path: { id: required(ids['investment']) }, body: { amount_cents: 600_000 } }
  await recorder.call('sandboxInvestmentChangeAmount', { as: operator, ...change })
  const delivery = await until(async () => {
    const list = await recorder.call('listWebhookDeliveries', { as, path: at, query: { per_page: 1 } })
    const [first] = list.data ?? []
    return (first?.attributes?.status ?? first?.status) === 'delivered' ? first : undefined
  })
  const events = await recorder.call('listEvents', { as, query: { types: ['investment.*'], per_page: 1 } })
  await recorder.call('getEvent', { as, path: { id: events.data?.[0]?.id ?? '' } })
  recorder.recorded.delete('listWebhookDeliveries')
  await recorder.call('listWebhookDeliveries', { as, path: at, query: { per_page: 1 } })
  const one = { ...at, delivery_id: delivery?.id ?? '' }
  await recorder.call('getWebhookDelivery', { as, path: one })
  await recorder.call('redeliverWebhookDelivery', { as, path: one })
  const since = new Date(Date.now() - 3_600_000).toISOString()
  await recorder.call('replayWebhookDeliveries', { as, path: at, body: { since, only_failed: true } })
  await recorder.call('rotateWebhookEndpointSecret', { as, path: at })
  await recorder.call('updateWebhookEndpoint', { as, path: at, body: { events: ['investment.created'] } })
  await recorder.call('reenableWebhookEndpoint', { as, path: at })
  await recorder.call('deleteWebhookEndpoint', { as, path: at })
}

/** Makes an endpoint at a port where no program listens, so that its deliveries are set aside. */
async function callSetAside(recorder: Recorder, { operator, ids, tokens: { developer: as } }: Cast): Promise<void> {
  const endpoint = { url: 'http://127.0.0.1:18099/hooks', events: ['investment.*'] }
  const at = { id: idOf(await recorder.call('createWebhookEndpoint', { as, body: endpoint })) }
  const change = { path: { id: required(ids['investment']) }, body: { amount_cents: 700_000 } }
  await recorder.call('sandboxInvestmentChangeAmount', { as: operator, ...change })
  await until(async () => {
    recorder.recorded.delete('listSetAsideWork')
    const list = await recorder.call('listSetAsideWork', { as: operator, query: { kind: 'delivery', per_page: 1 } })
    return list.data?.[0]
  })
  await recorder.call('retrySetAsideWork', { as: operator, path: { kind: 'delivery', ...at } })
  await recorder.call('deleteWebhookEndpoint', { as, path: at })
}

/** Repeats the read until it finds something, at most 300 times, with a wait of 0.1 seconds after each read. */
export async function until<T>(read: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let turn = 0; turn < 300; turn++) {
    const found = await read()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return undefined
}

export function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the demo world lacks a record that the examples need')
  return value
}

/** The id of the record in a response: in `data`, in `data.installation` or at the top level. */
export function idOf(answer: { data?: { id?: string; installation?: { id?: string } }; id?: string }): string {
  return answer.data?.id ?? answer.data?.installation?.id ?? answer.id ?? ''
}

/** The last part of a hosted page's address. */
function linkOf(answer: unknown): string {
  return /"[^"]*\/(?:i|invest\/session)\/([^"/?]+)"/.exec(JSON.stringify(answer))?.[1] ?? ''
}

function tokenIn(answer: unknown): string {
  return /"(at_(?:test|live)_[^"]+)"/.exec(JSON.stringify(answer))?.[1] ?? ''
}
