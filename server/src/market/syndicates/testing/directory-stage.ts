import { randomBytes } from 'node:crypto'
import { Value } from 'typebox/value'
import { expect } from 'vitest'
import type { NewUser } from '#access/people/index.ts'
import { authenticateTokens } from '#access/tokens/index.ts'
import { aClient, aConnection, aUserToken, type StagedClient } from '#access/tokens/testing/stage.ts'
import { EVENT_DATA } from '#events/http.ts'
import { findCaused, wholeData } from '#events/index.ts'
import { settlingJoinSessions } from '#hosted/sessions/index.ts'
import { type ErrorResponse, readError } from '#http/testing/error-response.ts'
import { serveProbes } from '#http/testing/probe-app.ts'
import { systemClock } from '#kernel/clock.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { VERSION_STEPS } from '#main/routes.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import { digestOf, newSecret } from '#system/crypto/secret.ts'
import { openLog } from '#system/log.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeUser } from '#test/people.ts'
import { makeSyndicate } from '#test/syndicates.ts'
import { actionRecorder } from '#views/activity/index.ts'
import { syndicateRoutes } from '../http.ts'
import {
  applyForMembership,
  approveApplication,
  declineApplication,
  failPayment,
  joinSyndicate,
  leaveSyndicate,
  type MembershipState,
  type Permission,
  removeMember,
  setManager,
  withdrawApplication,
} from '../index.ts'

export const ORIGIN = 'https://platform.example.org'
export const BOTH = ['read:syndicates', 'write:syndicates']
export const OLDER = { 'wefunder-version': '2026-10-01' }

export type Fields = Readonly<Record<string, unknown>>
export type Resource = { readonly id: string; readonly type: string; readonly attributes: Fields }
export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly data: Resource
  readonly list: readonly Resource[]
  readonly meta: Fields & { readonly next_cursor: string | null }
  readonly error: ErrorResponse
}
export type Send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>

type SyndicateMade = {
  readonly id: Id<'syndicate'>
  readonly creator: Id<'user'>
  readonly full: Id<'user'>
  readonly operator: Id<'user'>
}

/** The routes of this module on a real port and a real database, with real tokens. */
export type DirectoryStage = {
  readonly db: TestDatabase
  readonly url: string
  readonly defaultClient: StagedClient
  user(profile?: Partial<NewUser>, world?: World): Promise<Id<'user'>>
  /** A syndicate with three managers, none of them a member. `creator` and `full` have full access. */
  syndicate(settings?: Parameters<typeof makeSyndicate>[1], world?: World): Promise<SyndicateMade>
  /** Makes a person with a membership in this state, by calling the use cases. */
  member(syndicate: Id<'syndicate'>, wanted?: Wanted): Promise<Id<'membership'>>
  as(user: Id<'user'>, scopes?: readonly string[], client?: StagedClient): Promise<Send>
  token(user: Id<'user'>, scopes?: readonly string[], client?: StagedClient): Promise<string>
  installedOn(target: Target, scopes?: readonly string[]): Promise<Send & { readonly installation: Id<'installation'> }>
  /** The events that a request caused, each checked against the catalogue. */
  causedBy(answer: Answer): Promise<{ readonly event: string; readonly data: Fields }[]>
  arrange<T>(work: (tx: Tx) => Promise<T>, world?: World): Promise<T>
  settled(): Promise<void>
  close(): Promise<void>
}

type Wanted = {
  readonly id?: Id<'membership'>
  readonly user?: Id<'user'>
  readonly profile?: Partial<NewUser>
  readonly status?: MembershipState
  readonly permission?: Permission
}

type Target = {
  readonly syndicate?: string
  readonly company?: string
  readonly user?: string
  readonly installedBy?: string
}

export async function openDirectoryStage(): Promise<DirectoryStage> {
  const db = await testDatabase()
  const { databases } = db
  const keys = keyring(randomBytes(32).toString('hex'))
  const cursors = cursorSealer(sealedBox(keys('cursors')))
  const actions = actionRecorder(databases, { clock: systemClock, log: openLog('error') })
  const invitationMails = { link: (_: World, id: string) => `${ORIGIN}/${id}`, platformName: 'Portico' }
  const routes = syndicateRoutes({ cursors, origin: () => ORIGIN, settling: settlingJoinSessions, invitationMails })
  const served = await serveProbes(routes, {
    settings: { versionSteps: VERSION_STEPS },
    ports: {
      databases,
      platform: databases.platform,
      authenticate: authenticateTokens(databases),
      answers: sealedBox(keys('stored-answers')),
      actions,
    },
  })
  const defaultClient = await aClient(db, { scopes: BOTH, approved: true })
  const arrange: DirectoryStage['arrange'] = (work, world = 'test') => databases[world].transaction(work)
  const bearer = (token: string) => sender(served.url, { authorization: `Bearer ${token}` })
  const token: DirectoryStage['token'] = async (user, scopes = BOTH, by = defaultClient) => {
    const on = await aConnection(db, by, { user, scopes })
    return (await aUserToken(db, by, { on, scopes })).accessToken
  }
  return {
    ...{ db, defaultClient, arrange, url: served.url },
    user: (profile = {}, world) => arrange((tx) => makeUser(tx, profile), world),
    syndicate: (settings = {}, world) =>
      arrange(async (tx) => {
        const [creator, full, operator] = [await makeUser(tx), await makeUser(tx), await makeUser(tx)]
        const id = await makeSyndicate(tx, { createdBy: creator, ...settings })
        for (const userId of [creator, full]) {
          await setManager(tx, { syndicateId: id, userId, permission: 'full_access' }, occasionAt())
        }
        await setManager(tx, { syndicateId: id, userId: operator, permission: 'operator' }, occasionAt())
        return { id, creator, full, operator }
      }, world),
    member: (syndicate, wanted = {}) => arrange((tx) => makeMember(tx, syndicate, wanted)),
    token,
    as: async (...whose) => bearer(await token(...whose)),
    installedOn: async (target, scopes = BOTH) => {
      const client = await aClient(db, { scopes: BOTH, approved: true })
      const { id, token } = await installationToken(db, client, { target, scopes })
      return Object.assign(bearer(token), { installation: id })
    },
    causedBy: async ({ headers }) => {
      const stored = await findCaused(databases.test.reads, headers.get('x-request-id') ?? '')
      return stored.map((event) => {
        const data = wholeData(event)
        expect(Value.Errors(EVENT_DATA[event.name], data), event.name).toEqual([])
        return { event: event.name, data }
      })
    },
    settled: () => actions.settled(),
    close: async () => {
      await served.close()
      await actions.settled()
      await db.close()
    },
  }
}

/** The status `approved` needs a syndicate with a fund: in other syndicates the approval makes the person a member at once. */
async function makeMember(tx: Tx, syndicateId: Id<'syndicate'>, wanted: Wanted): Promise<Id<'membership'>> {
  const { status = 'member', id = newId('membership') } = wanted
  const userId = wanted.user ?? (await makeUser(tx, wanted.profile ?? {}))
  const approvedBy = await makeUser(tx, { name: 'Mary Manager' })
  const at = '2026-02-01T00:00:00.000000Z'
  await applyForMembership(tx, { id, syndicateId, userId }, occasionAt(at))
  const ends = { declined: declineApplication, withdrawn: withdrawApplication, pending: null } as const
  if (status === 'declined' || status === 'withdrawn') await ends[status](tx, { id }, occasionAt(at))
  if (status in ends) return id
  const approved = await approveApplication(tx, { id, approvedBy }, occasionAt(at))
  if (status === 'approved') return id
  if (approved.status === 'approved') await joinSyndicate(tx, { id }, occasionAt(at))
  if (wanted.permission !== undefined)
    await setManager(tx, { syndicateId, userId, permission: wanted.permission }, occasionAt())
  const out = { left: leaveSyndicate, removed: removeMember, payment_failed: failPayment } as const
  if (status !== 'member' && status in out) await out[status as keyof typeof out](tx, { id }, occasionAt(at))
  return id
}

type Installed = { readonly target: Target; readonly scopes: readonly string[] }

/** The token is inserted directly into the tables. Other tests show how an app obtains such a token. */
async function installationToken(db: TestDatabase, { app, keyId }: StagedClient, { target, scopes }: Installed) {
  const { company = null, syndicate = null, user = null, installedBy = null } = target
  const [id, token] = [newId('installation'), newSecret('at', 'test')]
  const [type, tier] =
    company !== null ? ['company', 'founder'] : syndicate !== null ? ['syndicate', 'manager'] : ['user', 'user']
  await db.sql(
    `insert into test.installations
       (id, app_id, target_type, company_id, syndicate_id, user_id, tier, scopes, installed_by_role, installed_by_user_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'manager', $9)`,
    [id, app, type, company, syndicate, user, tier, scopes, installedBy],
  )
  await db.sql(
    `insert into test.access_tokens (hash, kind, key_id, app_id, installation_id, scopes, generation, expires_at)
     select $1, 'installation', id, $2, $3, $4, generation, clock_timestamp() + interval '1 hour'
       from platform.app_keys where id = $5`,
    [digestOf(token), app, id, scopes, keyId],
  )
  return { id, token }
}

function sender(url: string, defaultHeaders: Readonly<Record<string, string>>): Send {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...defaultHeaders, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const common = { status: response.status, headers: response.headers }
    if (!response.ok) return { ...common, error: await readError(response) } as Answer
    const text = await response.text()
    if (!response.headers.get('content-type')?.startsWith('application/json')) return { ...common, text } as Answer
    const parsed = JSON.parse(text) as { readonly data: unknown }
    return { ...common, text, ...parsed, list: parsed.data } as Answer
  }
}

export const refusal = ({ status, error }: Answer) => `${status} ${error?.type}`

/** Reads all pages of a list and returns every row. */
export async function everyRow(send: Send, path: string): Promise<Resource[]> {
  const rows: Resource[] = []
  let cursor: string | null = null
  do {
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { list, meta } = await send('GET', path + next)
    rows.push(...list)
    cursor = meta.next_cursor
  } while (cursor !== null)
  return rows
}
