import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ApiResponse,
  type ApiStage,
  openApiStage,
  type Partner,
  type Person,
  type Send,
} from '#access/installations/testing/api-stage.ts'
import { newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { makeInvestment } from '#test/investments.ts'
import { publishAll } from '#test/ledger.ts'
import { makeOffering } from '#test/offerings.ts'
import { ledgerRoutes, portalSyncRoutes } from '../http.ts'
import { SyncInspection } from './schemas.ts'

let stage: ApiStage
let partner: Partner
let founder: Person
let team: Send
beforeAll(async () => {
  stage = await openApiStage([], (deps) => [...ledgerRoutes(deps), ...portalSyncRoutes(deps)])
  founder = await stage.person()
  partner = await stage.partner({ scopes: SCOPES, piiApproved: true })
  team = await stage.signedIn(await stage.teammate(partner))
})
afterAll(() => stage.close())

const SCOPES = ['read:investments', 'read:investors:pii', 'write:installations']

type Seen = {
  readonly mode: World
  readonly cursor: { readonly kind: string; readonly age_seconds: number; readonly as_of: string } | null
  readonly rejection: { readonly reason: string; readonly status: number; readonly message: string } | null
  readonly waiting: { readonly changes: number; readonly complete: boolean } | null
  readonly page: { readonly data: readonly Row[]; readonly meta: { readonly next_cursor: string } } | null
}
type Row = { readonly id: string; readonly investor?: Readonly<Record<string, unknown>> }

const refusal = ({ status, error }: ApiResponse) => `${status} ${error?.type}`
const path = (installation: string, query = '', app = partner.app) =>
  `/portal/api/apps/${app}/installations/${installation}/sync${query}`

async function inspect(installation: string, query = ''): Promise<Seen> {
  const response = await team('GET', path(installation, query))
  expect(response.status, JSON.stringify(response.error)).toBe(200)
  expect(Value.Errors(SyncInspection, { data: response.data, meta: response.meta }).slice(0, 3)).toEqual([])
  return response.data as unknown as Seen
}

const idsIn = ({ page }: Seen) => page?.data.map(({ id }) => id)
const reasonOf = async (installation: string, cursor: string) =>
  (await inspect(installation, `?cursor=${cursor}`)).rejection?.reason

/** A company with this many investments and the app on it; `get` sends requests with a token of the installation. */
async function installed(investments = 1, more: object = {}) {
  const company = await stage.company({ founder })
  const offering = await stage.arrange((tx) => makeOffering(tx, { company }))
  const invest = async () => {
    const id = await stage.arrange((tx) => makeInvestment(tx, { offering }))
    await publishAll(stage.db.databases.test)
    return id
  }
  for (let at = 0; at < investments; at++) await invest()
  const by = await stage.as(partner, founder)
  const made = await by('POST', '/installations', { target_type: 'company', target_id: company, ...more })
  const token = (made as unknown as { token: { access_token: string } }).token.access_token
  return { id: made.data.id, company, invest, get: stage.bearer(token) }
}

const setApp = (set: string, app: string = partner.app) =>
  stage.db.sql(`update platform.apps set ${set} where id = $1`, [app])

describe('GET /portal/api/apps/{id}/installations/{id}/sync', () => {
  test('without a cursor returns exactly the page that a token of the installation gets', async () => {
    const { id, get } = await installed(3)
    const own = await get('GET', '/investments?per_page=2')
    const seen = await inspect(id, '?per_page=2')
    expect(seen.page?.data).toEqual(own.list)
    expect(seen).toMatchObject({ mode: 'test', cursor: null, rejection: null, waiting: null })
    const next = await inspect(id, `?per_page=2&cursor=${own.meta['next_cursor']}`)
    expect([next.cursor?.kind, next.page?.data.length]).toEqual(['list', 1])
  })

  test('with a cursor returns the changes since the cursor, the cursor’s age and the number of waiting changes', async () => {
    const { id, get, invest } = await installed(1)
    const { meta } = await get('GET', '/investments')
    const cursor = String(meta['next_cursor'])
    expect((await inspect(id, `?cursor=${cursor}`)).waiting).toEqual({ changes: 0, complete: true })
    const later = [await invest(), await invest(), await invest()]
    const seen = await inspect(id, `?per_page=2&cursor=${cursor}`)
    expect(seen).toMatchObject({ cursor: { kind: 'sync' }, rejection: null, waiting: { changes: 3, complete: true } })
    expect(idsIn(seen)).toEqual(later.slice(0, 2))
    const row = (await get('GET', `/investments?cursor=${cursor}`)).list[1] as unknown as { cursor: string }
    expect(idsIn(await inspect(id, `?cursor=${row.cursor}`))).toEqual(later.slice(2))
  })

  test('shows identities only if the installation has the scope', async () => {
    const named = await installed(1)
    const unnamed = await installed(1, { scopes: ['read:investments'] })
    expect((await inspect(named.id)).page?.data[0]?.investor).toHaveProperty('email')
    const [row] = (await inspect(unnamed.id)).page?.data ?? []
    expect(Object.keys(row?.investor ?? {})).toEqual(['id', 'deactivated', 'via_entity'])
  })

  test('shows no position, because positions count the changes of all companies', async () => {
    const { id, get } = await installed(1)
    const { meta } = await get('GET', '/investments')
    const { cursor } = await inspect(id, `?cursor=${meta['next_cursor']}`)
    expect(Object.keys(cursor ?? {})).toEqual(['kind', 'as_of', 'age_seconds', 'expires_at'])
  })
})

describe('the reason why a cursor is rejected', () => {
  test('is shown for a tampered cursor, one of the changes list, one of another reader and one without identities', async () => {
    const { id, get, company } = await installed(1)
    const other = await installed(1)
    const cursor = String((await get('GET', '/investments')).meta['next_cursor'])
    const changed = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`
    expect(await reasonOf(id, changed)).toBe('malformed')
    expect(await reasonOf(id, 'anything')).toBe('malformed')
    expect(await reasonOf(other.id, cursor)).toBe('other_reader')
    const changes = await get('GET', `/companies/${company}/investments/changes`)
    expect(await reasonOf(id, String(changes.meta['next_cursor']))).toBe('other_list')
    await stage.db.sql(`update test.installations set scopes = '{read:investments}' where id = $1`, [id])
    const without = (await inspect(id)).page?.meta.next_cursor ?? ''
    expect(await reasonOf(id, cursor)).toBeUndefined()
    await stage.db.sql(`update test.installations set scopes = $2 where id = $1`, [id, SCOPES])
    expect(await reasonOf(id, without)).toBe('identities_added')
  })

  test('is shown for a cursor of the other mode, without data of that mode', async () => {
    const { id } = await installed(1)
    const live = newId('installation')
    const person = await stage.person('live')
    const company = await stage.company({ founder: person })
    await stage.db.sql(
      `insert into live.installations (id, app_id, target_type, company_id, tier, scopes, pii_by, installed_by_role)
       values ($1, $2, 'company', $3, 'founder', $4, 'approval', 'founder')`,
      [live, partner.app, company, SCOPES],
    )
    const there = await inspect(live)
    expect([there.mode, there.page?.data]).toEqual(['live', []])
    const seen = await inspect(id, `?cursor=${there.page?.meta.next_cursor}`)
    expect(seen).toMatchObject({
      mode: 'test',
      page: null,
      cursor: null,
      rejection: { reason: 'other_mode', status: 400 },
    })
  })

  test('is shown for a cursor that is too old, with its age and the API’s message', async () => {
    const { id, get } = await installed(1)
    const cursor = String((await get('GET', '/investments')).meta['next_cursor'])
    await stage.db.sql(`update test.world_clock set ahead = ahead + interval '91 days'`)
    const seen = await inspect(id, `?cursor=${cursor}`)
    const token = await installed(0)
    expect(seen).toMatchObject({ page: null, waiting: null, rejection: { reason: 'too_old', status: 410 } })
    expect(seen.cursor?.age_seconds).toBeGreaterThanOrEqual(91 * 86_400)
    const again = await token.get('GET', `/investments?updated_since=${seen.cursor?.as_of}`)
    expect(again.error.message).toBe(seen.rejection?.message)
  })

  test('is shown for a user’s connection whose access changed, but never the user’s records', async () => {
    const user = await stage.person()
    const get = await stage.as(partner, user, ['read:investments', 'write:installations'])
    const [own] = (await get('GET', '/installations')).list
    const cursor = String((await get('GET', '/investments')).meta['next_cursor'])
    const id = String(own?.id)
    expect(await inspect(id)).toMatchObject({ page: null, waiting: null, rejection: null })
    expect(await inspect(id, `?cursor=${cursor}`)).toMatchObject({
      cursor: { kind: 'sync' },
      page: null,
      waiting: null,
    })
    await stage.company({ founder: user })
    await publishAll(stage.db.databases.test)
    expect(await reasonOf(id, cursor)).toBe('access_changed')
  })
})

describe('callers and installations that get an error', () => {
  test('a stranger and another team get 404, for the app and through their own app', async () => {
    const { id } = await installed(1)
    const stranger = await stage.signedIn(await stage.person())
    const other = await stage.partner({ scopes: SCOPES })
    const others = await stage.signedIn(await stage.teammate(other))
    expect(refusal(await stranger('GET', path(id)))).toBe('404 not_found')
    expect(refusal(await others('GET', path(id)))).toBe('404 not_found')
    expect(refusal(await others('GET', path(id, '', other.app)))).toBe('404 not_found')
    expect(refusal(await stage.bearer('nobody')('GET', path(id)))).toBe('401 invalid_token')
    const bearer = await stage.as(partner, founder)
    expect(refusal(await bearer('GET', path(id)))).toBe('401 invalid_token')
  })

  test('409 for a revoked installation; 403 for an installation without the scope, and for an installation on a syndicate', async () => {
    const { id } = await installed(1)
    await stage.db.sql(`update test.installations set scopes = '{read:companies}' where id = $1`, [id])
    expect(refusal(await team('GET', path(id)))).toBe('403 insufficient_scope')
    await team('DELETE', `/portal/api/apps/${partner.app}/installations/${id}`)
    expect(refusal(await team('GET', path(id)))).toBe('409 installation_revoked')
    const manager = await stage.person()
    const target = { target_type: 'syndicate', target_id: await stage.syndicate(manager) }
    const made = await (await stage.as(partner, manager))('POST', '/installations', target)
    await stage.db.sql(`update test.installations set scopes = $2 where id = $1`, [made.data.id, ['read:investments']])
    expect(refusal(await team('GET', path(made.data.id)))).toBe('403 forbidden')
  })

  test('the team gets 403 if the app is suspended, and 409 if it is disabled', async () => {
    const { id } = await installed(1)
    await setApp(`suspended_at = now(), suspended_reason = 'x'`)
    expect(refusal(await team('GET', path(id)))).toBe('403 app_suspended')
    await setApp(`suspended_at = null, suspended_reason = null, disabled_at = now()`)
    expect(refusal(await team('GET', path(id)))).toBe('409 illegal_transition')
    await setApp('disabled_at = null')
    expect((await team('GET', path(id))).status).toBe(200)
  })

  test('the team of an ended organization gets 409', async () => {
    const { id } = await installed(1)
    const setOrganization = (set: string) =>
      stage.db.sql(`update platform.organizations set ${set} where id = $1`, [partner.organization])
    await setOrganization(`state = 'ended', ended_at = now()`)
    expect(refusal(await team('GET', path(id)))).toBe('409 illegal_transition')
    await setOrganization(`state = 'active', ended_at = null`)
    expect((await team('GET', path(id))).status).toBe(200)
  })

  test('a person who left the team gets 404', async () => {
    const { id } = await installed(1)
    const person = await stage.teammate(partner)
    const send = await stage.signedIn(person)
    expect((await send('GET', path(id))).status).toBe(200)
    await stage.db.sql('delete from platform.organization_members where account_id = $1', [person.account])
    expect(refusal(await send('GET', path(id)))).toBe('404 not_found')
  })
})
