import { type Static, Type } from 'typebox'
import { worldTime } from '#kernel/clock.ts'
import { exactly, fakeId, idOf, Microseconds, oneOf } from './fields.ts'

/** "It is thin and carries routing only": no amounts, no identity, and never a cursor. */
export const INVESTMENT_SYNC_DATA = {
  'investment.changed': exactly({
    id: idOf('investment'),
    visible: Type.Boolean({ description: 'False: no longer visible to the company.' }),
    reason: oneOf('changed', 'recomputed', 'investor_deactivated'),
    company: idOf('company'),
    observed_at: Microseconds,
    first: Type.Boolean({ description: 'True on the investment’s first appearance in the stream.' }),
    fields: Type.Array(Type.String(), {
      description: 'Top-level fields of the record that differ from the last published copy.',
    }),
  }),
}

type Data = { [N in keyof typeof INVESTMENT_SYNC_DATA]: Static<(typeof INVESTMENT_SYNC_DATA)[N]> }

export const INVESTMENT_SYNC_EXAMPLES: Data = {
  'investment.changed': {
    id: fakeId('investment'),
    visible: true,
    reason: 'changed',
    company: fakeId('company'),
    observed_at: worldTime('2026-01-15T12:00:00.123456Z'),
    first: false,
    fields: ['amounts', 'group'],
  },
}
