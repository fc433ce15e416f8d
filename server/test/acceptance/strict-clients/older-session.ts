import type { StrictClient } from './client.ts'
import { listOf, object, whole } from './decode.ts'
import {
  counted,
  ERROR,
  INSTALLATION_TOKEN,
  INVESTMENT_CHANGES,
  INVESTMENT_PAGE,
  OFFERING_PAGE,
  ONE_INVESTMENT,
  page,
  single,
} from './older-envelopes.ts'
import * as records from './older-records.ts'
import * as syndicates from './older-syndicates.ts'

export type Tokens = Readonly<Record<'app' | 'founder' | 'investor' | 'manager' | 'developer', string>>
export type Ids = Readonly<Record<'company' | 'offering_public' | 'syndicate' | 'investment', string>>

/** The deal catalogue, as an app without a user reads it. */
export async function readCatalogue(client: StrictClient, { app, investor }: Tokens, ids: Ids): Promise<void> {
  for (const bearer of [app, investor]) {
    const first = await client.call('listOfferings', 'GET', '/explore?sort=most_raised&per_page=2', {
      bearer,
      as: OFFERING_PAGE,
    })
    await client.call('listOfferings', 'GET', `/explore?cursor=${first.meta['next_cursor']}`, {
      bearer,
      as: OFFERING_PAGE,
    })
    await client.call('getOffering', 'GET', `/offerings/${ids.offering_public}`, {
      bearer,
      as: single(records.OFFERING),
    })
    const found = counted(records.SEARCH_RESULT)
    await client.call('searchCompanies', 'GET', '/companies/search?q=br&limit=3', { bearer, as: found })
    await client.call('getCompany', 'GET', `/companies/${ids.company}`, { bearer, as: single(records.COMPANY) })
  }
  // Array parameters: comma-joined by two of the libraries, repeated by the third.
  const joined = await client.call('listOfferings', 'GET', '/explore?industry=robotics,energy,fintech_and_finance', {
    bearer: app,
  })
  const repeated = await client.call(
    'listOfferings',
    'GET',
    '/explore?industry=robotics&industry=energy&industry=fintech_and_finance',
    { bearer: app },
  )
  const idsOf = ({ list }: typeof joined) => list.map(({ id }) => id).join()
  if (idsOf(joined) !== idsOf(repeated))
    client.faults.push('listOfferings: the two spellings of a list parameter differ')
  await client.call('getCurrentUser', 'GET', '/users/me', { bearer: app, status: 403, as: ERROR })
}

/** What a person may read and change of their own. */
export async function useAccount(client: StrictClient, { investor, founder }: Tokens, ids: Ids): Promise<void> {
  await client.call('getCurrentUser', 'GET', '/users/me', { bearer: investor, as: single(records.USER) })
  const bio = { bio: 'Reads every pitch.' }
  await client.call('updateCurrentUser', 'PATCH', '/users/me', {
    bearer: investor,
    body: bio,
    as: single(records.USER),
  })
  await client.call('listMyCompanies', 'GET', '/users/me/companies', {
    bearer: founder,
    as: counted(records.MY_COMPANY),
  })
  const path = `/users/me/follows/${ids.company}`
  await client.call('followCompany', 'PUT', path, { bearer: investor, as: single(records.FOLLOW_STATE) })
  await client.call('listFollowedCompanies', 'GET', '/users/me/follows?per_page=1', {
    bearer: investor,
    as: page(records.FOLLOWED_COMPANY),
  })
  await client.call('unfollowCompany', 'DELETE', path, { bearer: investor, as: single(records.FOLLOW_STATE) })
  await client.call('listActivity', 'GET', '/activity?per_page=2&limit=2', {
    bearer: investor,
    as: page(records.AUDIT_EVENT),
  })
  await client.call('getPortfolio', 'GET', '/portfolio', { bearer: investor, as: single(syndicates.PORTFOLIO) })
  await client.call('listPortfolioPositions', 'GET', '/portfolio/positions?per_page=2', {
    bearer: investor,
    as: page(syndicates.POSITION, whole),
  })
  await client.call('listCampaigns', 'GET', '/campaigns?per_page=1', {
    bearer: founder,
    as: page(records.CAMPAIGN, whole),
  })
}

/** Listing, then syncing: by cursor, by time, and by a time without a zone. */
export async function syncInvestments(client: StrictClient, { founder, investor }: Tokens, ids: Ids): Promise<void> {
  for (const bearer of [founder, investor]) {
    const listed = await client.call('listInvestments', 'GET', '/investments?per_page=100', {
      bearer,
      as: INVESTMENT_PAGE,
    })
    const first = listed.list[0]?.id
    await client.call('getInvestment', 'GET', `/investments/${first}`, { bearer, as: ONE_INVESTMENT })
    // One library goes on sending updated_since beside the cursor; the cursor wins.
    const since = encodeURIComponent(new Date(Date.now() - 80 * 86_400_000).toISOString())
    const synced = await client.call('listInvestments', 'GET', `/investments?updated_since=${since}`, {
      bearer,
      as: INVESTMENT_PAGE,
    })
    const both = `/investments?updated_since=${since}&cursor=${synced.meta['next_cursor']}`
    await client.call('listInvestments', 'GET', both, { bearer, as: INVESTMENT_PAGE })
    const naive = new Date(Date.now() - 3_600_000).toISOString().slice(0, 19)
    await client.call('listInvestments', 'GET', `/investments?updated_since=${naive}`, { bearer, as: INVESTMENT_PAGE })
  }
  const changes = `/companies/${ids.company}/investments/changes`
  const all = await client.call('listCompanyInvestmentChanges', 'GET', changes, {
    bearer: founder,
    as: INVESTMENT_CHANGES,
  })
  await client.call('listCompanyInvestmentChanges', 'GET', `${changes}?cursor=${all.meta['next_cursor']}`, {
    bearer: founder,
    as: INVESTMENT_CHANGES,
  })
  const offering = (
    await client.call('listInvestments', 'GET', `/investments?company_id=${ids.company}`, { bearer: founder })
  ).list[0]
  await client.call('getOfferingStats', 'GET', `/offerings/${offering?.['offering']}/stats`, {
    bearer: founder,
    as: single(records.OFFERING_STATS),
  })
  await client.call('listInvestments', 'GET', '/investments?status=nonsense', {
    bearer: founder,
    status: 400,
    as: ERROR,
  })
  await client.call('listInvestments', 'GET', '/investments?company_id=co_000000000000000000000000', {
    bearer: founder,
    status: 404,
    as: ERROR,
  })
}

/** Installs the app, mints tokens, reads, revokes; returns the installation's token before it is revoked by `revoke`. */
export async function install(
  client: StrictClient,
  bearer: string,
  target: { readonly target_type: 'company' | 'syndicate'; readonly target_id: string },
): Promise<{ readonly token: string; revoke(): Promise<void> }> {
  const eligible = object({ data: listOf(records.ELIGIBLE_TARGET), meta: object({}) })
  await client.call('listEligibleInstallTargets', 'GET', `/installations/eligible?target_type=${target.target_type}`, {
    bearer,
    as: eligible,
  })
  const made = await client.call('createInstallation', 'POST', '/installations', {
    bearer,
    body: target,
    status: 201,
    as: INSTALLATION_TOKEN,
  })
  const again = await client.call('createInstallation', 'POST', '/installations', {
    bearer,
    body: target,
    status: 409,
    as: ERROR,
  })
  const { installation } = (again.error.details ?? {}) as { installation?: string }
  if (installation !== made.data.id)
    client.faults.push('createInstallation: details.installation does not name the first one')
  const path = `/installations/${made.data.id}`
  const minted = await client.call('createInstallationToken', 'POST', `${path}/tokens`, {
    bearer,
    status: 201,
    as: INSTALLATION_TOKEN,
  })
  await client.call('listInstallations', 'GET', '/installations', { bearer, as: counted(records.INSTALLATION) })
  await client.call('getInstallation', 'GET', path, { bearer, as: single(records.INSTALLATION) })
  return {
    token: minted.token.access_token,
    revoke: async () => {
      await client.call('revokeInstallation', 'DELETE', path, { bearer, as: single(records.INSTALLATION) })
      await client.call('createInstallationToken', 'POST', `${path}/tokens`, { bearer, status: 409, as: ERROR })
    },
  }
}

/** Invite links and hosted sessions, with the token of an installation. */
export async function inviteInvestors(
  client: StrictClient,
  bearer: string,
  offering: string,
  key: string,
): Promise<void> {
  const links = `/partner/spvs/${offering}/invite_links`
  const link = { invite_link: { allocation_cents: 500_000, email: `${key}@example.org`, send_email: false } }
  const one = single(syndicates.INVITE_LINK)
  const made = await client.call('createInviteLink', 'POST', links, { bearer, body: link, key, status: 201, as: one })
  const replayed = await client.call('createInviteLink', 'POST', links, { bearer, body: link, key, as: one })
  if (replayed.data.id !== made.data.id) client.faults.push('createInviteLink: a repeated key made another link')
  await client.call('listInviteLinks', 'GET', `${links}?per_page=1`, {
    bearer,
    as: page(syndicates.INVITE_LINK, whole),
  })
  await client.call('getInviteLink', 'GET', `${links}/${made.data.id}`, { bearer, as: one })
  const change = { invite_link: { allocation_cents: 600_000 } }
  await client.call('updateInviteLink', 'PATCH', `${links}/${made.data.id}`, { bearer, body: change, as: one })
  await client.call('resendInviteLink', 'POST', `${links}/${made.data.id}/resend`, { bearer, as: one })
  await client.call('cancelInviteLink', 'DELETE', `${links}/${made.data.id}`, { bearer, as: one })
  const many = { invite_links: [{ email: `two-${key}@example.org` }, { email: 'x', wefunder_user_id: 'usr_x' }] }
  await client.call('createInviteLinks', 'POST', `${links}/bulk`, { bearer, body: many, status: 207 })

  const sessions = '/partner/investment_sessions'
  const session = { investment_session: { spv_id: offering, email: `${key}@example.net`, allocation_cents: 100_000 } }
  const whole_session = single(syndicates.INVESTMENT_SESSION)
  const begun = await client.call('createInvestmentSession', 'POST', sessions, {
    bearer,
    body: session,
    key: `${key}-session`,
    status: 201,
    as: whole_session,
  })
  await client.call('createInvestmentSession', 'POST', sessions, {
    bearer,
    body: session,
    key: `${key}-session`,
    as: whole_session,
  })
  await client.call('createInvestmentSessionOfOffering', 'POST', `/partner/spvs/${offering}/investment_sessions`, {
    bearer,
    body: { investment_session: { email: `nested-${key}@example.net` } },
    status: 201,
    as: whole_session,
  })
  await client.call('listInvestmentSessions', 'GET', `${sessions}?per_page=1`, {
    bearer,
    as: page(syndicates.INVESTMENT_SESSION, whole),
  })
  await client.call('getInvestmentSession', 'GET', `${sessions}/${begun.data.id}`, { bearer, as: whole_session })
  await client.call('cancelInvestmentSession', 'DELETE', `${sessions}/${begun.data.id}`, { bearer, as: whole_session })
}
