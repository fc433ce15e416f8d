import { type Cast, idOf, required } from './calls.ts'
import type { Credential } from './credentials.ts'
import type { Recorder } from './recorder.ts'

/**
 * The caller of the moves: the operator at `/sandbox`, or a member of an app's team in the portal. Both have the same moves,
 * but only the operator can create an installation.
 */
type Player = {
  readonly as: Credential
  /** The beginning of the names of the operations. */
  readonly prefix: 'sandbox' | 'portalSandbox'
  readonly at: Readonly<Record<string, string>>
}

/** Makes every move except a visit, first in the portal and then at `/sandbox`, in an order in which each is legal. */
export async function callSandbox(recorder: Recorder, cast: Cast): Promise<void> {
  const { ids, operator, developer, client, demo } = cast
  await revokeInstallation(recorder, cast)
  const target = { target_type: 'company', target_id: required(ids['company']), user: demo.people.founder.id }
  await recorder.call('sandboxInstallationCreate', { as: operator, body: { client_id: client.client_id, ...target } })
  await recorder.call('readSandboxClock', { as: operator })
  const at = { app_id: required(demo.apps[0]).id }
  await recorder.call('portalSandboxClock', { as: developer, path: at })
  const rounds = ['Round', 'Draft'].map((name) => `ofr_${name.padEnd(24, '0')}`)
  await play(recorder, cast, { as: developer, prefix: 'portalSandbox', at }, required(rounds[0]))
  await play(recorder, cast, { as: operator, prefix: 'sandbox', at: {} }, required(rounds[1]))
  const last = required(ids['offering_public'])
  await recorder.call('sandboxOfferingClosing', { as: operator, path: { id: last } })
  await recorder.call('sandboxOfferingClose', { as: operator, path: { id: last } })
}

async function play(recorder: Recorder, cast: Cast, player: Player, draft: string): Promise<void> {
  const { ids, operator, demo } = cast
  const { as, prefix, at } = player
  const call = (move: string, id: string, body?: unknown) =>
    recorder.call(`${prefix}${move}`, { as, path: { ...at, id }, ...(body === undefined ? {} : { body }) })
  const create = async (kind: string, body: unknown) =>
    idOf(await recorder.call(`${prefix}${kind}Create`, { as, path: at, body }))
  const { editor, developer, founder } = demo.people
  const offering = required(ids['offering_public'])
  const invest = (user: string, amount_cents: number) =>
    create('Investment', { offering, investor: user, amount_cents })

  const first = await invest(editor.id, 50_000)
  await call('InvestmentChangeAmount', first, { amount_cents: 75_000 })
  await call('InvestmentHide', first)
  await call('InvestmentUnhide', first)
  await call('InvestmentCancel', first)
  await call('InvestmentReinstate', first)
  await call('InvestmentVerifyIdentity', first)
  await call('InvestmentSign', first)
  await call('InvestmentPay', first)
  await call('InvestmentConfirm', first)
  await call('InvestmentExecute', first)
  const second = await invest(developer.id, 25_000)
  await call('InvestmentConvert', second, {})
  const third = await invest(editor.id, 30_000)
  await call('InvestmentPay', third)
  await call('InvestmentCancel', third)
  await call('InvestmentRefund', third)
  const fourth = await invest(developer.id, 40_000)
  await call('InvestmentMove', fourth, { offering: required(ids['offering_private']) })

  const session = (email: string) => create('InvestmentSession', { offering, email })
  const checkout = await session('lin@example.com')
  await call('InvestmentSessionStart', checkout, { user: founder.id })
  await call('InvestmentSessionAbandon', checkout)
  await call('InvestmentSessionResume', checkout)
  await call('InvestmentSessionComplete', checkout, { user: founder.id, amount_cents: 100_000 })
  await call('InvestmentSessionCancel', await session('ole@example.com'))
  await call('InvestmentSessionExpire', await session('una@example.com'))

  await callMemberships(recorder, cast, player)
  const person = draft.replace('ofr_', 'usr_')
  const created = { id: draft, company: required(ids['company']), currency: 'usd', exemption: 'reg_cf' }
  const security = { type: 'safe', terms: { valuation_cap: '8000000' } }
  const occurred_at = new Date().toISOString()
  const fact = { id: `offering-${draft}`, type: 'offering.created', occurred_at, data: { ...created, security } }
  const data = { id: person, name: 'Tove Berg', email: `${prefix}@example.com` }
  const registered = { id: `user-${person}`, type: 'user.registered', occurred_at, data }
  await recorder.call('applyFacts', { as: operator, body: [fact, registered] })
  await call('UserDeactivate', person)
  await call('OfferingOpen', draft)
  if (prefix === 'portalSandbox') {
    await call('OfferingClosing', draft)
    await call('OfferingClose', draft)
    const again = `${draft.slice(0, -1)}1`
    const second = { ...fact, id: `offering-${again}`, data: { ...fact.data, id: again } }
    await recorder.call('applyFacts', { as: operator, body: [second] })
    await call('OfferingOpen', again)
    await call('OfferingCancel', again)
  } else await call('OfferingCancel', draft)
}

async function callMemberships(recorder: Recorder, cast: Cast, { as, prefix, at }: Player): Promise<void> {
  const { ids, demo, operator } = cast
  const syndicate = required(ids['syndicate'])
  const call = (move: string, id: string, body?: unknown) =>
    recorder.call(`${prefix}${move}`, { as, path: { ...at, id }, ...(body === undefined ? {} : { body }) })
  const { founder, editor, developer } = prefix === 'sandbox' ? demo.people : await newPeople(recorder, operator)
  await call('SyndicateInvite', syndicate, { email: `rosa.${prefix.toLowerCase()}@example.com`, name: 'Rosa Marin' })
  await call('SyndicateReinvite', syndicate, { email: `rosa.${prefix.toLowerCase()}@example.com`, name: 'Rosa Marin' })
  await call('SyndicateInvite', syndicate, { email: editor.email, name: 'Jonas Lindqvist' })
  const joined = idOf(await call('SyndicateJoin', syndicate, { user: editor.id }))
  await call('MembershipLeave', joined)
  const apply = async (user: string) => idOf(await call('SyndicateApply', syndicate, { user }))
  const member = await apply(founder.id)
  await call('MembershipWithdraw', member)
  await apply(founder.id)
  await call('MembershipDecline', member)
  await apply(founder.id)
  await call('MembershipApprove', member, {})
  await call('MembershipFailPayment', member)
  await call('MembershipJoin', member)
  await call('MembershipLeave', member)
  await call('MembershipJoin', member)
  await call('MembershipRemove', member)

  const join = async () =>
    idOf(await recorder.call(`${prefix}JoinSessionCreate`, { as, path: at, body: { syndicate } }))
  const session = await join()
  await call('JoinSessionSignIn', session, { user: editor.id })
  await call('JoinSessionAwaitApproval', session, { user: editor.id })
  await call('JoinSessionReject', session)
  const other = await join()
  await call('JoinSessionSignIn', other, { user: developer.id })
  await call('JoinSessionAwaitApproval', other, {})
  await call('JoinSessionComplete', other, {})
  await call('JoinSessionCancel', await join())
  await call('JoinSessionExpire', await join())
  await call('JoinSessionMarkIneligible', await join(), { reason: 'jurisdiction', user: editor.id })
}

/** Revokes the app's installation on the company. Otherwise the sandbox could not create an installation there. */
async function revokeInstallation(recorder: Recorder, { demo, developer }: Cast): Promise<void> {
  const at = { app_id: required(demo.apps[0]).id }
  const { data } = await recorder.call('listAppInstallations', { as: developer, path: at, query: { mode: 'test' } })
  const rows = data as { id: string; status: string; target: { id: string } }[]
  const found = rows.find(({ status, target }) => status === 'active' && target.id === demo.ids['company'])
  if (found !== undefined)
    await recorder.call('revokeAppInstallation', { as: developer, path: { ...at, id: found.id } })
}

/** A person whom a manager removed cannot apply again, so each caller of the moves has its own people. */
async function newPeople(recorder: Recorder, as: string) {
  const person = (name: string) => ({ id: `usr_${name.padEnd(24, '0')}`, email: `${name.toLowerCase()}@example.com` })
  const people = { founder: person('Faye'), editor: person('Edda'), developer: person('Dele') }
  const occurred_at = new Date().toISOString()
  const facts = Object.values(people).map(({ id, email }) => ({
    ...{ id: `user-${id}`, type: 'user.registered', occurred_at },
    data: { id, name: id.slice(4).replaceAll('0', ''), email },
  }))
  await recorder.call('applyFacts', { as, body: facts })
  return people
}
