import { isDeepStrictEqual } from 'node:util'
import { DERIVATION } from '#ledger/derive/record.ts'
import type { TestDatabase } from '#test/database.ts'
import type { Audience, Company } from './fixed-data.ts'

/** A record in a reader's copy, without the fields about its place in a page. */
export type CopiedRecord = { readonly id: string; readonly visible: boolean; readonly [field: string]: unknown }
export type RecordCopy = ReadonlyMap<string, CopiedRecord>

/** The list that a reader requests. */
export type View = {
  readonly who: Audience
  readonly pii: boolean
  /** The feed of one company, which only editors of the company may read. */
  readonly feed: boolean
  readonly filters: {
    readonly company_id?: string
    readonly offering_id?: string
    readonly investor_id?: string
  }
}

/** The facts that decide who sees an investment. */
type Placed = {
  readonly id: string
  readonly company: string
  readonly offering: string
  readonly investor: string
  readonly visible: boolean
}

/**
 * Returns how a reader sees a record, or null if it does not see the record. This is the contract in one function,
 * without the product's code.
 */
export function visibleRecord(
  { who, pii, feed, filters }: View,
  edits: ReadonlySet<string>,
  one: Placed,
): 'whole' | 'anonymous' | null {
  const passes =
    (filters.company_id ?? one.company) === one.company &&
    (filters.offering_id ?? one.offering) === one.offering &&
    (filters.investor_id ?? one.investor) === one.investor
  if (!passes || (feed && who.kind === 'union' && !edits.has(one.company))) return null
  if (who.kind !== 'company' && who.user === one.investor) return 'whole'
  const isTheirs = who.kind === 'company' ? who.company === one.company : who.kind === 'union' && edits.has(one.company)
  if (!isTheirs || !one.visible) return null
  return pii ? 'whole' : 'anonymous'
}

export type PublishedRow = Placed & {
  readonly position: number
  readonly body: string
  readonly identity: string
  /**
   * The `observed_at` for readers without identity: the time of the last change that these readers can see. Null if the
   * time is the same for all readers.
   */
  readonly open_observed_at: string | null
}

/** The ledger at one moment, and the reader's access at that moment. */
export type Snapshot = {
  readonly now: string
  readonly heads: ReadonlyMap<string, PublishedRow>
  readonly edits: ReadonlySet<Company>
  /** A text that changes with the reader's access. After `/` is the number of access changes that are not yet published. */
  readonly access: string
}

const SNAPSHOT = `
  select to_char(world_now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now,
    (select coalesce(json_agg(json_build_object('id', investment_id, 'company', company_id, 'offering', offering_id,
       'investor', investor_id, 'visible', visible, 'position', position, 'body', body, 'identity', identity,
       'open_observed_at', to_char(open_observed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))), '[]')
       from ledger_heads) as heads,
    (select coalesce(json_agg(distinct company_id), '[]') from company_people
      where user_id = $1 and ended_at is null and role in ('founder', 'admin', 'editor')) as edits,
    (select coalesce(max(changed_position), 0) from company_people where user_id = $1) || '/' ||
    (select count(*) from investment_changes where kind = 'access' and id = $1) as access`

type SnapshotRow = { now: string; heads: PublishedRow[]; edits: Company[]; access: string }

export async function takeSnapshot(db: TestDatabase, { who }: View): Promise<Snapshot> {
  const text = SNAPSHOT.replaceAll(/\b(ledger_heads|company_people|investment_changes|world_now)\b/g, 'test.$1')
  const [row] = await db.sql<SnapshotRow>(text, [who.kind === 'company' ? null : who.user])
  if (row === undefined) throw new Error('a snapshot must be one row')
  return {
    now: row.now,
    heads: new Map(row.heads.map((head) => [head.id, head])),
    edits: new Set(row.edits),
    access: row.access,
  }
}

function publishedText({ body, identity, open_observed_at }: PublishedRow, shown: 'whole' | 'anonymous'): CopiedRecord {
  if (shown === 'whole') return JSON.parse(`${body}${identity}}`)
  const record: CopiedRecord = JSON.parse(`${body}}}`)
  return open_observed_at === null ? record : { ...record, observed_at: open_observed_at }
}

/**
 * Compares a reader's copy with the ledger before and after its sync. A state that was published before the sync and is
 * unchanged after it must be in the copy. Returns the differences. If the reader's access changed, nothing is compared.
 */
export function differencesBetween(
  before: Snapshot,
  after: Snapshot,
  { view, held }: { view: View; held: RecordCopy },
): string[] {
  if (before.access !== after.access || !before.access.endsWith('/0')) return []
  return [...before.heads.values()].flatMap((head) => {
    if (after.heads.get(head.id)?.position !== head.position) return []
    const shown = visibleRecord(view, before.edits, head)
    return difference(head.id, shown === null ? undefined : publishedText(head, shown), held.get(head.id))
  })
}

export function difference(id: string, expected: object | undefined, held: object | undefined): string[] {
  if (isDeepStrictEqual(expected, held)) return []
  return [
    `${id}: the copy has ${JSON.stringify(held) ?? 'no record'}, expected ${JSON.stringify(expected) ?? 'no record'}`,
  ]
}

/** The data of the expected record, from the tables of facts alone. */
export type FactRow = Placed & {
  readonly status: string
  readonly shares: string | null
  readonly amount: number
  /**
   * The amount in escrow. A canceled record has 0 here, and its amount in `refund_due`. The money of a converted record
   * belongs to its successor.
   */
  readonly in_escrow: number
  readonly refund_due: number | null
  readonly converted_to: string | null
  readonly converted_from: string | null
  readonly deactivated: boolean
  readonly name: string | null
  readonly email: string | null
  readonly message: string | null
}

const FACTS = `
  select i.id, i.company_id as company, i.offering_id as offering, i.investor_id as investor, i.status,
         not i.hidden and i.status in ('active', 'reserved', 'executed') as visible, trim_scale(i.shares)::text as shares,
         coalesce(i.amount_cents, 0)::float8 as amount, i.converted_to,
         (select p.id from test.investments p where p.converted_to = i.id) as converted_from,
         case when i.status = 'canceled' or i.converted_to is not null then 0 else i.in_escrow_cents end::float8 as in_escrow,
         case when i.status = 'canceled' then i.in_escrow_cents end::float8 as refund_due, u.deactivated_at is not null as deactivated, u.name,
         u.email, i.message
    from test.investments i join test.users u on u.id = i.investor_id`

export async function readTruth(db: TestDatabase): Promise<FactRow[]> {
  return db.sql<FactRow>(FACTS)
}

/** Returns the word that a new derivation adds to every second record. */
export function derivedWord(id: string, version: number): string | null {
  return version > DERIVATION.version && id.charCodeAt(id.length - 1) % 2 === 0 ? `derived by ${version}` : null
}

/** Returns the part of a record that follows directly from the tables, read from the tables. */
export function summaryOfFacts(fact: FactRow, shown: 'whole' | 'anonymous', version: number): object {
  const { deactivated } = fact
  return {
    ...{ id: fact.id, visible: fact.visible, status: fact.status, company: fact.company, offering: fact.offering },
    ...{ shares: fact.shares, committed: fact.amount, converted_to: fact.converted_to },
    ...{ converted_from: fact.converted_from },
    ...{ in_escrow: fact.in_escrow, refund_due: fact.refund_due },
    ...{ investor: fact.investor, deactivated, word: derivedWord(fact.id, version) },
    ...(shown === 'anonymous'
      ? {}
      : {
          name: deactivated ? '[deleted user]' : fact.name,
          email: deactivated ? null : fact.email,
          message: deactivated ? null : fact.message,
        }),
  }
}

type Shape = {
  readonly [field: string]: unknown
  readonly amounts: {
    readonly committed_cents: number
    readonly in_escrow_cents: number
    readonly refund_due_cents?: number
  }
  readonly investor: { readonly [field: string]: unknown }
}

/** Returns the same part of a record as `summaryOfFacts`, read from the reader's copy. */
export function summaryOfHeld(held: CopiedRecord): object {
  const { id, visible, status, company, offering, shares, amounts, converted_to, converted_from } =
    held as CopiedRecord & Shape
  const { investor, derivation, message } = held as CopiedRecord & Shape
  return {
    ...{ id, visible, status, company, offering, shares, committed: amounts.committed_cents, converted_to },
    ...{ converted_from },
    ...{ in_escrow: amounts.in_escrow_cents, refund_due: amounts.refund_due_cents ?? null },
    ...{ investor: investor['id'], deactivated: investor['deactivated'], word: derivation ?? null },
    ...('name' in investor ? { name: investor['name'], email: investor['email'], message } : {}),
  }
}
