import { statement } from '#system/postgres/statement.ts'
import type { Faults } from '../fault-injection.ts'
import type { FindingKind } from './findings.ts'
import type { Moment } from './hard-moments.ts'

/** The ledger with one defect. The proof is only meaningful if it finds the defect of each mutant. */
export type Mutant = {
  readonly name: string
  /** The hard moment at which the proof must find the defect, and the kind of finding. */
  readonly foundWhen: Moment
  readonly as: FindingKind
  readonly publishing?: Faults
  /** `meanwhile` is the work that the schedule runs in the middle of a read. */
  readonly reading?: (meanwhile: () => Promise<void>) => Faults
  /** Changes the test world's tables. `undo` restores them. */
  readonly schema?: { readonly make: readonly string[]; readonly undo: readonly string[] }
}

type Change = { readonly of: RegExp; readonly from: RegExp; readonly to: string }

/** Sends the named statement with another text, and checks that the text differs. */
function altered({ of, from, to }: Change): Faults {
  return {
    text: ({ name, text }) => {
      if (!of.test(name)) return text
      const other = text.replaceAll(from, to)
      if (other === text) throw new TypeError(`${name} does not contain ${from}: this mutant changes nothing`)
      return other
    },
  }
}

const HEAD_NOW = statement<{ head: string }>('probe.prove_head', 'select position::text as head from ledger')

function headReadLater(of: RegExp, meanwhile: () => Promise<void>): Faults {
  return {
    rows: async (name, rows, db) => {
      if (!of.test(name)) return rows
      await meanwhile()
      const { head } = await db.reads.one(HEAD_NOW)
      return rows.map((row) => ({ ...row, head }))
    },
  }
}

/** Makes a statement return each record as it was at the first read. */
function readOnce(of: RegExp): Faults {
  const known = new Map<unknown, object>()
  return {
    rows: async (name, rows) => {
      if (!of.test(name)) return rows
      return rows.map((row) => {
        const id = 'id' in row ? row.id : row
        const first = known.get(id) ?? row
        known.set(id, first)
        return first
      })
    },
  }
}

const SYNC = /^ledger\.sync\./
const AFTER = /(position|company_position|open_position) > (\$\d+::bigint)/g

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'the ledger is not locked while a process publishes',
    foundWhen: 'two processes publish at the same time',
    as: 'differs',
    publishing: altered({ of: /^ledger\.lock$/, from: / for update skip locked/g, to: '' }),
  },
  {
    name: 'a page begins one position too late',
    foundWhen: 'more changes than a page holds',
    as: 'differs',
    reading: () => altered({ of: SYNC, from: AFTER, to: '$1 > $2 + 1' }),
  },
  {
    name: 'a page says that nothing follows when exactly one row does',
    foundWhen: 'more changes than a page holds',
    as: 'differs',
    reading: () => altered({ of: SYNC, from: /limit (\$\d+::bigint)/g, to: 'limit $1 - 1' }),
  },
  {
    name: 'tombstones are dropped',
    foundWhen: 'records disappear',
    as: 'differs',
    reading: () =>
      altered({
        of: /^ledger\.sync\.(company|union)/,
        from: /h\.(company|open)_position > /g,
        to: 'h.visible and h.$1_position > ',
      }),
  },
  {
    name: 'a record that left an offering is not reported there',
    foundWhen: 'a record moved to another offering in place',
    as: 'differs',
    reading: () => altered({ of: /^ledger\.sync\..*offering/, from: /d\.position > /g, to: 'false and d.position > ' }),
  },
  {
    name: 'a move does not describe the successor',
    foundWhen: 'a record moves to another offering',
    as: 'unpublished',
    schema: {
      make: [
        `create function test.forget_successor() returns trigger language plpgsql as $$
         begin
           delete from test.investment_changes where seq = new.seq and exists (
             select from test.investments p where p.converted_to = new.id);
           return null;
         end $$`,
        `create trigger forget_successor after insert on test.investment_changes
           for each row execute function test.forget_successor()`,
      ],
      undo: ['drop trigger forget_successor on test.investment_changes', 'drop function test.forget_successor()'],
    },
  },
  {
    name: 'the change queue merges two causes',
    foundWhen: 'a record changes again while it is being published',
    as: 'unpublished',
    schema: {
      make: [
        `create function test.merge_causes() returns trigger language plpgsql as $$
         begin
           delete from test.investment_changes where seq = new.seq and exists (
             select from test.investment_changes o where o.kind = new.kind and o.id = new.id and o.seq < new.seq);
           return null;
         end $$`,
        `create trigger merge_causes after insert on test.investment_changes
           for each row execute function test.merge_causes()`,
      ],
      undo: ['drop trigger merge_causes on test.investment_changes', 'drop function test.merge_causes()'],
    },
  },
  {
    name: 'facts are read before they are visible',
    foundWhen: 'more changes than a page holds',
    as: 'unpublished',
    publishing: readOnce(/^ledger\.facts$/),
  },
  {
    name: 'the head is read in a second statement',
    foundWhen: 'a change is published while a page is read',
    as: 'differs',
    reading: (meanwhile) => headReadLater(SYNC, meanwhile),
  },
  {
    name: 'the head of a listing is read in a second statement',
    foundWhen: 'a change is published while a listing is read',
    as: 'differs',
    reading: (meanwhile) => headReadLater(/^ledger\.list\./, meanwhile),
  },
  {
    name: 'the clock moves while a process publishes',
    foundWhen: 'the clock is moved while a change is published',
    as: 'differs',
    publishing: altered({ of: /^ledger\.limits$/, from: / from world_clock for share/g, to: '' }),
  },
  {
    name: 'no reader is notified that its access changed',
    foundWhen: 'a reader becomes an editor and loses the role',
    as: 'differs',
    reading: () => ({
      rows: async (_name, rows) => rows.map((row) => ('changed' in row ? { ...row, changed: null } : row)),
    }),
  },
  {
    name: 'other investors are shown to everybody',
    foundWhen: 'investments exist',
    as: 'identity',
    reading: () => altered({ of: /^ledger\.(sync|list)\./, from: /case when t\.own or /g, to: 'case when true or ' }),
  },
  {
    name: 'a new name is also a row for readers that do not see it',
    foundWhen: 'an investor gets another name',
    as: 'noise',
    reading: () => altered({ of: /^ledger\.sync\..*unnamed$/, from: /h\.open_position/g, to: 'h.company_position' }),
  },
  {
    name: 'a new name hides the previous change from readers that do not see the name',
    // Readers that continue from before that change find this defect.
    foundWhen: 'an investor gets another name',
    as: 'differs',
    reading: () =>
      altered({
        of: /^ledger\.sync\..*unnamed$/,
        from: /h\.open_position > /g,
        to: 'h.open_position = h.company_position and h.open_position > ',
      }),
  },
]
