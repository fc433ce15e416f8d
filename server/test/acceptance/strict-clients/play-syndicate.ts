import type { Stage } from './stage.ts'

/** Acts as a syndicate's manager: settings, members, deals, portfolio, and operations for people only. */
export async function manageSyndicate(stage: Stage): Promise<void> {
  const { client, tokens, ids, own, unique } = stage
  const bearer = tokens.manager
  const home = `/syndicates/${ids.syndicate}`
  await client.call('listSyndicates', 'GET', '/syndicates?per_page=1', { bearer })
  await client.call('listSyndicates', 'GET', '/syndicates', { bearer })
  await client.call('getSyndicate', 'GET', home, { bearer })
  const tagline = { syndicate: { tagline: 'Visits before investing.' } }
  await client.call('updateSyndicate', 'PATCH', home, { bearer, body: tagline })
  const member = await manageMembers(stage)

  const deals = `${home}/deals`
  const running = await client.call('listSyndicateDeals', 'GET', `${deals}?per_page=50`, { bearer })
  const funded = `${deals}/${running.list.at(-1)?.id}`
  await client.call('listSyndicateDealInvestors', 'GET', `${funded}/investors?offset=0&per_page=5`, { bearer })
  await client.call('getSyndicateDeal', 'GET', funded, { bearer })
  const deal = `${deals}/${own.deal}`
  await client.call('getSyndicateStatistics', 'GET', `${home}/statistics`, { bearer })
  await client.call('getSyndicatePortfolio', 'GET', `${home}/portfolio`, { bearer })
  const positions = `${home}/portfolio/positions`
  await client.call('listSyndicatePortfolioPositions', 'GET', `${positions}?per_page=1`, { bearer })
  await client.call('listSyndicatePortfolioPositions', 'GET', `${positions}?per_page=100`, { bearer })
  await client.call('closeSyndicateDeal', 'POST', `${deal}/close`, { bearer })
  // Only a deal that no longer accepts investments can be finalized.
  await client.call('finalizeSyndicateDeal', 'POST', `${deal}/finalize`, { bearer, status: 422 })
  await client.call('sandboxOfferingClosing', 'POST', `/sandbox/offerings/${own.deal}/closing`, { bearer })
  await client.call('finalizeSyndicateDeal', 'POST', `${deal}/finalize`, { bearer })
  await propose(stage, { member, key: unique })
  await useJoinSessions(stage)
}

async function manageMembers({ client, tokens, ids, own, unique }: Stage): Promise<string> {
  const bearer = tokens.manager
  const members = `/syndicates/${ids.syndicate}/members`
  const listed = await client.call('listSyndicateMembers', 'GET', `${members}?per_page=100`, { bearer })
  const member = listed.list.find(({ attributes }) => attributes['role'] === 'member')?.id ?? ''
  const one = `${members}/${member}`
  // A library for a dynamic language sends numbers as text. The newest version accepts only numbers.
  const carry = client.newest ? 20 : '20.0'
  const change = { member: { title: 'Scout', carry_percentage_override: carry } }
  await client.call('updateSyndicateMember', 'PATCH', one, { bearer, body: change })
  for (const move of ['hide', 'restore', 'promote', 'demote']) {
    await client.call(`${move}SyndicateMember`, 'POST', `${one}/${move}`, { bearer })
  }
  const removed = await client.call('removeSyndicateMember', 'DELETE', one, { bearer })
  client.expect(removed.error.type === 'use_intents', `removeSyndicateMember: ${removed.error.type}`)
  await client.call('listSyndicateMemberInvestments', 'GET', `${one}/investments`, { bearer })
  const order = { member_ids: [member] }
  await client.call('reorderSyndicateMembers', 'POST', `${members}/reorder`, { bearer, body: order })
  const exported = await client.call('exportSyndicateMembersCsv', 'POST', `${members}/export_csv`, { bearer })
  client.expect(String(exported.raw['text']).includes(member), 'exportSyndicateMembersCsv: a member is missing')
  const invitation = { email: `${unique}@example.com`, name: 'Grace Hopper' }
  const invited = await client.call('inviteSyndicateMember', 'POST', `${members}/invite`, { bearer, body: invitation })
  const invitee = `${members}/${invited.data.id}`
  await client.call('resendSyndicateInvite', 'POST', `${invitee}/resend_invite`, { bearer })
  await client.call('withdrawSyndicateInvite', 'POST', `${invitee}/withdraw_invite`, { bearer })
  for (const [user, move] of [
    [own.users[0], 'approve'],
    [own.users[4], 'decline'],
  ] as const) {
    const path = `/sandbox/syndicates/${ids.syndicate}/apply`
    const applied = await client.call('sandboxSyndicateApply', 'POST', path, { bearer, body: { user } })
    await client.call(`${move}SyndicateMember`, 'POST', `${members}/${applied.data.id}/${move}`, { bearer })
  }
  await client.call('listSyndicateMembers', 'GET', `${members}?per_page=100`, { bearer })
  return member
}

/** Creates intents. The idempotency key is a field of the body, and a repeated request gets 200. */
async function propose(
  { client, tokens, ids }: Stage,
  { member, key }: { readonly member: string; readonly key: string },
): Promise<void> {
  const bearer = tokens.manager
  const content = {
    action_name: 'syndicates.remove_member',
    resource_type: client.newest ? 'syndicate' : 'Club',
    resource_id: ids.syndicate,
    params: { member_id: member },
  }
  await client.call('previewIntent', 'POST', '/intents/preview', { bearer, body: content })
  const body = { ...content, idempotency_key: key, requested_by_agent: 'Fieldbook' }
  const made = await client.call('createIntent', 'POST', '/intents', { bearer, body })
  const repeated = await client.call('createIntent', 'POST', '/intents', { bearer, body, again: true })
  client.expect(repeated.data.id === made.data.id, 'createIntent: a repeated key made another intent')
  const unknown = { bearer, body: { ...content, action_name: 'syndicates.invest' }, status: 422 }
  await client.call('createIntent', 'POST', '/intents', unknown)
  await client.call('getIntent', 'GET', `/intents/${made.data.id}`, { bearer })
  await client.call('listIntents', 'GET', '/intents?per_page=100', { bearer })
}

async function useJoinSessions({ client, tokens, ids }: Stage): Promise<void> {
  const bearer = tokens.manager
  const home = `/syndicates/${ids.syndicate}`
  const theme = { name: 'Harbour', accent: '#0A5C8A' }
  const made = await client.call('createJoinTheme', 'POST', `${home}/join_themes`, { bearer, body: theme })
  await client.call('listJoinThemes', 'GET', `${home}/join_themes`, { bearer })
  const change = { bearer, body: { corners: 'rounded' } }
  await client.call('updateJoinTheme', 'PATCH', `${home}/join_themes/${made.data.id}`, change)
  const body = { return_url: 'https://app.example.com/joined', metadata: { campaign: 'autumn' } }
  const sessions = `${home}/join_sessions`
  const session = await client.call('createJoinSession', 'POST', sessions, { bearer, body })
  await client.call('getJoinSession', 'GET', `${sessions}/${session.data.id}`, { bearer })
  await client.call('listJoinSessions', 'GET', `${sessions}?per_page=1`, { bearer })
  await client.call('cancelJoinSession', 'DELETE', `${sessions}/${session.data.id}`, { bearer })
}
