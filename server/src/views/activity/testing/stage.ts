import { randomBytes } from 'node:crypto'
import pino from 'pino'
import { installationRoutes } from '#access/installations/http.ts'
import { SCOPE_NAMES } from '#access/scopes/index.ts'
import { authenticateTokens } from '#access/tokens/index.ts'
import { aClient, aConnection, aUserToken, type StagedClient } from '#access/tokens/testing/stage.ts'
import type { Ports } from '#http/ports.ts'
import type { Route } from '#http/route.ts'
import { type ErrorResponse, readError } from '#http/testing/error-response.ts'
import { serveProbes } from '#http/testing/probe-app.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { VERSION_STEPS } from '#main/routes.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { MadeUpApp } from '#test/apps.ts'
import { type MovableClock, movableClock } from '#test/clock.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { profileRoutes } from '#views/profile/http.ts'
import { activityRoutes } from '../http.ts'
import { actionRecorder, recordAction } from '../index.ts'

export type Fields = Readonly<Record<string, unknown>>
export type Entry = { readonly id: string; readonly type: string; readonly attributes: Fields }
export type ApiResponse = {
  readonly status: number
  readonly headers: Headers
  readonly data: Fields & { readonly id: string }
  readonly list: readonly Entry[]
  readonly meta: Fields & { readonly next_cursor: string | null }
  /** The `error` in the body of a rejected request. */
  readonly error: ErrorResponse
}
export type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<ApiResponse>

type MadeUpEntry = Partial<Parameters<typeof recordAction>[1]> & { readonly user: Id<'user'>; readonly world?: World }

/** Routes that apps call for users, and the activity route, on a real port and a real database, with real tokens. */
export type ActivityStage = {
  readonly db: TestDatabase
  /** The clock of the hourly limits on recorded rejections. */
  readonly clock: MovableClock
  readonly logLines: readonly string[]
  client(app?: MadeUpApp & { readonly world?: World }): Promise<StagedClient>
  user(world?: World): Promise<Id<'user'>>
  /** Calls the API with a token of an app with these scopes for this user. */
  as(user: Id<'user'>, scopes: readonly string[], client?: StagedClient): Promise<Send>
  bearer(token: string | null): Send
  /** Makes a company, by default with an open, listed round. */
  company(change?: Parameters<typeof makeCompany>[1] & { readonly listed?: boolean }): Promise<Id<'company'>>
  record(entry: MadeUpEntry): Promise<void>
  /** Waits until the background writes are finished, then reads the newest 100 entries of the user. */
  activityOf(user: Id<'user'>, query?: string): Promise<readonly Entry[]>
  settled(): Promise<void>
  arrange<T>(work: (tx: Tx) => Promise<T>, world?: World): Promise<T>
  close(): Promise<void>
}

const EVERYTHING = SCOPE_NAMES.filter((name) => name !== 'read:public')

type Around = { readonly routes?: readonly Route[]; readonly ports?: Partial<Ports> }

export async function openActivityStage({ routes = [], ports = {} }: Around = {}): Promise<ActivityStage> {
  const db = await testDatabase()
  const { databases } = db
  const clock = movableClock()
  const logLines: string[] = []
  const log = pino({}, { write: (line: string) => logLines.push(line) })
  const recorder = actionRecorder(ports.databases ?? databases, { clock, log })
  const cursors = cursorSealer(sealedBox(keyring(randomBytes(32).toString('hex'))('cursors')))
  const deps = {
    databases,
    cursors,
    origin: () => 'https://p.example.org',
    brand: 'wefunder',
    onRevoked: [],
  }
  const installing = installationRoutes(deps).filter(({ access }) => access.kind === 'token')
  const served = await serveProbes([...profileRoutes(deps), ...installing, ...activityRoutes(deps), ...routes], {
    settings: { versionSteps: VERSION_STEPS },
    ports: {
      ...{ databases, platform: databases.platform, authenticate: authenticateTokens(databases) },
      ...{ actions: recorder, ...ports },
    },
  })
  const client: ActivityStage['client'] = (app = {}) => aClient(db, { scopes: EVERYTHING, approved: true, ...app })
  const usual = await client({ name: 'Deal Desk' })
  const arrange: ActivityStage['arrange'] = (work, world = 'test') => databases[world].transaction(work)
  const bearer = (token: string | null) =>
    sender(served.url, token === null ? {} : { authorization: `Bearer ${token}` })
  const as: ActivityStage['as'] = async (user, scopes, by = usual) => {
    const on = await aConnection(db, by, { user, scopes })
    return bearer((await aUserToken(db, by, { on, scopes })).accessToken)
  }
  const looker = await client({ name: 'Looker' })
  return {
    ...{ db, clock, logLines, client, arrange, bearer, as },
    user: (world) => arrange((tx) => makeUser(tx), world),
    company: ({ listed = true, ...change } = {}) =>
      arrange(async (tx) => {
        const company = await makeCompany(tx, change)
        if (listed) await makeOffering(tx, { company, listed })
        return company
      }),
    record: ({ user, world = 'test', ...entry }) =>
      arrange(
        (tx) =>
          recordAction(tx, {
            ...{ owner: { userId: user }, appId: usual.app, action: 'things.create' },
            ...{ resourceId: null, outcome: { status: 'success' }, requestId: null, ...entry },
          }),
        world,
      ),
    activityOf: async (user, query = '') => {
      await recorder.settled()
      const send = await as(user, ['read:profile', 'write:follows'], looker)
      return (await send('GET', `/activity?per_page=100${query}`)).list
    },
    settled: () => recorder.settled(),
    close: async () => {
      await served.close()
      await recorder.settled()
      await db.close()
    },
  }
}

function sender(url: string, always: Readonly<Record<string, string>>): Send {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...always, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const seen = { status: response.status, headers: response.headers }
    if (!response.ok) return { ...seen, error: await readError(response) } as ApiResponse
    const parsed = JSON.parse(await response.text()) as { readonly data: unknown }
    return { ...seen, ...parsed, list: parsed.data } as ApiResponse
  }
}

/** Every entry, page by page. */
export async function allEntries(send: Send, path: string): Promise<Entry[]> {
  const entries: Entry[] = []
  let cursor: string | null = null
  do {
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const result: ApiResponse = await send('GET', path + next)
    entries.push(...result.list)
    cursor = result.meta.next_cursor
  } while (cursor !== null)
  return entries
}

export const refusal = ({ status, error }: ApiResponse) => [status, error?.type]

/** One text for each entry: its action and its outcome. */
export const summaries = (entries: readonly Entry[]) =>
  entries.map(({ attributes }) => `${attributes['action']} ${attributes['status']}`)
