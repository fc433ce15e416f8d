import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Api, accessToken, Client, ConnectionError, type InvestmentStore, syncInvestments } from '@portico/sdk'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startEpoch } from '#ledger/index.ts'
import { openStage, type Stage } from '../ledger/stage.ts'
import { writeOnce } from '../ledger/writers.ts'
import { longProof, proofRun } from '../long-proof.ts'
import { type Random, seeded } from '../random.ts'
import { type Copy, copyIn, KINDS, Killed, type Kind, MUTANTS, Steps } from './copies.ts'

/**
 * A copy that `syncInvestments()` maintains equals a new listing, wherever the program was killed. The histories are
 * those of the ledger's simulation: people invest, move, cancel, lose and gain access, and cursors become too old.
 */

const { isShort, seed: first } = proofRun()

/**
 * The short form kills before every third step. Each store begins at another step, so that the three stores together
 * try every step.
 */
const STRIDE = isShort ? 3 : 1
/**
 * More kills than these prove enough. Page sizes are random, so a run with large pages may complete early. Then later
 * steps are tried too, until there are enough kills.
 */
const KILLS_MIN = isShort ? { listing: 5, syncing: 3 } : { listing: 20, syncing: 10 }

/** The number of runs after which a mutant counts as not found. */
const MUTANT_ROUNDS = 40

type Kept = {
  readonly kind: Kind
  readonly copy: Copy
  readonly bearer: string
  readonly who: string
  readonly mutant?: (store: InvestmentStore) => InvestmentStore
}

async function opened() {
  const stage = await openStage('in this process')
  const folder = await mkdtemp(join(tmpdir(), 'portico-sync-'))
  onTestFinished(async () => {
    await stage.close()
    await rm(folder, { recursive: true })
  })
  return { stage, folder }
}

function keeping({ stage, folder }: Awaited<ReturnType<typeof opened>>, kind: Kind, at: number, token = at): Kept {
  const { bearer, who } = stage.fixed.tokens[token % stage.fixed.tokens.length] ?? { bearer: '', who: null }
  const copy = copyIn(kind, { folder, databaseUrl: stage.db.url, name: `${kind}_${at}` })
  return { kind, copy, bearer, who: JSON.stringify(who) }
}

/** Runs the program once. Resolves to whether it was killed before its end. */
async function run(
  stage: Stage,
  { copy, bearer, mutant = (store) => store }: Kept,
  random: Random,
  steps = new Steps(),
): Promise<boolean> {
  const countedFetch: typeof fetch = (...values) => {
    steps.take()
    return fetch(...values)
  }
  const options = { baseUrl: stage.server(random), credential: accessToken(bearer), fetch: countedFetch, maxRetries: 0 }
  const program = await copy.open(steps).catch((error: unknown) => error)
  if (program instanceof Error) return wasKilled(program)
  const { store, leave } = program as Awaited<ReturnType<Copy['open']>>
  try {
    await syncInvestments({ client: new Client(options), store: mutant(store), pageSize: 1 + random.below(4) })
    return false
  } catch (error) {
    return wasKilled(error)
  } finally {
    await leave()
  }
}

/** A run also ends if the connection to its server fails, because the server restarts. */
function wasKilled(error: unknown): true {
  const causes = [error, error instanceof Error ? error.cause : undefined]
  if (causes.some((each) => each instanceof Killed || each instanceof ConnectionError)) return true
  throw error
}

async function differences(stage: Stage, { copy, bearer, kind, who }: Kept, random: Random): Promise<string[]> {
  const client = new Client({ baseUrl: stage.server(random), credential: accessToken(bearer) })
  const listed = new Map<string, Api.Investment>()
  for await (const { cursor: _, reason: __, ...record } of client.list('/investments')) listed.set(record.id, record)
  const held = await copy.records()
  const ids = [...new Set([...listed.keys(), ...held.keys()])]
  const texts = ids.map((id) => [id, sorted(held.get(id)), sorted(listed.get(id))])
  return texts.flatMap(([id, a, b]) => (a === b ? [] : [`${kind} ${who} ${id}: the copy has ${a}, expected ${b}`]))
}

/** PostgreSQL orders the keys of a record in its own way. */
function sorted(record: unknown): string {
  const inOrder = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value
  return JSON.stringify(record, inOrder) ?? 'nothing'
}

async function write(stage: Stage, random: Random, times: number): Promise<void> {
  for (let time = 0; time < times; time++) await writeOnce(stage.scene, random, { holdMs: 0 })
  await stage.publishEverything()
}

/** Makes cursors invalid: by time and by a restored database. The writers also change roles. */
async function disturb({ db }: Stage, random: Random): Promise<void> {
  if (random.oneIn(3)) await db.sql(`update test.world_clock set ahead = ahead + interval '50 days'`)
  if (random.oneIn(3)) await db.databases.test.transaction(async (tx) => void (await startEpoch(tx))).catch(() => {})
}

describe('a copy of investments', { timeout: 300_000 }, () => {
  const places = isShort ? 'every third step' : 'every single step'
  test.each(KINDS)(`in %s equals a new listing after kills before ${places} of a run`, async (kind) => {
    const stageAndFolder = await opened()
    const { stage } = stageAndFolder
    const random = seeded(first)
    await write(stage, random, 60)
    const killed = { listing: 0, syncing: 0 }
    let isKilled = true
    const isEnough = () => killed.listing > KILLS_MIN.listing && killed.syncing > KILLS_MIN.syncing
    for (let dieAfter = KINDS.indexOf(kind) % STRIDE; isKilled || !isEnough(); dieAfter += STRIDE) {
      // The first run lists. The next run syncs, or lists again after 410. Both runs are killed before this step.
      const keptCopy = keeping(stageAndFolder, kind, dieAfter, 0)
      isKilled = await run(stage, keptCopy, random, new Steps(dieAfter))
      killed.listing += Number(isKilled)
      await run(stage, keptCopy, random)
      expect(await differences(stage, keptCopy, random)).toEqual([])
      await write(stage, random, 8)
      await disturb(stage, random)
      killed.syncing += Number(await run(stage, keptCopy, random, new Steps(dieAfter)))
      await run(stage, keptCopy, random)
      expect(await differences(stage, keptCopy, random)).toEqual([])
    }
  })

  test.each(Object.entries(MUTANTS))('is found to differ when %s', async (_, mutant) => {
    const stageAndFolder = await opened()
    const { stage } = stageAndFolder
    const random = seeded(first)
    const keptCopy: Kept = { ...keeping(stageAndFolder, 'sqlite', 0), mutant }
    const findings: string[] = []
    for (let round = 0; round < MUTANT_ROUNDS && findings.length === 0; round++) {
      await write(stage, random, 20)
      await disturb(stage, random)
      await run(stage, keptCopy, random, new Steps(random.below(40)))
      await run(stage, keptCopy, random)
      findings.push(...(await differences(stage, keptCopy, random)))
    }
    expect(findings).not.toEqual([])
  })

  const randomRun = async (seed: number, mayContinue: (round: number) => boolean) => {
    const stageAndFolder = await opened()
    const { stage } = stageAndFolder
    const random = seeded(seed)
    const copies = KINDS.flatMap((kind, at) =>
      [at, at + 4, at + 8].map((token) => keeping(stageAndFolder, kind, token)),
    )
    const did = { killed: 0, finished: 0, checks: 0 }
    const findings: string[] = []
    for (let round = 0; mayContinue(round) && findings.length === 0; round++) {
      const own = random.fork()
      await Promise.all([
        ...copies.map(async (keptCopy) => {
          const isKilled = await run(stage, keptCopy, own, new Steps(own.below(150)))
          did[isKilled ? 'killed' : 'finished'] += 1
        }),
        (async () => {
          for (let time = 0; time < 20; time++) await writeOnce(stage.scene, random, { holdMs: 2 })
          await stage.publishOnce(random).catch(() => {})
        })(),
      ])
      await disturb(stage, random)
      await stage.publishEverything()
      for (const keptCopy of copies) {
        await run(stage, keptCopy, random)
        findings.push(...(await differences(stage, keptCopy, random)))
        did.checks += 1
      }
    }
    return { did, findings: [...findings, ...stage.findings.all] }
  }

  test('equals a new listing after random histories and kills, in all three stores', async () => {
    const { did, findings } = await randomRun(first, (round) => round < (isShort ? 4 : 12))
    expect(findings).toEqual([])
    expect(Object.values(did).every((times) => times > 0)).toBe(true)
  })

  longProof('equals a new listing after random histories and kills', ({ seed, mayContinue }) =>
    randomRun(seed, mayContinue),
  )
})
