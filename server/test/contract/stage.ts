import { randomBytes } from 'node:crypto'
import { SCOPE_NAMES } from '#access/scopes/index.ts'
import { type TestBrowser, testBrowser } from '#http/testing/browser.ts'
import { newId } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { type ServiceInProcess, type ServiceSettings, serviceInProcess } from '#test/service-in-process.ts'
import { pathOf, serveScopeProbes } from './probes.ts'
import { type Answer, type Fields, type Method, type Send, sender } from './sender.ts'

export const CALLBACK = 'https://partner.example/callback'

/** A person with an account, a user in each world, and a signed-in browser. */
export type Person = {
  readonly account: string
  /** The user's id, which is the same in both worlds. The two users are unrelated. */
  readonly user: string
  readonly email: string
  readonly password: string
  readonly browser: TestBrowser
  /** Calls the portal's API with the person's browser. */
  readonly portal: Send
}

export type Team = { readonly organization: string; readonly owner: Person }
export type Key = { readonly clientId: string; readonly secret: string; readonly app: string; readonly world: World }
/** An app with a confidential key of the test world. */
export type App = { readonly id: string; readonly team: Team; readonly key: Key }
type NewApp = { readonly scopes?: readonly string[]; readonly approved?: boolean; readonly team?: Team }
type NewKey = { readonly world?: World; readonly clientType?: 'confidential' | 'public' }

/** The identity that another process of the service reads from an app's credential. */
export type CredentialIdentity = {
  readonly kind: string
  readonly user: string | null
  readonly installation: string | null
}

/** The whole service, with people, partners and the host platform, which all use HTTP. */
export type Stage = {
  readonly service: ServiceInProcess
  person(): Promise<Person>
  /** Creates a person who has just signed up. The account is not linked to a user, and `user` is an unknown id. */
  newcomer(): Promise<Person>
  /** Creates an organization with its owner. */
  team(): Promise<Team>
  /** Adds a member to a team: a new person, unless one is given. */
  member(team: Team, role: 'owner' | 'admin' | 'developer', known?: Person): Promise<Person>
  /** Creates an app in the portal. Its team is new, unless one is given. */
  app(app?: NewApp): Promise<App>
  keyOf(app: App, key?: NewKey): Promise<Key>
  operator(method: Method, path: string, body?: unknown, world?: World): Promise<Answer>
  /** Sends a fact as the host platform, and throws an error unless it is applied. */
  sendFact(type: string, data: Fields, world?: World): Promise<void>
  company(people?: Readonly<Record<string, Person>>, world?: World): Promise<string>
  /** Makes the company public by a public offering. */
  goPublic(company: string): Promise<void>
  syndicate(manager: Person): Promise<string>
  /** Advances the clock of the test world. */
  advanceClock(duration: string): Promise<void>
  api(bearer: string): Send
  identityOf(bearer: string): Promise<CredentialIdentity | null>
  /**
   * Returns the scopes of this credential in the catalogue's order, or null if the credential is rejected. The list leaves
   * out read:public, because every credential has it. The function throws an error for a valid credential without it.
   */
  scopesOf(bearer: string): Promise<readonly string[] | null>
  probe(bearer: string, scope: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  close(): Promise<void>
}

export async function openStage(settings?: ServiceSettings): Promise<Stage> {
  const service = await serviceInProcess(settings)
  const { url, operatorKeys } = service
  const probes = await serveScopeProbes(service.db.databases)
  const bearing = (at: string, bearer: string) => sender(at, { authorization: `Bearer ${bearer}` })

  const operator: Stage['operator'] = async (method, path, body, world = 'live') =>
    done(await bearing(url, operatorKeys[world])(method, path, body))
  const sendFact: Stage['sendFact'] = async (type, data, world = 'test') => {
    const fact = { id: newId('event'), type, occurred_at: new Date().toISOString(), data }
    const { list, meta } = await operator('POST', '/platform/facts', [fact], world)
    if (meta['applied'] !== 1) throw new Error(`the fact ${type} was refused: ${JSON.stringify(list)}`)
  }
  const arrive = async (worlds: readonly World[]): Promise<Person> => {
    const user = newId('user')
    const { email, password } = { email: `${user}@example.org`, password: randomBytes(12).toString('base64url') }
    for (const world of worlds) await sendFact('user.registered', { id: user, name: 'Ada Lovelace', email }, world)
    const users = Object.fromEntries(worlds.map((world) => [world, user]))
    const { data } = await operator('POST', '/platform/accounts', { name: 'Ada Lovelace', email, password, users })
    const browser = testBrowser(url)
    await browser.open('/sign-in')
    const { status } = await browser.submit('/sign-in', { email, password, return_to: '/settings/apps' })
    if (status !== 303) throw new Error(`signing in was answered with ${status}`)
    return { account: data.id, user, email, password, browser, portal: await portalOf(url, browser) }
  }
  const person: Stage['person'] = () => arrive(WORLDS)
  const team: Stage['team'] = async () => {
    const owner = await person()
    const { data } = done(await owner.portal('POST', '/portal/api/organizations', { name: 'Fieldbook Inc.' }))
    return { organization: data.id, owner }
  }
  const makeKey = async ({ id, team: { owner } }: Pick<App, 'id' | 'team'>, key: NewKey = {}): Promise<Key> => {
    const { world = 'test', clientType = 'confidential' } = key
    const body = { mode: world, name: 'Server', client_type: clientType, redirect_uris: [CALLBACK] }
    const { data, client_secret } = done(await owner.portal('POST', `/portal/api/apps/${id}/keys`, body))
    return { clientId: data.id, secret: client_secret ?? '', app: id, world }
  }
  const probe: Stage['probe'] = (bearer, scope, headers) =>
    bearing(probes.url, bearer)('GET', pathOf(scope), undefined, headers)

  return {
    ...{ service, operator, sendFact, person, team, probe, keyOf: makeKey },
    newcomer: () => arrive([]),
    member: async ({ organization, owner }, role, known) => {
      const made = known ?? (await person())
      const path = `/portal/api/organizations/${organization}/members`
      done(await owner.portal('POST', path, { email: made.email, role }))
      done(await made.portal('POST', `/portal/api/invitations/${organization}/accept`))
      return made
    },
    app: async ({ scopes = [], approved = false, team: of } = {}) => {
      const makers = of ?? (await team())
      const conditions = done(await makers.owner.portal('GET', '/portal/api/usage_conditions')).data['version']
      const body = { name: 'Fieldbook CRM', scopes, accepted_conditions: conditions }
      const organization_id = makers.organization
      const { data } = done(await makers.owner.portal('POST', '/portal/api/apps', { ...body, organization_id }))
      if (approved) await operator('POST', `/platform/apps/${data.id}/approve`)
      const app = { id: data.id, team: makers }
      return { ...app, key: await makeKey(app) }
    },
    company: async (people = {}, world = 'test') => {
      const id = newId('company')
      const page_url = `https://platform.example/${id}`
      await sendFact('company.created', { id, name: 'Analytical Engines', page_url }, world)
      for (const [role, { user }] of Object.entries(people)) {
        await sendFact('company.person_set', { company: id, user, role }, world)
      }
      return id
    },
    goPublic: async (company) => {
      const id = newId('offering')
      const terms = {
        currency: 'usd',
        exemption: 'reg_cf',
        security: { type: 'safe', terms: { valuation_cap: '8000000' } },
      }
      await sendFact('offering.created', { id, company, ...terms, listed: true })
      await sendFact('offering.opened', { id })
    },
    syndicate: async ({ user }) => {
      const id = newId('syndicate')
      await sendFact('syndicate.created', { id, name: 'Engine Backers', slug: id.toLowerCase().replaceAll('_', '-') })
      await sendFact('syndicate.manager_set', { syndicate: id, user, permission: 'full_access' })
      return id
    },
    advanceClock: async (advance) => {
      await operator('POST', '/sandbox/clock', { advance }, 'test')
    },
    api: (bearer) => bearing(url, bearer),
    identityOf: async (bearer) => {
      for (const scope of SCOPE_NAMES) {
        const answer = await probe(bearer, scope)
        if (answer.status === 401) return null
        if (answer.status === 200) return answer as unknown as CredentialIdentity
      }
      throw new Error('a credential without any scope')
    },
    scopesOf: async (bearer) => {
      const answers = await Promise.all(SCOPE_NAMES.map(async (scope) => [scope, await probe(bearer, scope)] as const))
      if (answers.every(([, { status }]) => status === 401)) return null
      const held = answers.filter(([, { status }]) => status === 200).map(([scope]) => scope)
      if (!held.includes('read:public')) throw new Error('a valid credential does not have read:public')
      return held.filter((scope) => scope !== 'read:public')
    },
    close: async () => {
      await probes.close()
      await service.close()
    },
  }
}

async function portalOf(url: string, { cookies }: TestBrowser): Promise<Send> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const me = done(await sender(url, { cookie })('GET', '/portal/api/me'))
  return sender(url, { cookie, origin: url, 'x-portico-csrf': String(me.meta['csrf']) })
}

/** Throws an error if a step on which a test depends did not happen. */
function done(answer: Answer): Answer {
  if (answer.status < 300) return answer
  throw new Error(`${answer.status} ${answer.error.type}: ${answer.error.message}`)
}
