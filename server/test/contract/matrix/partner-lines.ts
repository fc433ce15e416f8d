import { DEAL_LINES } from './deal-lines.ts'
import { INTENT_LINES } from './intent-lines.ts'
import { APP_KINDS, INSTALLATIONS, INVALID, type Lines, NOT_FOUND } from './line.ts'
import type { Needed } from './scope-catalogue.ts'
import { SYNDICATE_LINES } from './syndicate-lines.ts'

/** "Public catalog … scope read:public (or publishable key); with read:explore the user's own view." */
const CATALOGUE = { serves: APP_KINDS, needs: ['read:public', 'read:explore'], answers: '200' } as const

/** Operations that only a user token may call, because a person has to be present. */
const ofUser = (...needs: Needed[]) => ({ serves: ['user'], needs, answers: '200' }) as const

/** Operations on a user's own records. "The app on a user installation" acts for that user like their own token. */
const ownOf = (...needs: Needed[]) => ({ serves: ['user', 'connection'], needs, answers: '200' }) as const

/**
 * "User token: companies the user edits and their own; company installation: that company; user installation: that
 * user's own; syndicate installation: 403 forbidden; client credentials: 403 insufficient_scope."
 */
const records = (...needs: Needed[]) => ({ serves: ['user', 'company', 'connection'], needs, answers: '200' }) as const

/** Only the company's own team and apps see these records. Every caller may see that the company or offering exists. */
const ofCompany = (...needs: Needed[]) => ({ ...records(...needs), except: { connection: '403 forbidden' } }) as const

/** "The app on a company, syndicate or user installation" sees only its own installation. */
const WHERE_INSTALLED = { serves: ['user', ...INSTALLATIONS], needs: ['read:installations'], answers: '200' } as const

/**
 * "A user token with the scope whose user is owner, admin or developer of the app's organization; an installation token
 * with the scope, for endpoints bound to its own installation."
 */
const webhooks = (...needs: Needed[]) => ({ serves: ['user', ...INSTALLATIONS], needs, answers: '200' }) as const

/** The endpoint on the stage is app-wide. The app's team finds it, and an installation token gets 404. */
const endpoint = (...needs: Needed[]) =>
  ({
    ...webhooks(...needs),
    at: { id: 'endpoint' },
    except: { company: NOT_FOUND, syndicate: NOT_FOUND, connection: NOT_FOUND },
  }) as const

/**
 * "User tokens of managers and installation tokens of that syndicate alone." The syndicate on the stage is not
 * published, so an app on a company gets 404. The manager's own connection may see the syndicate, but acts only for
 * that user and has no manager rights.
 */
const joining = (...needs: Needed[]) =>
  ({
    serves: ['user', ...INSTALLATIONS],
    needs,
    at: { syndicate_id: 'syndicate' },
    except: { company: NOT_FOUND, connection: '403 forbidden' },
  }) as const

/** "Used with the token of an app installed on the syndicate or company running the offering." */
const running = (...needs: Needed[]) => ({ serves: ['company', 'syndicate'], needs, answers: NOT_FOUND }) as const
/**
 * The offering on the stage belongs to the company and is not a deal of the syndicate. Every caller may see that the
 * offering exists.
 */
const there = { at: { spv_id: 'offering' }, except: { syndicate: '403 forbidden' } } as const
const NOBODYS_OFFERING = 'ofr_000000000000000000000000'
/** "The app's own referral codes; held by the app's server key only; a user token is refused." */
const serverKey = (...needs: Needed[]) => ({ serves: ['client'], needs, answers: '200' }) as const

/** The operations for partners. */
export const PARTNER_LINES: Lines = {
  'GET /explore': CATALOGUE,
  'GET /offerings/:id': { ...CATALOGUE, at: { id: 'offering' } },
  'GET /companies/:id': { ...CATALOGUE, at: { id: 'company' } },
  'GET /companies/search': { ...CATALOGUE, query: 'q=Analytical' },
  'GET /companies/:id/pitch': { ...CATALOGUE, at: { id: 'company' } },
  // The company on the stage has no filings and no updates.
  'GET /companies/:id/disclosures': { ...CATALOGUE, at: { id: 'company' }, answers: '404 no_disclosures' },
  'GET /companies/:id/updates': { ...CATALOGUE, at: { id: 'company' } },
  'GET /companies/:id/updates/:update_id': { ...CATALOGUE, at: { id: 'company' }, answers: NOT_FOUND },
  'GET /companies/:id/questions': { ...CATALOGUE, at: { id: 'company' } },

  // "With only write:follows or no profile scope the response contains only the user's id."
  'GET /users/me': ownOf(),
  'PATCH /users/me': { ...ownOf('write:profile'), body: {} },
  'GET /users/me/companies': ownOf('read:companies'),
  'GET /users/me/follows': ownOf('read:profile:follows'),
  'PUT /users/me/follows/:company_id': { ...ownOf('write:follows'), at: { company_id: 'company' } },
  'DELETE /users/me/follows/:company_id': { ...ownOf('write:follows'), at: { company_id: 'company' } },
  'GET /portfolio': ownOf('read:investments'),
  'GET /portfolio/positions': ownOf('read:investments'),
  'GET /campaigns': {
    serves: ['user', 'company', 'connection'],
    needs: ['read:companies', 'read:campaigns'],
    answers: '200',
  },
  'GET /investments': records('read:investments'),
  'GET /investments/:id': { ...records('read:investments'), answers: NOT_FOUND },
  'GET /companies/:company_id/investments/changes': {
    ...ofCompany('read:investments', 'read:companies'),
    at: { company_id: 'company' },
  },
  'GET /offerings/:id/stats': { ...ofCompany('read:investments'), at: { id: 'offering' } },
  ...SYNDICATE_LINES,
  ...DEAL_LINES,
  ...INTENT_LINES,
  'GET /referral_codes': serverKey('read:referral_codes'),
  'POST /referral_codes': { ...serverKey('write:referral_codes'), body: { code: 'no' }, answers: INVALID },
  'GET /referral_codes/:id': { ...serverKey('read:referral_codes'), answers: NOT_FOUND },
  'GET /referral_codes/:id/stats': { ...serverKey('read:referral_codes'), answers: NOT_FOUND },
  'PATCH /referral_codes/:id': { ...serverKey('write:referral_codes'), body: {}, answers: NOT_FOUND },
  'GET /activity': ownOf('read:profile'),
  'GET /connected-apps': ownOf('read:profile'),
  'DELETE /connected-apps/:id': { ...ownOf('write:profile'), answers: NOT_FOUND },

  'GET /installations': WHERE_INSTALLED,
  'GET /installations/:id': {
    ...WHERE_INSTALLED,
    at: { id: 'companyInstallation' },
    except: { syndicate: NOT_FOUND, connection: NOT_FOUND },
  },
  'GET /installations/eligible': ofUser('read:installations'),
  'POST /installations': {
    ...ofUser('write:installations'),
    body: { target_type: 'company', target_id: 'co_000000000000000000000000' },
    answers: NOT_FOUND,
  },
  'POST /installations/:id/tokens': {
    ...ofUser('write:installations'),
    at: { id: 'companyInstallation' },
    answers: '201',
  },
  'DELETE /installations/:id': { ...ofUser('write:installations'), answers: NOT_FOUND },

  // "Mint join sessions …; included in write:syndicates." Only the app that created a session can read and cancel it.
  // The lines with :join_session_id request an unknown session, so an admitted caller gets 404.
  'POST /syndicates/:syndicate_id/join_sessions': { ...joining('write:syndicate_members'), answers: '201' },
  'GET /syndicates/:syndicate_id/join_sessions': {
    ...joining('write:syndicate_members', 'read:syndicates'),
    answers: '200',
  },
  'GET /syndicates/:syndicate_id/join_sessions/:join_session_id': {
    ...joining('write:syndicate_members', 'read:syndicates'),
    answers: NOT_FOUND,
  },
  'DELETE /syndicates/:syndicate_id/join_sessions/:join_session_id': {
    ...joining('write:syndicate_members'),
    answers: NOT_FOUND,
  },
  'GET /syndicates/:syndicate_id/join_themes': {
    ...joining('write:syndicate_members', 'read:syndicates'),
    answers: '200',
  },
  'POST /syndicates/:syndicate_id/join_themes': {
    ...joining('write:syndicate_members'),
    body: { name: 'Ours' },
    answers: '201',
  },
  'PATCH /syndicates/:syndicate_id/join_themes/:theme_id': {
    ...joining('write:syndicate_members'),
    body: {},
    answers: NOT_FOUND,
  },

  'GET /webhook_endpoints': webhooks('read:webhooks'),
  // The body names an unknown installation, so an admitted caller gets 404 and the quota does not change.
  'POST /webhook_endpoints': {
    ...webhooks('write:webhooks'),
    body: {
      url: 'https://hooks.example.org/',
      events: ['offering.opened'],
      installation_id: 'inst_000000000000000000000000',
    },
    answers: NOT_FOUND,
  },
  'GET /webhook_endpoints/:id': endpoint('read:webhooks'),
  'PATCH /webhook_endpoints/:id': { ...endpoint('write:webhooks'), body: { events: ['offering.opened'] } },
  'DELETE /webhook_endpoints/:id': { ...webhooks('write:webhooks'), answers: NOT_FOUND },
  'POST /webhook_endpoints/:id/rotate_secret': endpoint('write:webhooks'),
  'POST /webhook_endpoints/:id/reenable': endpoint('write:webhooks'),
  // The endpoint is unknown, because an existing endpoint may be tested only ten times a minute.
  'POST /webhook_endpoints/:id/test': { ...webhooks('write:webhooks'), answers: NOT_FOUND },
  'GET /webhook_endpoints/:id/deliveries': endpoint('read:webhooks'),
  'GET /webhook_endpoints/:id/deliveries/:delivery_id': { ...endpoint('read:webhooks'), answers: NOT_FOUND },
  'POST /webhook_endpoints/:id/deliveries/:delivery_id/redeliver': {
    ...endpoint('write:webhooks'),
    answers: NOT_FOUND,
  },
  'POST /webhook_endpoints/:id/replay': {
    ...endpoint('write:webhooks'),
    body: { since: '2026-01-01T00:00:00Z' },
    answers: '202',
  },

  'GET /events': webhooks('read:webhooks'),
  'GET /events/stream': webhooks('read:webhooks'),
  'GET /events/:id': { ...webhooks('read:webhooks'), answers: NOT_FOUND },

  'GET /partner/investment_sessions': { ...running('read:investment_sessions'), answers: '200' },
  'POST /partner/investment_sessions': {
    ...running('write:investment_sessions'),
    body: { investment_session: { spv_id: NOBODYS_OFFERING, email: 'ada@example.org' } },
  },
  'POST /partner/spvs/:spv_id/investment_sessions': {
    ...running('write:investment_sessions'),
    body: { investment_session: { email: 'ada@example.org' } },
  },
  'GET /partner/investment_sessions/:session_id': running('read:investment_sessions'),
  'DELETE /partner/investment_sessions/:session_id': running('write:investment_sessions'),
  'GET /partner/spvs/:spv_id/invite_links': { ...running('read:invite_links'), ...there, answers: '200' },
  'POST /partner/spvs/:spv_id/invite_links': { ...running('write:invite_links'), ...there, answers: '201', body: {} },
  'POST /partner/spvs/:spv_id/invite_links/bulk': { ...running('write:invite_links'), body: { invite_links: [{}] } },
  'GET /partner/spvs/:spv_id/invite_links/:invite_link_id': { ...running('read:invite_links'), ...there },
  'PATCH /partner/spvs/:spv_id/invite_links/:invite_link_id': {
    ...running('write:invite_links'),
    ...there,
    body: { invite_link: {} },
  },
  'DELETE /partner/spvs/:spv_id/invite_links/:invite_link_id': { ...running('write:invite_links'), ...there },
  'POST /partner/spvs/:spv_id/invite_links/:invite_link_id/resend': { ...running('write:invite_links'), ...there },
}
