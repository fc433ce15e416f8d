import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { describeTable, histories, play } from '#test/state-machine.ts'
import { OFFERING_MACHINE, OFFERING_STATES, type OfferingMove } from './offering-states.ts'

const MOVES: readonly OfferingMove[] = ['create', 'open', 'closing', 'close', 'cancel']
const canceled = '→ canceled [offering.canceled] cancel_active_and_reserved_investments'

describeTable(OFFERING_MACHINE, { states: OFFERING_STATES, moves: MOVES }, [
  'none create → upcoming []',
  'upcoming open → open [offering.opened]',
  'open closing → closing [offering.closing]',
  'closing close → closed [offering.closed]',
  `upcoming cancel ${canceled}`,
  `open cancel ${canceled}`,
  `closing cancel ${canceled}`,
])

describe('Offering events and conditions', () => {
  test('states: upcoming, open, closing, closed, canceled', () => {
    expect(OFFERING_STATES).toEqual(['upcoming', 'open', 'closing', 'closed', 'canceled'])
  })

  test('opened, closing and closed are sent in this order, each once; canceled is sent last and never after closed', () => {
    const order = ['offering.opened', 'offering.closing', 'offering.closed']
    fc.assert(
      fc.property(histories(MOVES), (tries) => {
        const events = play(OFFERING_MACHINE, tries).accepted.flatMap((step) => step.events)
        const lifecycle = events.filter((event) => event !== 'offering.canceled')
        expect(lifecycle).toEqual(order.slice(0, lifecycle.length))
        const at = events.indexOf('offering.canceled')
        if (at !== -1) expect(at).toBe(events.length - 1)
        if (at !== -1) expect(events).not.toContain('offering.closed')
      }),
    )
  })

  test('only the move that sends offering.canceled cancels the investments', () => {
    fc.assert(
      fc.property(histories(MOVES), (tries) => {
        for (const { events, also } of play(OFFERING_MACHINE, tries).accepted) {
          expect(also).toHaveLength(events.includes('offering.canceled') ? 1 : 0)
        }
      }),
    )
  })
})
