import { deactivateUser } from '#access/people/index.ts'
import { eraseFromEvents, type Forgotten, type Occasion } from '#events/index.ts'
import { validationError } from '#kernel/errors.ts'
import type { Cents } from '#kernel/money.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Which } from './investment.ts'
import { lockInvestmentAndTotals } from './perform-move.ts'
import { eraseInvestor, isDeactivated, writeDetails } from './store.ts'

export type Contract = {
  readonly name: string | null
  readonly override_amount_cents: Cents | null
  readonly early_bird: boolean
}

/** Decimal strings, together or not at all. */
export type Shares = { readonly count: string; readonly average_price: string }

export type Details = {
  /** The entity through which the investor invests; null when they do so themselves. */
  readonly entity_name?: string | null
  readonly message?: string | null
  readonly external_username?: string | null
  readonly contracts?: readonly Contract[]
  readonly shares?: Shares | null
}

/** What a deactivated investor must not get back. */
const PERSONAL = ['entity_name', 'message', 'external_username'] as const

/**
 * Changes the fields given and no others. Holds the investor's totals while it asks whether the investor was
 * deactivated, as the deactivation does while it erases: neither can overlook the other.
 */
export async function changeDetails(
  tx: Tx,
  { id, shares, ...fields }: Which & Details,
  _occasion: Occasion,
): Promise<void> {
  const { investor } = await lockInvestmentAndTotals(tx, id)
  const personal = PERSONAL.filter((field) => (fields[field] ?? null) !== null)
  if (personal.length > 0 && (await isDeactivated(tx, investor))) {
    const message = 'says something of an investor who was deactivated'
    throw validationError(personal.map((field) => ({ field, code: 'deactivated', message })))
  }
  await writeDetails(tx, id, { ...fields, ...(shares === undefined ? {} : sharesColumns(shares)) })
}

function sharesColumns(shares: Shares | null) {
  return { shares: shares?.count ?? null, average_share_price: shares?.average_price ?? null }
}

/**
 * Takes the person out of the user, the investments and every event that names them; the investments themselves stay,
 * and so do their amounts. False when it was done before.
 *
 * The user's row is locked first, which stops new investments, then all they have, which waits for moves under way:
 * after that no event with their name can come into being.
 */
export async function deactivateInvestor(tx: Tx, person: Forgotten, occasion: Occasion): Promise<boolean> {
  const deactivated = await deactivateUser(tx, person.id, occasion)
  if (!deactivated) return false
  await eraseInvestor(tx, person.id)
  await eraseFromEvents(tx, person)
  return true
}
