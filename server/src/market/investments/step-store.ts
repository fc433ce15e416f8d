import { investmentsChanged } from '#events/changes/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { Tx } from '#system/postgres/database.ts'
import { gatheredStatement, statement, withCallers } from '#system/postgres/statement.ts'
import type { Check, CheckState, PaymentState } from './investment.ts'
import type { InvestmentState } from './investment-states.ts'

/**
 * What changes an investment without moving it: one statement each, which finds no row where the step is impossible.
 * Each adds its own row to the ledger's to-do list.
 */
type Touched = { readonly id: Id<'investment'> }

const touching = (update: string) =>
  `with touched as (${update} returning id)
   ${investmentsChanged('touched')} returning id`

const touchingMany = (all: string, update: string) =>
  `${all},
   touched as (${update} returning i.id),
   changes as (${investmentsChanged('touched')})
   select caller.at::int, id from caller join touched using (id)`

const SET_PAYMENT = gatheredStatement<Touched>(
  'investments.set_payment',
  touching(
    `update investments
     set payment_state = $2::text,
         in_escrow_cents = case $2 when 'pending' then in_escrow_cents
                                   when 'received' then coalesce($3, last_amount_cents)
                                   else 0 end
     where id = $1 and status = any($4)`,
  ),
  touchingMany(
    withCallers('id text', 'state text', 'cents bigint'),
    `update investments i
     set payment_state = state,
         in_escrow_cents = case state when 'pending' then in_escrow_cents
                                      when 'received' then coalesce(cents, last_amount_cents)
                                      else 0 end
     from caller where i.id = caller.id and i.status = any($4)`,
  ),
)

export type Payment = { readonly state: PaymentState; readonly in_escrow_cents: Cents | null }

/** In escrow is what arrived, or the whole amount; what failed or was refunded is there no longer. */
export async function setPayment(
  tx: Tx,
  id: Id<'investment'>,
  { state, in_escrow_cents }: Payment,
  possible: readonly InvestmentState[],
): Promise<boolean> {
  return (await tx.maybeOne(SET_PAYMENT, [id, state, in_escrow_cents, possible])) !== null
}

const SET_CHECK = gatheredStatement<Touched>(
  'investments.set_check',
  touching(
    `update investments
     set identity_state = case $2::text when 'identity' then $3 else identity_state end,
         accreditation_state = case $2 when 'accreditation' then $3 else accreditation_state end,
         signature_state = case $2 when 'signature' then $3 else signature_state end,
         review_state = case $2 when 'review' then $3 else review_state end
     where id = $1`,
  ),
  touchingMany(
    withCallers('id text', 'checked text', 'state text'),
    `update investments i
     set identity_state = case checked when 'identity' then state else identity_state end,
         accreditation_state = case checked when 'accreditation' then state else accreditation_state end,
         signature_state = case checked when 'signature' then state else signature_state end,
         review_state = case checked when 'review' then state else review_state end
     from caller where i.id = caller.id`,
  ),
)

export async function setCheckState(tx: Tx, id: Id<'investment'>, check: Check, state: CheckState): Promise<boolean> {
  return (await tx.maybeOne(SET_CHECK, [id, check, state])) !== null
}

const CONFIRM = gatheredStatement<Touched>(
  'investments.confirm',
  touching('update investments set confirmed_at = $2 where id = $1 and confirmed_at is null and status = any($3)'),
  touchingMany(
    withCallers('id text', 'confirmed timestamptz'),
    `update investments i set confirmed_at = confirmed
     from caller where i.id = caller.id and i.confirmed_at is null and i.status = any($3)`,
  ),
)

export async function setConfirmed(
  tx: Tx,
  id: Id<'investment'>,
  at: WorldTime,
  possible: readonly InvestmentState[],
): Promise<boolean> {
  return (await tx.maybeOne(CONFIRM, [id, at, possible])) !== null
}

const SET_HIDDEN = statement<Touched>(
  'investments.set_hidden',
  touching('update investments set hidden = $2 where id = $1'),
)

export async function setHidden(tx: Tx, id: Id<'investment'>, hidden: boolean): Promise<boolean> {
  return (await tx.maybeOne(SET_HIDDEN, [id, hidden])) !== null
}
