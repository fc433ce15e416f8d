import { expect } from 'vitest'
import type { StrictClient } from './client.ts'
import { APP, type Stage } from './stage.ts'

type Target = { readonly target_type: 'company' | 'syndicate'; readonly target_id: string }

/** Installs the app, mints a token and reads the installation. `revoke` ends the installation. */
export async function install(
  client: StrictClient,
  bearer: string,
  target: Target,
): Promise<{ readonly token: string; revoke(): Promise<void> }> {
  const eligible = `/installations/eligible?target_type=${target.target_type}`
  await client.call('listEligibleInstallTargets', 'GET', eligible, { bearer })
  const made = await client.call('createInstallation', 'POST', '/installations', { bearer, body: target })
  const again = await client.call('createInstallation', 'POST', '/installations', { bearer, body: target, status: 409 })
  const named = again.error.details?.['installation']
  client.expect(named === made.data.id, 'createInstallation: details.installation does not name the first installation')
  await client.call('listEligibleInstallTargets', 'GET', eligible, { bearer })
  const path = `/installations/${made.data.id}`
  // Without a body and a content type, the token gets the whole grant.
  const minted = await client.call('createInstallationToken', 'POST', `${path}/tokens`, { bearer })
  await client.call('listInstallations', 'GET', '/installations', { bearer })
  await client.call('getInstallation', 'GET', path, { bearer })
  return {
    token: minted.token.access_token,
    revoke: async () => {
      await client.call('revokeInstallation', 'DELETE', path, { bearer })
      const ended = await client.call('createInstallationToken', 'POST', `${path}/tokens`, { bearer, status: 409 })
      client.expect(ended.error.type === 'installation_revoked', `createInstallationToken: ${ended.error.type}`)
      await client.call('listInstallations', 'GET', '/installations', { bearer })
    },
  }
}

/** Uses invite links and hosted sessions with the token of an installation. */
export async function inviteInvestors({ client, unique, own, ids }: Stage, bearer: string): Promise<void> {
  const offering = ids.offering_public
  const key = unique
  const links = `/partner/spvs/${offering}/invite_links`
  const body = { invite_link: { allocation_cents: 500_000, email: `${key}@example.org`, send_email: false } }
  const made = await client.call('createInviteLink', 'POST', links, { bearer, body, key })
  const replayed = await client.call('createInviteLink', 'POST', links, { bearer, body, key, again: true })
  client.expect(replayed.data.id === made.data.id, 'createInviteLink: a repeated key made another link')
  await client.call('createInviteLink', 'POST', links, { bearer, body: { invite_link: {} }, key, status: 409 })
  const account = { [client.newest ? 'platform_user_id' : 'wefunder_user_id']: own.users[0] }
  await client.call('createInviteLink', 'POST', links, { bearer, body: { invite_link: account } })
  await client.call('createInviteLink', 'POST', links, { bearer, body: { invite_link: { max_uses: 3 } } })
  await client.call('listInviteLinks', 'GET', `${links}?per_page=2`, { bearer })
  const one = `${links}/${made.data.id}`
  await client.call('getInviteLink', 'GET', one, { bearer })
  await client.call('updateInviteLink', 'PATCH', one, { bearer, body: { invite_link: { allocation_cents: 600_000 } } })
  await client.call('updateInviteLink', 'PATCH', one, { bearer, body: { invite_link: { max_uses: 2 } }, status: 422 })
  await client.call('resendInviteLink', 'POST', `${one}/resend`, { bearer })
  await client.call('cancelInviteLink', 'DELETE', one, { bearer })
  const many = { invite_links: [{ email: `two-${key}@example.org` }, { email: 'x@example.org', ...account }] }
  const several = await client.call('createInviteLinks', 'POST', `${links}/bulk`, { bearer, body: many })
  client.expect(several.meta['failed'] === 1, 'createInviteLinks: the contradictory item was not rejected')

  const sessions = '/partner/investment_sessions'
  const wanted = { spv_id: offering, email: `${key}@example.net`, allocation_cents: 100_000 }
  const session = { bearer, body: { investment_session: wanted }, key: `${key}-session` }
  const begun = await client.call('createInvestmentSession', 'POST', sessions, session)
  await client.call('createInvestmentSession', 'POST', sessions, { ...session, again: true })
  const nested = { investment_session: { email: `nested-${key}@example.net` } }
  const below = `/partner/spvs/${offering}/investment_sessions`
  await client.call('createInvestmentSessionOfOffering', 'POST', below, { bearer, body: nested })
  await client.call('listInvestmentSessions', 'GET', `${sessions}?per_page=1`, { bearer })
  await client.call('getInvestmentSession', 'GET', `${sessions}/${begun.data.id}`, { bearer })
  await client.call('cancelInvestmentSession', 'DELETE', `${sessions}/${begun.data.id}`, { bearer })
}

export const codeOf = (unique: string) => unique.slice(-12)

/** Uses the app's own referral codes and tokens. */
export async function useCodesAndTokens({ client, tokens, key, unique }: Stage): Promise<void> {
  const bearer = tokens.app
  const codes = '/referral_codes'
  const body = { code: codeOf(unique), name: 'Spring letter' }
  const made = await client.call('createReferralCode', 'POST', codes, { bearer, body })
  await client.call('createReferralCode', 'POST', codes, { bearer: tokens.founder, body, status: 403 })
  await client.call('listReferralCodes', 'GET', `${codes}?per_page=1`, { bearer })
  await client.call('getReferralCode', 'GET', `${codes}/${made.data.id}`, { bearer })
  await client.call('getReferralCodeStats', 'GET', `${codes}/${made.data.id}/stats`, { bearer })
  await client.call('updateReferralCode', 'PATCH', `${codes}/${made.data.id}`, { bearer, body: { status: 'paused' } })

  await client.call('getAuthorizationServerMetadata', 'GET', '/.well-known/oauth-authorization-server')
  const { client_id, client_secret = '' } = key
  const basic = { client_id, client_secret }
  const token = await client.call('createToken', 'POST', '/oauth/token', {
    form: { grant_type: 'client_credentials', ...basic },
  })
  const spare = String(token.raw['access_token'])
  const used = { grant_type: 'refresh_token', refresh_token: 'rt_test_alreadyUsed', ...basic }
  const refused = await client.call('createToken', 'POST', '/oauth/token', { form: used, status: 400 })
  client.expect(String(refused.error) === 'invalid_grant', `createToken: ${String(refused.error)}`)
  const other = { grant_type: 'client_credentials', scope: 'read:profile', ...basic }
  await client.call('createToken', 'POST', '/oauth/token', { form: other, status: 400 })
  await client.call('introspectToken', 'POST', '/oauth/introspect', { form: { token: spare, ...basic } })
  await client.call('revokeToken', 'POST', '/oauth/revoke', { form: { token: spare, ...basic } })
  const ended = await client.call('introspectToken', 'POST', '/oauth/introspect', { form: { token: spare, ...basic } })
  client.expect(JSON.stringify(ended.raw) === '{"active":false}', 'introspectToken: a revoked token is described')
}

/** Calls the operations that were removed on 2026-10-14. They answer 410 to every caller, in every version. */
export async function callRemoved({ client }: Stage): Promise<void> {
  const hooks = '/campaigns/12/attribution/webhooks'
  const calls: readonly (readonly [operation: string, method: string, path: string])[] = [
    ['listAttributionCampaigns', 'GET', '/attribution/campaigns'],
    ['listPartnerInvites', 'GET', '/attribution/invites'],
    ['createPartnerInvite', 'POST', '/attribution/invites'],
    ['revokePartnerInvite', 'DELETE', '/attribution/invites/a-token'],
    ['getAttributionMe', 'GET', '/attribution/me'],
    ['registerAsPartner', 'POST', '/attribution/partners/register'],
    ['listAttributedInvestments', 'GET', '/campaigns/12/attribution/investments'],
    ['getAttributionStats', 'GET', '/campaigns/12/attribution/stats'],
    ['listWebhookSubscriptions', 'GET', hooks],
    ['createWebhookSubscription', 'POST', hooks],
    ['getWebhookSubscription', 'GET', `${hooks}/7`],
    ['deleteWebhookSubscription', 'DELETE', `${hooks}/7`],
    ['reactivateWebhookSubscription', 'POST', `${hooks}/7/reactivate`],
    ['regenerateWebhookSecret', 'POST', `${hooks}/7/regenerate_secret`],
    ['testWebhookSubscription', 'POST', `${hooks}/7/test`],
  ]
  for (const [operation, method, path] of calls) await client.call(operation, method, path)
}

/** Reads the statistics of a week that is over. Run this last, because moving the world's clock ends the tokens. */
export async function publishWeek({ client, key, operator, unique }: Stage): Promise<void> {
  const body = { advance: 'P7D' }
  await client.call('advanceSandboxClock', 'POST', '/sandbox/clock', { bearer: operator, body })
  const { client_id, client_secret = '' } = key
  const form = { grant_type: 'client_credentials', client_id, client_secret }
  const bearer = String((await client.call('createToken', 'POST', '/oauth/token', { form })).raw['access_token'])
  const codes = await client.call('listReferralCodes', 'GET', '/referral_codes?per_page=100', { bearer })
  const own = codes.list.find(({ attributes }) => attributes['code'] === codeOf(unique))
  const path = `/referral_codes/${own?.id}/stats`
  const published = async () => (await client.call('getReferralCodeStats', 'GET', path, { bearer })).list.length
  await expect.poll(published).toBeGreaterThan(0)
}

/**
 * Disconnects the app whose token makes the request. The path accepts the id from the list, which is an integer before
 * the newest version.
 */
export async function disconnect({ client, tokens }: Stage): Promise<void> {
  const bearer = tokens.investor
  const listed = await client.call('listConnectedApps', 'GET', '/connected-apps', { bearer })
  const own = listed.list.find(({ attributes }) => attributes['name'] === APP)
  await client.call('revokeConnectedApp', 'DELETE', `/connected-apps/${own?.id}`, { bearer })
  await client.call('getCurrentUser', 'GET', '/users/me', { bearer, status: 401 })
}
