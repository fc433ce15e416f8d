import { Type } from 'typebox'
import type { Route } from '#http/route.ts'
import { newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import {
  cancelInvestment,
  changeAmount,
  confirmInvestment,
  convertInvestment,
  executeInvestment,
  hideInvestment,
  moveToOffering,
  receivePayment,
  recordInvestment,
  refundPayment,
  reinstate,
  setCheck,
  unhideInvestment,
} from '#modules/investments/index.ts'
import { useLink } from '#modules/invites/index.ts'
import { carryCredit, creditInvestment } from '#modules/referrals/index.ts'
import { AmountCents, Exactly, IdOf } from './fields.ts'
import { Investment, showInvestment } from './investment-record.ts'
import { moves, operationOf, step, stepWith } from './moves.ts'
import { playRoute } from './play-route.ts'
import { ReferralCode } from './referral-routes.ts'
import type { SandboxSettings } from './settings.ts'

const NewInvestment = Exactly(
  {
    offering: IdOf('offering'),
    investor: IdOf('user'),
    amount_cents: AmountCents,
    invite_link: Type.Optional(IdOf('inviteLink')),
    ref: Type.Optional(ReferralCode),
  },
  'SandboxNewInvestment',
)

const NewAmount = Exactly(
  {
    amount_cents: Type.Unsafe<Cents>(
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, multipleOf: 100, description: 'Zero cancels.' }),
    ),
  },
  'SandboxNewAmount',
)

const Relocation = Exactly(
  { offering: IdOf('offering'), successor: Type.Optional(IdOf('investment')) },
  'SandboxRelocation',
)

const Successor = Exactly({ to: Type.Optional(IdOf('investment')) }, 'SandboxConversion')

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
      { of: 'investment', plural: 'investments', record: Investment, show: showInvestment },
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
            summary: 'Change an investment’s amount',
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
            description: 'Converts an investment into a successor. The successor may be unknown as yet.',
          },
          Successor,
          (tx, { id, to }, at) => convertInvestment(tx, { id, to: to ?? null }, at),
        ),
        move: stepWith(
          {
            summary: 'Move an investment',
            description:
              'Converts an investment into a successor in another offering, which keeps status, payments and attribution.',
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
