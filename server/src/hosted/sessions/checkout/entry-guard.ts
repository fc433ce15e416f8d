import { findUserOfAccount } from '#access/installations/index.ts'
import { signInAddress } from '#http/browser/return-to.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import type { Id, IdKind } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { readOffering } from '#market/offerings/index.ts'
import { notice } from '#pages/blocks.ts'
import { decisionBar, linkButton } from '#pages/elements.ts'
import { away, type Frame, type Guarded, type LinkVisit, refusalPage } from '#pages/hosted-page.ts'
import { type Html, html } from '#pages/html.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'
import type { ReferralSettings } from '#referrals/index.ts'
import type { PageLinks } from '#system/crypto/page-link.ts'
import type { WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import type { OfferingSummary, ReadOfferingSummary } from './checkout.ts'
import {
  type CheckoutResponse,
  findRequestingApp,
  OTHER_PERSONS_LINK,
  OUT_OF_SERVICE,
  type RequestingApp,
  UNKNOWN_LINK,
} from './frame.ts'

export type CheckoutDeps = {
  readonly databases: Readonly<Record<World, WorldDatabase>>
  readonly brand: ShownBrand
  readonly links: PageLinks
  readonly origin: () => string
  readonly readOfferingSummary: ReadOfferingSummary
  /** The address of the host platform's checkout, with placeholders in braces; null if the platform has not set one. */
  readonly checkoutUrl: string | null
  readonly referrals: { readonly crediting: ReferralSettings }
}

/** A valid link and the person who opened it. */
export type CheckoutEntry<T> = {
  readonly frame: Frame
  readonly world: World
  readonly found: T
  readonly requestingApp: RequestingApp | null
  readonly offeringSummary: OfferingSummary
  /** The user in this world; null for a visitor who is not signed in or has no active user in this world. */
  readonly userId: Id<'user'> | null
}

export type GuardedEntry<T> = Guarded<CheckoutEntry<T>, CheckoutResponse>

/** How the guard finds and checks the record behind a link. */
export type Place<K extends IdKind, T> = {
  readonly kind: K
  readonly path: string
  find(queries: WorldQueries, id: Id<K>): Promise<T | null>
  about(found: T): {
    readonly offering: Id<'offering'>
    readonly installation: Id<'installation'> | null
    /** The only user who may open the link; null if every visitor may. */
    readonly owner: Id<'user'> | null
    /** While it is true, the page rejects a link of an app that is out of service. */
    readonly unfinished: boolean
  }
}

/** Checks the link, the person and the app on every visit, also when the visitor submits a decision. */
export async function guardEntry<K extends IdKind, T>(
  deps: CheckoutDeps,
  visit: LinkVisit,
  place: Place<K, T>,
): Promise<GuardedEntry<T>> {
  const { params, caller: person, browser, requestId } = visit
  const opened = deps.links.open(place.kind, params.link)
  const address = `${place.path}/${params.link}`
  const frame = { brand: deps.brand, world: opened?.world ?? null, csrf: browser.csrf, person, address, requestId }
  if (opened === null) return { answer: refusalPage(UNKNOWN_LINK, frame) }
  const { reads } = deps.databases[opened.world]
  const found = await place.find(reads, opened.id)
  if (found === null) return { answer: refusalPage(UNKNOWN_LINK, frame) }
  const userId = await userOf(reads, person)
  const { owner, offering, installation, unfinished } = place.about(found)
  if (owner !== null && owner !== userId) {
    return { answer: person === null ? away(signInAddress(address)) : refusalPage(OTHER_PERSONS_LINK, frame) }
  }
  const [requestingApp, offeringSummary] = await Promise.all([
    findRequestingApp(reads, { installation, offering }),
    summaryOf(deps, reads, offering),
  ])
  if (unfinished && requestingApp?.inService === false) return { answer: refusalPage(OUT_OF_SERVICE, frame) }
  return { entry: { frame, world: opened.world, found, requestingApp, offeringSummary, userId } }
}

/** The catalogue's view of the offering, plus the maximum per person, which the catalogue does not report. */
async function summaryOf(
  { readOfferingSummary }: CheckoutDeps,
  reads: WorldQueries,
  id: Id<'offering'>,
): Promise<OfferingSummary> {
  const [offeringSummary, offering] = await Promise.all([readOfferingSummary(reads, id), readOffering(reads, id)])
  if (offeringSummary === null || offering === null)
    throw new Error('the offering that a link leads to cannot be shown')
  return { ...offeringSummary, maxCents: offering.max_investment_cents }
}

async function userOf(reads: WorldQueries, person: AccountCaller | null): Promise<Id<'user'> | null> {
  const user = person === null ? null : await findUserOfAccount(reads, person.accountId)
  return user === null || user.deactivated ? null : user.userId
}

/** What the page shows instead of the button if the visitor cannot continue; null if they can. */
export function instead(
  entry: Pick<CheckoutEntry<unknown>, 'frame' | 'offeringSummary' | 'world' | 'userId'>,
  checkout: string | null,
) {
  const { frame, offeringSummary, world, userId } = entry
  if (offeringSummary.status === 'upcoming')
    return notice('This offering is not open yet. Come back when it has opened.', 'warning')
  if (offeringSummary.status !== 'open') return notice('This offering accepts no more investors.', 'warning')
  if (world === 'test') return userId === null ? signInOrNotice(frame) : null
  return checkout === null ? noCheckout(frame.brand) : null
}

function signInOrNotice({ person, address }: CheckoutEntry<unknown>['frame']): Html {
  return person === null ? signInFirst(address) : notice(NOT_KNOWN_HERE, 'warning')
}

const NOT_KNOWN_HERE =
  'This link belongs to the sandbox, and the account you are signed in with is not known in the sandbox. If you have another account, sign in with that one.'

/** Shown only in the sandbox. In the live world the host platform's checkout asks the person to sign in. */
function signInFirst(address: string): Html {
  const link = linkButton('Sign in', signInAddress(address), 'primary')
  return html`<p>Sign in to continue. Your decision is recorded for your account.</p>${decisionBar(link)}`
}

function noCheckout(brand: ShownBrand): Html {
  const text = html`${brandName(brand)} has not opened its checkout for links like this one yet. Nothing is lost: come back later, or go to the company’s page.`
  return notice(text, 'warning')
}

/** A sentence that says where the button leads. */
export function whereOnward({ world, frame }: Pick<CheckoutEntry<unknown>, 'world' | 'frame'>): Html {
  const words =
    world === 'test'
      ? 'The sandbox has test buttons instead of the checkout.'
      : `You will continue at ${brandName(frame.brand)}’s own checkout, where you decide.`
  return html`<p class="small muted">${words}</p>`
}
