import { Client } from 'pg'
import { expect } from 'vitest'
import type { Databases } from '#system/postgres/database.ts'
import { openDatabases } from '#system/postgres/open.ts'
import type { TestDatabase } from '#test/database.ts'
import { PATIENT } from '#test/patient.ts'

/** A test database with enough connections for sixteen concurrent transactions. */
export type Crowd = TestDatabase & { readonly size: number }

export const CROWD_SIZE = 16

export async function crowdOn(db: TestDatabase): Promise<Crowd> {
  const databases: Databases = await openDatabases({
    url: db.url,
    poolSize: CROWD_SIZE + 4,
    times: PATIENT,
    onError: () => {},
  })
  return {
    ...db,
    databases,
    size: CROWD_SIZE,
    close: async () => {
      await databases.close()
      await db.close()
    },
  }
}

/** Runs sixteen calls at the same time. */
export function runAtOnce<T>(work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: CROWD_SIZE }, (_, index) => work(index)))
}

/** Locks the statement's rows in a separate transaction, until the test releases them. */
export async function lockRows(
  { url }: TestDatabase,
  text: string,
  values: readonly unknown[] = [],
): Promise<{ release(): Promise<void> }> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('begin')
  const { rowCount } = await client.query(text, [...values])
  expect(rowCount).toBe(1)
  return {
    release: async () => {
      await client.query('commit')
      await client.end()
    },
  }
}

/** Resolves once this many transactions wait for a lock. */
export async function untilWaiting({ sql }: TestDatabase, count: number): Promise<void> {
  const waiting = () =>
    sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  await expect.poll(async () => (await waiting()).length, { interval: 10 }).toBe(count)
}

/** Returns a promise, and the function with which the test resolves it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}
