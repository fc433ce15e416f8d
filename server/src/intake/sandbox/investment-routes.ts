import { Type } from 'typebox'
import { useLink } from '#hosted/invites/index.ts'
import type { Route } from '#http/route.ts'
import { AmountCents, exactly, idOf, nullable, oneOf } from '#http/schema-fields.ts'
import { UnknownReference } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import {
  CHECK_STATES,
  cancelInvestment,
  changeAmount,
  confirmInvestment,
  convertInvestment,
  executeInvestment,
  hideInvestment,
  INVESTMENT_STATES,
  moveToOffering,
  type PaymentState,
  readInvestment,
  receivePayment,
  recordInvestment,
  refundPayment,
  reinstate,
  setCheck,
  unhideInvestment,
} from '#market/investments/index.ts'
import {
  CODE_CHARS,
  CODE_PATTERN,
  carryCredit,
  creditInvestment,
  type ReferralSettings,
  recordVisit,
} from '#referrals/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { MOVE_ACCESS, moves, operationOf, playRoute, type SandboxSettings, step, stepWith } from './play-route.ts'
import { showUser, Time, User } from './records.ts'

/** The referral code of a link. An unknown code has no effect. */
const ReferralCode = Type.String({
  minLength: CODE_CHARS.min,
  maxLength: CODE_CHARS.max,
  pattern: CODE_PATTERN,
  description: 'A referral code.',
})

const Visit = exactly({ company: idOf('company'), ref: ReferralCode }, 'SandboxVisit')

export function referralRoutes(settings: ReferralSettings): Route[] {
  return moves(
    { of: 'user', plural: 'users', access: MOVE_ACCESS.person, record: User, show: showUser },
    {
      visit: stepWith(
        {
          summary: 'Visit with a referral code',
          description: 'A person follows a link with a referral code to a company’s page.',
        },
        Visit,
        (tx, { id: user, company, ref: code }, { occurredAt: clickedAt }) =>
          recordVisit(tx, { user, company, code, clickedAt }, settings),
      ),
    },
  )
}

const NewInvestment = exactly(
  {
    offering: idOf('offering'),
    investor: idOf('user'),
    amount_cents: AmountCents,
    invite_link: Type.Optional(idOf('inviteLink')),
    ref: Type.Optional(ReferralCode),
  },
  'SandboxNewInvestment',
)

const NewAmount = exactly(
  {
    amount_cents: Type.Unsafe<Cents>(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        multipleOf: 100,
        description: 'Zero cancels the investment.',
      }),
    ),
  },
  'SandboxNewAmount',
)

const Relocation = exactly(
  { offering: idOf('offering'), successor: Type.Optional(idOf('investment')) },
  'SandboxRelocation',
)

const Successor = exactly({ to: Type.Optional(idOf('investment')) }, 'SandboxConversion')

export function investmentRoutes({ reinstatementGraceDays: graceDays, referrals }: SandboxSettings): Route[] {
  return [
    playRoute({
      operation: operationOf('investment', 'create'),
      path: '/investments',
      summary: 'Create an investment',
      description:
        'Invests in an open offering of the test world. While the offering tests the waters, this makes a reservation.',
      body: NewInvestment,
      record: Investment,
      access: MOVE_ACCESS.person,
      status: 201,
      play: async (tx, { body: { invite_link: link, ref, ...wanted } }, occasion) => {
        const investment = await recordInvestment(tx, { id: newId('investment'), ...wanted }, occasion)
        if (link !== undefined) await useLink(tx, { link, investment, limited: true }, occasion)
        const referral = ref === undefined ? undefined : { code: ref }
        await creditInvestment(tx, { id: investment, referral }, { occasion, settings: referrals })
        return showInvestment(tx, investment)
      },
    }),
    ...moves(
      { of: 'investment', plural: 'investments', access: MOVE_ACCESS.person, record: Investment, show: showInvestment },
      {
        pay: step({ summary: 'Pay an investment', description: 'The whole amount arrives in escrow.' }, receivePayment),
        refund: step(
          { summary: 'Refund an investment', description: 'The money goes back to the investor.' },
          refundPayment,
        ),
        verify_identity: step(
          { summary: 'Verify the investor’s identity', description: 'The investor passes the identity check.' },
          (tx, { id }, occasion) => setCheck(tx, { id, check: 'identity', state: 'passed' }, occasion),
        ),
        sign: step(
          { summary: 'Sign an investment', description: 'The investor signs the contract.' },
          (tx, { id }, occasion) => setCheck(tx, { id, check: 'signature', state: 'passed' }, occasion),
        ),
        confirm: step(
          {
            summary: 'Confirm an investment',
            description: 'Confirms an investment. From now on it counts toward the raise.',
          },
          confirmInvestment,
        ),
        change_amount: stepWith(
          {
            summary: 'Update an investment’s amount',
            description: 'Changes the amount of an investment. An amount of zero cancels it.',
          },
          NewAmount,
          changeAmount,
        ),
        cancel: step(
          { summary: 'Cancel an investment', description: 'Cancels an investment or a reservation.' },
          cancelInvestment,
        ),
        reinstate: step(
          {
            summary: 'Reinstate an investment',
            description: 'Reinstates a canceled investment or reservation within the grace period.',
          },
          (tx, { id }, occasion) => reinstate(tx, { id, graceDays }, occasion),
        ),
        execute: step(
          {
            summary: 'Execute an investment',
            description: 'Executes the contracts and releases the funds to the company.',
          },
          executeInvestment,
        ),
        convert: stepWith(
          {
            summary: 'Convert an investment',
            description: 'Converts an investment into a successor, which may still be unknown.',
          },
          Successor,
          (tx, { id, to }, at) => convertInvestment(tx, { id, to: to ?? null }, at),
        ),
        move: stepWith(
          {
            summary: 'Move an investment',
            description:
              'Converts an investment into a successor in another offering. The successor keeps the status, payments and attribution.',
          },
          Relocation,
          async (tx, wanted, occasion) => {
            const successor = await moveToOffering(tx, wanted, occasion)
            await carryCredit(tx, { from: wanted.id, to: successor })
          },
        ),
        hide: step(
          { summary: 'Hide an investment', description: 'Hides an investment from the company.' },
          hideInvestment,
        ),
        unhide: step(
          { summary: 'Unhide an investment', description: 'Shows a hidden investment to the company again.' },
          unhideInvestment,
        ),
      },
    ),
  ]
}

const Check = oneOf(CHECK_STATES)
const PAYMENT: readonly PaymentState[] = ['none', 'pending', 'received', 'failed', 'refunded']

/** A record without `attributes`, like the investment record in every version, but without identity fields. */
const Investment = exactly(
  {
    id: idOf('investment'),
    status: oneOf(INVESTMENT_STATES),
    offering: idOf('offering'),
    company: idOf('company'),
    investor: exactly({ id: idOf('user') }),
    amounts: exactly({
      committed_cents: Type.Integer(),
      in_escrow_cents: Type.Integer(),
      refund_due_cents: Type.Integer(),
      currency: Type.String(),
    }),
    applied_at: Time,
    confirmed_at: nullable(Time),
    executed_at: nullable(Time),
    canceled_at: nullable(Time),
    converted_at: nullable(Time),
    converted_to: nullable(idOf('investment')),
    converted_from: nullable(idOf('investment')),
    payment: oneOf(PAYMENT),
    identity: Check,
    accreditation: Check,
    signature: Check,
    review: Check,
    hidden: Type.Boolean(),
  },
  'SandboxInvestment',
)

/** The schema picks the returned fields. Amounts of a canceled investment are the same as in the published record. */
async function showInvestment(tx: Tx, id: Id<'investment'>) {
  const investment = await readInvestment(tx, id)
  if (investment === null) throw new UnknownReference('id', id)
  const { committed_cents, in_escrow_cents, currency } = investment.amounts
  const isCanceled = investment.status === 'canceled'
  const amounts = {
    committed_cents: committed_cents ?? 0,
    in_escrow_cents: isCanceled ? 0 : in_escrow_cents,
    refund_due_cents: isCanceled ? in_escrow_cents : 0,
    currency,
  }
  return { ...investment, amounts, investor: { id: investment.investor } }
}
