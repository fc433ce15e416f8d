import { purgeLedger, startEpoch } from '#ledger/index.ts'
import { type Random, seeded } from '../random.ts'
import { compare, compareAfterRenaming } from './agreement.ts'
import { isMishap } from './publishers.ts'
import { type Bookmark, Reader } from './reader.ts'
import { differencesBetween, takeSnapshot } from './reference-model.ts'
import type { Stage } from './stage.ts'
import { renameAllUsers, writeOnce } from './writers.ts'

export type Settings = {
  readonly seed: number
  /** The number of writes in each round, before the quiet time in which all readers must agree. */
  readonly writes: number
  /** Returns, before each round, whether to run it. */
  readonly mayContinue: (round: number) => boolean
}

/** Counts of what happened. A run in which nothing happens proves nothing. */
export type Did = Record<'writes' | 'batches' | 'passes' | 'restarts' | 'mishaps' | 'checks', number>

const WRITERS = 6
const PUBLISHERS = 2
const READERS = 7
const BOOKMARKS = 4

/** Runs rounds of the simulation from one seed while `mayContinue` returns true. Stops after the first finding. */
export async function simulate(stage: Stage, { seed, writes, mayContinue }: Settings): Promise<Did> {
  const random = seeded(seed)
  const did: Did = { writes: 0, batches: 0, passes: 0, restarts: 0, mishaps: 0, checks: 0 }
  const readers = Array.from({ length: READERS }, () => watched(stage, random.fork()))
  for (let round = 0; mayContinue(round) && stage.findings.all.length === 0; round++) {
    await commotion({ stage, readers, random, did }, writes)
    await silence({ stage, readers, random, did })
  }
  return did
}

/** A reader and the moments from which it may continue. */
type Watched = { readonly reader: Reader; readonly marks: Bookmark[]; readonly random: Random }
type Run = { readonly stage: Stage; readonly readers: readonly Watched[]; readonly random: Random; readonly did: Did }

function watched(stage: Stage, random: Random): Watched {
  const { fixed, findings } = stage
  const credential = random.pick(fixed.tokens)
  const { who } = credential
  const some = <T>(value: T, name: string) => (random.oneIn(3) ? { [name]: value } : {})
  const company = who.kind === 'company' ? who.company : random.pick(fixed.companies)
  const filters = {
    ...some(company, 'company_id'),
    ...some(random.pick(fixed.offerings.filter((one) => one.company === company)).id, 'offering_id'),
    ...(random.oneIn(6) ? { investor_id: random.pick(fixed.investors) } : {}),
  }
  // A user's own connection is always rejected for a filter by another person, which tests nothing.
  if (who.kind === 'own') delete (filters as { investor_id?: string }).investor_id
  const feed = who.kind !== 'own' && random.oneIn(5)
  const parts = { credential, random, findings, server: () => stage.server(random) }
  const reader = feed
    ? new Reader({ ...parts, filters: { company_id: company }, path: `/companies/${company}/investments/changes` })
    : new Reader({ ...parts, filters })
  return { reader, marks: [], random }
}

/**
 * Runs writers, publishers, readers and disturbances at the same time, until enough is written or an error is found.
 */
async function commotion(run: Run, writes: number): Promise<void> {
  const { stage, random, did } = run
  const until = did.writes + writes
  const mayContinue = () => did.writes < until && stage.findings.all.length === 0
  const loop = async (work: (own: Random) => Promise<void>, own = random.fork()) => {
    while (mayContinue()) await work(own)
  }
  await Promise.all([
    ...Array.from({ length: WRITERS }, () =>
      loop(async (own) => {
        await writeOnce(stage.scene, own, { holdMs: own.oneIn(8) ? 60 : 8 })
        did.writes += 1
      }),
    ),
    ...Array.from({ length: PUBLISHERS }, () => loop((own) => publish(stage, own, did))),
    ...run.readers.map((one) => loop(() => readOnce(stage, one, did))),
    loop((own) => disturb(stage, own, did)),
  ])
}

async function publish(stage: Stage, random: Random, did: Did): Promise<void> {
  await random.pause(10)
  try {
    await stage.publishOnce(random)
    did.batches += 1
  } catch (error) {
    if (!isMishap(error)) stage.findings.add('error', `a publisher: ${error instanceof Error ? error.stack : error}`)
    did.mishaps += 1
  }
}

/**
 * Runs one complete sync. The copy must have every state that was published before the sync and has not changed since.
 */
async function readOnce({ db, findings }: Stage, { reader, marks, random }: Watched, did: Did): Promise<void> {
  const before = await takeSnapshot(db, reader.view)
  const onBookmark = (mark: Bookmark) => remember(marks, mark, random)
  if (await reader.catchUp(() => random.pause(6), onBookmark)) {
    const after = await takeSnapshot(db, reader.view)
    for (const each of differencesBetween(before, after, reader)) findings.add('differs', `${reader.name} ${each}`)
    if (random.oneIn(6) && !reader.view.feed) {
      remember(marks, { query: { updated_since: before.now }, held: new Map(reader.held) }, random)
    }
    did.passes += 1
  }
  await random.pause(25)
}

function remember(marks: Bookmark[], mark: Bookmark, random: Random): void {
  if (marks.length < BOOKMARKS) marks.push(mark)
  else marks[random.below(BOOKMARKS)] = mark
}

/** Disturbs the run at random moments: replaces a server, advances the clock, changes the derivation, starts an epoch … */
async function disturb(stage: Stage, random: Random, did: Did): Promise<void> {
  const { db } = stage
  await random.pause(60)
  switch (random.below(12)) {
    case 0:
    case 1:
      did.restarts += 1
      return stage.replaceServer(random)
    case 2:
    case 3:
    case 4:
      return void (await db.sql(`update test.world_clock set ahead = ahead + $1::interval`, [
        `${1 + random.below(900)} seconds`,
      ]))
    case 5:
      return void (await db.sql(`update test.world_clock set ahead = ahead + interval '50 days'`))
    case 6:
      stage.version += 1
      return
    case 7:
      return db.databases.test.transaction(async (tx) => void (await startEpoch(tx))).catch(() => {})
    case 8:
      return db.databases.test.transaction(async (tx) => void (await purgeLedger(tx, 100))).catch(() => {})
    case 9:
      return void (await db.sql(
        `select pg_terminate_backend(pid) from (select pid from pg_stat_activity
          where datname = current_database() and application_name = 'portico test' order by random() limit 1) any_one`,
      ))
    default:
  }
}

/**
 * Compares when there are no writes and everything is published. From any start, every reader must have the records
 * that follow from the facts.
 */
async function silence({ stage, readers, did }: Run): Promise<void> {
  if (stage.findings.all.length > 0) return
  await stage.publishEverything()
  for (const one of readers) {
    await compare(stage, one)
    did.checks += 1 + one.marks.length
    one.marks.length = 0
  }
  const renamed = await renameAllUsers(stage.scene)
  await stage.publishEverything()
  for (const { reader } of readers) await compareAfterRenaming(stage, reader, renamed)
}
