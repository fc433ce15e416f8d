import type { EventNameOf } from '#events/index.ts'
import type { StateMachine } from '#kernel/state-machine.ts'

/**
 * from                     move     to        event              also
 * (none)                   create   upcoming  (none)
 * upcoming                 open     open      offering.opened
 * open                     closing  closing   offering.closing
 * closing                  close    closed    offering.closed
 * upcoming, open, closing  cancel   canceled  offering.canceled  its active and reserved investments are canceled
 *
 * The specification does not say from which state each move starts; its conditions give the order: "accepting investments",
 * then "stopped accepting investments; funds awaiting disbursement", then "funds disbursed; raise complete". Disbursed funds
 * cannot be refunded, so a closed offering cannot be canceled. Until an offering is closed, "investments refunded" is
 * possible. Each canceled investment moves by the table of investments (investment-states.ts) and sends its own
 * investment.canceled.
 */
export const OFFERING_STATES = ['upcoming', 'open', 'closing', 'closed', 'canceled'] as const
export type OfferingState = (typeof OFFERING_STATES)[number]

export type OfferingMove = 'create' | 'open' | 'closing' | 'close' | 'cancel'

/** The module `investments` makes this change, because this module must not import that module. */
export type OfferingAlso = 'cancel_active_and_reserved_investments'

type Event = EventNameOf<'offering'>

const cancel = {
  to: 'canceled',
  events: ['offering.canceled'],
  also: ['cancel_active_and_reserved_investments'],
} as const

export const OFFERING_MACHINE: StateMachine<OfferingState, OfferingMove, Event, OfferingAlso> = {
  noun: 'offering',
  table: {
    none: { create: { to: 'upcoming', events: [] } },
    upcoming: { open: { to: 'open', events: ['offering.opened'] }, cancel },
    open: { closing: { to: 'closing', events: ['offering.closing'] }, cancel },
    closing: { close: { to: 'closed', events: ['offering.closed'] }, cancel },
    closed: {},
    canceled: {},
  },
}
