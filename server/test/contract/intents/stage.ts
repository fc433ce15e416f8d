import { randomBytes } from 'node:crypto'
import { linkAccount } from '#access/accounts/index.ts'
import { SCOPE_NAMES } from '#access/scopes/index.ts'
import { aClient, aConnection, aUserToken, type StagedClient } from '#access/tokens/testing/stage.ts'
import { type TestBrowser, testBrowser } from '#http/testing/browser.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { addDeal, type Permission, setManager } from '#market/syndicates/index.ts'
import { digestOf, newSecret } from '#system/crypto/secret.ts'
import type { Tx } from '#system/postgres/database.ts'
import { anAccount } from '#test/apps.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { type ServiceInProcess, type ServiceSettings, serviceInProcess } from '#test/service-in-process.ts'
import { makeSyndicate } from '#test/syndicates.ts'
import { type Send, sender } from '../sender.ts'

export type Person = { readonly account: Id<'account'>; readonly user: Id<'user'>; readonly world: World }

type NewSyndicate = Readonly<Partial<Record<Permission, Person>>> & NonNullable<Parameters<typeof makeSyndicate>[1]>

/** The whole service, an approved app, people with browsers, and syndicates they run. */
export type IntentStage = {
  readonly service: ServiceInProcess
  readonly app: StagedClient
  client(world?: World): Promise<StagedClient>
  person(name?: string, world?: World): Promise<Person>
  browser(person: Person): Promise<TestBrowser>
  token(person: Person, scopes?: readonly string[], app?: StagedClient): Promise<string>
  /** Returns the API with a token of the app for this person. */
  as(person: Person, scopes?: readonly string[], app?: StagedClient): Promise<Send>
  /**
   * Returns the API with a token of an installation on a syndicate or on a company, or of a user's own connection.
   */
  installed(
    on: Installed,
    scopes?: readonly string[],
    app?: StagedClient,
  ): Promise<Send & { readonly id: Id<'installation'> }>
  api(bearer: string): Send
  syndicate(settings?: NewSyndicate): Promise<Id<'syndicate'>>
  /** Creates an open deal of a syndicate. */
  deal(syndicate: Id<'syndicate'>, offering?: Parameters<typeof makeOffering>[1]): Promise<Id<'offering'>>
  arrange<T>(work: (tx: Tx) => Promise<T>, world?: World): Promise<T>
  pass(interval: string): Promise<void>
  stateOf(intent: string): Promise<string | undefined>
  /** Counts the recorded events of this name about the offering, syndicate or membership. */
  events(name: string, of: string): Promise<number>
  close(): Promise<void>
}

type Installed = { readonly syndicate?: string; readonly company?: string; readonly user?: string }

const EVERYTHING = SCOPE_NAMES.filter((name) => name !== 'read:public')
const BOTH = ['write:syndicates', 'write:comments'] as const

export async function openIntentStage(settings?: ServiceSettings): Promise<IntentStage> {
  const service = await serviceInProcess(settings)
  const { db, url } = service
  const { databases } = db
  const client = (world: World = 'test') => aClient(db, { world, scopes: EVERYTHING, approved: true })
  const app = await client()
  const arrange: IntentStage['arrange'] = (work, world = 'test') => databases[world].transaction(work)
  const api = (bearer: string) => sender(url, { authorization: `Bearer ${bearer}` })
  const token: IntentStage['token'] = async ({ user }, scopes = BOTH, by = app) => {
    const on = await aConnection(db, by, { user, scopes })
    return (await aUserToken(db, by, { on, scopes })).accessToken
  }
  return {
    ...{ service, app, client, arrange, api, token },
    person: async (name = 'Ada Lovelace', world = 'test') => {
      const account = await anAccount(db, { name })
      const user = await arrange((tx) => makeUser(tx, { name }), world)
      await databases.platform.transaction((tx) => linkAccount(tx, { account, world, user }))
      return { account, user, world }
    },
    browser: async ({ account }) => {
      const [browser, value] = [testBrowser(url), randomBytes(32).toString('base64url')]
      await db.sql(
        `insert into platform.sign_in_sessions (hash, account_id, expires_at)
         values ($1, $2, clock_timestamp() + interval '1 hour')`,
        [digestOf(value), account],
      )
      browser.cookies.set('portico', value)
      return browser
    },
    as: async (person, scopes, by) => api(await token(person, scopes, by)),
    installed: async (on, scopes = ['write:syndicates'], by = app) => {
      const { id, token } = await installationToken(service, by, { ...on, scopes })
      return Object.assign(api(token), { id })
    },
    syndicate: ({ full_access: full, operator, ...more } = {}) =>
      arrange(async (tx) => {
        const syndicateId = await makeSyndicate(tx, more)
        for (const [person, permission] of [
          [full, 'full_access'],
          [operator, 'operator'],
        ] as const) {
          if (person !== undefined) await setManager(tx, { syndicateId, userId: person.user, permission }, occasionAt())
        }
        return syndicateId
      }),
    deal: (syndicateId, offering = {}) =>
      arrange(async (tx) => {
        const offeringId = await makeOffering(tx, { name: 'Engine No. 1', ...offering })
        await addDeal(tx, { syndicateId, offeringId }, occasionAt())
        return offeringId
      }),
    pass: async (interval) => {
      await db.sql('update test.world_clock set ahead = ahead + $1::interval', [interval])
    },
    stateOf: async (id) =>
      (await db.sql<{ state: string }>('select state from test.intents where id = $1', [id]))[0]?.state,
    events: async (name, of) => {
      const text = `select count(*)::int as n from test.events
                     where name = $1 and $2 in (offering_id, syndicate_id, membership_id)`
      return (await db.sql<{ n: number }>(text, [name, of]))[0]?.n ?? 0
    },
    close: () => service.close(),
  }
}

type TokenOptions = Installed & { readonly scopes: readonly string[] }

/** Inserts tokens as rows, because other tests show how an app gets such a token. */
async function installationToken({ db }: ServiceInProcess, { world, keyId, app }: StagedClient, wanted: TokenOptions) {
  const { company = null, syndicate = null, user = null, scopes } = wanted
  const [id, token] = [newId('installation'), newSecret('at', world)]
  const [type, tier] =
    company !== null ? ['company', 'founder'] : syndicate !== null ? ['syndicate', 'manager'] : ['user', 'user']
  await db.sql(
    `insert into ${world}.installations
       (id, app_id, target_type, company_id, syndicate_id, user_id, tier, scopes, installed_by_role)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'manager')`,
    [id, app, type, company, syndicate, user, tier, scopes],
  )
  await db.sql(
    `insert into ${world}.access_tokens (hash, kind, key_id, app_id, installation_id, scopes, generation, expires_at)
     select $1, 'installation', id, $2, $3, $4, generation, clock_timestamp() + interval '1 year'
       from platform.app_keys where id = $5`,
    [digestOf(token), app, id, scopes, keyId],
  )
  return { id, token }
}

export const refusal = ({ status, error }: Awaited<ReturnType<Send>>) => [status, error?.type]

/** Returns the form's own copy of the content that the page showed. */
export function shownOn(text: string): string {
  const value = /name="shown" value="([^"]*)"/.exec(text)?.[1]
  if (value === undefined) throw new Error('the page has no form to approve')
  return value
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

export const reviewPath = (id: string) => `/intents/${id}/review`

/** Opens the page and approves what it shows. */
export async function approve(browser: TestBrowser, id: string) {
  const page = await browser.open(reviewPath(id))
  return browser.submit(reviewPath(id), { decision: 'approve', shown: shownOn(page.text) })
}
