import { Client } from 'pg'
import type { Log } from '#system/log.ts'
import { type ConnectionTimes, connectionConfig } from './connection.ts'
import type { PlatformDatabase } from './database.ts'
import { platformStatement } from './statement.ts'

/*
 * A process without workers announces its commits to the processes with workers. A notification can be lost (a broken
 * connection, a pooler between us and PostgreSQL), so it only makes the next poll start sooner. It is a separate statement
 * after the commit, because PostgreSQL lets transactions that notify commit only one at a time.
 */

const ANNOUNCE = platformStatement('system.announce_work', `select pg_notify('portico_work', '')`)

/** Never rejects: if the announcement fails, the next poll finds the work. */
export function announceWork({ reads }: Pick<PlatformDatabase, 'reads'>): void {
  reads.run(ANNOUNCE).catch(() => {})
}

export type WorkListener = { close(): Promise<void> }

type Listening = { readonly url: string; readonly onWork: () => void; readonly log: Pick<Log, 'warn'> }

const TIMES: ConnectionTimes = { connectMs: 5_000, statementMs: 5_000, lockMs: 5_000, idleInTransactionMs: 20_000 }
const RECONNECT_AFTER_MS = 1_000

/** Listens on its own connection, and opens a new connection when that one is lost. */
export function listenForWork({ url, onWork, log }: Listening): WorkListener {
  let isClosed = false
  let client: Client | null = null
  let timer: NodeJS.Timeout | null = null

  async function connect(): Promise<void> {
    const next = new Client(connectionConfig(url, 'platform', { withRole: false, times: TIMES }))
    client = next
    next.on('notification', onWork)
    next.on('error', () => {})
    next.once('end', () => {
      if (client === next) again()
    })
    try {
      await next.connect()
      await next.query('listen portico_work')
      // A signal may have been sent while this connection was down.
      onWork()
    } catch {
      if (client !== next) return
      log.warn('announcements of work cannot be received at the moment; polling finds the work a second later')
      await next.end().catch(() => {})
      again()
    }
  }

  function again(): void {
    client = null
    if (!isClosed) timer ??= setTimeout(reconnect, RECONNECT_AFTER_MS)
  }

  function reconnect(): void {
    timer = null
    opening = connect()
  }

  let opening = connect()
  return {
    async close() {
      isClosed = true
      if (timer !== null) clearTimeout(timer)
      await opening
      const last = client
      client = null
      await last?.end().catch(() => {})
    },
  }
}

/**
 * PostgreSQL gives a number to every transaction that writes, and to no other. A snapshot shows which numbers have been given,
 * and which of these transactions are still in progress. So as long as the text of the snapshot stays the same, no transaction
 * has committed a write in any database of the server.
 */
const SNAPSHOT = platformStatement<{ snapshot: string }>(
  'system.newest_write',
  'select pg_current_snapshot()::text as snapshot',
)

/** A text that changes with each committed write, also with those of other databases. */
export async function newestWrite({ reads }: Pick<PlatformDatabase, 'reads'>): Promise<string> {
  return (await reads.one(SNAPSHOT)).snapshot
}
