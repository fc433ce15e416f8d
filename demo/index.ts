import type { FactRules } from '@portico/server/intake/facts/index.ts'
import type { Databases, WorldDatabase } from '@portico/server/system/postgres/database.ts'
import { worldNow } from '@portico/server/system/postgres/world-clock.ts'
import { ensureAccounts, ensureOperatorKeys } from './accounts.ts'
import { applyDemo, type DemoPlan } from './apply-demo.ts'
import { ensureApps, ensureConnection } from './apps.ts'
import { type DemoFile, demoFile, demoFilePath, readDemoFile, writeDemoFile } from './demo-file.ts'
import {
  countSeeded,
  insertCompanies,
  insertEvents,
  insertInvestments,
  insertUsers,
  type Part,
  partsBetween,
  writeTotals,
} from './seed/seed-store.ts'

export { type DemoPlan, planDemo } from './apply-demo.ts'
export type { DemoFile } from './demo-file.ts'
export { demoLogo } from './logos.ts'
export { type Mailbox, openMailbox } from './sent-mail.ts'

type DemoParts = {
  readonly databases: Databases
  readonly rules: FactRules
  /** Milliseconds since 1970. On the first start all facts are dated before this time. Later starts ignore it. */
  readonly nowMs: number
  /** A plan for this `nowMs`, if the caller has computed one. Only the first start uses it. */
  readonly plan?: DemoPlan | null
  /** Called with the share of applied facts, up to 1. */
  readonly onProgress?: (share: number) => void
}

export type Demo = {
  /** The number of applied facts. Zero if the demo existed already. */
  readonly facts: number
  /**
   * Creates the keys and apps that are missing, and writes demo.json. Call it when the address of the service is
   * known.
   */
  writeFile(where: { readonly baseUrl: string; readonly dataDirectory: string }): Promise<DemoFile>
}

/**
 * Fills the test world on the first start, and ensures on every start that its people can sign in. Workers may already run on
 * the same database. If the process is killed, the next start creates the missing records. If a fact is rejected, the start
 * fails.
 */
export async function ensureDemoWorld({ databases, rules, ...options }: DemoParts): Promise<Demo> {
  const { world, applied } = await applyDemo(databases.test, rules, options)
  const partner = await ensureAccounts(databases, world)
  return {
    facts: applied,
    writeFile: async ({ baseUrl, dataDirectory }) => {
      const path = demoFilePath(dataDirectory)
      const fileBefore = await readDemoFile(path)
      const operator_keys = await ensureOperatorKeys(databases, fileBefore)
      const apps = await ensureApps(databases, partner, fileBefore)
      await ensureConnection(databases.test, apps, world.people)
      const file = demoFile(world, { base_url: baseUrl, operator_keys, apps })
      await writeDemoFile(path, file)
      return file
    },
  }
}

export const SEEDED_MAX = 1_000_000

export type Seed = {
  readonly db: WorldDatabase
  /** The total number to reach, which includes the investments of earlier calls. */
  readonly investments: number
  /** Also records the event investment.created of each investment that this call seeds. */
  readonly events: boolean
  readonly onProgress: (done: number) => void
  readonly signal?: AbortSignal
}

export type Seeded = { readonly before: number; readonly after: number }

/** Fills a world for measurements. If a call is stopped, the next call continues after the last committed part. */
export async function seedWorld({ db, investments, events, onProgress, signal }: Seed): Promise<Seeded> {
  const before = await countSeeded(db.reads)
  const until = await worldNow(db.reads)
  let after = before
  for (const part of partsBetween(before, investments)) {
    if (signal?.aborted) break
    await seedPart(db, part, { events, until })
    after = part.investments.to
    onProgress(after)
  }
  return { before, after }
}

async function seedPart(
  db: WorldDatabase,
  { investments, users, companies, offerings }: Part,
  { events, until }: { readonly events: boolean; readonly until: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    await insertUsers(tx, users)
    await insertCompanies(tx, companies, offerings)
    await insertInvestments(tx, investments, until)
    await writeTotals(tx, offerings)
    if (events) await insertEvents(tx, investments, offerings)
  })
}
