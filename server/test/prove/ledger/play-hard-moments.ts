import { randomBytes } from 'node:crypto'
import { DERIVATION } from '#ledger/derive/record.ts'
import type { Databases } from '#system/postgres/database.ts'
import type { TestDatabase } from '#test/database.ts'
import { withFaults } from '../fault-injection.ts'
import { noFindings } from '../findings.ts'
import { seeded } from '../random.ts'
import { compare } from './agreement.ts'
import type { Finding, Findings } from './findings.ts'
import { type Credential, createFixedData, type FixedData } from './fixed-data.ts'
import { HARD_MOMENTS, type Moment } from './hard-moments.ts'
import type { HardMomentsStage } from './hard-moments-stage.ts'
import type { Mutant } from './mutants.ts'
import { publishEverything } from './publishers.ts'
import { Reader } from './reader.ts'
import type { View } from './reference-model.ts'
import { startServer } from './servers.ts'

export type Parts = { readonly db: TestDatabase; readonly publishing: Databases; readonly mutant: Mutant | null }

export type Performance = {
  readonly findings: readonly Finding[]
  /** The hard moment at which the proof found an error. */
  readonly moment: Moment | null
}

/** Runs all hard moments, or stops at the first finding. */
export async function playHardMoments(parts: Parts): Promise<Performance> {
  const { db, mutant } = parts
  for (const sql of mutant?.schema?.make ?? []) await db.sql(sql)
  let awaited: (() => Promise<void>) | null = null
  const happens = async () => {
    const work = awaited
    awaited = null
    await work?.()
  }
  const secret = randomBytes(32).toString('hex')
  const server = await startServer({ databaseUrl: db.url, secret, faults: mutant?.reading?.(happens) ?? {} })
  const findings: Findings = noFindings()
  let revision = 0
  try {
    const fixed = await createFixedData(db, { companies: 2, readers: 1, investors: 6 })
    const readers = cast(fixed).map(({ credential, filters, size }) => {
      const around = { random: seeded(1), findings, server: () => server.url }
      return { reader: new Reader({ ...around, credential, filters, sizes: [size] }), marks: [] }
    })
    const stage: HardMomentsStage = {
      ...{ db, findings, fixed, readers, stock: [], derivation: DERIVATION, version: DERIVATION.version, happens },
      next: () => ++revision,
      write: async (work) => void (await db.databases.test.transaction(work)),
      publisher: (faults) => withFaults(parts.publishing.test, { ...mutant?.publishing, ...faults }),
      meanwhile: (what) => {
        awaited = what
      },
      agree: async () => {
        await publishEverything(stage.publisher({}), DERIVATION.version)
        for (const one of readers) await compare({ db, findings, version: DERIVATION.version }, one)
      },
    }
    for (const [moment, play] of HARD_MOMENTS) {
      await play(stage)
      await stage.agree()
      if (findings.all.length > 0) return { findings: findings.all, moment }
    }
    return { findings: [], moment: null }
  } finally {
    for (const sql of mutant?.schema?.undo ?? []) await db.sql(sql)
    await server.kill()
  }
}

type Role = { readonly credential: Credential; readonly filters: View['filters']; readonly size: number }

/** Readers of every audience, with small pages, so that there are many pages. */
function cast({ tokens, offerings, companies }: FixedData): Role[] {
  const token = (kind: string, pii: boolean): Credential => {
    const found = tokens.find(({ who, pii: shows }) => {
      const isOther = who.kind === 'company' && who.company !== companies[0]
      return who.kind === kind && !isOther && shows === pii
    })
    if (found === undefined) throw new Error(`no credential reads as ${kind}`)
    return found
  }
  const [offering] = offerings
  const under = offering === undefined ? {} : { offering_id: offering.id }
  return [
    { credential: token('union', false), filters: {}, size: 1 },
    { credential: token('company', true), filters: {}, size: 2 },
    { credential: token('company', false), filters: under, size: 2 },
    { credential: token('own', false), filters: {}, size: 1 },
  ]
}
