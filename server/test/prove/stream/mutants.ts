import type { Meddling } from '../meddling.ts'
import type { FindingKind } from './play.ts'

type Mutant = { readonly name: string; readonly as: readonly FindingKind[]; readonly meddling: Meddling }

/** Sends the statement of that name with another text, and insists that it is another. */
function altered(of: string, from: string, to: string): Meddling {
  return {
    text: ({ name, text }) => {
      if (name !== of) return text
      if (!text.includes(from)) throw new TypeError(`${name} has nothing of ${from}: this mutant is none`)
      return text.replaceAll(from, to)
    },
  }
}

/** The stream with one thing wrong in it. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a position is given before an earlier event is fanned out',
    as: ['order'],
    meddling: altered(
      'webhooks.place_stream_entries',
      'coalesce((select first.seq from event_queue first order by first.seq limit 1), q.event_seq + 1)',
      'q.event_seq + 1',
    ),
  },
  {
    name: 'a read begins one position too late',
    as: ['lost'],
    meddling: altered('webhooks.read_stream_after', 'n.position > $1::bigint', 'n.position > $1::bigint + 1'),
  },
  {
    name: 'the shared read begins one position too late',
    as: ['lost'],
    meddling: altered('webhooks.read_stream_tail', 'n.position > $1::bigint', 'n.position > $1::bigint + 1'),
  },
  {
    name: 'positions of one batch do not follow the order of events',
    as: ['order'],
    meddling: altered(
      'webhooks.place_stream_entries',
      'over (order by event_seq, seq)',
      'over (order by event_id desc)',
    ),
  },
  {
    name: 'scopes are not looked at again when it is sent',
    as: ['withdrawn'],
    meddling: altered(
      'webhooks.read_stream_after',
      'i.scopes as installation_scopes',
      `'{read:companies}'::text[] as installation_scopes`,
    ),
  },
]
