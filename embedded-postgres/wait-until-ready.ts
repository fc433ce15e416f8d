import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { EmbeddedPostgresError, errorCode, messageOf, WAY_OUT } from './error.ts'
import { connectionUrl, type Endpoint } from './settings.ts'

export type Answer = { readonly version: string; readonly dataDirectory: string }

export type Question = {
  readonly endpoint: Endpoint
  readonly password: string
  readonly database: string
}

/**
 * Errors that a wait may cure, such as those of a server that is starting. 40001 comes from a standby whose recovery conflicts
 * with the readiness query. All other errors are permanent.
 */
const NOT_YET = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAGAIN', '57P03', '57P01', '53300', '40001'])

const DATABASE_MISSING = '3D000'
const PAUSE_MIN_MS = 10
const PAUSE_MAX_MS = 200

/**
 * Tries to connect until the server responds, and returns its answer; undefined after `patienceMs`, or once `givenUp` returns
 * true because the server has ended. Creates the database if it is missing.
 */
export async function waitUntilReady(
  question: Question,
  patienceMs: number,
  givenUp: () => boolean,
): Promise<Answer | undefined> {
  const deadline = performance.now() + patienceMs
  for (let pauseMs = PAUSE_MIN_MS; ; pauseMs = Math.min(pauseMs * 1.5, PAUSE_MAX_MS)) {
    const leftMs = deadline - performance.now()
    if (leftMs <= 0 || givenUp()) return undefined
    const answer = await tryToAsk(question, leftMs)
    if (answer) return answer
    await sleep(Math.min(pauseMs, leftMs))
  }
}

async function tryToAsk(question: Question, timeoutMs: number): Promise<Answer | undefined> {
  try {
    return await ask(question, timeoutMs)
  } catch (error) {
    const code = errorCode(error)
    if (code === DATABASE_MISSING) {
      await createDatabase(question, timeoutMs)
      return await ask(question, timeoutMs)
    }
    // An error without a code: the connection was cut or timed out, as during a start or stop.
    if (code === undefined || NOT_YET.has(code)) return undefined
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL rejected the connection: ${messageOf(error)} (${code}). If its password or its pg_hba.conf was ` +
        `changed by hand, undo that, ${WAY_OUT}.`,
      { cause: error },
    )
  }
}

async function ask(question: Question, timeoutMs: number): Promise<Answer> {
  return await withClient(question, timeoutMs, async (client) => {
    const { rows } = await client.query<Answer>(
      `select split_part(current_setting('server_version'), ' ', 1) as version,
              current_setting('data_directory') as "dataDirectory"`,
    )
    const [answer] = rows
    if (answer === undefined) throw new Error('no response')
    return answer
  })
}

async function createDatabase(question: Question, timeoutMs: number): Promise<void> {
  const maintenance = { ...question, database: 'postgres' }
  await withClient(maintenance, timeoutMs, async (client) => {
    await client.query(`create database ${client.escapeIdentifier(question.database)}`)
  })
}

async function withClient<T>(question: Question, timeoutMs: number, use: (client: pg.Client) => Promise<T>) {
  const { endpoint, password, database } = question
  const client = new pg.Client({
    connectionString: connectionUrl(endpoint, password, database),
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  })
  // An idle connection reports a stopping server here; without a listener that would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => {})
  }
}
