import type { TestBrowser } from '#http/testing/browser.ts'
import type { ClientId, Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { type CompanyRole, setRole } from '#market/companies/index.ts'
import { setManager } from '#market/syndicates/index.ts'
import { aKey, anApp, type MadeUpApp } from '#test/apps.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { makeSyndicate } from '#test/syndicates.ts'
import { openSite, type Site, type SitePerson, userIn } from '../../testing/site.ts'
import { installPageRoutes } from '../routes.ts'

export const SETUP = 'https://app.fieldbook.example/setup?from=us'

export function openInstallSite(): Promise<Site> {
  return openSite((deps) => installPageRoutes({ ...deps, onRevoked: [] }))
}

export type LinkedApp = { readonly appId: Id<'app'>; readonly clientId: ClientId; readonly world: World }

type Made = Omit<MadeUpApp, 'setupUrl'> & { readonly world?: World; readonly setupUrl?: string | null }

/** The default scopes of the app: examples of every kind of scope. */
const DECLARED = [
  'read:profile',
  'read:companies',
  'write:webhooks',
  'read:investors:pii',
  'write:syndicates',
  'write:invite_links',
  'read:referral_codes',
]

/** An app, by default approved and with a setup URL, and a key for install links. */
export async function aLinkedApp({ db }: Site, { world = 'test', setupUrl = SETUP, ...made }: Made = {}) {
  const setup = setupUrl === null ? {} : { setupUrl }
  const appId = await anApp(db, { name: 'Fieldbook CRM', scopes: DECLARED, approved: true, ...setup, ...made })
  const { clientId } = await aKey(db, appId, { world })
  return { appId, clientId, world }
}

export const linkTo = ({ clientId }: { readonly clientId: string }, query: Readonly<Record<string, string>> = {}) => {
  const parameters = new URLSearchParams({ state: 'st&te', ...query })
  return `/apps/${clientId}/install?${parameters}`
}

type At = { readonly role?: CompanyRole; readonly name?: string; readonly world?: World }

export async function aCompanyOf({ db }: Site, person: SitePerson | null, at: At = {}): Promise<Id<'company'>> {
  const { role = 'founder', name = 'Tidepool Robotics', world = 'test' } = at
  return db.databases[world].transaction(async (tx) => {
    const company = await makeCompany(tx, { name })
    if (person !== null) await setRole(tx, { company, user: userIn(person, world), role }, occasionAt())
    return company
  })
}

export async function aSyndicateOf(
  { db }: Site,
  person: SitePerson,
  name = 'Engine Backers',
): Promise<Id<'syndicate'>> {
  return db.databases.test.transaction(async (tx) => {
    const syndicateId = await makeSyndicate(tx, { name })
    await setManager(tx, { syndicateId, userId: userIn(person), permission: 'operator' }, occasionAt())
    return syndicateId
  })
}

/** Opens the address and presses the main button. The values in `changed` replace fields of the form. */
export async function pressInstall(
  browser: TestBrowser,
  address: string,
  changed: Readonly<Record<string, string>> = {},
) {
  const { text } = await browser.open(address)
  const fields = { ...shownIn(text), decision: 'install', ...changed }
  return browser.submit(address, fields)
}

/** The fields that the form of the second step sends back. */
export function shownIn(text: string): Readonly<Record<string, string>> {
  const fields = [...text.matchAll(/<input type="hidden" name="(target|tier|scopes)" value="([^"]*)">/g)]
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
}

/** The parameters that the app receives at its setup URL. */
export function parametersIn(location: string | null): Readonly<Record<string, string>> {
  const url = new URL(String(location))
  return { at: `${url.origin}${url.pathname}`, ...Object.fromEntries(url.searchParams) }
}

export async function installationsOf({ db }: Site, { appId, world }: LinkedApp) {
  return db.sql<{ id: Id<'installation'>; state: string; tier: string; scopes: string[]; target: string }>(
    `select id, state, tier, scopes, coalesce(company_id, syndicate_id) as target
       from ${world}.installations where app_id = $1 order by installed_at`,
    [appId],
  )
}
