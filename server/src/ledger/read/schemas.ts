import { type Static, Type } from 'typebox'
import { pageQuery } from '#http/pagination.ts'
import { exactly, idOf, nullable, oneOf, time } from '#http/schema-fields.ts'
import { WORLDS } from '#kernel/world.ts'
import { INVESTMENT_STATES } from '#market/investments/index.ts'
import { GROUPS } from '../derive/blockers.ts'
import { CURSOR_PROBLEMS } from './cursor-expiry.ts'
import { ORIGINS, WAITING_MAX } from './inspect-sync.ts'

const Time = time('UTC, with microseconds, in the time of the world.')
const Cents = Type.Integer({ minimum: 0 })

/** Accepts any length: a malformed id gets the same response as an id that does not exist. */
const filter = (description: string) => Type.Optional(Type.String({ description }))

const UpdatedSince = Type.Optional(
  Type.String({
    description:
      'A time in ISO 8601; without a zone it is UTC. Syncs from 60 seconds before that time. Ignored if there is a cursor.',
    maxLength: 100,
  }),
)

export const InvestmentsQuery = Type.Object({
  company_id: filter('Only investments in this company. Repeat it with every request: a cursor contains no filter.'),
  offering_id: filter(
    'Only investments in this offering. On sync, a record that moved to another offering is sent once, as a tombstone.',
  ),
  investor_id: filter('Only investments of this investor.'),
  status: Type.Optional(oneOf(INVESTMENT_STATES, 'Filters a listing. A sync with this filter gets 400.')),
  updated_since: UpdatedSince,
  ...pageQuery(),
})
export type InvestmentsQuery = Static<typeof InvestmentsQuery>

export const ChangesQuery = Type.Object({ updated_since: UpdatedSince, ...pageQuery() })

const Blocker = exactly({
  key: oneOf(['needs_id', 'needs_accreditation', 'needs_signature', 'needs_payment', 'needs_review']),
  description: Type.Optional(Type.String()),
})
const Contract = exactly({
  name: nullable(Type.String()),
  override_amount_cents: nullable(Cents),
  early_bird: Type.Boolean(),
})
const PII = 'Only with read:investors:pii, or on the user’s own investments.'
const Investor = exactly({
  id: idOf('user'),
  deactivated: Type.Boolean({ description: 'True if the user was deactivated: their identity fields are erased.' }),
  via_entity: Type.Boolean(),
  name: Type.Optional(Type.String({ description: PII })),
  legal_name: Type.Optional(Type.String({ description: PII })),
  email: Type.Optional(nullable(Type.String({ description: PII }))),
  address: Type.Optional(
    Type.Object(
      Object.fromEntries(
        ['line', 'city', 'state', 'postal_code', 'country'].map((key) => [key, Type.Optional(Type.String())]),
      ),
      { description: PII, additionalProperties: false },
    ),
  ),
  bio: Type.Optional(nullable(Type.String({ description: PII }))),
})

const RECORD = {
  id: idOf('investment'),
  visible: Type.Boolean({
    description:
      'Whether the company sees the investment. If this is false and `status` is absent, the record is a tombstone: delete your copy.',
  }),
  observed_at: time('When this state was observed. Not a version number.'),
  cursor: Type.Optional(Type.String({ description: 'Sync only: the place of this change.' })),
  reason: Type.Optional(
    oneOf(
      ['changed', 'recomputed', 'investor_deactivated'],
      'Sync only. API versions before 2026-11-01 have `reprojected` instead of `recomputed`.',
    ),
  ),
}

/**
 * The fields that a tombstone lacks are optional: from `status` on, all fields except `investment_type` and the
 * identity fields are present or absent together.
 */
const InvestmentSchema = exactly(
  {
    ...RECORD,
    status: Type.Optional(oneOf(INVESTMENT_STATES)),
    group: Type.Optional(oneOf(GROUPS, 'The group on the founder’s dashboard.')),
    converted_to: Type.Optional(nullable(idOf('investment'))),
    converted_from: Type.Optional(nullable(idOf('investment'))),
    offering: Type.Optional(idOf('offering')),
    company: Type.Optional(idOf('company')),
    investment_type: Type.Optional(Type.String()),
    offering_type: Type.Optional(Type.String()),
    applied_at: Type.Optional(Time),
    amounts: Type.Optional(
      exactly({
        committed_cents: Cents,
        investment_size_cents: Cents,
        in_escrow_cents: Type.Integer({
          minimum: 0,
          description:
            'The amount in escrow. 0 if the investment is canceled, or if it was converted and its successor is known.',
        }),
        refund_due_cents: Type.Optional(
          Type.Integer({ minimum: 0, description: 'Only on canceled records: the amount owed back to the investor.' }),
        ),
        raised_cents: Type.Integer({ minimum: 0, description: 'The amount that counts toward the raise.' }),
        currency: Type.String({ pattern: '^[a-z]{3}$' }),
      }),
    ),
    shares: Type.Optional(nullable(Type.String({ description: 'Decimal.' }))),
    average_share_price: Type.Optional(nullable(Type.String({ description: 'Decimal.' }))),
    needs_whitelisting: Type.Optional(Type.Boolean()),
    blockers: Type.Optional(Type.Array(Blocker)),
    contracts: Type.Optional(Type.Array(Contract)),
    investor: Type.Optional(Investor),
    external_username: Type.Optional(nullable(Type.String({ description: PII }))),
    message: Type.Optional(nullable(Type.String({ description: PII }))),
  },
  'Investment',
)

const PAGE_META = {
  mode: oneOf(['bootstrap', 'delta'], 'bootstrap: a listing. delta: changes.'),
  has_more: Type.Boolean({
    description: 'Whether another page exists. Read the next page while this is true, even after an empty page.',
  }),
  page_count: Type.Integer({ description: 'Records in this page.' }),
  next_cursor: Type.String({ description: 'Always present. Store the cursor of the last page, and sync from it.' }),
  published_through: Type.Optional(Time),
}

export const InvestmentList = exactly({ data: Type.Array(InvestmentSchema), meta: exactly(PAGE_META) })
const CursorFacts = exactly({
  kind: oneOf(['list', 'sync'], 'list: a place within a listing. sync: a place in the ledger; changes follow it.'),
  as_of: time('The reader has seen everything up to this time.'),
  age_seconds: Type.Integer({ minimum: 0 }),
  expires_at: time('From this world time on the cursor gets 410.'),
})
const Rejection = exactly({
  reason: oneOf(
    [...CURSOR_PROBLEMS, ...ORIGINS],
    'malformed: not from this list, or changed. other_mode: from the other mode. other_list: from GET /companies/{id}/investments/changes. other_reader: made for a token that sees other records, such as another company’s or user’s. identities_added: made for a token without identity fields, which the installation sees. too_old: older than 90 days. access_changed: the user became or ceased to be an editor of a company.',
  ),
  status: Type.Integer({ description: 'The HTTP status of the API’s response.' }),
  type: Type.String({ description: 'The type of the API’s error.' }),
  message: Type.String(),
  remediation: nullable(Type.String()),
})

export const SyncInspection = exactly({
  data: exactly(
    {
      installation_id: idOf('installation'),
      mode: oneOf(WORLDS),
      now: Time,
      published_through: time('Changes up to this time are published. Later pages contain the changes after it.'),
      cursor: nullable(CursorFacts, 'Null without a cursor, or if the cursor cannot be opened here.'),
      rejection: nullable(Rejection, 'Null if the API accepts the request.'),
      waiting: nullable(
        exactly({ changes: Type.Integer({ minimum: 0 }), complete: Type.Boolean() }),
        `The changes after a sync cursor that concern this installation. At most ${WAITING_MAX} are counted; complete is false if there are more. Null without a sync cursor, if the cursor is rejected, and for a user’s own connection.`,
      ),
      page: nullable(
        InvestmentList,
        'The page that the token gets now. Null if it gets an error, and for a user’s own connection.',
      ),
    },
    'SyncInspection',
  ),
  meta: exactly({ request_id: idOf('request') }),
})

export const ChangeList = exactly({
  data: Type.Array(InvestmentSchema),
  meta: exactly({ ...PAGE_META, company_id: idOf('company') }),
})

export const OneInvestment = exactly({
  data: InvestmentSchema,
  meta: exactly({
    source: Type.Literal('current'),
    published_matches: Type.Boolean({ description: 'Whether lists and sync already show this state.' }),
    published_observed_at: Type.Optional(Time),
  }),
})

const Sums = exactly({ count: Type.Integer({ minimum: 0 }), committed_cents: Cents, raised_cents: Cents })

export const OfferingStats = exactly({
  data: exactly({
    offering: idOf('offering'),
    company: idOf('company'),
    currency: Type.String(),
    by_status: Type.Object(Object.fromEntries(INVESTMENT_STATES.map((status) => [status, Type.Optional(Sums)])), {
      additionalProperties: false,
    }),
    total: Sums,
  }),
  meta: exactly({ source: Type.Literal('published'), published_through: Time }),
})

export const InvestmentId = Type.Object({ id: idOf('investment') })
export const OfferingId = Type.Object({ id: idOf('offering') })
export const CompanyId = Type.Object({ company_id: idOf('company') })
