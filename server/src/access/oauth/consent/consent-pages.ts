import { type AppDescription, describeApp, findTeamRole } from '#access/apps/index.ts'
import {
  type Connection,
  findConnection,
  type Grantor,
  scopeSentences,
  type WhyUngrantable,
  whyUngrantable,
} from '#access/installations/index.ts'
import {
  INVESTOR_PII,
  inCatalogueOrder,
  PUBLIC_SCOPE,
  parseScopes,
  SCOPE_CATALOGUE,
  type ScopeName,
  withoutPublic,
} from '#access/scopes/index.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { notice, points, switches } from '#pages/blocks.ts'
import { button, decisionBar, form, moment } from '#pages/elements.ts'
import { errorPage } from '#pages/error-page.ts'
import { framedPage, introduceApp, type Refusal, refusalPage } from '#pages/hosted-page.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import type { Person } from '#pages/layout.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'
import { placeWords, returnPlace } from '#pages/return-place.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { worldNowMs } from '#system/postgres/world-clock.ts'
import type { AuthorizeRequest } from '../check-authorize-request.ts'
import type { PageReason } from '../oauth-protocol.ts'

export type ConsentPage = {
  readonly brand: ShownBrand
  readonly view: ConsentView
  readonly csrf: string
  /** The address of this request; the browser sends the form to it. */
  readonly address: string
}

/** Shows the app, the person, the scopes, what the app cannot do, how long the connection lasts, and to which site the person returns. */
export function consentPage({ brand, view, csrf, address }: ConsentPage) {
  const { consentRequest, app } = view
  const { client, redirectUri } = consentRequest.request
  const above = [introduceApp(app, { returnUrl: redirectUri }), reviewWords(brand, view)]
  const content = [choices(view), withheld(brand, view), limits(view), decision(view)]
  return framedPage(
    { brand, world: client.world, csrf, person: consentRequest.account, address },
    {
      status: 200,
      title: `Connect ${app.name}`,
      question: html`Connect <bdi>${app.name}</bdi> to your account?`,
      above,
      below: [form({ action: address, csrf, content })],
      leadsTo: redirectUri,
    },
  )
}

/** Warns people outside the app's team if the platform has not reviewed the app. */
function reviewWords(brand: ShownBrand, { app, onTeam }: ConsentView): HtmlValue {
  if (onTeam) return notice(html`This is an app of your own team, <bdi>${app.organization.name}</bdi>.`)
  if (app.approved) return null
  const text = html`<strong>${brandName(brand)} has not reviewed this app.</strong> Connect it only if you know <bdi>${app.organization.name}</bdi> and meant to come here from them.`
  return notice(text, 'warning')
}

/**
 * All switches are on at first, because the person came to connect an app that needs these scopes; sensitive scopes are marked. If switches
 * were off at first, people would often break apps by accident.
 */
function choices({ offer }: ConsentView): HtmlValue {
  if (offer.offered.length === 0) return publicWords(offer)
  const groups = scopeSentences(offer.offered).map(({ heading, sentences }) =>
    switches(
      heading,
      sentences.map(({ names, sentence, sensitive }) => ({
        name: 'scope',
        value: names.join(' '),
        sentence,
        sensitive: sensitive ?? undefined,
        checked: true,
      })),
    ),
  )
  return html`<h2>It will be able to</h2><p class="muted">Switch off what you do not want to allow.</p>${groups}${publicWords(offer)}`
}

/** Every app has read:public, so it has no switch. */
function publicWords({ isPublic }: ConsentView['offer']): HtmlValue {
  return isPublic ? html`<p>${SCOPE_CATALOGUE[PUBLIC_SCOPE].consent} Every app can.</p>` : null
}

function withheld(brand: ShownBrand, { offer }: ConsentView): HtmlValue {
  if (offer.withheld.length === 0) return null
  const reasons = offer.withheld.map(
    ({ scope, why }) => `${withheldName(scope)}: not granted, because ${WHY[why](brand)}`,
  )
  return html`<h2>Not granted</h2>${points(reasons)}`
}

function withheldName(scope: ScopeName): string {
  return scope === INVESTOR_PII ? 'Investor names and emails' : SCOPE_CATALOGUE[scope].consent.replace(/\.$/, '')
}

const WHY: Readonly<Record<WhyUngrantable, (brand: ShownBrand) => string>> = {
  pii_not_approved: (brand) => `${brandName(brand)} has not approved this app for them.`,
  // These two reasons cannot occur here, because a consent has the tier user.
  founder_only: () => 'only a founder can grant it, by installing the app on their company.',
  editor_no_writes: () => 'editors cannot grant it.',
}

function limits({ connection, nowMs }: ConsentView): HtmlValue {
  const again =
    connection !== null &&
    html`You connected it ${moment(connection.installedAt, nowMs)}. If you choose differently now, the new choice replaces the earlier one, which ends within two hours.`
  const lasting = html`It stays connected until you disconnect it, which you can do at any time under <a href="/settings/apps">Connected apps</a>.`
  return html`<h2>It will not be able to</h2>${points(['Invest, sign, or move money for you.'])}
<h2>How long it lasts</h2>${points([lasting, ...(again === false ? [] : [again])])}`
}

function decision({ app, consentRequest }: ConsentView): Html {
  const place = placeWords(returnPlace(consentRequest.request.redirectUri))
  return html`${decisionBar(
    button({ label: `Connect ${app.name}`, name: 'decision', value: 'connect' }),
    button({ label: 'Cancel', kind: 'secondary', name: 'decision', value: 'cancel' }),
  )}<p class="small muted">Either way you will be sent back to ${place}.</p>`
}

const BACK =
  'Go back to the app and start again. If the error stays, tell the people who make the app what this page says.'

/** Texts for the person; the technical detail below them is for the app's developers. */
const WORDS: Readonly<Record<PageReason, Omit<Refusal, 'status' | 'detail'>>> = {
  unreadable_request: {
    title: 'This link is not complete',
    message: 'An app sent you here, but its request cannot be read. Nothing was connected.',
    remediation: BACK,
  },
  too_long: {
    title: 'This link is too long',
    message: 'An app sent you here with a request that is longer than we accept. Nothing was connected.',
    remediation: BACK,
  },
  unknown_app: {
    title: 'We do not know this app',
    message: 'An app sent you here under a name that is not registered. Nothing was connected.',
    remediation: BACK,
  },
  app_unavailable: {
    title: 'This app cannot be connected',
    message:
      'It is not in service here at the moment. Nothing was connected, and your earlier connections stay as they are.',
    remediation: 'Ask the people who make the app when it will be back.',
  },
  wrong_redirect_uri: {
    title: 'This app sent you here in a way we do not trust',
    message:
      'It asked us to send you on to an address that it has not registered with us, so we did not. Nothing was connected.',
    remediation: BACK,
  },
}

type Refused = { readonly reason: PageReason; readonly detail: string }
type Around = { readonly brand: ShownBrand; readonly requestId: string }

/** The person and the world may not be known yet, so the page shows neither. */
export function consentRefusal({ reason, detail }: Refused, around: Around) {
  const frame = { ...around, world: null, csrf: '', person: null, address: '' }
  return refusalPage({ status: 400, ...WORDS[reason], detail }, frame)
}

type NoUser = {
  readonly world: World
  readonly why: 'unknown' | 'deactivated'
  readonly person: Person
  readonly csrf: string
}

/** The account has no active user in the app's world, so there is nothing to connect. */
export function noUserPage({ world, why, person, csrf }: NoUser, around: Around): string {
  const where = world === 'test' ? 'in the sandbox' : 'here'
  const message =
    why === 'deactivated'
      ? `The account you are signed in with was deactivated ${where}.`
      : `The account you are signed in with has nothing ${where} that an app could be connected to.`
  const remediation = 'If you have another account, sign out, then go back to the app and start again.'
  return errorPage({ ...around, world, person, csrf, title: 'There is nothing to connect', message, remediation })
}

/** A request that passed every check, and the person who is asked for consent. */
export type ConsentRequest = {
  readonly request: AuthorizeRequest
  readonly account: AccountCaller
  readonly userId: Id<'user'>
}

/** Everything the consent screen shows. */
export type ConsentView = {
  readonly consentRequest: ConsentRequest
  readonly app: AppDescription
  readonly onTeam: boolean
  readonly offer: Offer
  /** The connection that this consent would replace or keep. */
  readonly connection: Connection | null
  readonly nowMs: number
}

export async function consentViewOf(
  databases: Readonly<Record<World, WorldDatabase>>,
  consentRequest: ConsentRequest,
): Promise<ConsentView> {
  const { request, account, userId } = consentRequest
  const { appId, world, piiApproved } = request.client
  const { reads } = databases[world]
  const [app, role, connection, nowMs] = await Promise.all([
    describeApp(reads, appId),
    findTeamRole(reads, appId, account.accountId),
    findConnection(reads, userId, appId),
    worldNowMs(reads),
  ])
  if (app === null) throw new Error('an app whose key was just found cannot be described')
  const onTeam = role !== null
  return {
    consentRequest,
    app,
    onTeam,
    offer: offerOf(request.scopes, { onTeam, approved: piiApproved }),
    connection,
    nowMs,
  }
}

type Withheld = { readonly scope: ScopeName; readonly why: WhyUngrantable }

type Offer = {
  /** The scopes that the person may grant, each with its own switch. */
  readonly offered: readonly ScopeName[]
  /** The requested scopes that this person cannot grant. */
  readonly withheld: readonly Withheld[]
  /** Whether read:public was requested. Every token has it, so it needs no consent. */
  readonly isPublic: boolean
}

/**
 * "A user's consent is an installation with target type user, tier user", so the rules of installing apply. A person outside the app's team
 * grants read:investors:pii only if the platform approved the app for it.
 */
export function offerOf(requested: readonly ScopeName[], by: Pick<Grantor, 'onTeam' | 'approved'>): Offer {
  const checked = withoutPublic(inCatalogueOrder(requested)).map((scope) => ({
    scope,
    why: whyUngrantable(scope, { ...by, target: 'user', tier: 'user' }),
  }))
  return {
    offered: checked.filter(({ why }) => why === null).map(({ scope }) => scope),
    withheld: checked.flatMap(({ scope, why }) => (why === null ? [] : [{ scope, why }])),
    isPublic: requested.includes(PUBLIC_SCOPE),
  }
}

/**
 * "Each scope on the consent screen, the user can decline." The form can only remove scopes from the offer, so a forged name grants
 * nothing. One switch may cover two scopes.
 */
export function grantedOf({ offered }: Offer, ticked: readonly string[]): readonly ScopeName[] {
  const names = new Set(ticked.flatMap((value) => parseScopes(value) ?? []))
  return inCatalogueOrder(offered.filter((name) => names.has(name)))
}

/**
 * Why the person can grant no requested scope, for the error_description; null if they can grant one, or if read:public was requested. The
 * person did not decline, so the error is invalid_scope and not access_denied.
 */
export function whyNothingOffered({ offered, withheld, isPublic }: Offer): string | null {
  if (offered.length > 0 || isPublic) return null
  return withheld.map(({ scope, why }) => `${scope} was not granted. ${HOW_OBTAINED[why]}`).join(' ')
}

const HOW_OBTAINED: Readonly<Record<WhyUngrantable, string>> = {
  pii_not_approved:
    'Until the platform approves the app for investor PII, only members of its team can grant it. Request the approval in the developer portal.',
  // These two reasons cannot occur here, because a consent has the tier user.
  founder_only: 'Only a founder can grant it, by installing the app on their company.',
  editor_no_writes: 'Editors cannot grant it.',
}
