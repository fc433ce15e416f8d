import { ERASED_PERSON } from '#events/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Contract, InvestmentState } from '#market/investments/index.ts'
import type { Exemption, SecurityType } from '#market/offerings/index.ts'
import { type Blocker, blockersOf, type Group, groupOf } from './blockers.ts'
import { type Amounts, amountsOf, type Facts, isVisible, needsWhitelisting } from './facts.ts'

/**
 * The part that every reader of the record sees. `investor` is the last field, so that its identity fields can be
 * appended to the JSON text of this part.
 */
export type OpenPart = {
  readonly status: InvestmentState
  readonly group: Group
  readonly converted_to: Id<'investment'> | null
  readonly converted_from: Id<'investment'> | null
  readonly offering: Id<'offering'>
  readonly company: Id<'company'>
  readonly investment_type?: string
  readonly offering_type: string
  readonly applied_at: WorldTime
  readonly amounts: Amounts
  readonly shares: string | null
  readonly average_share_price: string | null
  readonly needs_whitelisting: boolean
  readonly blockers: readonly Blocker[]
  readonly contracts: readonly Contract[]
  readonly investor: { readonly id: Id<'user'>; readonly deactivated: boolean; readonly via_entity: boolean }
}

export type InvestmentRecord = {
  readonly id: Id<'investment'>
  /** Whether the company sees the record. */
  readonly visible: boolean
  readonly open: OpenPart
  readonly identity: Identity
}

/**
 * Derives a record from facts. `derive` is pure and reads no clock. If a record must change only because time passes, a
 * worker must write that change to the facts.
 */
export type Derivation = {
  /**
   * Increase the version when a change of the code makes `derive` return another result for the same facts: the ledger
   * then derives all records again.
   */
  readonly version: number
  derive(facts: Facts): InvestmentRecord
}

export const DERIVATION: Derivation = { version: 2, derive: deriveRecord }

function deriveRecord(facts: Facts): InvestmentRecord {
  return { id: facts.id, visible: isVisible(facts), open: openPart(facts), identity: identityOf(facts) }
}

function openPart(facts: Facts): OpenPart {
  const type = investmentType(facts)
  return {
    status: facts.status,
    group: groupOf(facts),
    converted_to: facts.converted_to,
    converted_from: facts.converted_from,
    offering: facts.offering,
    company: facts.company,
    ...(type === undefined ? {} : { investment_type: type }),
    offering_type: offeringType(facts),
    applied_at: facts.applied_at,
    amounts: amountsOf(facts),
    shares: facts.shares,
    average_share_price: facts.average_share_price,
    needs_whitelisting: needsWhitelisting(facts),
    blockers: blockersOf(facts),
    contracts: facts.contracts.map(({ name, override_amount_cents, early_bird }) => ({
      name,
      override_amount_cents,
      early_bird,
    })),
    investor: { id: facts.investor, deactivated: facts.deactivated, via_entity: facts.entity_name !== null },
  }
}

const INVESTMENT_TYPES: Readonly<Record<SecurityType, string>> = {
  safe: 'SAFE',
  equity: 'Equity',
  convertible_note: 'Convertible Note',
  revenue_share: 'Revenue Share',
  debt: 'Debt',
  fund: 'Fund',
  other: 'Other',
}

const OFFERING_TYPES: Readonly<Record<Exemption, string>> = {
  reg_cf: 'Reg CF',
  reg_d_506b: 'Reg D 506(b)',
  reg_d_506c: 'Reg D 506(c)',
  reg_a: 'Reg A',
  reg_s: 'Reg S',
  ecsp: 'ECSP',
}

/** The security that the offering sells or, while it tests the waters, intends to sell; undefined if it has neither. */
function investmentType({ security_type, intended_security_type }: Facts): string | undefined {
  const type = security_type ?? intended_security_type
  return type === null ? undefined : INVESTMENT_TYPES[type]
}

function offeringType({ exemption }: Facts): string {
  return OFFERING_TYPES[exemption]
}

type PostalAddress = {
  readonly line?: string | undefined
  readonly city?: string | undefined
  readonly state?: string | undefined
  readonly postal_code?: string | undefined
  readonly country?: string | undefined
}

/**
 * Fields that only the investor and holders of read:investors:pii see. An unknown value is null where the API's schema
 * allows null, and absent elsewhere.
 */
type Identity = {
  readonly investor: {
    readonly name: string
    readonly legal_name?: string
    readonly email: string | null
    readonly address?: PostalAddress
    readonly bio: string | null
  }
  readonly external_username: string | null
  readonly message: string | null
}

/** "A deactivated investor: name and legal_name `[deleted user]`, the rest null, address absent." */
const ERASED: Identity = {
  investor: { name: ERASED_PERSON.name, legal_name: ERASED_PERSON.name, email: null, bio: null },
  external_username: null,
  message: null,
}

/** An investor who invests through an entity signs for the entity, so `legal_name` is then the entity's name. */
function identityOf(facts: Facts): Identity {
  if (facts.deactivated || facts.name === null) return ERASED
  const legalName = facts.entity_name ?? facts.legal_name
  const address = addressOf(facts)
  return {
    investor: {
      name: facts.name,
      ...(legalName === null ? {} : { legal_name: legalName }),
      email: facts.email,
      ...(address === null ? {} : { address }),
      bio: facts.bio,
    },
    external_username: facts.external_username,
    message: facts.message,
  }
}

function addressOf({ address }: Facts): PostalAddress | null {
  if (address === null) return null
  const { line1, line2, city, state, postal_code, country } = address
  const line = [line1, line2].filter((part) => part !== undefined).join(', ')
  // JSON.stringify leaves out undefined fields.
  return { line: line === '' ? undefined : line, city, state, postal_code, country }
}

/**
 * A record as unfinished JSON text, so that a page is assembled without parsing: `body` ends inside the investor
 * object, where the identity can follow. With identity the record is `${body}${identity}}`, without it `${body}}}`.
 * `cursor` and `reason` go before the last brace.
 */
export type OpenText = { readonly body: string; readonly identity: string }

export function renderRecord({ id, visible, open, identity }: InvestmentRecord, observedAt: WorldTime): OpenText {
  const start = `{"id":"${id}","visible":${visible},"observed_at":"${observedAt}",`
  return {
    body: start + withoutEnds(JSON.stringify(open), 2),
    identity: `,${JSON.stringify(identity.investor).slice(1)},${renderRest(identity)}`,
  }
}

function renderRest({ external_username, message }: InvestmentRecord['identity']): string {
  return withoutEnds(JSON.stringify({ external_username, message }), 1)
}

/** Removes the opening brace, and as many closing braces as `closing` says. */
function withoutEnds(json: string, closing: number): string {
  return json.slice(1, -closing)
}

/** The field after `observed_at`. */
const AFTER_TIME = '"status":'

/** Whether two texts show the same record, apart from `observed_at`. */
export function isSameRecord(a: OpenText, b: OpenText): boolean {
  return a.identity === b.identity && isSameOpenPart(a, b)
}

/** Like `isSameRecord`, for a reader who may not see the investor's identity. */
export function isSameOpenPart(a: OpenText, b: OpenText): boolean {
  return saysVisible(a) === saysVisible(b) && withoutTime(a) === withoutTime(b)
}

function withoutTime({ body }: OpenText): string {
  return body.slice(body.indexOf(AFTER_TIME))
}

function saysVisible({ body }: OpenText): boolean {
  return body.slice(0, body.indexOf(AFTER_TIME)).includes('"visible":true')
}

/**
 * Returns the names of the "top-level record fields that differ from the last published copy", or of all fields if no
 * copy was published. The id never changes, and `observed_at` is not compared.
 */
export function changedFields(before: OpenText | null, after: InvestmentRecord): string[] {
  const now = fieldsOf(after)
  if (before === null) return Object.keys(now)
  const { id: _, observed_at: __, ...old } = JSON.parse(`${before.body}${before.identity}}`) as Fields
  const gone = Object.keys(old).filter((name) => !(name in now))
  return [...Object.keys(now), ...gone].filter((name) => !isSame(old[name], now[name]))
}

type Fields = Readonly<Record<string, unknown>>

/** The fields in the form of the record's text, where the identity fields of the investor are part of `investor`. */
function fieldsOf({ visible, open, identity }: InvestmentRecord): Fields {
  return { visible, ...open, ...identity, investor: { ...open.investor, ...identity.investor } }
}

/**
 * Compares objects by their JSON text. `derive` writes the keys of both in one order, so equal objects have equal text.
 */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))
}
