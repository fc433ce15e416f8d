import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { updateUser } from '#access/people/index.ts'
import { revokePresented } from '#access/tokens/index.ts'
import { aClientToken } from '#access/tokens/testing/stage.ts'
import type { Cents } from '#kernel/money.ts'
import { updateOffering } from '#market/offerings/index.ts'
import { openTracing } from '#system/open-tracing.ts'
import { DatabaseUnavailable } from '#system/postgres/errors.ts'
import { openReplicas, type Replicas } from '#system/postgres/replicas.ts'
import { statement } from '#system/postgres/statement.ts'
import { traced, tracedStaleReads } from '#system/postgres/traced.ts'
import { withSpan } from '#system/tracing.ts'
import { occasionAt } from '#test/caused-events.ts'
import { databaseAt, type TestDatabase } from '#test/database.ts'
import { makeUser } from '#test/people.ts'
import { type ReplicatedServer, replicatedServer } from '#test/standby.ts'
import { traceCollector } from '#test/trace-collector.ts'
import { type CatalogStage, openCatalogStage } from '#views/catalog/testing/catalog-stage.ts'

/** Longer than any stall of a busy machine. A test about lag moves the clock. */
const MAX_LAG_MS = 60_000

let server: ReplicatedServer
let db: TestDatabase
let replicas: Replicas
let stage: CatalogStage
/** Where reads ran: `replica`, or the reason why they ran on the primary. */
let outcomes: string[] = []
let aheadMs = 0

beforeAll(async () => {
  server = await replicatedServer(2)
  db = await databaseAt(server.url, { drop: async () => {} })
  replicas = await openReplicas({
    urls: server.standbys.map(({ url }) => url),
    maxLagMs: MAX_LAG_MS,
    poolSize: 4,
    primaryUrl: server.url,
    platform: db.databases.platform,
    metrics: { staleRead: (outcome) => outcomes.push(outcome), replica: () => {} },
    log: { warn: () => {}, info: () => {} },
    answerMs: 5_000,
    nowMs: () => performance.now() + aheadMs,
  })
  stage = await openCatalogStage({ on: { db, staleReads: replicas.reads } })
})
afterAll(async () => {
  await replicas?.close()
  await stage?.close()
  await server?.close()
})
beforeEach(async () => {
  await untilReplicasServe()
  outcomes = []
})

const USERS = statement<{ users: number; standby: boolean }>(
  't.users_here',
  'select count(*)::int as users, pg_is_in_recovery() as standby from users',
)
const usersHere = () => replicas.reads(db.databases.test, null, ({ reads }) => reads.one(USERS))
const newUser = () => db.databases.test.transaction((tx) => makeUser(tx))

/** Runs SQL on a server, on a new connection. */
async function sqlOn<Row extends object>(url: string, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text, [...values])).rows
  } finally {
    await client.end()
  }
}

async function onStandbys(text: string): Promise<void> {
  for (const { url } of server.standbys) await sqlOn(url, text)
}

const REPLAYED = 'select coalesce(pg_last_wal_replay_lsn() >= $1::text::pg_lsn, false) as done'

/** Waits until all standbys have replayed everything and a read runs on a replica. */
async function untilReplicasServe(): Promise<void> {
  const [written] = await db.sql<{ at: string }>('select pg_current_wal_flush_lsn()::text as at')
  for (const { url } of server.standbys) {
    await expect.poll(async () => (await sqlOn<{ done: boolean }>(url, REPLAYED, [written?.at]))[0]?.done).toBe(true)
  }
  await expect.poll(async () => (await usersHere()).standby).toBe(true)
}

/** Pauses the replay on all replicas while the work runs, so that a read there does not see a later write. */
async function whileReplayIsPaused<T>(work: () => Promise<T>): Promise<T> {
  await onStandbys('select pg_wal_replay_pause()')
  const paused = `select pg_get_wal_replay_pause_state() = 'paused' as done`
  for (const { url } of server.standbys) {
    await expect.poll(async () => (await sqlOn<{ done: boolean }>(url, paused))[0]?.done).toBe(true)
  }
  try {
    return await work()
  } finally {
    await onStandbys('select pg_wal_replay_resume()')
  }
}

describe('data that every caller sees', () => {
  test('comes from a replica', async () => {
    const offering = await stage.offering()
    await untilReplicasServe()
    outcomes = []
    const { status, data } = await stage.everybody(`/offerings/${offering}`)
    expect([status, data.id]).toEqual([200, offering])
    expect((await stage.everybody(`/companies/${data.company}`)).status).toBe(200)
    expect(outcomes).toEqual(['replica', 'replica'])
  })

  test.each(['/explore', '/companies/search?q=Analytical', '/explore?sort=newest'])(
    '%s comes from a replica',
    async (path) => {
      expect((await stage.everybody(path)).status).toBe(200)
      expect(outcomes).toEqual(['replica'])
    },
  )

  test('comes from both replicas in turn', async () => {
    const PORT = statement<{ server: string }>('t.which_server', 'select pg_postmaster_start_time()::text as server')
    const found = new Set<string>()
    for (let n = 0; n < 6; n++) {
      const { server: one } = await replicas.reads(db.databases.test, null, ({ reads }) => reads.one(PORT))
      found.add(one)
    }
    expect(found.size).toBe(2)
  })
})

describe('the catalogue', () => {
  test('shows a change at once, even if no replica has it', async () => {
    const offering = await stage.offering()
    await untilReplicasServe()
    expect((await stage.everybody(`/offerings/${offering}`)).status).toBe(200)
    outcomes = []
    await whileReplayIsPaused(async () => {
      await stage.arrange((tx) =>
        updateOffering(tx, { id: offering, funding_target_cents: 770_000 as Cents }, occasionAt()),
      )
      const { data } = await stage.everybody(`/offerings/${offering}`)
      expect(data.attributes['funding_target_cents']).toBe(770_000)
      const added = await stage.offering()
      expect((await stage.everybody(`/offerings/${added}`)).status).toBe(200)
      await stage.arrange((tx) => updateOffering(tx, { id: offering, listed: false }, occasionAt()))
      expect((await stage.everybody(`/offerings/${offering}`)).status).toBe(404)
    })
    expect(new Set(outcomes)).toEqual(new Set(['older_than_asked']))
  })
})

describe('rights', () => {
  test('a revoked token gets 401 at once, even if it is still valid on every replica', async () => {
    const { accessToken: token } = await aClientToken(db, stage.client.test)
    const reads = stage.bearer(token)
    await untilReplicasServe()
    expect((await reads('/explore?sort=newest&per_page=3')).status).toBe(200)
    await whileReplayIsPaused(async () => {
      const { keyId } = stage.client.test
      await stage.arrange((tx) => revokePresented(tx, { token, keyId }))
      expect((await reads('/explore')).status).toBe(401)
      expect((await reads('/companies/search?q=A')).status).toBe(401)
    })
  })

  test('a user who loses the right to an offering no longer sees it, even if every replica has the old rights', async () => {
    const user = await stage.user({ accreditation: 'verified' })
    const offering = await stage.offering({ accredited_only: true })
    const theirs = await stage.as(user)
    await untilReplicasServe()
    outcomes = []
    const before = (await theirs(`/offerings/${offering}`)).status
    await whileReplayIsPaused(async () => {
      await stage.arrange((tx) => updateUser(tx, { id: user, accreditation: 'none' }, occasionAt()))
      expect([before, (await theirs(`/offerings/${offering}`)).status]).toEqual([200, 404])
    })
    expect(outcomes).not.toContain('replica')
  })
})

describe('a primary that is busy', () => {
  const MATCHED = statement<{ value: string }>('t.matched', `select 'x' as value`)
  const matching = (value: () => Promise<string>) =>
    replicas.reads(db.databases.test, { statement: MATCHED, value }, ({ reads }) => reads.one(USERS))

  const late = Promise.withResolvers<string>()
  // Ends the reads that no caller waits for, so that they return their connections.
  afterAll(() => late.resolve('x'))

  test.each([
    ['rejects the query', () => Promise.reject(new DatabaseUnavailable('no connection in time', null))],
    ['does not answer', () => late.promise],
  ])('does not stop the use of the replicas if it %s', async (_, value) => {
    // The two reads choose different replicas, and then run on the primary.
    const reading = await Promise.all([matching(value), matching(value)])
    expect(reading.map(({ standby }) => standby)).toEqual([false, false])
    // This read comes before the next round of checks, which could start to use a stopped replica again.
    expect((await usersHere()).standby).toBe(true)
    expect(outcomes).toEqual(['primary_unknown', 'primary_unknown', 'replica'])
  })
})

describe('in a sampled trace', () => {
  test('each statement has a span, which shows whether a replica ran it', async () => {
    const collector = await traceCollector()
    const tracing = openTracing(
      { endpoint: collector.url, headers: {}, serviceName: 'portico', resource: {}, sampler: 'always_on', ratio: 1 },
      { log: { info: () => {}, warn: () => {} }, metrics: { spans: () => {} } },
    )
    const reads = tracedStaleReads(replicas.reads)
    const here = () => reads(traced(db.databases).test, null, ({ reads }) => reads.one(USERS))
    const inTrace = async (name: string) => {
      const span = tracing.start(name, { kind: 'INTERNAL' })
      if (span === null) throw new Error('the trace is not sampled')
      return withSpan(span, here)
    }
    expect((await inTrace('on a replica')).standby).toBe(true)
    // After this jump of the clock, all stored positions of the primary are too old until the next round reads a new one.
    aheadMs += 3_600_000
    expect((await inTrace('on the primary')).standby).toBe(false)
    await tracing.close()
    await collector.close()
    const ofTrace = (name: string) => {
      const trace = collector.spans.find((span) => span.name === name)?.traceId
      return collector.spans.filter((span) => span.traceId === trace && span.name === USERS.name)
    }
    expect(ofTrace('on a replica').map(({ attributes }) => attributes['portico.replica'])).toEqual([true])
    expect(ofTrace('on the primary').map(({ attributes }) => attributes['portico.replica'])).toEqual([undefined])
  })
})

describe('which replicas are used, and for how long', () => {
  test('a replica of an idle primary is not late', async () => {
    aheadMs += 3_600_000
    await expect.poll(async () => (await usersHere()).standby).toBe(true)
  })

  test('a replica whose lag is above the limit is not used until it has caught up', async () => {
    const { users } = await usersHere()
    await whileReplayIsPaused(async () => {
      await newUser()
      // After the write a round finds that the replicas lack it. An hour later their lag is above the limit.
      await expect
        .poll(async () => {
          aheadMs += 3_600_000
          expect((await usersHere()).users).toBeGreaterThanOrEqual(users)
          return outcomes
        })
        .toContain('behind')
      expect(await usersHere()).toEqual({ users: users + 1, standby: false })
    })
    await expect.poll(usersHere).toEqual({ users: users + 1, standby: true })
  })

  test('a server that is not a copy of the primary is not used', async () => {
    const other = await replicasAt([inject('postgresUrl')])
    expect(await other.outcome()).toBe('other_server')
  })

  test('a replica that cannot be reached is not used', async () => {
    const gone = await replicasAt(['postgres://portico:x@127.0.0.1:1/portico'])
    expect(await gone.outcome()).toBe('unreachable')
  })

  test('the primary itself is not used as a replica', async () => {
    const itself = await replicasAt([server.url])
    expect(await itself.outcome()).toBe('promoted')
  })

  test('a read that is canceled by a conflict with recovery runs on the primary', async () => {
    const SLOW = statement<{ standby: boolean; waited: string | null }>(
      't.slow_on_a_standby',
      `select pg_is_in_recovery() as standby,
              case when pg_is_in_recovery() then (select max(id) || pg_sleep(60)::text from t_conflict) end as waited`,
    )
    await db.sql('create table test.t_conflict (id int)')
    await db.sql('grant select on test.t_conflict to public')
    await untilReplicasServe()
    outcomes = []
    const reading = replicas.reads(db.databases.test, null, ({ reads }) => reads.one(SLOW))
    const active = `select from pg_stat_activity where query like '%t_conflict%' and state = 'active' and pid <> pg_backend_pid()`
    const running = async () =>
      (await Promise.all(server.standbys.map(({ url }) => sqlOn(url, active)))).some((rows) => rows.length > 0)
    await expect.poll(running).toBe(true)
    await db.sql(
      'drop table test.t_conflict cascade; create table test.t_conflict (id int); grant select on test.t_conflict to public',
    )
    expect(await reading).toEqual({ standby: false, waited: null })
    expect(outcomes).toEqual(['failed'])
  })

  test('no read fails while the replicas are frozen, and the replicas are used again later', async () => {
    for (const standby of server.standbys) standby.signal('SIGSTOP')
    try {
      expect((await usersHere()).standby).toBe(false)
      expect((await stage.everybody('/explore?sort=closing_soon')).status).toBe(200)
    } finally {
      for (const standby of server.standbys) standby.signal('SIGCONT')
    }
    await untilReplicasServe()
  })

  test('no request fails when a replica is promoted or killed under load', async () => {
    const [first, second] = server.standbys
    if (first === undefined || second === undefined) throw new Error('the test needs two standbys')
    const isOver = { now: false }
    const statuses = new Map<number, number>()
    const load = Array.from({ length: 4 }, async (_, n) => {
      for (let at = 0; !isOver.now; at++) {
        const { status } = await stage.everybody(`/explore?min_amount_raised=${n}${at}`)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    })
    await sqlOn(first.url, 'select pg_promote()')
    await expect.poll(() => outcomes.at(-1)).toBe('replica')
    second.signal('SIGKILL')
    await newUser()
    const { users } = await db.databases.test.reads.one(USERS)
    await expect.poll(usersHere).toEqual({ users, standby: false })
    isOver.now = true
    await Promise.all(load)
    expect([...statuses.keys()]).toEqual([200])
  })
})

/** Opens replicas at these addresses for the same primary. */
async function replicasAt(urls: readonly string[]) {
  const seen: string[] = []
  const others = await openReplicas({
    urls,
    maxLagMs: MAX_LAG_MS,
    poolSize: 1,
    primaryUrl: server.url,
    platform: db.databases.platform,
    metrics: { staleRead: (outcome) => seen.push(outcome), replica: () => {} },
    log: { warn: () => {}, info: () => {} },
    answerMs: 30_000,
  })
  return {
    outcome: async () => {
      const { standby } = await others.reads(db.databases.test, null, ({ reads }) => reads.one(USERS))
      await others.close()
      expect(standby).toBe(false)
      return seen.at(-1)
    },
  }
}
