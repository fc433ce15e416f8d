import { aClient, aClientToken, aUserToken, type StagedClient } from '#access/tokens/testing/stage.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { setRole } from '#market/companies/index.ts'
import { cancelOffering } from '#market/investments/index.ts'
import { inviteUser } from '#market/offerings/index.ts'
import { addDeal, setManager } from '#market/syndicates/index.ts'
import { digestOf, newSecret } from '#system/crypto/secret.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { type ServiceInProcess, serviceInProcess } from '#test/service-in-process.ts'
import { makeMembership, makeSyndicate } from '#test/syndicates.ts'
import { type Send, sender } from '../sender.ts'

/** The kind of a company's only offering, or no offering. */
const OFFERINGS = {
  'public, open': { listed: true },
  'of a company that asked not to be promoted': { listed: true },
  'testing the waters': { listed: true, testing_the_waters: true },
  'accredited only': { listed: true, exemption: 'reg_d_506c' },
  'private, Reg D 506(b)': { exemption: 'reg_d_506b' },
  'private, a syndicate’s deal': { exemption: 'reg_d_506b' },
  unlisted: { listed: false },
  upcoming: { listed: true, status: 'upcoming' },
  closing: { listed: true, status: 'closing' },
  closed: { listed: true, status: 'closed' },
  canceled: { listed: true },
  'none at all': null,
} as const satisfies Readonly<Record<string, Parameters<typeof makeOffering>[1] | null>>

export type Subject = keyof typeof OFFERINGS
export const SUBJECTS = Object.keys(OFFERINGS) as Subject[]

export type Viewer =
  | 'publishable key'
  | 'client token'
  | 'accredited, read:public'
  | 'user'
  | 'accredited'
  | 'invited'
  | 'invited, own installation'
  | 'company installation'
  | 'syndicate member'
  | 'syndicate manager'
  | 'syndicate applicant'
  | 'editor'
  | 'founder'
  | 'founder elsewhere'
  | 'other world'

type CompanyAndOffering = { readonly company: Id<'company'>; readonly offering: Id<'offering'> }

export type VisibilityStage = {
  readonly service: ServiceInProcess
  readonly subjects: Readonly<Record<Subject, CompanyAndOffering>>
  readonly as: Readonly<Record<Viewer, Send>>
  /** Creates a token of this person with these scopes, and returns a function that sends requests with it. */
  with(viewer: Person, scopes: readonly string[]): Promise<Send>
}

/** A word that is in the name of each subject's company and in no other name. */
export const COMMON_NAME = 'Xylograph'

const PEOPLE = [
  'user',
  'accredited',
  'invited',
  'syndicate member',
  'syndicate manager',
  'syndicate applicant',
  'editor',
  'founder',
  'founder elsewhere',
] as const
export type Person = (typeof PEOPLE)[number]

export async function openVisibilityStage(): Promise<VisibilityStage> {
  const service = await serviceInProcess()
  const { db, url } = service
  const scopes = ['read:public', 'read:explore', 'read:profile', 'write:profile', 'write:follows']
  const client = await aClient(db, { scopes: [...scopes, 'read:follows', 'read:mcp'] })
  const { subjects, people } = await db.databases.test.transaction(fill)
  const bearing = (token: string) => sender(url, { authorization: `Bearer ${token}` })
  const withScopes = async (person: Person, granted: readonly string[]) =>
    bearing((await aUserToken(db, client, { user: people[person], scopes: granted })).accessToken)
  const own = (person: Person) => withScopes(person, ['read:explore'])
  return {
    service,
    subjects,
    with: withScopes,
    as: {
      'publishable key': bearing(client.keyId),
      'client token': bearing((await aClientToken(db, client)).accessToken),
      'accredited, read:public': await withScopes('accredited', ['read:public']),
      user: await own('user'),
      accredited: await own('accredited'),
      invited: await own('invited'),
      'invited, own installation': bearing(await onInstallation(db, { user: people.invited })),
      'company installation': bearing(await onInstallation(db, { company: subjects.unlisted.company })),
      'syndicate member': await own('syndicate member'),
      'syndicate manager': await own('syndicate manager'),
      'syndicate applicant': await own('syndicate applicant'),
      editor: await own('editor'),
      founder: await own('founder'),
      'founder elsewhere': await own('founder elsewhere'),
      'other world': bearing(await liveToken(service, await aClient(db, { scopes, world: 'live' }))),
    },
  }
}

async function liveToken({ db }: ServiceInProcess, client: StagedClient): Promise<string> {
  const user = await db.databases.live.transaction((tx) => makeUser(tx, { accreditation: 'verified' }))
  return (await aUserToken(db, client, { user, scopes: ['read:explore'] })).accessToken
}

async function fill(tx: Tx) {
  const people: Readonly<Record<Person, Id<'user'>>> = {
    user: await makeUser(tx),
    accredited: await makeUser(tx, { accreditation: 'verified' }),
    invited: await makeUser(tx),
    'syndicate member': await makeUser(tx),
    'syndicate manager': await makeUser(tx),
    'syndicate applicant': await makeUser(tx),
    editor: await makeUser(tx),
    founder: await makeUser(tx),
    'founder elsewhere': await makeUser(tx),
  }
  const elsewhere = await makeCompany(tx)
  await setRole(tx, { company: elsewhere, user: people['founder elsewhere'], role: 'founder' }, occasionAt())
  const made: [Subject, CompanyAndOffering][] = []
  for (const subject of SUBJECTS) made.push([subject, await makeSubject(tx, subject, people)])
  return { people, subjects: Object.fromEntries(made) as Record<Subject, CompanyAndOffering> }
}

async function makeSubject(
  tx: Tx,
  subject: Subject,
  people: Readonly<Record<Person, Id<'user'>>>,
): Promise<CompanyAndOffering> {
  const promotion_opt_in = subject !== 'of a company that asked not to be promoted'
  const company = await makeCompany(tx, { name: `${COMMON_NAME} ${subject}`, promotion_opt_in })
  for (const role of ['founder', 'editor'] as const)
    await setRole(tx, { company, user: people[role], role }, occasionAt())
  const terms = OFFERINGS[subject]
  if (terms === null) return { company, offering: newId('offering') }
  const offering = await makeOffering(tx, { company, ...terms })
  if (subject === 'canceled') await cancelOffering(tx, { id: offering }, occasionAt('2026-02-01T00:00:00.000000Z'))
  if (subject === 'private, Reg D 506(b)') {
    await inviteUser(tx, { id: offering, user: people.invited }, occasionAt('2026-02-01T00:00:00.000000Z'))
  }
  if (subject === 'private, a syndicate’s deal') await runDeal(tx, offering, people)
  return { company, offering }
}

async function runDeal(
  tx: Tx,
  offeringId: Id<'offering'>,
  people: Readonly<Record<Person, Id<'user'>>>,
): Promise<void> {
  const syndicateId = await makeSyndicate(tx)
  await addDeal(tx, { syndicateId, offeringId }, occasionAt())
  const manager = { syndicateId, userId: people['syndicate manager'], permission: 'operator' } as const
  await setManager(tx, manager, occasionAt())
  await makeMembership(tx, { syndicate: syndicateId, user: people['syndicate member'], status: 'member' })
  await makeMembership(tx, { syndicate: syndicateId, user: people['syndicate applicant'] })
}

type InstalledOn = { readonly company?: Id<'company'>; readonly user?: Id<'user'> }

/**
 * Creates a token of a new app on this company or user, with read:explore. It inserts rows, because other tests show
 * how apps are installed.
 */
async function onInstallation(db: ServiceInProcess['db'], { company, user }: InstalledOn): Promise<string> {
  const { app, keyId } = await aClient(db, { scopes: ['read:explore'] })
  const [id, token] = [newId('installation'), newSecret('at', 'test')]
  const [type, tier] = company === undefined ? ['user', 'user'] : ['company', 'founder']
  await db.sql(
    `insert into test.installations (id, app_id, target_type, company_id, user_id, tier, scopes, installed_by_role)
     values ($1, $2, $3, $4, $5, $6, array['read:explore'], 'founder')`,
    [id, app, type, company ?? null, user ?? null, tier],
  )
  await db.sql(
    `insert into test.access_tokens (hash, kind, key_id, app_id, installation_id, scopes, generation, expires_at)
     select $1, 'installation', id, $2, $3, array['read:explore'], generation, clock_timestamp() + interval '1 hour'
       from platform.app_keys where id = $4`,
    [digestOf(token), app, id, keyId],
  )
  return token
}
