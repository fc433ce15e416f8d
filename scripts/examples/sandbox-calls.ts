import { type Cast, idOf, required } from './calls.ts'
import type { Recorder } from './recorder.ts'

/** Every move of the sandbox, in an order in which each is legal. */
export async function callSandbox(recorder: Recorder, cast: Cast): Promise<void> {
  const { ids, operator: as, demo } = cast
  const call = (operation: string, id: string, body?: unknown) =>
    recorder.call(operation, { as, path: { id }, ...(body === undefined ? {} : { body }) })
  await recorder.call('readSandboxClock', { as })
  const { investor, editor, developer, founder } = demo.people
  const offering = required(ids['offering_public'])
  const invest = async (user: string, amount_cents: number) =>
    idOf(await recorder.call('sandboxInvestmentCreate', { as, body: { offering, investor: user, amount_cents } }))

  const first = await invest(editor.id, 50_000)
  await call('sandboxInvestmentChangeAmount', first, { amount_cents: 75_000 })
  await call('sandboxInvestmentHide', first)
  await call('sandboxInvestmentUnhide', first)
  await call('sandboxInvestmentCancel', first)
  await call('sandboxInvestmentReinstate', first)
  await call('sandboxInvestmentVerifyIdentity', first)
  await call('sandboxInvestmentSign', first)
  await call('sandboxInvestmentPay', first)
  await call('sandboxInvestmentConfirm', first)
  await call('sandboxInvestmentExecute', first)
  const second = await invest(developer.id, 25_000)
  await call('sandboxInvestmentConvert', second, {})
  const third = await invest(editor.id, 30_000)
  await call('sandboxInvestmentPay', third)
  await call('sandboxInvestmentCancel', third)
  await call('sandboxInvestmentRefund', third)
  const fourth = await invest(developer.id, 40_000)
  await call('sandboxInvestmentMove', fourth, { offering: required(ids['offering_private']) })

  const session = async (email: string) =>
    idOf(await recorder.call('sandboxInvestmentSessionCreate', { as, body: { offering, email } }))
  const checkout = await session('lin@example.com')
  await call('sandboxInvestmentSessionStart', checkout, { user: founder.id })
  await call('sandboxInvestmentSessionAbandon', checkout)
  await call('sandboxInvestmentSessionResume', checkout)
  await call('sandboxInvestmentSessionComplete', checkout, { user: founder.id, amount_cents: 100_000 })
  await call('sandboxInvestmentSessionCancel', await session('ole@example.com'))
  await call('sandboxInvestmentSessionExpire', await session('una@example.com'))

  await callMemberships(recorder, cast)
  await call('sandboxUserDeactivate', investor.id)
  const draft = `ofr_${'Draft'.padEnd(24, '0')}`
  const created = { id: draft, company: required(ids['company']), currency: 'usd', exemption: 'reg_cf' }
  const security = { type: 'safe', terms: { valuation_cap: '8000000' } }
  const occurred_at = new Date().toISOString()
  const fact = { id: 'offering-draft-1', type: 'offering.created', occurred_at, data: { ...created, security } }
  await recorder.call('applyFacts', { as, body: [fact] })
  await call('sandboxOfferingOpen', draft)
  await call('sandboxOfferingCancel', draft)
  await call('sandboxOfferingClosing', offering)
  await call('sandboxOfferingClose', offering)
}

async function callMemberships(recorder: Recorder, cast: Cast): Promise<void> {
  const { ids, operator: as, demo } = cast
  const syndicate = required(ids['syndicate'])
  const call = (operation: string, id: string, body?: unknown) =>
    recorder.call(operation, { as, path: { id }, ...(body === undefined ? {} : { body }) })
  const { founder, editor, developer } = demo.people
  await call('sandboxSyndicateInvite', syndicate, { email: 'rosa@example.com', name: 'Rosa Marin' })
  await call('sandboxSyndicateReinvite', syndicate, { email: 'rosa@example.com', name: 'Rosa Marin' })
  await call('sandboxSyndicateInvite', syndicate, { email: editor.email, name: 'Jonas Lindqvist' })
  const joined = idOf(await call('sandboxSyndicateJoin', syndicate, { user: editor.id }))
  await call('sandboxMembershipLeave', joined)
  const apply = async (user: string) => idOf(await call('sandboxSyndicateApply', syndicate, { user }))
  const member = await apply(founder.id)
  await call('sandboxMembershipWithdraw', member)
  await apply(founder.id)
  await call('sandboxMembershipDecline', member)
  await apply(founder.id)
  await call('sandboxMembershipApprove', member, {})
  await call('sandboxMembershipFailPayment', member)
  await call('sandboxMembershipJoin', member)
  await call('sandboxMembershipLeave', member)
  await call('sandboxMembershipJoin', member)
  await call('sandboxMembershipRemove', member)

  const join = async () => idOf(await recorder.call('sandboxJoinSessionCreate', { as, body: { syndicate } }))
  const session = await join()
  await call('sandboxJoinSessionSignIn', session, { user: editor.id })
  await call('sandboxJoinSessionAwaitApproval', session, { user: editor.id })
  await call('sandboxJoinSessionReject', session)
  const other = await join()
  await call('sandboxJoinSessionSignIn', other, { user: developer.id })
  await call('sandboxJoinSessionAwaitApproval', other, {})
  await call('sandboxJoinSessionComplete', other, {})
  await call('sandboxJoinSessionCancel', await join())
  await call('sandboxJoinSessionExpire', await join())
  await call('sandboxJoinSessionMarkIneligible', await join(), { reason: 'jurisdiction', user: editor.id })
}
