import { type Static, Type } from 'typebox'
import { exactly, nullable, oneOf } from '#http/schema-fields.ts'
import { worldTime } from '#kernel/clock.ts'
import type { WholeUnits } from '#kernel/money.ts'
import { Committed, fakeId, idOrExample, Microseconds, Timestamp } from './fields.ts'

export const InvestorTotals = Type.Object(
  {
    active_investment_count: Type.Integer({ minimum: 0 }),
    total_committed: Type.Unsafe<WholeUnits>(Type.Integer({ minimum: 0, description: 'Whole units; 0, never null.' })),
    latest_applied_at: nullable(Timestamp),
    investor_status: oneOf(['active', 'none_active']),
  },
  {
    title: 'InvestorTotals',
    description: 'The investor’s totals over the company’s offerings of the same raise, at the moment of the event.',
    additionalProperties: false,
  },
)

/** The fields of "every investment event's data", without those whose form differs between events. */
const every = {
  id: idOrExample('investment'),
  offering: idOrExample('offering'),
  investor: exactly({
    id: idOrExample('user'),
    name: Type.String(),
    email: Type.Optional(Type.String({ description: 'Only for a company’s installation with read:investors:pii.' })),
  }),
  /** "Company-installed apps only; not sent to user-connected apps." */
  investor_totals: Type.Optional(InvestorTotals),
}
const amounts = exactly({ committed: Committed })
const occurred = { occurred_at: Microseconds }

export const INVESTMENT_DATA = {
  'investment.created': exactly({ ...every, status: oneOf(['active', 'reserved']), amounts, ...occurred }),
  'investment.reinstated': exactly({ ...every, status: oneOf(['active', 'reserved']), amounts, ...occurred }),
  'investment.canceled': exactly({
    ...every,
    status: oneOf(['canceled']),
    /** "Null only on an investment.canceled caused by editing the amount to zero." */
    amounts: exactly({ committed: nullable(Committed) }),
    canceled_at: Timestamp,
    ...occurred,
  }),
  'investment.converted': exactly({
    ...every,
    status: oneOf(['converted']),
    amounts,
    /** "inv_ or null if unresolved" */
    converted_to: nullable(idOrExample('investment')),
    ...occurred,
  }),
  'investment.amount_changed': exactly({
    ...every,
    status: oneOf(['active', 'reserved', 'executed']),
    amounts,
    /** "Never null." */
    previous_amounts: exactly({ committed: Committed }),
    ...occurred,
  }),
  /** "occurred_at: present on every investment event except investment.executed". */
  'investment.executed': exactly({ ...every, status: oneOf(['executed']), amounts }),
}

type Data = { [N in keyof typeof INVESTMENT_DATA]: Static<(typeof INVESTMENT_DATA)[N]> }

const occurred_at = worldTime('2026-01-15T12:00:00.123456Z')
const units = (amount: number) => ({ committed: amount as WholeUnits })
const record = {
  id: fakeId('investment'),
  offering: fakeId('offering'),
  amounts: units(250),
  investor: { id: fakeId('user'), name: 'Example Investor', email: 'investor@example.com' },
}
const totals = (count: number, amount: number): Static<typeof InvestorTotals> => ({
  active_investment_count: count,
  total_committed: amount as WholeUnits,
  latest_applied_at: count === 0 ? null : '2026-01-15T11:58:00Z',
  investor_status: count === 0 ? 'none_active' : 'active',
})
const remains = { ...record, investor_totals: totals(1, 250) }
const gone = { ...record, investor_totals: totals(0, 0) }

/** "Test events carry 250 (and 500 / 250 for investment.amount_changed)." */
export const INVESTMENT_EXAMPLES: Data = {
  'investment.created': { ...remains, status: 'active', occurred_at },
  'investment.reinstated': { ...remains, status: 'active', occurred_at },
  'investment.canceled': { ...gone, status: 'canceled', canceled_at: occurred_at, occurred_at },
  'investment.converted': { ...gone, status: 'converted', converted_to: null, occurred_at },
  'investment.amount_changed': {
    ...record,
    status: 'active',
    amounts: units(500),
    previous_amounts: units(250),
    investor_totals: totals(1, 500),
    occurred_at,
  },
  'investment.executed': { ...remains, status: 'executed' },
}
