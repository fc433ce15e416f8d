import { type Static, Type } from 'typebox'
import { exactly, nullable, oneOf } from '#http/schema-fields.ts'
import { worldTime } from '#kernel/clock.ts'
import { fakeId, IsoWeek, idOrExample, Microseconds, Timestamp } from './data/fields.ts'
import { INVESTMENT_DATA, INVESTMENT_EXAMPLES } from './data/investment.ts'
import {
  JOIN_SESSION_DATA,
  JOIN_SESSION_EXAMPLES,
  SYNDICATE_MEMBER_DATA,
  SYNDICATE_MEMBER_EXAMPLES,
} from './data/syndicate.ts'

const EXAMPLE_TIME = worldTime('2026-01-15T12:00:00.123456Z')

const Resource = Type.Union([
  exactly({ type: oneOf(['syndicate']), id: idOrExample('syndicate') }),
  exactly({ type: oneOf(['company']), id: idOrExample('company') }),
])

/** The proposal and its status, without text that a person wrote; GET /intents/{id} returns the rest. */
function intent<S extends string>(status: S) {
  return exactly({
    id: idOrExample('intent'),
    action: Type.String({ description: 'The proposed action, for example syndicates.close_deal.' }),
    status: oneOf([status]),
    resource: Resource,
    occurred_at: Microseconds,
  })
}

const INTENT_DATA = {
  'intent.approved': intent('approved'),
  'intent.rejected': intent('rejected'),
  'intent.expired': intent('expired'),
  'intent.executed': intent('executed'),
  'intent.failed': intent('failed'),
}

type IntentData = { [N in keyof typeof INTENT_DATA]: Static<(typeof INTENT_DATA)[N]> }

const recordOfIntent = {
  id: fakeId('intent'),
  action: 'syndicates.close_deal',
  resource: { type: 'syndicate' as const, id: fakeId('syndicate') },
  occurred_at: EXAMPLE_TIME,
}

const INTENT_EXAMPLES: IntentData = {
  'intent.approved': { ...recordOfIntent, status: 'approved' },
  'intent.rejected': { ...recordOfIntent, status: 'rejected' },
  'intent.expired': { ...recordOfIntent, status: 'expired' },
  'intent.executed': { ...recordOfIntent, status: 'executed' },
  'intent.failed': { ...recordOfIntent, status: 'failed' },
}

/** "target.name (null for a user)" */
const TargetWithName = Type.Union([
  exactly({ type: oneOf(['company']), id: idOrExample('company'), name: Type.String() }),
  exactly({ type: oneOf(['syndicate']), id: idOrExample('syndicate'), name: Type.String() }),
  exactly({ type: oneOf(['user']), id: idOrExample('user'), name: Type.Null() }),
])

/** "Roles say who acted, never names or emails." Not an enum, because staff appear under the platform's name, a setting. */
const ActedBy = exactly({
  role: Type.String({
    pattern: '^[a-z][a-z0-9]{1,30}$',
    description: 'founder, manager, user, partner, or the platform’s own name for its staff.',
  }),
})

const everyOfInstallation = {
  id: idOrExample('installation'),
  target: TargetWithName,
  tier: oneOf(['founder', 'admin', 'editor', 'manager', 'user']),
  scopes: Type.Array(Type.String()),
  installed_at: Timestamp,
  installed_by: ActedBy,
  occurred_at: Microseconds,
}

const INSTALLATION_DATA = {
  'installation.created': exactly({ ...everyOfInstallation, status: oneOf(['active']) }),
  /** "The created fields with status revoked, plus revoked_at and revoked_by.role." */
  'installation.revoked': exactly({
    ...everyOfInstallation,
    status: oneOf(['revoked']),
    revoked_at: Timestamp,
    revoked_by: ActedBy,
  }),
}

type InstallationData = { [N in keyof typeof INSTALLATION_DATA]: Static<(typeof INSTALLATION_DATA)[N]> }

const recordOfInstallation = {
  id: fakeId('installation'),
  target: { type: 'company' as const, id: fakeId('company'), name: 'Example Company' },
  tier: 'admin' as const,
  scopes: ['read:companies', 'read:investments'],
  installed_at: '2026-01-10T12:00:00Z',
  installed_by: { role: 'founder' },
}

const INSTALLATION_EXAMPLES: InstallationData = {
  'installation.created': {
    ...recordOfInstallation,
    status: 'active',
    installed_at: EXAMPLE_TIME,
    occurred_at: EXAMPLE_TIME,
  },
  'installation.revoked': {
    ...recordOfInstallation,
    status: 'revoked',
    revoked_at: EXAMPLE_TIME,
    revoked_by: { role: 'partner' },
    occurred_at: EXAMPLE_TIME,
  },
}

const everyOfInvestmentSession = {
  id: idOrExample('investmentSession'),
  offering: idOrExample('offering'),
  /**
   * Null if the recipient was named by account, because an account's address is never disclosed. Also null for an installation that
   * did not create the session, unless it holds read:investors:pii.
   */
  email: nullable(Type.String()),
  /** Null if the recipient chooses the amount. */
  allocation_cents: nullable(Type.Integer({ minimum: 100, multipleOf: 100 })),
  expires_at: Timestamp,
}

const INVESTMENT_SESSION_DATA = {
  'investment_session.created': exactly({ ...everyOfInvestmentSession, status: oneOf(['pending']) }),
  'investment_session.started': exactly({ ...everyOfInvestmentSession, status: oneOf(['in_progress']) }),
  /** "Recipient's investment created and confirmed": only this event has an investment to name. */
  'investment_session.completed': exactly({
    ...everyOfInvestmentSession,
    status: oneOf(['completed']),
    investment: idOrExample('investment'),
  }),
  'investment_session.expired': exactly({ ...everyOfInvestmentSession, status: oneOf(['expired']) }),
  'investment_session.canceled': exactly({ ...everyOfInvestmentSession, status: oneOf(['canceled']) }),
}

type InvestmentSessionData = {
  [N in keyof typeof INVESTMENT_SESSION_DATA]: Static<(typeof INVESTMENT_SESSION_DATA)[N]>
}

const recordOfInvestmentSession = {
  id: fakeId('investmentSession'),
  offering: fakeId('offering'),
  email: 'investor@example.com',
  allocation_cents: 25_000,
  expires_at: '2026-02-14T12:00:00Z',
}

const INVESTMENT_SESSION_EXAMPLES: InvestmentSessionData = {
  'investment_session.created': { ...recordOfInvestmentSession, status: 'pending' },
  'investment_session.started': { ...recordOfInvestmentSession, status: 'in_progress' },
  'investment_session.completed': {
    ...recordOfInvestmentSession,
    status: 'completed',
    investment: fakeId('investment'),
  },
  'investment_session.expired': { ...recordOfInvestmentSession, status: 'expired' },
  'investment_session.canceled': { ...recordOfInvestmentSession, status: 'canceled' },
}

/** "Never an investor identity": two opaque tokens, which differ between companies, and coarse figures. */
const anonymizedRow = {
  investment_token: Type.String({
    description: 'Opaque: the same for this investment in the statistics of this company.',
  }),
  investor_token: Type.String({
    description: 'Opaque: the same investor at this company; another company has another token.',
  }),
  week: IsoWeek,
  /** Whole units of the offering's currency: below 1,000; below 10,000; 10,000 or more. */
  amount_tier: oneOf(['small', 'medium', 'large']),
  status: oneOf(['active', 'reserved', 'executed', 'canceled', 'converted']),
  /** From the click to the investment: within an hour, within 24 hours, later. */
  time_to_invest: oneOf(['direct', 'assisted', 'delayed']),
}

const REFERRAL_DATA = {
  'investment.referred': exactly({
    referral_code: idOrExample('referralCode'),
    company: idOrExample('company'),
    ...anonymizedRow,
  }),
  'referral_cohorts.published': exactly({ week: IsoWeek, published_at: Timestamp }),
}

type ReferralData = { [N in keyof typeof REFERRAL_DATA]: Static<(typeof REFERRAL_DATA)[N]> }

const REFERRAL_EXAMPLES: ReferralData = {
  'investment.referred': {
    referral_code: fakeId('referralCode'),
    company: fakeId('company'),
    investment_token: 'example-investment-token',
    investor_token: 'example-investor-token',
    week: '2026-W02',
    amount_tier: 'small',
    status: 'active',
    time_to_invest: 'direct',
  },
  'referral_cohorts.published': { week: '2026-W02', published_at: '2026-01-12T06:00:00Z' },
}

const every = {
  offering: idOrExample('offering'),
  company: exactly({
    name: Type.String(),
    url: Type.String({ description: 'The company’s name in web addresses, for example `example-company`.' }),
  }),
}

/** The specification defines the events' names and meanings. The fields are those of the published signature vector. */
const OFFERING_DATA = {
  'offering.opened': exactly({ ...every, status: oneOf(['open']) }),
  'offering.closing': exactly({
    ...every,
    status: oneOf(['closing']),
    /** Absent while unknown; never null. */
    expected_disbursement_at: Type.Optional(Timestamp),
  }),
  'offering.closed': exactly({ ...every, status: oneOf(['closed']) }),
  'offering.canceled': exactly({ ...every, status: oneOf(['canceled']) }),
}

type OfferingData = { [N in keyof typeof OFFERING_DATA]: Static<(typeof OFFERING_DATA)[N]> }

const record = { offering: fakeId('offering'), company: { name: 'Example Company', url: 'example-company' } }

const OFFERING_EXAMPLES: OfferingData = {
  'offering.opened': { ...record, status: 'open' },
  'offering.closing': { ...record, status: 'closing', expected_disbursement_at: '2026-01-20T12:00:00Z' },
  'offering.closed': { ...record, status: 'closed' },
  'offering.canceled': { ...record, status: 'canceled' },
}

/** "It is thin and carries routing only": no amounts, no identity, and never a cursor. */
const INVESTMENT_SYNC_DATA = {
  'investment.changed': exactly({
    id: idOrExample('investment'),
    visible: Type.Boolean({ description: 'False: the company no longer sees the investment.' }),
    reason: oneOf(['changed', 'recomputed', 'investor_deactivated']),
    company: idOrExample('company'),
    observed_at: Microseconds,
    first: Type.Boolean({ description: 'True if the investment was never published to this receiver before.' }),
    fields: Type.Array(Type.String(), {
      description: 'Top-level fields of the record that differ from the last published copy.',
    }),
  }),
}

type Data = { [N in keyof typeof INVESTMENT_SYNC_DATA]: Static<(typeof INVESTMENT_SYNC_DATA)[N]> }

const INVESTMENT_SYNC_EXAMPLES: Data = {
  'investment.changed': {
    id: fakeId('investment'),
    visible: true,
    reason: 'changed',
    company: fakeId('company'),
    observed_at: EXAMPLE_TIME,
    first: false,
    fields: ['amounts', 'group'],
  },
}

/** The groups in which the specification presents the events, in its order. */
type Groups = {
  readonly investment: typeof INVESTMENT_DATA
  readonly investment_sync: typeof INVESTMENT_SYNC_DATA
  readonly offering: typeof OFFERING_DATA
  readonly investment_session: typeof INVESTMENT_SESSION_DATA
  readonly syndicate_member: typeof SYNDICATE_MEMBER_DATA
  readonly join_session: typeof JOIN_SESSION_DATA
  readonly installation: typeof INSTALLATION_DATA
  readonly referral: typeof REFERRAL_DATA
  readonly intent: typeof INTENT_DATA
}

export type EventGroup = keyof Groups
export type EventNameOf<G extends EventGroup> = { [K in G]: keyof Groups[K] }[G]
export type EventName = EventNameOf<EventGroup>

/** The schema of `data`, by event. */
export const EVENT_DATA = {
  ...INVESTMENT_DATA,
  ...INVESTMENT_SYNC_DATA,
  ...OFFERING_DATA,
  ...INVESTMENT_SESSION_DATA,
  ...SYNDICATE_MEMBER_DATA,
  ...JOIN_SESSION_DATA,
  ...INSTALLATION_DATA,
  ...REFERRAL_DATA,
  ...INTENT_DATA,
}

export type EventData<N extends EventName> = Static<(typeof EVENT_DATA)[N]>

/** The fake records of test envelopes, with every optional field: the projection removes what the receiver may not see. */
export const EVENT_EXAMPLES: { readonly [N in EventName]: EventData<N> } = {
  ...INVESTMENT_EXAMPLES,
  ...INVESTMENT_SYNC_EXAMPLES,
  ...OFFERING_EXAMPLES,
  ...INVESTMENT_SESSION_EXAMPLES,
  ...SYNDICATE_MEMBER_EXAMPLES,
  ...JOIN_SESSION_EXAMPLES,
  ...INSTALLATION_EXAMPLES,
  ...REFERRAL_EXAMPLES,
  ...INTENT_EXAMPLES,
}
