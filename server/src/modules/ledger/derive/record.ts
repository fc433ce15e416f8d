import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Contract, InvestmentState } from '#modules/investments/index.ts'
import { type Amounts, amountsOf, needsWhitelisting } from './amounts.ts'
import { type Blocker, blockersOf } from './blockers.ts'
import type { Facts } from './facts.ts'
import { type Group, groupOf } from './group.ts'
import { type Identity, identityOf } from './identity.ts'
import { isVisible } from './visible.ts'
import { investmentType, offeringType } from './words.ts'

/** What everybody sees who sees the record at all. The investor comes last: the text is left open there. */
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
  /** Whether the company sees it. */
  readonly visible: boolean
  readonly open: OpenPart
  readonly identity: Identity
}

/** A way from facts to a record. Pure, and without a clock: what changes by time alone is a fact that a worker writes. */
export type Derivation = {
  /** Whoever changes what `derive` gives for the same facts raises it, and the ledger goes through all records again. */
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
