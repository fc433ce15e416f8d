import { randomBytes } from 'node:crypto'
import { openSite, type Site } from '#access/installations/testing/site.ts'
import { aClient, aUserToken, type StagedClient } from '#access/tokens/testing/stage.ts'
import type { TestBrowser } from '#http/testing/browser.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { setManager } from '#market/syndicates/index.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { pageLinks } from '#system/crypto/page-link.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import { digestOf, newSecret } from '#system/crypto/secret.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeUser } from '#test/people.ts'
import { makeSyndicate } from '#test/syndicates.ts'
import { type Send, sender } from '../../../../../test/contract/sender.ts'
import { joinRoutes } from '../../join-page/routes.ts'

/** Join sessions with their pages, on a real port and a real database. */
export async function openJoinSite(): Promise<Site> {
  const keys = keyring(randomBytes(32).toString('hex'))
  const links = pageLinks(keys('hosted-links'))
  const cursors = cursorSealer(sealedBox(keys('cursors')))
  return openSite((deps) => joinRoutes({ ...deps, links, cursors }))
}

const SCOPES = ['write:syndicate_members']
type On = { readonly company?: Id<'company'>; readonly syndicate?: Id<'syndicate'>; readonly user?: Id<'user'> }
type Installing = {
  readonly world?: World
  readonly scopes?: readonly string[]
  readonly client?: StagedClient
  readonly name?: string
}

export type Partner = { readonly client: StagedClient; readonly installation: Id<'installation'>; readonly send: Send }

/** Inserts an app, its installation on the given target, and a token of the installation. */
export async function installOn({ db, url }: Site, on: On, given: Installing = {}): Promise<Partner> {
  const { world = 'test', scopes = SCOPES, name = 'Fieldbook CRM' } = given
  const client = given.client ?? (await aClient(db, { world, scopes, approved: true, name }))
  const installation = newId('installation')
  const [type = '', target = ''] = Object.entries(on)[0] ?? []
  const tier = { company: 'founder', syndicate: 'manager', user: 'user' }[type] ?? ''
  await db.sql(
    `insert into ${world}.installations (id, app_id, target_type, ${type}_id, tier, scopes, installed_by_role)
     values ($1, $2, $3, $4, $5, $6, 'manager')`,
    [installation, client.app, type, target, tier, scopes],
  )
  const bearer = newSecret('at', world)
  await db.sql(
    `insert into ${world}.access_tokens (hash, kind, key_id, app_id, installation_id, scopes, generation, expires_at)
     select $1, 'installation', k.id, $2, $3, $4, k.generation, clock_timestamp() + interval '90 days'
       from platform.app_keys k where k.id = $5`,
    [digestOf(bearer), client.app, installation, scopes, client.keyId],
  )
  return { client, installation, send: sender(url, { authorization: `Bearer ${bearer}` }) }
}

/** Sends requests with the user's own token for the app. */
export async function asUser({ db, url }: Site, user: Id<'user'>, given: Installing = {}): Promise<Send> {
  const { world = 'test', scopes = SCOPES } = given
  const client = given.client ?? (await aClient(db, { world, scopes, approved: true }))
  const { accessToken } = await aUserToken(db, client, { user, scopes })
  return sender(url, { authorization: `Bearer ${accessToken}` })
}

type Settings = Parameters<typeof makeSyndicate>[1]

export const inTest = <T>({ db }: Site, work: (tx: Tx) => Promise<T>): Promise<T> => db.databases.test.transaction(work)

/** A syndicate that takes members, with a person who runs it. */
export function aClub(site: Site, settings: Settings = {}, world: World = 'test') {
  return site.db.databases[world].transaction(async (tx) => {
    const syndicate = await makeSyndicate(tx, { name: 'Lakeshore Angels', launched: true, ...settings })
    const manager = await makeUser(tx, { name: 'Mary Manager' })
    await setManager(tx, { syndicateId: syndicate, userId: manager, permission: 'operator' }, occasionAt())
    return { syndicate, manager }
  })
}

/** A syndicate with an app installed on it, and the path of the app's sessions. */
export async function aPartner(site: Site, settings: Settings = {}, given: Installing = {}) {
  const club = await aClub(site, settings, given.world)
  const partner = await installOn(site, { syndicate: club.syndicate }, given)
  return { ...club, ...partner, at: `/syndicates/${club.syndicate}/join_sessions` }
}

export const RETURN = 'https://partner.example/welcome?plan=a'

/** A session that an app made, the path of its link, and a signed-in person with a browser. */
export async function aVisit(site: Site, settings: Settings = {}, body: object = { return_url: RETURN }) {
  const club = await aPartner(site, settings)
  const { data } = await club.send('POST', club.at, body)
  const ada = await site.person()
  const path = new URL(String(data.attributes['url'])).pathname
  const read = async () => (await club.send('GET', `${club.at}/${data.id}`)).data.attributes
  return { ...club, id: data.id as Id<'joinSession'>, path, ada, read, browser: await site.signedIn(ada) }
}

/** The value that the button of a session's page sends. */
export const wayIn = (text: string) => /name="way" value="(\w+)"/.exec(text)?.[1]

/** Opens a session's first page and presses "Continue as …": from then on the session has a user. */
export async function continueAt(browser: TestBrowser, path: string) {
  await browser.open(path)
  return browser.submit(path, { way: 'continue' })
}

/** Presses "Continue as …" if the page has it, and then the button of the next page. */
export async function pressThrough(browser: TestBrowser, path: string) {
  const first = wayIn((await browser.open(path)).text)
  if (first === 'continue') await browser.submit(path, { way: first })
  const { text } = await browser.open(path)
  return browser.submit(path, { way: wayIn(text) ?? '' })
}

/** The events of a syndicate with their data, in the order in which they were recorded. */
export async function eventsOf({ db }: Site, syndicate: Id<'syndicate'>) {
  const rows = await db.sql<{ name: string; data: Record<string, unknown> }>(
    'select name, data from test.events where syndicate_id = $1 order by recorded_at, id',
    [syndicate],
  )
  return rows
}
