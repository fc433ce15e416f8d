import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type Api,
  accessToken,
  Client,
  ConnectionError,
  type Credential,
  installation,
  ServerError,
  serverKey,
  sqliteStore,
  syncInvestments,
  TimeoutError,
} from '@portico/sdk'
import type { Random } from '../../server/test/prove/random.ts'
import type { Stage } from './stage.ts'

/** A program of a partner that keeps a copy of investments with the SDK. */
export type Copy = {
  readonly name: string
  /** Syncs again and again until `isOver`. After a failure of the service, the copy syncs again a moment later. */
  syncRepeatedly(random: Random, isOver: () => boolean): Promise<void>
  /** Syncs a last time, and returns what differs between the copy and a new listing. */
  differences(): Promise<readonly string[]>
  readonly counts: { runs: number; interrupted: number; listings: number }
}

const PAGE_SIZES = [7, 25, 100]

/** One copy for the app's installation on the company, and two for the founder. Each copy has its own page size. */
export function openCopies(stage: Stage, directory: string): readonly Copy[] {
  const asInstallation = installation({ id: stage.installation, mintWith: serverKey(stage.client) })
  const asFounder = accessToken(stage.founderToken)
  return [asInstallation, asFounder, asFounder].map((credential, at) =>
    openCopy(`copy-${at + 1}`, { stage, credential, directory, pageSize: PAGE_SIZES[at] ?? 100 }),
  )
}

type CopyOptions = {
  readonly stage: Stage
  readonly credential: Credential
  readonly directory: string
  readonly pageSize: number
}

function openCopy(name: string, { stage, credential, directory, pageSize }: CopyOptions): Copy {
  const file = join(directory, `${name}.db`)
  const client = new Client({ baseUrl: stage.baseUrl, credential, maxRetries: 0, timeoutMs: 8_000 })
  const counts = { runs: 0, interrupted: 0, listings: 0 }
  const filters = { company_id: stage.company }

  /** Acts like a program that a scheduler starts: opens its file, syncs and ends. */
  async function syncOnce(): Promise<void> {
    const database = new DatabaseSync(file)
    try {
      const { listed } = await syncInvestments({ client, store: sqliteStore(database), filters, pageSize })
      counts.runs += 1
      counts.listings += Number(listed)
    } finally {
      database.close()
    }
  }

  async function syncUnlessDown(): Promise<boolean> {
    try {
      await syncOnce()
      return true
    } catch (error) {
      if (!isOutage(error)) throw error
      counts.interrupted += 1
      return false
    }
  }

  async function records(): Promise<ReadonlyMap<string, Api.Investment>> {
    const database = new DatabaseSync(file)
    const rows = database.prepare('select id, record from portico_investments').all()
    database.close()
    return new Map(rows.map(({ id, record }) => [String(id), JSON.parse(String(record))]))
  }

  return {
    name,
    counts,
    syncRepeatedly: async (random, isOver) => {
      while (!isOver()) {
        await syncUnlessDown()
        await wait(300 + random.below(900))
      }
    },
    differences: async () => {
      while (!(await syncUnlessDown())) await wait(500)
      const listed = new Map<string, Api.Investment>()
      for await (const { cursor: _, reason: __, ...record } of client.list('/investments', { query: filters })) {
        listed.set(record.id, record)
      }
      const stored = await records()
      const ids = [...new Set([...listed.keys(), ...stored.keys()])]
      const texts = ids.map((id) => [id, sorted(stored.get(id)), sorted(listed.get(id))] as const)
      return texts.flatMap(([id, copy, listing]) =>
        copy === listing ? [] : [`${name} ${id}: the copy has ${copy}, the listing ${listing}`],
      )
    },
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof TimeoutError || error instanceof ServerError
}

function sorted(record: unknown): string {
  const inOrder = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value
  return JSON.stringify(record, inOrder) ?? 'nothing'
}
