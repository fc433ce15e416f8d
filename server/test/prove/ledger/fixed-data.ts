import { lockClient } from '#access/apps/index.ts'
import { mintInstallationToken } from '#access/tokens/index.ts'
import { aClient, aConnection, aUserToken, type StagedClient } from '#access/tokens/testing/stage.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { setRole } from '#market/companies/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import type { TestDatabase } from '#test/database.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'

/** The end of all email addresses. A response that contains this text identifies a person. */
export const MAIL = 'proof.example'

export type User = Id<'user'>
export type Company = Id<'company'>
export type Offering = Id<'offering'>

/** The fixed data: people, and the offerings in which they can invest. */
export type FixedData = {
  /** The users with apps that read for them. Each is a founder of one company. They are never deactivated. */
  readonly readers: readonly User[]
  /** All investors, including the readers. */
  readonly investors: readonly User[]
  readonly companies: readonly Company[]
  readonly offerings: readonly { readonly id: Offering; readonly company: Company }[]
  readonly tokens: readonly Credential[]
}

/** The user or company whose investments a token sees. */
export type Audience =
  | { readonly kind: 'union'; readonly user: User }
  | { readonly kind: 'own'; readonly user: User }
  | { readonly kind: 'company'; readonly company: Company }

export type Credential = { readonly who: Audience; readonly pii: boolean; readonly bearer: string }

/** How many companies, readers and investors there are. */
export type Extent = { readonly companies: number; readonly readers: number; readonly investors: number }

const OFFERINGS_EACH = 2

export async function createFixedData(db: TestDatabase, extent: Extent): Promise<FixedData> {
  const made = await db.databases.test.transaction(async (tx) => {
    const companies: Company[] = []
    const offerings: { id: Offering; company: Company }[] = []
    for (let at = 0; at < extent.companies; at++) {
      const company = await makeCompany(tx)
      companies.push(company)
      for (let n = 0; n < OFFERINGS_EACH; n++) offerings.push({ id: await makeOffering(tx, { company }), company })
    }
    const investors: User[] = []
    for (let at = 0; at < extent.investors; at++) {
      const id = newId('user')
      investors.push(await makeUser(tx, { id, name: `Person ${at}`, email: `${id}@${MAIL}` }))
    }
    const readers = investors.slice(0, extent.readers)
    for (const [at, user] of readers.entries()) {
      const company = companies[at]
      if (company !== undefined) await setRole(tx, { company, user, role: 'founder' }, occasionAt())
    }
    return { companies, offerings, investors, readers }
  })
  return { ...made, tokens: await giveTokens(db, made) }
}

type Reading = Pick<FixedData, 'readers' | 'companies'>

async function giveTokens(db: TestDatabase, { readers, companies }: Reading): Promise<Credential[]> {
  const tokens: Credential[] = []
  for (const pii of [true, false]) {
    const scopes = ['read:investments', 'read:companies', ...(pii ? ['read:investors:pii'] : [])]
    // A user's `union` token and `own` token belong to two apps, because a user can connect an app only once.
    const client = await aClient(db, { scopes })
    for (const user of readers) {
      const on = await aConnection(db, client, { user, scopes })
      const { accessToken } = await aUserToken(db, client, { on, scopes })
      tokens.push({ who: { kind: 'union', user }, pii, bearer: accessToken })
    }
    for (const company of companies) {
      const bearer = await installedToken(db, client, { scopes, target: company })
      tokens.push({ who: { kind: 'company', company }, pii, bearer })
    }
    const other = await aClient(db, { scopes })
    for (const user of readers) {
      tokens.push({
        who: { kind: 'own', user },
        pii,
        bearer: await installedToken(db, other, { scopes, target: user }),
      })
    }
  }
  // The tokens never expire, because the world's clock moves by months. Other tests check expiry.
  await db.sql(`update test.access_tokens set expires_at = expires_at + interval '50 years'`)
  return tokens
}

type NewInstallation = { readonly scopes: readonly string[]; readonly target: Company | User }

/** Inserts an installation as a row, because this proof does not depend on how it was granted. */
async function installedToken(
  db: TestDatabase,
  client: StagedClient,
  { scopes, target }: NewInstallation,
): Promise<string> {
  const type = target.startsWith('co_') ? 'company' : 'user'
  const installation = newId('installation')
  await db.sql(
    `insert into test.installations (id, app_id, target_type, ${type}_id, tier, scopes, pii_by, installed_by_role)
     values ($1, $2, $3, $4, $5, $6, $7, 'founder')`,
    [
      ...[installation, client.app, type, target, type === 'company' ? 'founder' : 'user', scopes],
      scopes.includes('read:investors:pii') ? 'approval' : null,
    ],
  )
  return db.databases.test.transaction(async (tx) => {
    const locked = await lockClient(tx, client.keyId)
    if (locked === null) throw new Error('the key does not exist')
    const token = await mintInstallationToken(tx, { client: locked, installation, scopes, neverExpires: true })
    if (token === null) throw new Error('no token was minted')
    return token.accessToken
  })
}
