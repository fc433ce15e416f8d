import { EVENT_EXAMPLES } from '#events/http.ts'
import { appendEvent, type NewEvent } from '#events/index.ts'
import { worldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { DatabaseUnavailable } from '#system/postgres/errors.ts'
import type { Random } from '../random.ts'
import type { HappenedEvent } from './entitlement.ts'
import type { Target } from './participants.ts'
import { count, type Happening, type Stage } from './stage.ts'

type Fields = Readonly<Record<string, unknown>>

let causes = 0

/** Returns the key by which the events of one happening are found. */
export function newCause(): string {
  causes += 1
  return `soak-${causes}`
}

type OnPlaces = { readonly [P in Target['type']]: Id<P> }

/** Returns a random target of each type. */
function somePlaces({ participants }: Stage, random: Random): OnPlaces {
  const pickTarget = <P extends Target['type']>(type: P) =>
    random.pick(participants.targets.filter((target) => target.type === type)).id as Id<P>
  return { company: pickTarget('company'), user: pickTarget('user'), syndicate: pickTarget('syndicate') }
}

/** Returns a random event about records of the stage. `newCausedEvent` adds the data of the specification's example. */
function madeUp(stage: Stage, random: Random): Omit<NewEvent, 'occurredAt'> {
  const { company: companyId, user: userId, syndicate: syndicateId } = somePlaces(stage, random)
  switch (random.below(6)) {
    case 0:
      return { name: 'syndicate_member.joined', subject: { syndicateId }, data: {} }
    case 1:
      return {
        ...{ name: 'investment.changed', subject: { companyId, userId } },
        ...(random.oneIn(2) ? { data: {} } : { data: { fields: [] }, identity: { fields: ['investor'] } }),
      }
    case 2:
      return {
        name: 'referral_cohorts.published',
        subject: { appId: random.pick(stage.participants.apps).id },
        data: {},
      }
    case 3:
      return { name: 'offering.opened', subject: { companyId }, data: {} }
    case 4:
      return { name: 'investment.amount_changed', subject: { companyId, userId }, data: {} }
    default:
      return { name: 'investment.created', subject: { companyId, userId }, data: {} }
  }
}

/**
 * How many events a burst has: enough for delivery batches, because all are about one company. Some bursts are about a
 * person.
 */
const BURST_MIN = 8
const BURST_MAX = 24
const BURST_OF = ['offering.opened', 'investment.created'] as const

export async function causeBurst(stage: Stage, random: Random): Promise<void> {
  const { company: companyId, user: userId } = somePlaces(stage, random)
  const name = random.pick(BURST_OF)
  const subject = name === 'offering.opened' ? { companyId } : { companyId, userId }
  const burst = Array.from({ length: BURST_MIN + random.below(BURST_MAX - BURST_MIN) }, () =>
    newCausedEvent(random, { name, subject, data: {} }),
  )
  await write(stage, burst)
  count(stage, 'bursts')
}

/** Causes an event: a random one, unless one is given. */
export async function causeEvent(stage: Stage, random: Random, made = madeUp(stage, random)): Promise<void> {
  await write(stage, [newCausedEvent(random, made)])
}

type Caused = { readonly cause: string; readonly event: NewEvent }

function newCausedEvent(random: Random, made: Omit<NewEvent, 'occurredAt'>): Caused {
  const { occurred_at, ...data } = EVENT_EXAMPLES[made.name] as Fields
  const cause = newCause()
  const { name, email, ...investor } = (data['investor'] ?? {}) as Fields
  const person = { investor: { name: `Person "${cause}"`, email: `${cause}@example.org` } }
  const event: NewEvent = {
    ...made,
    occurredAt: worldTime(new Date(Date.UTC(2026, 0) + random.below(1e9)).toISOString().replace('Z', '000Z')),
    data: email === undefined ? { ...data, ...made.data } : { ...data, investor },
    ...(email === undefined ? {} : { identity: person }),
  }
  return { cause, event }
}

/** Records all events in one transaction. */
async function write(stage: Stage, all: readonly Caused[]): Promise<void> {
  const begin = Date.now()
  try {
    await stage.databases.test.transaction(async (tx) => {
      for (const { cause, event } of all) {
        await appendEvent(tx, event, { cause, occurredAt: event.occurredAt, caused: [] })
      }
    })
  } catch (error) {
    // The commit may have succeeded anyway. The end of the proof checks whether it did.
    if (!(error instanceof DatabaseUnavailable)) throw error
    count(stage, 'mishaps')
  }
  for (const { cause } of all) {
    stage.happenings.set(cause, { cause, between: { begin, end: Date.now() }, fannedOutBy: null })
    count(stage, 'events')
  }
}

/** Records the happenings whose events have left the queue. From then on their deliveries exist. */
export async function recordFannedOut({ sql, happenings }: Stage): Promise<void> {
  const startedAt = Date.now()
  const waiting = await sql<{ fact_id: string }>(
    `select e.fact_id from (select event_id from test.event_queue union select event_id from test.deferred_events) q
       join test.events e on e.id = q.event_id`,
  )
  const left = new Set(waiting.map(({ fact_id }) => fact_id))
  const known = Date.now()
  for (const happening of happenings.values()) {
    if (happening.fannedOutBy === null && happening.between.end < startedAt && !left.has(happening.cause)) {
      happening.fannedOutBy = known
    }
  }
}

const TIME = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`

export type Happened = { readonly event: HappenedEvent; readonly happening: Happening }

/**
 * The times that the world's clock may have shown when an event was recorded. A move that is not committed yet is not
 * visible, so the time may also be that before the last move.
 */
const SHOWN_THEN = `array(
  select to_char((e.recorded_at + span.ahead) at time zone 'UTC', ${TIME})
    from (select ahead_before as ahead, lag(moved_at) over (order by seq) as since, moved_at as until from test.clock_moves
          union all
          select ahead, (select max(moved_at) from test.clock_moves), 'infinity' from test.world_clock) span
   where e.recorded_at < span.until + interval '10 seconds' and e.recorded_at >= coalesce(span.since, '-infinity'))`

/** Returns the recorded events, which never change. */
export async function recordedEvents({ sql, happenings }: Stage): Promise<Happened[]> {
  const rows = await sql<HappenedEvent & { fact_id: string }>(
    `select id::text as id, name, ${SHOWN_THEN} as created_at,
            to_char(occurred_at at time zone 'UTC', ${TIME}) as occurred_at, company_id, syndicate_id, user_id,
            installation_id, app_id, fact_id, data, identity
       from test.events e where fact_id = any($1)`,
    [[...happenings.keys()]],
  )
  return rows.map(({ fact_id, ...event }) => {
    const happening = happenings.get(fact_id)
    if (happening === undefined) throw new Error(`no happening caused ${fact_id}`)
    return { event, happening }
  })
}
