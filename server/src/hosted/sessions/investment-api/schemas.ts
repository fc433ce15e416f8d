import { type Static, type TProperties, Type } from 'typebox'
import { listOf, pageQuery } from '#http/pagination.ts'
import { exactly, idOf, maybe, nullable, time } from '#http/schema-fields.ts'
import {
  type Fields,
  isFields,
  type VersionStep,
  withCountedCursor,
  without,
  withoutNull,
} from '#http/version-steps.ts'
import type { Cents } from '#kernel/money.ts'
import { FUNDING_STATUSES, INVESTMENT_SESSION_STATES, KYC_STATUSES } from '../investment-session-states.ts'

const word = <const V extends string>(values: readonly V[]) =>
  Type.Unsafe<V>(Type.Enum([...values], { type: 'string' }))
const Time = time()

const EmailAddress = Type.String({ maxLength: 254, pattern: '^[!-?A-~]+@[!-?A-~]+$' })

/** "Min 100 and a multiple of 100." */
const AllocationCents = Type.Unsafe<Cents>(
  Type.Integer({ minimum: 100, maximum: Number.MAX_SAFE_INTEGER, multipleOf: 100 }),
)

/** An investment session is open for 30 days, unless the app requests another time of at most 90 days. */
export const HOURS_DEFAULT = 720

const COMMON = {
  email: maybe(EmailAddress, 'The recipient’s address. Not together with platform_user_id.'),
  platform_user_id: maybe(idOf('user'), 'The recipient’s account; only that account can open the page.'),
  allocation_cents: maybe(AllocationCents, 'A fixed amount. If omitted, the person chooses.'),
  success_url: maybe(
    Type.String({ maxLength: 2_000 }),
    'Where the person is sent after completion: https, in the sandbox also http on localhost, 127.0.0.1 or [::1].',
  ),
  expires_in_hours: maybe(Type.Integer({ minimum: 1, maximum: 2_160 }), `${HOURS_DEFAULT} (30 days) if omitted.`),
  metadata: maybe(
    Type.Record(Type.String(), Type.Unknown()),
    'Your own data, returned unchanged; at most 20,000 bytes.',
  ),
  intent_id: maybe(idOf('intent'), 'Stored in metadata as intent_id.'),
}

export const NewSession = exactly(
  { investment_session: exactly({ spv_id: idOf('offering'), ...COMMON }, 'NewInvestmentSession') },
  'NewInvestmentSessionBody',
)
/** The offering is in the path. */
export const NewSessionThere = exactly(
  { investment_session: exactly(COMMON, 'NewInvestmentSessionOfOffering') },
  'NewInvestmentSessionOfOfferingBody',
)
export type Wanted = Static<typeof NewSession>['investment_session']

const attributes = {
  status: word(INVESTMENT_SESSION_STATES),
  url: Type.String({
    format: 'uri',
    description:
      'The hosted page. Treat it as a secret: everyone who has the URL can open the page, unless the session is for one account.',
  }),
  spv_id: idOf('offering'),
  email: Type.Union([Type.String(), Type.Null()], {
    description:
      'Null if the recipient was named by account. Through an installation that did not create the session, null unless the token holds `read:investors:pii`.',
  }),
  currency: Type.String({ description: 'ISO 4217, in lower case.', examples: ['usd'] }),
  allocation_cents: nullable(Type.Integer()),
  kyc_status: nullable(word(KYC_STATUSES)),
  funding_status: nullable(word(FUNDING_STATUSES)),
  investment_id: nullable(idOf('investment')),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  created_at: Time,
  expires_at: Time,
}

const SessionEvent = exactly({ id: idOf('event'), event: Type.String(), occurred_at: Time })
const resource = <P extends TProperties>(properties: P, title: string) =>
  exactly(
    { id: idOf('investmentSession'), type: Type.Literal('investment_session'), attributes: exactly(properties) },
    title,
  )
const Session = resource(attributes, 'InvestmentSession')
const SessionWithEvents = resource(
  { ...attributes, events: Type.Array(SessionEvent, { description: 'The session’s events, oldest first.' }) },
  'InvestmentSessionWithEvents',
)

const Meta = exactly({ request_id: Type.String() })
export const OneSession = exactly({ data: Session, meta: Meta })
export const OneSessionWithEvents = exactly({ data: SessionWithEvents, meta: Meta })
export const SessionList = listOf(Session, { request_id: Type.String() })

export const SessionParam = Type.Object({ session_id: idOf('investmentSession') })
export const SpvParam = Type.Object({ spv_id: idOf('offering') })
export const SessionQuery = Type.Object({
  spv_id: Type.Optional(idOf('offering')),
  status: Type.Optional(word(INVESTMENT_SESSION_STATES)),
  ...pageQuery(),
})

/** In older versions the field for the account has the platform's name in it. */
const WAS = 'wefunder_user_id'
const IS = 'platform_user_id'

/** The request's fields are one level below the body: in one object, or in each object of a list. */
export function renamedIn(name: string): (body: Fields) => Fields {
  return (body) => {
    const value = body[name]
    if (Array.isArray(value)) return { ...body, [name]: value.map((each) => renamed(each, WAS, IS)) }
    return name in body ? { ...body, [name]: renamed(value, WAS, IS) } : body
  }
}

function renamed(fields: unknown, from: string, to: string): unknown {
  if (!isFields(fields) || !(from in fields)) return fields
  const { [from]: value, ...rest } = fields
  return { ...rest, [to]: value }
}

export function olderResponse(body: unknown): unknown {
  if (!isFields(body)) return body
  const { data } = body
  return { ...body, data: Array.isArray(data) ? data.map(olderRecord) : olderRecord(data) }
}

/** In older versions the cursors of these lists count rows. */
export const olderPage = (body: unknown) => withCountedCursor(olderResponse(body))

function olderRecord(record: unknown): unknown {
  if (!isFields(record) || !isFields(record['attributes'])) return record
  // `currency` is new in the newest version. Older schemas have no null among the values of kyc_status and funding_status, and
  // strict clients would reject it.
  const attributes = withoutNull(without(record['attributes'], 'currency'), 'kyc_status', 'funding_status')
  return { ...record, attributes: renamed(attributes, IS, WAS) }
}

export const INVESTMENT_SESSION_STEPS: readonly VersionStep[] = [
  {
    name: 'whom a session is for',
    before: '2026-11-01',
    operations: ['createInvestmentSession', 'createInvestmentSessionOfOffering'],
    request: renamedIn('investment_session'),
    response: olderResponse,
  },
  {
    name: 'currencies of sessions',
    before: '2026-11-01',
    operations: ['getInvestmentSession', 'cancelInvestmentSession'],
    response: olderResponse,
  },
  {
    name: 'sealed cursors of sessions',
    before: '2026-11-01',
    operations: ['listInvestmentSessions'],
    response: olderPage,
  },
]
