import { setTimeout as wait } from 'node:timers/promises'
import type { WorldQueries } from '#system/postgres/database.ts'
import type { Faults } from '../fault-injection.ts'
import type { FindingKind } from './findings.ts'

/** Workers with one defect. The soak is only meaningful if it finds the defect of each mutant. */
export type Mutant = {
  readonly name: string
  readonly as: readonly FindingKind[]
  readonly faults: Faults
  /** The number of failing steps, for a defect that shows only after days of failures. */
  readonly failingSteps?: number
}

type Change = readonly [from: string, to: string]

/** Sends the named statement with another text, and checks that the text differs. */
function altered(of: string, ...changes: readonly Change[]): Faults {
  return {
    text: ({ name, text }) => {
      if (name !== of) return text
      return changes.reduce((before, [from, to]) => {
        if (!before.includes(from)) throw new TypeError(`${name} does not contain ${from}: this mutant changes nothing`)
        return before.replaceAll(from, to)
      }, text)
    },
  }
}

/** Pauses the code right before a statement, so that concurrent changes happen. */
function heldUp(of: string, ms: number): Pick<Faults, 'before'> {
  return { before: async (name: string, _queries: WorldQueries) => void (name === of && (await wait(ms))) }
}

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a delivered row leaves the queue without a history entry',
    as: ['history', 'lost'],
    faults: altered('webhooks.record_deliveries', [
      'from gone join outcome using (id)',
      'from gone join outcome using (id) where false',
    ]),
  },
  {
    name: 'a success is recorded like a failure',
    as: ['history', 'duplicate', 'stuck'],
    faults: altered(
      'webhooks.record_deliveries',
      [`outcome.state <> 'again'`, `outcome.state not in ('again', 'delivered')`],
      [`outcome.state = 'again'`, `outcome.state in ('again', 'delivered')`],
      ['outcome.after_seconds)', 'coalesce(outcome.after_seconds, 90000))'],
    ),
  },
  {
    name: 'a change of only the identity is fanned out like any other change',
    as: ['stranger'],
    faults: altered('webhooks.take_events', [`e.data -> 'fields' = '[]'`, 'false']),
  },
  {
    name: 'scopes are not checked again when a delivery is sent',
    as: ['withdrawn', 'projection'],
    faults: altered('webhooks.due_deliveries', [
      'i.scopes as installation_scopes',
      `array['read:companies', 'read:investments', 'read:syndicates', 'read:investors:pii'] as installation_scopes`,
    ]),
  },
  {
    name: 'a suspended app still gets deliveries',
    as: ['withdrawn'],
    faults: altered('webhooks.due_deliveries', [`a.state = 'active' and o.state = 'active' as`, 'true as']),
  },
  {
    name: 'a lane becomes idle by a state that was read before the lane was locked',
    as: ['stuck'],
    faults: {
      ...altered('webhooks.lock_own_lane', [' for no key update', '']),
      ...heldUp('webhooks.release_lane', 250),
    },
  },
  {
    name: 'a lease does not exclude other workers',
    as: ['duplicate'],
    faults: altered('webhooks.lease_lanes', ['and (owner is null or lease_until < clock_timestamp())', '']),
  },
  {
    name: 'a lease never ends',
    as: ['stuck'],
    faults: altered('webhooks.lease_lanes', ['or lease_until < clock_timestamp()', '']),
  },
  {
    name: 'events that happen while an endpoint is disabled are not queued',
    as: ['lost'],
    faults: altered('webhooks.find_concerned_endpoints', [`w.state <> 'removed'`, `w.state = 'enabled'`]),
  },
  {
    name: 'a replaced secret that is still valid does not sign',
    as: ['signature'],
    faults: altered('webhooks.due_deliveries', ['where p.until > clock_timestamp()', 'where false']),
  },
  {
    name: 'created_at of an event is real time instead of the time of its world’s clock',
    as: ['projection'],
    faults: altered('webhooks.due_deliveries', [`coalesce(e.clock_ahead, interval '0')`, `interval '0'`]),
  },
  {
    name: 'attempts are not counted',
    as: ['history', 'stuck'],
    failingSteps: 11,
    faults: altered('webhooks.record_deliveries', ['attempt = q.attempt + 1', 'attempt = q.attempt']),
  },
  {
    name: 'a member is lost when its delivery batch is opened',
    as: ['lost', 'history'],
    faults: altered('webhooks.open_delivery_batches', [
      'as member (id, event_id, installation_id)',
      'as member (id, event_id, installation_id) where member.id <> gone.delivery_ids[1]',
    ]),
  },
  {
    name: 'a delivery batch is recorded as delivered although one member failed',
    as: ['history', 'duplicate'],
    faults: altered(
      'webhooks.open_delivery_batches',
      ['insert into delivery_queue', 'insert into delivery_history'],
      ['clock_ahead, due_at)\n', 'clock_ahead, ended_at, state)\n'],
      ['gone.clock_ahead, gone.due_at\n', `gone.clock_ahead, world_now(), 'delivered'\n`],
    ),
  },
  {
    name: 'a recorded delivery batch is not deleted and is sent again',
    as: ['duplicate', 'history', 'stuck'],
    faults: altered('webhooks.record_delivery_batches', [
      'delete from delivery_parcels where id = any(array(select id from held)) returning id',
      'select id from held',
    ]),
  },
  {
    name: 'scopes are not checked again when members of a delivery batch are sent',
    as: ['withdrawn', 'projection'],
    faults: altered('webhooks.delivery_batch_installations', [
      'i.scopes',
      `array['read:companies', 'read:investments', 'read:syndicates', 'read:investors:pii'] as scopes`,
    ]),
  },
]
