import { randomBytes } from 'node:crypto'
import { DERIVATION } from '#ledger/derive/record.ts'
import type { Databases } from '#system/postgres/database.ts'
import type { TestDatabase } from '#test/database.ts'
import { seeded } from '../chance.ts'
import { noFindings } from '../findings.ts'
import { meddledWith } from '../meddling.ts'
import { compare } from './agreement.ts'
import type { Finding, Findings } from './findings.ts'
import { type Credential, type Ground, layGround } from './ground.ts'
import { HARD_MOMENTS, type Moment } from './hard-moments.ts'
import type { Mutant } from './mutants.ts'
import { publishEverything } from './publishers.ts'
import { Reader } from './reader.ts'
import { startServer } from './servers.ts'
import type { Theatre } from './theatre.ts'
import type { View } from './truth.ts'

export type Parts = { readonly db: TestDatabase; readonly publishing: Databases; readonly mutant: Mutant | null }

export type Performance = {
  readonly findings: readonly Finding[]
  /** At which something was found. */
  readonly moment: Moment | null
}

/** Runs all hard moments, or stops at the first finding. */
export async function playHardMoments(parts: Parts): Promise<Performance> {
  const { db, mutant } = parts
  for (const sql of mutant?.schema?.make ?? []) await db.sql(sql)
  let awaited: (() => Promise<void>) | null = null
  const happens = async () => {
    const what = awaited
    awaited = null
    await what?.()
  }
  const secret = randomBytes(32).toString('hex')
  const server = await startServer({ databaseUrl: db.url, secret, meddling: mutant?.reading?.(happens) ?? {} })
  const findings: Findings = noFindings()
  let revision = 0
  try {
    const ground = await layGround(db, { companies: 2, readers: 1, investors: 6 })
    const readers = cast(ground).map(({ credential, filters, size }) => {
      const around = { chance: seeded(1), findings, server: () => server.url }
      return { reader: new Reader({ ...around, credential, filters, sizes: [size] }), marks: [] }
    })
    const theatre: Theatre = {
      ...{ db, findings, ground, readers, stock: [], derivation: DERIVATION, version: DERIVATION.version, happens },
      next: () => ++revision,
      write: async (work) => void (await db.databases.test.transaction(work)),
      publisher: (meddling) => meddledWith(parts.publishing.test, { ...mutant?.publishing, ...meddling }),
      meanwhile: (what) => {
        awaited = what
      },
      agree: async () => {
        await publishEverything(theatre.publisher({}), DERIVATION.version)
        for (const one of readers) await compare({ db, findings, version: DERIVATION.version }, one)
      },
    }
    for (const [moment, play] of HARD_MOMENTS) {
      await play(theatre)
      await theatre.agree()
      if (findings.all.length > 0) return { findings: findings.all, moment }
    }
    return { findings: [], moment: null }
  } finally {
    for (const sql of mutant?.schema?.undo ?? []) await db.sql(sql)
    await server.kill()
  }
}

type Role = { readonly credential: Credential; readonly filters: View['filters']; readonly size: number }

/** Every kind of audience, with small pages, so that there are many of them. */
function cast({ tokens, offerings, companies }: Ground): Role[] {
  const token = (kind: string, pii: boolean): Credential => {
    const found = tokens.find(({ who, pii: shows }) => {
      const isOther = who.kind === 'company' && who.company !== companies[0]
      return who.kind === kind && !isOther && shows === pii
    })
    if (found === undefined) throw new Error(`nobody reads as ${kind}`)
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
