import { type Id, newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { PUBLIC_ONLY } from '#system/outbound/address.ts'
import { anApp } from '#test/apps.ts'
import { makeCompany } from '#test/companies.ts'
import { makeUser } from '#test/people.ts'
import { makeSyndicate } from '#test/syndicates.ts'
import { canArrive } from '#webhooks/endpoints/endpoint.ts'
import { createEndpoint, type EndpointSettings } from '#webhooks/endpoints/manage-endpoint.ts'
import type { Random } from '../random.ts'
import { APP_EVENT, SOAK_EVENTS, type SoakEvent } from './entitlement.ts'
import type { App, Endpoint, EndpointState, Installation, Participants, Secrets, Target } from './participants.ts'
import { Receiver } from './receiver.ts'
import type { Environment } from './stage.ts'
import { Timeline, timed } from './timeline.ts'
import { secretsBox } from './worker.ts'

const APPS = 3
const APP_WIDE_EACH = 2
export const ALL_SCOPES = ['read:companies', 'read:investments', 'read:syndicates', 'read:investors:pii']

export const managerOf = (app: App) =>
  ({ app: app.id, world: 'test', worlds: ['test'] as World[], installation: null, usersToo: true }) as const

export function endpointSettings({ sealingSecret }: Pick<Environment, 'sealingSecret'>): EndpointSettings {
  return {
    secrets: secretsBox(sealingSecret),
    addressPolicy: { test: { loopback: true, ranges: [] }, live: PUBLIC_ONLY },
  }
}

/** Creates apps that are all installed on the same targets, each with app-wide endpoints and a bound endpoint. */
export async function makeParticipants(environment: Environment, random: Random): Promise<Participants> {
  const { databases, sql } = environment
  const targets = await databases.test.transaction(
    async (tx): Promise<Target[]> => [
      { type: 'company', id: await makeCompany(tx) },
      { type: 'company', id: await makeCompany(tx) },
      { type: 'user', id: await makeUser(tx) },
      { type: 'syndicate', id: await makeSyndicate(tx) },
    ],
  )
  const apps: App[] = []
  for (let at = 0; at < APPS; at++) apps.push({ id: await anApp({ sql }), active: new Timeline(true) })
  const receivers: Receiver[] = []
  const participants: Participants = { apps, targets, installations: [], endpoints: [], receivers }
  for (const app of apps) {
    for (const target of targets) await install(environment, participants, { app, target, random })
    for (let at = 0; at < APP_WIDE_EACH; at++)
      await listen(environment, participants, { app, boundTo: null, random, receivers })
    const boundTo = random.pick(participants.installations.filter((each) => each.app === app))
    await listen(environment, participants, { app, boundTo, random, receivers })
  }
  return participants
}

type Installing = { readonly app: App; readonly target: Target; readonly random: Random }

/** Inserts an installation as a row, because this proof does not depend on how it was granted. */
export async function install(
  { sql }: Pick<Environment, 'sql'>,
  participants: Participants,
  { app, target, random }: Installing,
) {
  const id = newId('installation')
  const scopes = someScopes(random)
  const tier = { company: 'founder', syndicate: 'manager', user: 'user' }[target.type]
  const { between } = await timed(() =>
    sql(
      `insert into test.installations (id, app_id, target_type, ${target.type}_id, tier, scopes, pii_by, installed_by_role)
       values ($1, $2, $3, $4, $5, $6, $7, 'founder')`,
      [id, app.id, target.type, target.id, tier, scopes, target.type === 'syndicate' ? null : 'approval'],
    ),
  )
  const made: Installation = {
    ...{ id, app, target, active: new Timeline(false).set(true, between) },
    scopes: new Timeline<readonly string[]>(scopes),
  }
  participants.installations.push(made)
}

/** Returns random scopes. Each scope is usually included, so that most events have a receiver. */
export function someScopes(random: Random): readonly string[] {
  return ALL_SCOPES.filter(() => !random.oneIn(4))
}

type Listening = {
  readonly app: App
  readonly boundTo: Installation | null
  readonly random: Random
  readonly receivers: Receiver[]
}

/** Creates an endpoint with its own receiver. */
async function listen(
  environment: Environment,
  participants: Participants,
  { receivers, ...listening }: Listening,
): Promise<void> {
  const receiver = new Receiver(listening.random.fork())
  await receiver.rise()
  receivers.push(receiver)
  await openEndpoint(environment, participants, { ...listening, receiver })
}

type Opening = Omit<Listening, 'receivers'> & { readonly receiver: Receiver }

let opened = 0

export async function openEndpoint(
  environment: Environment,
  participants: Participants,
  opening: Opening,
): Promise<void> {
  const { app, boundTo, random, receiver } = opening
  opened += 1
  const path = `/hook-${opened}`
  // Every app-wide endpoint subscribes to the event about the app itself, so that each gets at least this event.
  const always = (name: SoakEvent) => name === APP_EVENT && boundTo === null
  // A bound endpoint cannot subscribe to an event that it never gets.
  const never = (name: SoakEvent) => boundTo !== null && !canArrive(name, boundTo.target.type)
  const some = SOAK_EVENTS.filter((name) => always(name) || !(never(name) || random.oneIn(5)))
  const events = some.length === 0 ? SOAK_EVENTS.filter((name) => !never(name)).slice(0, 1) : some
  const wanted = { url: `${receiver.url}${path}`, events, installation_id: boundTo?.id ?? null }
  const { result, between } = await timed(() =>
    environment.databases.platform.transaction((tx) =>
      createEndpoint(tx, managerOf(app), { wanted, settings: endpointSettings(environment) }),
    ),
  )
  participants.endpoints.push({
    ...{ id: result.endpoint.id as Id<'webhookEndpoint'>, app, boundTo, events, receiver, path },
    state: new Timeline<EndpointState>('absent').set('enabled', between),
    secrets: new Timeline<Secrets>([result.secret]),
  } satisfies Endpoint)
}
