import { type Cast, idOf, required } from './calls.ts'
import { headersFor, type SignedIn, signIn } from './credentials.ts'
import type { Recorder } from './recorder.ts'

type Member = { readonly id: string; readonly attributes?: Record<string, unknown> }

/** Calls the operations that the manager of a syndicate uses. */
export async function callSyndicates(recorder: Recorder, { ids, tokens, demo }: Cast): Promise<void> {
  const as = tokens.manager
  const list = await recorder.call('listSyndicates', { as, query: { per_page: 2 } })
  const withDeals: string[] = list.data.map((one: Member) => one.id)
  const at = { syndicate_id: required(ids['syndicate']) }
  await recorder.call('getSyndicate', { as, path: at })
  const tagline = 'Hardware, at the very beginning.'
  await recorder.call('updateSyndicate', { as, path: at, body: { syndicate: { tagline } } })
  await recorder.call('getSyndicateStatistics', { as, path: at })
  await recorder.call('getSyndicatePortfolio', { as, path: at })
  await recorder.call('listSyndicatePortfolioPositions', { as, path: at, query: { per_page: 1 } })
  await callDeals(recorder, as, [at.syndicate_id, ...withDeals])
  const members = await recorder.call('listSyndicateMembers', { as, path: at, query: { role: 'member', per_page: 3 } })
  const [one, two] = members.data as Member[]
  const member = { ...at, member_id: required(one).id }
  const patch = { member: { title: 'Scout', carry_percentage_override: 20 } }
  await recorder.call('updateSyndicateMember', { as, path: member, body: patch })
  await recorder.call('listSyndicateMemberInvestments', { as, path: member })
  await recorder.call('hideSyndicateMember', { as, path: member })
  await recorder.call('restoreSyndicateMember', { as, path: member })
  const order = { member_ids: [required(two).id, required(one).id] }
  await recorder.call('reorderSyndicateMembers', { as, path: at, body: order })
  await recorder.call('promoteSyndicateMember', { as, path: member })
  await recorder.call('demoteSyndicateMember', { as, path: member })
  const applicants = await recorder.call('listSyndicateMembers', { as, path: at, query: { role: 'applicant' } })
  const [applicant, unwanted] = applicants.data as Member[]
  if (unwanted !== undefined) {
    await recorder.call('declineSyndicateMember', { as, path: { ...at, member_id: unwanted.id } })
  }
  if (applicant !== undefined) {
    await recorder.call('approveSyndicateMember', { as, path: { ...at, member_id: applicant.id } })
  }
  const invitation = { email: 'noor@example.com', name: 'Noor Haddad' }
  const invited = await recorder.call('inviteSyndicateMember', { as, path: at, body: invitation })
  await recorder.call('resendSyndicateInvite', { as, path: { ...at, member_id: idOf(invited) } })
  await recorder.call('withdrawSyndicateInvite', { as, path: { ...at, member_id: idOf(invited) } })
  const removal = { action_name: 'syndicates.remove_member', resource_type: 'syndicate', resource_id: at.syndicate_id }
  const intent = { ...removal, params: { member_id: required(two).id } }
  await recorder.call('previewIntent', { as, body: intent })
  const proposed = { ...intent, idempotency_key: 'remove-2026-11' }
  const made = await recorder.call('createIntent', { as, body: proposed })
  await recorder.call('createIntent', { as, body: proposed })
  await recorder.call('listIntents', { as, query: { status: 'pending' } })
  await recorder.call('getIntent', { as, path: { intent_id: idOf(made) } })
  const manager = await signIn(demo.base_url, demo.people.manager)
  await recorder.call('showIntentReview', { as: manager, path: { intent_id: idOf(made) } })
  await decide(manager, idOf(made), 'reject')
  const [, , three] = members.data as Member[]
  if (three !== undefined) {
    const other = { ...removal, params: { member_id: three.id } }
    await decide(manager, idOf(await recorder.call('createIntent', { as, body: other })), 'approve')
  }
  await recorder.refused('removeSyndicateMember', { as, path: member })
  await callJoinSessions(recorder, as, at)
}

/** Decides an intent like a person who presses the button on its page: with the hidden fields of the form. */
async function decide(browser: SignedIn, intent: string, decision: 'approve' | 'reject'): Promise<void> {
  const url = `${browser.base}/intents/${intent}/review`
  const page = await (await fetch(url, { headers: headersFor(browser, 'get') })).text()
  const hidden = [...page.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ])
  const body = new URLSearchParams({ ...Object.fromEntries(hidden), decision })
  await fetch(url, { method: 'POST', body, headers: headersFor(browser, 'post'), redirect: 'manual' })
}

async function callDeals(recorder: Recorder, as: string, syndicates: readonly string[]): Promise<void> {
  for (const syndicate_id of new Set(syndicates)) {
    const at = { syndicate_id }
    const deals = await recorder.call('listSyndicateDeals', { as, path: at, query: { per_page: 2 } })
    const [deal] = deals.data as Member[]
    if (deal === undefined) {
      recorder.recorded.delete('listSyndicateDeals')
      continue
    }
    const one = { ...at, fundraise_id: deal.id }
    await recorder.call('getSyndicateDeal', { as, path: one })
    await recorder.call('listSyndicateDealInvestors', { as, path: one, query: { per_page: 2 } })
    await recorder.call('closeSyndicateDeal', { as, path: one })
    await recorder.call('sandboxOfferingClosing', { as, path: { id: deal.id } })
    await recorder.call('finalizeSyndicateDeal', { as, path: one })
    return
  }
}

async function callJoinSessions(recorder: Recorder, as: string, at: { syndicate_id: string }): Promise<void> {
  const theme = await recorder.call('createJoinTheme', { as, path: at, body: { name: 'Harbour', accent: '#0A5C8A' } })
  await recorder.call('listJoinThemes', { as, path: at })
  const change = { path: { ...at, theme_id: idOf(theme) }, body: { corners: 'rounded' } }
  await recorder.call('updateJoinTheme', { as, ...change })
  const body = { return_url: 'https://app.example.com/joined', metadata: { campaign: 'autumn' } }
  const session = await recorder.call('createJoinSession', { as, path: at, body })
  const one = { ...at, join_session_id: idOf(session) }
  await recorder.call('getJoinSession', { as, path: one })
  await recorder.call('listJoinSessions', { as, path: at, query: { per_page: 1 } })
  await recorder.call('cancelJoinSession', { as, path: one })
}
