import type { Contract } from './client.ts'
import {
  currency,
  type Decoder,
  flag,
  freeForm,
  id,
  listOf,
  micros,
  nullable,
  object,
  oneOf,
  record,
  text,
  utc,
  whole,
} from './decode.ts'
import { INELIGIBLE, JOIN_STATUS } from './same-records.ts'

/** In every version, the sandbox returns the current record and the events that the request caused. */
const maybeTime = nullable(utc)
const maybeInvestment = nullable(id('inv_'))
const check = oneOf('not_required', 'required', 'pending', 'passed', 'failed')

const INVESTMENT = object({
  id: id('inv_'),
  status: oneOf('active', 'reserved', 'executed', 'canceled', 'converted'),
  offering: id('ofr_'),
  company: id('co_'),
  investor: object({ id: id('usr_') }),
  amounts: object({ committed_cents: whole, in_escrow_cents: whole, refund_due_cents: whole, currency }),
  applied_at: utc,
  confirmed_at: maybeTime,
  executed_at: maybeTime,
  canceled_at: maybeTime,
  converted_at: maybeTime,
  converted_to: maybeInvestment,
  converted_from: maybeInvestment,
  payment: oneOf('none', 'pending', 'received', 'failed', 'refunded'),
  identity: check,
  accreditation: check,
  signature: check,
  review: check,
  hidden: flag,
})
const SESSION = record(id('is_'), 'investment_session', {
  offering: id('ofr_'),
  status: oneOf('pending', 'in_progress', 'completed', 'abandoned', 'expired', 'canceled'),
  email: nullable(text),
  user: nullable(id('usr_')),
  currency,
  allocation_cents: nullable(whole),
  kyc_status: nullable(oneOf('pending', 'passed', 'failed')),
  funding_status: nullable(oneOf('pending', 'succeeded', 'card_declined', 'insufficient_funds')),
  investment: maybeInvestment,
  installation: nullable(id('inst_')),
  metadata: freeForm,
  created_at: utc,
  started_at: maybeTime,
  ended_at: maybeTime,
  expires_at: utc,
})
const JOIN = record(id('js_'), 'join_session', {
  syndicate: id('syn_'),
  status: JOIN_STATUS,
  ineligible_reason: INELIGIBLE,
  user: nullable(id('usr_')),
  membership: nullable(id('mem_')),
  installation: nullable(id('inst_')),
  metadata: freeForm,
  created_at: utc,
  expires_at: utc,
})
const MEMBERSHIP = record(id('mem_'), 'syndicate_member', {
  syndicate: id('syn_'),
  user: id('usr_'),
  status: oneOf(...['pending', 'approved', 'member', 'left', 'removed', 'payment_failed', 'declined', 'withdrawn']),
  approved_by: nullable(id('usr_')),
  invited_email: nullable(text),
  joined_at: maybeTime,
})
const INVITATION = object({
  syndicate: id('syn_'),
  email: text,
  name: text,
  user: nullable(id('usr_')),
  invited_by: object({ id: id('usr_'), name: text }),
  occurred_at: micros,
})
const OFFERING = record(id('ofr_'), 'offering', {
  company: id('co_'),
  status: oneOf('upcoming', 'open', 'closing', 'closed', 'canceled'),
  testing_the_waters: flag,
  currency,
  opens_at: maybeTime,
  closes_at: maybeTime,
  closed_at: maybeTime,
  canceled_at: maybeTime,
})
const USER = record(id('usr_'), 'user', { deactivated: flag })
const CLOCK = object({ now: utc, ahead: text, ahead_seconds: whole })

const meta = object({
  events: listOf(object({ id: id('evt_'), event: text, occurred_at: micros, data: freeForm })),
  event_count: whole,
})
const played = (data: Decoder) => object({ data, meta })

/** Operations are named after their move, such as `sandboxInvestmentPay`. A move that creates a record answers 201. */
function moves(noun: string, names: string, data: Decoder): Contract {
  return Object.fromEntries(
    names.split(' ').map((name) => {
      const made = name === 'Create' || (noun === 'Syndicate' && name !== 'Reinvite')
      return [`sandbox${noun}${name}`, { status: made ? 201 : 200, body: played(data) }]
    }),
  )
}

export const SANDBOX: Contract = {
  readSandboxClock: { status: 200, body: object({ data: CLOCK }) },
  advanceSandboxClock: { status: 200, body: played(CLOCK) },
  ...moves('Investment', 'Create Pay Refund VerifyIdentity Sign Confirm ChangeAmount Cancel Reinstate', INVESTMENT),
  ...moves('Investment', 'Execute Convert Move Hide Unhide', INVESTMENT),
  ...moves('InvestmentSession', 'Create Start Complete Abandon Resume Expire Cancel', SESSION),
  ...moves('JoinSession', 'Create SignIn AwaitApproval Complete Reject MarkIneligible Cancel Expire', JOIN),
  ...moves('Membership', 'Approve Join Leave Remove FailPayment Decline Withdraw', MEMBERSHIP),
  ...moves('Syndicate', 'Apply Join', MEMBERSHIP),
  ...moves('Syndicate', 'Invite Reinvite', INVITATION),
  ...moves('Offering', 'Open Closing Close Cancel', OFFERING),
  ...moves('User', 'Visit Deactivate', USER),
}
