import type { CursorSealer } from '#kernel/cursor.ts'
import type { Faults } from '../fault-injection.ts'
import type { FindingKind } from './play.ts'

type Mutant = {
  readonly name: string
  readonly as: readonly FindingKind[]
  readonly faults?: Faults
  readonly cursors?: (cursors: CursorSealer) => CursorSealer
}

type Named = { readonly name: string; readonly text: string }
type Change = { readonly of: string; readonly from: string; readonly to: string }

/** Returns the text to send, changed only for the statement `of`. Throws an error if the change has no effect. */
function changed({ name, text }: Named, { of, from, to }: Change): string {
  if (name !== of) return text
  if (!text.includes(from)) throw new TypeError(`${name} does not contain ${from}: this mutant changes nothing`)
  return text.replaceAll(from, to)
}

function altered(of: string, from: string, to: string): Faults {
  return { text: (statement) => changed(statement, { of, from, to }) }
}

const READS = ['webhooks.read_stream_after', 'webhooks.read_stream_tail']
const AFTER = 'n.position > $1::bigint'
const AFTER_ID = `n.event_id > coalesce((select last.event_id from event_stream_entries last where last.position = $1::bigint), '')`

/** The stream with one defect. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a position is given before an earlier event is fanned out',
    as: ['order'],
    faults: altered(
      'webhooks.place_stream_entries',
      'coalesce((select first.seq from event_queue first order by first.seq limit 1), q.event_seq + 1)',
      'q.event_seq + 1',
    ),
  },
  {
    name: 'a read begins one position too late',
    as: ['lost'],
    faults: altered('webhooks.read_stream_after', 'n.position > $1::bigint', 'n.position > $1::bigint + 1'),
  },
  {
    name: 'the shared read begins one position too late',
    as: ['lost'],
    faults: altered('webhooks.read_stream_tail', 'n.position > $1::bigint', 'n.position > $1::bigint + 1'),
  },
  {
    name: 'positions of one batch do not follow the order of events',
    as: ['order'],
    faults: altered('webhooks.place_stream_entries', 'over (order by event_seq, seq)', 'over (order by event_id desc)'),
  },
  {
    name: 'scopes are not checked again when an entry is sent',
    as: ['withdrawn'],
    faults: altered(
      'webhooks.read_stream_after',
      'i.scopes as installation_scopes',
      `'{read:companies}'::text[] as installation_scopes`,
    ),
  },
  {
    name: 'the watermark is the id of the last event instead of its position',
    as: ['lost'],
    faults: {
      text: (statement) =>
        READS.reduce((text, of) => changed({ ...statement, text }, { of, from: AFTER, to: AFTER_ID }), statement.text),
    },
  },
  {
    name: 'a secret that has expired still counts as valid',
    as: ['ended'],
    faults: altered('apps.find_clients', 'and (s.expires_at is null or s.expires_at > clock_timestamp())', ''),
  },
  {
    name: 'the position moves past entries that were not sent',
    as: ['lost'],
    // A read that stops before the end of the stream reports that it reached the end, so the next entries are skipped.
    faults: altered('webhooks.read_stream_after', 'limit $3', 'limit $3::int - 1'),
  },
  {
    name: 'a wake-up signal is lost: the check says that no entry waits although one does',
    as: ['stuck'],
    faults: altered(
      'webhooks.glance_at_stream',
      'is not null as waiting',
      'is not null and (select position from event_stream) % 7 <> 3 as waiting',
    ),
  },
  {
    name: 'a stream does not continue after the last id, but begins at the end',
    as: ['lost'],
    cursors: atTheEnd,
  },
]

/** Opens every cursor as the newest sealed cursor. */
function atTheEnd(cursors: CursorSealer): CursorSealer {
  let newest: string | null = null
  let newestPosition = -1
  return {
    seal: (kind, parts) => {
      const sealed = cursors.seal(kind, parts)
      if (Number(parts[0]) > newestPosition) [newest, newestPosition] = [sealed, Number(parts[0])]
      return sealed
    },
    open: (kind, text) => cursors.open(kind, newest ?? text),
  }
}
