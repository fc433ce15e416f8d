import { type Static, Type } from 'typebox'
import { findInstallations } from '#access/installations/index.ts'
import { ERASED_PERSON } from '#events/index.ts'
import { heldBy } from '#http/access.ts'
import { listOf, openCursor, page, pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf, nullableType, oneOf, time } from '#http/schema-fields.ts'
import type { VersionStep } from '#http/version-steps.ts'
import { inAttributes } from '#http/version-steps.ts'
import type { InstallationCaller, UserCaller } from '#kernel/caller.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { parseCents } from '#kernel/money.ts'
import { exemptionBefore, securityBefore } from '#market/offerings/http.ts'
import { OFFERING_STATES, type OfferingState } from '#market/offerings/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { Count, ExemptionSchema, SecuritySchema, Text, Time } from '#views/catalog/http.ts'
import { securityOf } from '#views/catalog/index.ts'
import { type FundraiseRow, fundraiseRows, type InvestorRow, investorRows, viewerAt } from './store.ts'

export type RosterRouteDeps = { readonly cursors: CursorSealer }

const access = heldBy(['user', 'installation'], 'read:companies')
const params = Type.Object({ company_id: idOf('company') })
const query = Type.Object(pageQuery())
const tag = 'Companies'

/** A company's investors and fundraises, for its team. */
export const rosterRoutes = ({ cursors }: RosterRouteDeps): Route[] => [
  route({
    operation: 'listCompanyInvestors',
    method: 'GET',
    path: '/companies/:company_id/investors',
    summary: 'List company investors',
    description:
      'Returns a company’s roster: every investor with an investment or a reservation, and the investor’s totals.',
    tag,
    access,
    schema: { params, query, response: { 200: listOf(InvestorSchema) } },
    handler: async ({ db, caller, params: { company_id }, query: requested }) => {
      await requireRunning(db.reads, caller, company_id)
      const pii = caller.scopes.has('read:investors:pii')
      const self = caller.kind === 'user' ? caller.userId : null
      return { status: 200, body: await listInvestors(cursors, db.reads, company_id, { ...requested, pii, self }) }
    },
  }),
  route({
    operation: 'listCompanyFundraises',
    method: 'GET',
    path: '/companies/:company_id/fundraises',
    summary: 'List company fundraises',
    description: 'Returns a company’s rounds and SPVs, newest first.',
    tag,
    access,
    schema: { params, query, response: { 200: listOf(FundraiseSchema) } },
    handler: async ({ db, caller, params: { company_id }, query: requested }) => {
      await requireRunning(db.reads, caller, company_id)
      return { status: 200, body: await listFundraises(cursors, db.reads, company_id, requested) }
    },
  }),
]

type ListRequest = { readonly per_page?: number; readonly cursor?: string }

/** A page of a company's rounds and SPVs, newest first. */
async function listFundraises(
  cursors: CursorSealer,
  queries: WorldQueries,
  company: Id<'company'>,
  requested: ListRequest,
) {
  // A cursor is valid for one company's list only.
  const kind = { kind: `fundraises/${company}`, version: 1 }
  const after = openCursor(cursors, kind, requested.cursor)
  const size = pageSize(requested.per_page)
  const place = after === null ? null : String(after[0])
  return page({
    rows: await fundraiseRows(queries, company, { after: place, limit: size + 1 }),
    size,
    item: fundraiseRecord,
    next: ({ id }) => cursors.seal(kind, [id]),
  })
}

type RosterCaller = UserCaller | InstallationCaller

/**
 * "For a company the user helps run, also its investor roster": needs a token of one of its founders, admins or editors, or of an
 * installation on that company. An installation token of a user's own connection is not enough. "What the caller may know of (a
 * public company) but may not touch this way is 403; everything else answers 404."
 */
async function requireRunning(queries: WorldQueries, caller: RosterCaller, company: Id<'company'>): Promise<void> {
  const { user, on } = await actingFor(queries, caller)
  if (on === company) return
  const { runs, known } = await viewerAt(queries, company, user)
  if (runs && caller.kind === 'user') return
  if (!known) throw notFound(`${company} is hidden from this caller`)
  throw new ApiError('forbidden', {
    public: 'This is only for the company’s founders, admins and editors.',
    remediation: 'Use a token of a founder, admin or editor of the company, or of an installation on the company.',
  })
}

async function actingFor(queries: WorldQueries, caller: RosterCaller) {
  if (caller.kind === 'user') return { user: caller.userId, on: null }
  const [installation] = await findInstallations(queries, [caller.installationId])
  const target = installation?.target
  return { user: target?.type === 'user' ? target.id : null, on: target?.type === 'company' ? target.id : null }
}

type ListInvestorsRequest = {
  readonly per_page?: number
  readonly cursor?: string
  readonly pii: boolean
  /** Null for an installation. */
  readonly self: Id<'user'> | null
}

/** A page of a company's roster, sorted by id. "A user always sees their own" name and email address. */
async function listInvestors(
  cursors: CursorSealer,
  queries: WorldQueries,
  company: Id<'company'>,
  requested: ListInvestorsRequest,
) {
  // A cursor is valid for one company's roster only.
  const kind = { kind: `roster/${company}`, version: 1 }
  const after = openCursor(cursors, kind, requested.cursor)
  const size = pageSize(requested.per_page)
  const place = after === null ? null : String(after[0])
  const rows = await investorRows(queries, company, { after: place, limit: size + 1 })
  const investors = [...Map.groupBy(rows, ({ id }) => id).values()] as unknown as InvestorRows[]
  return page({
    rows: investors,
    size,
    item: (those) => investorRecord(those, requested.pii || those[0].id === requested.self),
    next: ([{ id }]) => cursors.seal(kind, [id]),
  })
}

/** An investor's totals in the company, one row for each currency. */
type InvestorRows = readonly [InvestorRow, ...InvestorRow[]]

/** "Without the scope investor records are served with identity fields omitted": the fields are absent, not null. */
function investorRecord(rows: InvestorRows, withIdentity: boolean): Investor {
  const [first] = rows
  const [totals, ...others] = [totalsOf(first), ...rows.slice(1).map(totalsOf)] as const
  return {
    id: first.id,
    type: 'investor',
    attributes: {
      ...(withIdentity ? { full_name: first.name ?? ERASED_PERSON.name, email: first.email } : {}),
      accredited: first.accredited,
      deactivated: first.deactivated,
      ...totals,
      by_currency: [totals, ...others],
      created_at: rows.map(({ first_at }) => first_at).reduce((a, b) => (a < b ? a : b)),
    },
  }
}

function totalsOf(row: InvestorRow) {
  return {
    currency: row.currency,
    total_invested_cents: shown(row.invested_cents),
    total_reserved_cents: shown(row.reserved_cents),
    investment_count: row.investments,
    reservation_count: row.reservations,
  }
}

function shown(cents: string): number {
  return Math.min(Number(cents), Number.MAX_SAFE_INTEGER)
}

const Currency = Type.String({ description: 'ISO 4217, in lower case.', examples: ['usd'] })

/** A sum above 2^53 - 1 is shown as 2^53 - 1, because many JSON parsers do not read larger numbers exactly. */
const TOTALS = {
  currency: Currency,
  total_invested_cents: Type.Integer({
    minimum: 0,
    description: 'The sum of committed and executed investments. In cents.',
  }),
  total_reserved_cents: Type.Integer({
    minimum: 0,
    description: 'The sum of reservations, which do not count as invested. In cents.',
  }),
  investment_count: Count,
  reservation_count: Count,
}

const pii = 'Absent without read:investors:pii, except for the token’s own user.'

const InvestorSchema = exactly(
  {
    id: idOf('user'),
    type: Type.Literal('investor'),
    attributes: exactly({
      full_name: Type.Optional(Type.String({ description: `${pii} \`[deleted user]\` for a deactivated user.` })),
      email: Type.Optional(nullableType(Text, `${pii} Null for a deactivated user.`)),
      accredited: Type.Boolean({ description: 'Whether the investor is accredited now.' }),
      deactivated: Type.Boolean(),
      ...TOTALS,
      by_currency: Type.Array(exactly(TOTALS), {
        description: 'The totals in each currency. The first entry repeats the totals of the fields above.',
      }),
      created_at: time('When the person made the first of these investments and reservations.'),
    }),
  },
  'Investor',
)

type Investor = Static<typeof InvestorSchema>

const cents = (description: string) => nullableType(Type.Integer(), `${description} In cents.`)

const FundraiseSchema = exactly(
  {
    id: Type.Unsafe<FundraiseRow['id']>({
      ...idOf('offering'),
      description: 'The offering’s id: see GET /offerings/{id}.',
    }),
    type: Type.Literal('fundraise'),
    attributes: exactly({
      kind: oneOf(
        ['round', 'spv'],
        '`round`: people invest directly. `spv`: people invest through a vehicle of a syndicate, or through a vehicle that holds only this company.',
      ),
      name: Type.String({ description: 'The company’s name if the offering has no name of its own.' }),
      company: Type.Unsafe<FundraiseRow['company_id']>({
        ...idOf('company'),
        description: 'The company that raises: this one, or the vehicle that holds it.',
      }),
      company_name: Text,
      status: oneOf<OfferingState>(
        OFFERING_STATES,
        '`open`: the offering accepts investments, or reservations if it tests the waters.',
      ),
      testing_the_waters: Type.Boolean({ description: 'True: people reserve here, or did, and do not invest.' }),
      exemption: ExemptionSchema,
      security: SecuritySchema,
      currency: Type.String({ description: 'ISO 4217, in lower case.', examples: ['usd'] }),
      amount_raised_cents: Type.Integer({
        minimum: 0,
        description: 'The amount raised in this offering only, or reserved if it tests the waters. In cents.',
      }),
      funding_target_cents: cents('The funding target.'),
      min_investment_cents: cents('The minimum investment.'),
      max_investment_cents: cents('The maximum investment.'),
      investor_count: Type.Unsafe<number>({ ...Count, description: 'The number of investors, each counted once.' }),
      opened_at: nullableType(Time, 'Null while the offering is upcoming.'),
      closes_at: nullableType(Time, 'Null if the offering has no closing date or is not open.'),
      closed_at: nullableType(Time),
      created_at: Time,
      updated_at: Time,
    }),
  },
  'Fundraise',
)

/** A round of a company, or of a vehicle that raises for it, for the company's team. */
function fundraiseRecord(row: FundraiseRow): Static<typeof FundraiseSchema> {
  return {
    id: row.id,
    type: 'fundraise',
    attributes: {
      kind: row.spv ? 'spv' : 'round',
      name: row.name ?? row.company_name,
      company: row.company_id,
      company_name: row.company_name,
      status: row.status,
      testing_the_waters: row.testing_the_waters,
      exemption: row.exemption,
      security: securityOf(row),
      currency: row.currency,
      amount_raised_cents: parseCents(row.raised_cents) ?? 0,
      funding_target_cents: parseCents(row.funding_target_cents),
      min_investment_cents: parseCents(row.min_investment_cents),
      max_investment_cents: parseCents(row.max_investment_cents),
      investor_count: row.investor_count,
      opened_at: row.status === 'upcoming' ? null : row.opens_at,
      closes_at: row.status === 'open' ? row.closes_at : null,
      closed_at: row.closed_at,
      created_at: row.created_at,
      updated_at: row.updated_at,
    },
  }
}

/** In older versions the exemption was split into parts, and an undecided security was null. */
export const FUNDRAISE_STEPS: readonly VersionStep[] = [
  {
    name: 'exemptions and securities of fundraises',
    before: '2026-11-01',
    operations: ['listCompanyFundraises'],
    response: (body) =>
      inAttributes(body, (fundraise) => ({
        ...fundraise,
        exemption: exemptionBefore(fundraise['exemption']),
        security: securityBefore(fundraise['security']),
      })),
  },
]
