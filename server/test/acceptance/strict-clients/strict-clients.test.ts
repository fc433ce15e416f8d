import { describe, expect, onTestFinished, test } from 'vitest'
import { webhookReceiver } from '#test/webhook-receiver.ts'
import { demoService } from '../demo-service.ts'
import { type Client, type Credentials, connect } from '../person.ts'
import { StrictClient } from './client.ts'
import { nullable, object, oneOf, optional, text, whole } from './decode.ts'
import { readContent } from './older-content.ts'
import {
  type Ids,
  install,
  inviteInvestors,
  readCatalogue,
  syncInvestments,
  type Tokens,
  useAccount,
} from './older-session.ts'
import { disconnect, manageEndpoints, manageSyndicate } from './older-team.ts'

/**
 * Client libraries for the live platform's API, in TypeScript, Python and Ruby, work against this service unchanged when they
 * send their own version. Here a client that is as strict as the strictest of them plays through every operation that they
 * know, over HTTP, against the demo world.
 */
type Demo = {
  base_url: string
  apps: { id: string; name: string; scopes: string[]; keys: (Client & { mode: string; type: string })[] }[]
  people: Record<'founder' | 'investor' | 'manager' | 'developer', Credentials & { companies: string[] }>
  ids: Ids
}

let demo: Demo
demoService<Demo>((made) => {
  demo = made
})

const OLDER = ['2025-01-15', '2026-10-01'] as const
const APP = 'Fieldbook CRM'
/** Scopes that no consent can grant to a user: they are the app's own, or granted per installation. */
const NOT_BY_CONSENT = /referral_codes|investors:pii|invite_links|investment_sessions/

function crm(): Client & { scopes: string[] } {
  const app = demo.apps.find(({ name }) => name === APP)
  const key = app?.keys.find(({ mode, type }) => mode === 'test' && type === 'confidential')
  if (app === undefined || key === undefined) throw new Error('the demo has no such key')
  return { ...key, scopes: app.scopes }
}

async function signIn(): Promise<Tokens> {
  const { scopes: declared, ...client } = crm()
  const scopes = declared.filter((scope) => !NOT_BY_CONSENT.test(scope))
  const of = async (part: keyof Demo['people']) =>
    (await connect(demo.base_url, demo.people[part], { client, scopes })).access_token
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client.client_id,
    client_secret: client.client_secret ?? '',
  })
  const app = await fetch(`${demo.base_url}/oauth/token`, { method: 'POST', body: form })
  return {
    app: ((await app.json()) as { access_token: string }).access_token,
    founder: await of('founder'),
    investor: await of('investor'),
    manager: await of('manager'),
    developer: await of('developer'),
  }
}

/** What the libraries call; the rest of the API is younger than they are. */
const KNOWN_OPERATIONS = [
  ...['listOfferings', 'getOffering', 'searchCompanies', 'getCompany', 'getCurrentUser', 'updateCurrentUser'],
  ...['listMyCompanies', 'listFollowedCompanies', 'followCompany', 'unfollowCompany', 'listActivity', 'getPortfolio'],
  ...['listPortfolioPositions', 'listCampaigns', 'listInvestments', 'getInvestment', 'listCompanyInvestmentChanges'],
  ...['getOfferingStats', 'listEligibleInstallTargets', 'createInstallation', 'createInstallationToken'],
  ...['listInstallations', 'getInstallation', 'revokeInstallation', 'createInviteLink', 'createInviteLinks'],
  ...['listInviteLinks', 'getInviteLink', 'updateInviteLink', 'resendInviteLink', 'cancelInviteLink'],
  ...['createInvestmentSession', 'createInvestmentSessionOfOffering', 'listInvestmentSessions', 'getInvestmentSession'],
  ...['cancelInvestmentSession', 'listSyndicates', 'getSyndicate', 'updateSyndicate', 'listSyndicateMembers'],
  ...['updateSyndicateMember', 'hideSyndicateMember', 'restoreSyndicateMember', 'removeSyndicateMember'],
  ...[
    'listSyndicateMemberInvestments',
    'reorderSyndicateMembers',
    'exportSyndicateMembersCsv',
    'inviteSyndicateMember',
  ],
  ...['resendSyndicateInvite', 'approveSyndicateMember', 'listSyndicateDeals', 'getSyndicateDeal'],
  ...['listSyndicateDealInvestors', 'getSyndicateStatistics', 'getSyndicatePortfolio', 'closeSyndicateDeal'],
  ...['listSyndicatePortfolioPositions', 'previewIntent', 'createIntent', 'getIntent', 'listIntents'],
  ...['createWebhookEndpoint', 'listWebhookEndpoints', 'getWebhookEndpoint', 'updateWebhookEndpoint'],
  ...['rotateWebhookEndpointSecret', 'reenableWebhookEndpoint', 'testWebhookEndpoint', 'deleteWebhookEndpoint'],
  ...['listConnectedApps', 'revokeConnectedApp', 'getCompanyPitch', 'getCompanyDisclosures', 'listCompanyUpdates'],
  ...['getCompanyUpdate', 'listCompanyQuestions'],
]

describe.each(OLDER)('a strict client that sends %s', (version) => {
  test('decodes every answer of every operation that it knows', async () => {
    const client = new StrictClient(demo.base_url, version)
    const tokens = await signIn()
    const { ids, people } = demo
    const unique = `strict-${version}`
    const receiver = await webhookReceiver()
    onTestFinished(() => receiver.close())

    await readCatalogue(client, tokens, ids)
    for (const bearer of [tokens.app, tokens.investor]) await readContent(client, bearer, ids.company)
    await useAccount(client, tokens, ids)
    await syncInvestments(client, tokens, { ...ids, company: people.founder.companies[0] ?? '' })
    const company = { target_type: 'company', target_id: people.founder.companies[0] ?? '' } as const
    const installed = await install(client, tokens.founder, company)
    const rounds = await client.call('listInvestments', 'GET', '/investments?status=active', {
      bearer: installed.token,
    })
    await inviteInvestors(client, installed.token, String(rounds.list[0]?.['offering']), unique)
    await installed.revoke()
    await manageSyndicate(client, tokens.manager, ids.syndicate, unique)
    await manageEndpoints(client, tokens.developer, receiver.url)
    await disconnect(client, tokens.investor, APP)

    expect(client.faults).toEqual([])
    expect(KNOWN_OPERATIONS.filter((operation) => !client.called.has(operation))).toEqual([])
  })
})

describe('the decoder', () => {
  const model = object({ status: oneOf('active'), count: whole, note: nullable(text), extra: optional(text) })
  const right = { status: 'active', count: 1, note: null, unknown: true }

  test('accepts what fits, with unknown keys and without optional ones', () => {
    expect(model.faults(right, 'x')).toEqual([])
  })

  test.each([
    ['a value outside of an enum', { ...right, status: 'closing' }],
    ['null where the schema knows no null', { ...right, count: null }],
    ['null for a key that may only be missing', { ...right, extra: null }],
    ['text where a number is declared', { ...right, count: '1' }],
    ['a missing required key', { status: 'active', note: null }],
  ])('refuses %s', (_what, value) => {
    expect(model.faults(value, 'x')).toHaveLength(1)
  })
})
