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
  receivePayment,
  recordInvestment,
  reinstate,
  setCheck,
  unhideInvestment,
} from '#modules/investments/index.ts'
import { useLink } from '#modules/invites/index.ts'
import { creditInvestment } from '#modules/referrals/index.ts'
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

const Successor = Exactly({ to: Type.Optional(IdOf('investment')) }, 'SandboxConversion')

export function investmentRoutes({ reinstatementGraceDays: graceDays, referrals }: SandboxSettings): Route[] {
  return [
    playRoute({
      operation: operationOf('investment', 'create'),
      path: '/investments',
      summary: 'Invest in an open offering; a reservation where it tests the waters',
      body: NewInvestment,
      record: Investment,
      status: 201,
      play: async (tx, { body: { invite_link: link, ref, ...wanted } }, occasion) => {
        const investment = await recordInvestment(tx, { id: newId('investment'), ...wanted }, occasion)
        if (link !== undefined) await useLink(tx, { link, investment }, occasion)
        const referral = ref === undefined ? undefined : { code: ref }
        await creditInvestment(tx, { id: investment, referral }, { occasion, settings: referrals })
        return showInvestment(tx, investment)
      },
    }),
    ...moves(
      { of: 'investment', plural: 'investments', record: Investment, show: showInvestment },
      {
        pay: step('Have the whole amount arrive in escrow', receivePayment),
        verify_identity: step('Have the investor’s identity verified', (tx, { id }, occasion) =>
          setCheck(tx, { id, check: 'identity', state: 'passed' }, occasion),
        ),
        sign: step('Have the investor sign', (tx, { id }, occasion) =>
          setCheck(tx, { id, check: 'signature', state: 'passed' }, occasion),
        ),
        confirm: step('Confirm: from now on it counts toward the raise', confirmInvestment),
        change_amount: stepWith('Change the amount; to zero it is a cancellation', NewAmount, changeAmount),
        cancel: step('Cancel an investment or a reservation', cancelInvestment),
        reinstate: step('Reinstate what was canceled, within the grace period', (tx, { id }, occasion) =>
          reinstate(tx, { id, graceDays }, occasion),
        ),
        execute: step('Execute the contracts and release the funds', executeInvestment),
        convert: stepWith(
          'Convert into a successor, or into one that is not known yet',
          Successor,
          (tx, { id, to }, at) => convertInvestment(tx, { id, to: to ?? null }, at),
        ),
        hide: step('Hide from the company', hideInvestment),
        unhide: step('Show to the company again', unhideInvestment),
      },
    ),
  ]
}
