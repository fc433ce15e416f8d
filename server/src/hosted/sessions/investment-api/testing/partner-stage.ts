import { randomBytes } from 'node:crypto'
import { openSite, type Site } from '#access/installations/testing/site.ts'
import { INVESTOR_PII } from '#access/scopes/index.ts'
import { aClient, type StagedClient } from '#access/tokens/testing/stage.ts'
import { inviteLinkRoutes, invitePageRoutes } from '#hosted/invites/http.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { addDeal } from '#market/syndicates/index.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { pageLinks } from '#system/crypto/page-link.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import { digestOf, newSecret } from '#system/crypto/secret.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { REFERRAL_SETTINGS } from '#test/fact-settings.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeSyndicate } from '#test/syndicates.ts'
import { offeringSummaries } from '#views/catalog/http.ts'
import { sender } from '../../../../../test/contract/sender.ts'
import { sessionPageRoutes } from '../page-routes.ts'
import { investmentSessionApiRoutes } from '../routes.ts'

const PARTNER_SCOPES = ['write:investment_sessions', 'write:invite_links']
const CHECKOUT =
  'https://host.example/checkout?o={offering}&s={session}&i={invite}&back={return_url}&done={success_url}'

/** The routes and pages of sessions and links, on a real port and a real database. */
export type PartnerSite = Site & { readonly links: ReturnType<typeof pageLinks> }

export async function openPartnerSite(checkoutUrl: string | null = CHECKOUT): Promise<PartnerSite> {
  const keys = keyring(randomBytes(32).toString('hex'))
  const links = pageLinks(keys('hosted-links'))
  const cursors = cursorSealer(sealedBox(keys('cursors')))
  const site = await openSite((deps) => {
    const hosted = {
      ...deps,
      cursors,
      links,
      checkoutUrl,
      referrals: { crediting: REFERRAL_SETTINGS },
      readOfferingSummary: offeringSummaries(deps),
    }
    return [
      ...investmentSessionApiRoutes(hosted),
      ...sessionPageRoutes(hosted),
      ...inviteLinkRoutes(hosted),
      ...invitePageRoutes(hosted),
    ]
  })
  return { ...site, links }
}

type On = { readonly company: Id<'company'> } | { readonly syndicate: Id<'syndicate'> } | { readonly user: Id<'user'> }
type Installing = {
  readonly world?: World
  readonly scopes?: readonly string[]
  /** An existing app. A new app is made if this is omitted. */
  readonly client?: StagedClient
  readonly apiVersion?: string
  readonly name?: string
}

/** Inserts an app, its installation on the given target, and a token of the installation. */
export async function installOn(site: Site, on: On, given: Installing = {}) {
  const { world = 'test', scopes = PARTNER_SCOPES, apiVersion = '2026-11-01', name = 'Fieldbook CRM' } = given
  const client = given.client ?? (await aClient(site.db, { world, scopes, approved: true, apiVersion, name }))
  const installation = newId('installation')
  const [type, target] = Object.entries(on)[0] ?? ['', '']
  const tier = { company: 'founder', syndicate: 'manager', user: 'user' }[type] ?? ''
  const piiBy = type !== 'syndicate' && scopes.includes(INVESTOR_PII) ? 'approval' : null
  await site.db.sql(
    `insert into ${world}.installations (id, app_id, target_type, ${type}_id, tier, scopes, pii_by, installed_by_role)
     values ($1, $2, $3, $4, $5, $6, $7, 'founder')`,
    [installation, client.app, type, target, tier, scopes, piiBy],
  )
  const bearer = newSecret('at', world)
  await site.db.sql(
    `insert into ${world}.access_tokens (hash, kind, key_id, app_id, installation_id, scopes, generation, expires_at)
     select $1, 'installation', k.id, $2, $3, $4, k.generation, clock_timestamp() + interval '1 year'
       from platform.app_keys k where k.id = $5`,
    [digestOf(bearer), client.app, installation, scopes, client.keyId],
  )
  const send = sender(site.url, { authorization: `Bearer ${bearer}` })
  return { app: client.app, client, installation, send }
}

type Made = Installing & { readonly offering?: Parameters<typeof makeOffering>[1]; readonly company?: string }

/** An app installed on a company with an open offering. */
export async function aPartner(site: Site, { offering: terms = {}, company: name, ...given }: Made = {}) {
  const { company, offering } = await site.db.databases[given.world ?? 'test'].transaction(async (tx) => {
    const made = await makeCompany(tx, { name: name ?? 'Tidepool Robotics' })
    return { company: made, offering: await makeOffering(tx, { company: made, ...terms }) }
  })
  return { ...(await installOn(site, { company }, given)), company, offering }
}

/** An app installed on a syndicate that runs an offering of some company. */
export async function aSyndicatePartner(site: Site, given: Installing = {}) {
  const { syndicate, offering } = await site.db.databases.test.transaction(async (tx) => {
    const made = { syndicate: await makeSyndicate(tx), offering: await makeOffering(tx) }
    await addDeal(tx, { syndicateId: made.syndicate, offeringId: made.offering }, occasionAt())
    return made
  })
  return { ...(await installOn(site, { syndicate }, given)), syndicate, offering }
}
