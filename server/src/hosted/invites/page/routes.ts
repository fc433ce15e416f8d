import { Type } from 'typebox'
import { lockUser } from '#access/people/index.ts'
import {
  amountField,
  amountShown,
  amountText,
  type CheckoutResponse,
  framed,
  instead,
  isTooLate,
  readAmount,
  testButtons,
  UNKNOWN_LINK,
  type Wrong,
  whereOnward,
  wrongAmount,
  wrongOf,
  wrongSummary,
} from '#hosted/sessions/http.ts'
import { checkoutAddress, checkoutWords, playInvestment } from '#hosted/sessions/index.ts'
import { visitor } from '#http/access.ts'
import { signInAddress } from '#http/browser/return-to.ts'
import { type Route, route } from '#http/route.ts'
import { validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { inviteUser } from '#market/offerings/index.ts'
import { facts, notice, quotation } from '#pages/blocks.ts'
import { actions, button, decisionBar, form } from '#pages/elements.ts'
import { away, type LinkVisit, refusalPage } from '#pages/hosted-page.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import type { ReferralSettings } from '#referrals/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { worldNow } from '#system/postgres/world-clock.ts'
import { type InviteLink, isUsedUp, remaining } from '../link.ts'
import { useLink } from '../manage-link.ts'
import { lockLink, noteEvent, readLink, setDeclined, setOpened, setOpener } from '../store.ts'
import { endOf, guardInvitePage, type InviteEntry, type InvitePageDeps } from './entry-guard.ts'

async function showInvitation(deps: InvitePageDeps, visit: LinkVisit): Promise<CheckoutResponse> {
  const guarded = await guardInvitePage(deps, visit)
  return 'answer' in guarded ? guarded.answer : invitePage({ ...deps, entry: guarded.entry })
}

const MOVES = ['continue', 'decline', 'succeed'] as const
type Decision = { readonly do: (typeof MOVES)[number]; readonly amount?: string }
type Deciding = LinkVisit & { readonly body: Decision }

async function decideInvitation(deps: InvitePageDeps, visit: Deciding): Promise<CheckoutResponse> {
  const guarded = await guardInvitePage(deps, visit)
  if ('answer' in guarded) return guarded.answer
  const { entry } = guarded
  const { world, found: link, userId, frame, offeringSummary } = entry
  if (endOf(entry) !== null) return invitePage({ ...deps, entry })
  if (visit.body.do === 'decline') return decline(deps, entry)
  if (offeringSummary.status !== 'open') return invitePage({ ...deps, entry })
  if (world === 'test' && userId === null) return withoutUser(deps, entry)
  if (visit.body.do === 'succeed') {
    return world === 'test' ? play(deps, entry, visit) : refusalPage(UNKNOWN_LINK, frame)
  }
  const { checkoutUrl } = deps
  if (world === 'live' && checkoutUrl === null) return invitePage({ ...deps, entry })
  const opened = await deps.databases[world].transaction((tx) => openInvitation(tx, link.id, visitOf(userId, visit)))
  if (!opened || world === 'test' || checkoutUrl === null) return away(frame.address)
  const places = { invite: link.id, offering: link.offering, return_url: deps.origin() + frame.address }
  return away(checkoutAddress(checkoutUrl, places))
}

/** For a visitor without a sandbox user. A visitor who is signed in sees the reason, because signing in again would lead back here. */
function withoutUser(deps: InvitePageDeps, entry: InviteEntry): CheckoutResponse {
  const { person, address } = entry.frame
  return person === null ? away(signInAddress(address)) : invitePage({ ...deps, entry })
}

const visitOf = (userId: Id<'user'> | null, { requestId }: LinkVisit) => ({ userId, requestId })

async function decline(
  deps: InvitePageDeps,
  { world, found: link, frame, userId }: InviteEntry,
): Promise<CheckoutResponse> {
  if (link.perPerson) {
    await deps.databases[world].transaction((tx) => declineInvitation(tx, link.id, userId))
  }
  return away(frame.address)
}

async function play(deps: InvitePageDeps, entry: InviteEntry, visit: Deciding): Promise<CheckoutResponse> {
  const { found: link, offeringSummary, userId, frame } = entry
  const { amount: typed } = visit.body
  try {
    const chosen = { amount: readAmount(typed, offeringSummary), currency: offeringSummary.currency }
    const played = { ...visitOf(userId, visit), ...chosen, crediting: deps.referrals.crediting }
    await deps.databases.test.transaction((tx) => playUse(tx, link.id, played))
    return away(frame.address)
  } catch (error) {
    if (isTooLate(error)) return away(frame.address)
    const wrong = wrongOf(error, typed)
    if (wrong === null) throw error
    return invitePage({ ...deps, entry, wrong })
  }
}

type Opening = { readonly userId: Id<'user'> | null; readonly requestId: string }

/**
 * Runs when the person presses Continue: the link counts as opened, and the person may see the round even if it is private. Nothing
 * happens before that, because an app alone must not add a round to a person's catalogue, and programs that prefetch links must not
 * open them. Returns false if the link has ended meanwhile or is for another person.
 */
async function openInvitation(tx: Tx, id: Id<'inviteLink'>, { userId, requestId }: Opening): Promise<boolean> {
  if (userId !== null) await lockUser(tx, 'user', userId)
  const link = await lockLinkFor(tx, id, userId)
  if (link === null) return false
  if (await setOpened(tx, id)) await noteEvent(tx, id, 'open')
  if (userId === null) return true
  await setOpener(tx, id, userId)
  const occasion = { cause: requestId, occurredAt: await worldNow(tx), caused: [] }
  await inviteUser(tx, { id: link.offering, user: userId }, occasion)
  return true
}

async function declineInvitation(tx: Tx, id: Id<'inviteLink'>, userId: Id<'user'> | null): Promise<void> {
  if ((await lockLinkFor(tx, id, userId)) === null) return
  if (await setDeclined(tx, id)) await noteEvent(tx, id, 'decline')
}

type Playing = Opening & {
  readonly amount: Cents
  readonly currency: string
  readonly crediting: ReferralSettings
}

/** Applies the facts that the host's checkout would send, in the test world. */
async function playUse(tx: Tx, id: Id<'inviteLink'>, playing: Playing): Promise<void> {
  const { userId, requestId, amount, currency, crediting } = playing
  if (userId === null || !(await openInvitation(tx, id, { userId, requestId }))) return
  const link = await readLink(tx, id)
  if (link === null) return
  rejectBeyondCap(link, { amount, currency })
  const occasion = { cause: requestId, occurredAt: await worldNow(tx), caused: [] }
  const played = { offering: link.offering, investor: userId, amount_cents: amount }
  const investment = await playInvestment(tx, played, { occasion, crediting })
  await useLink(tx, { link: id, investment }, occasion)
}

/** Locks the link; null if it has ended or is for another person. */
async function lockLinkFor(tx: Tx, id: Id<'inviteLink'>, userId: Id<'user'> | null): Promise<InviteLink | null> {
  await lockLink(tx, id)
  const link = await readLink(tx, id)
  if (link === null || link.canceledAt !== null || link.declinedAt !== null || isUsedUp(link)) return null
  if (link.perPerson && link.investment !== null) return null
  const owner = link.userId ?? link.openedBy
  return owner === null || owner === userId ? link : null
}

/** "allocation_cents: reusable: budget over all claims; per-person: recipient cap." The caller has locked the link. */
function rejectBeyondCap(
  link: Pick<InviteLink, 'allocation' | 'claimed'>,
  { amount, currency }: { readonly amount: Cents; readonly currency: string },
): void {
  const left = remaining(link)
  if (left === null || amount <= left) return
  const message = `must not be more than ${amountText(left, currency)}, the amount that is left for this link`
  throw validationError([{ field: 'amount', code: 'too_large', message }])
}

type Shown = { readonly entry: InviteEntry; readonly checkoutUrl: string | null; readonly wrong?: Wrong | undefined }

/** The page of a link: who invites, the offering, and the next step. */
function invitePage({ entry, checkoutUrl, wrong }: Shown): CheckoutResponse {
  const { frame, offeringSummary, requestingApp, world } = entry
  const end = endOf(entry)
  if (end !== null) {
    return framed(frame, { title: end.title, requestingApp, content: end.content })
  }
  const words = checkoutWords(offeringSummary)
  const content = [
    html`<p>You are invited to this offering. Whether you ${words.verb} is your decision alone.</p>`,
    partnerMessage(entry),
    offeringSummary.html,
    ...whatNext(entry, { checkoutUrl, wrong }),
  ]
  return framed(frame, {
    ...(wrong === undefined ? {} : { status: wrong.status }),
    title: `Invitation to ${offeringSummary.companyName}`,
    question: html`Do you want to ${words.ask} <bdi>${offeringSummary.companyName}</bdi>?`,
    lead: [limitOf(entry), offeringSummary.status === 'open' && notice(words.risk, 'warning')],
    requestingApp,
    first: [wrongSummary(wrong), earlierInvestment(entry)],
    content,
    leadsTo: world === 'live' ? checkoutUrl : null,
  })
}

/** Shown at the top of the page for a visitor who has invested by the link, also weeks later. */
function earlierInvestment({ hasInvested, offeringSummary }: InviteEntry): HtmlValue {
  if (!hasInvested) return null
  const { done, noun } = checkoutWords(offeringSummary)
  return notice(html`${done}. You can use this link again for another ${noun}.`)
}

type Next = Pick<Shown, 'checkoutUrl' | 'wrong'>

/** A visitor who cannot continue yet can still decline. */
function whatNext(entry: InviteEntry, { checkoutUrl, wrong }: Next): readonly HtmlValue[] {
  const other = instead(entry, checkoutUrl)
  if (other === null) return [next(entry, wrong)]
  const { found, frame } = entry
  return [other, found.perPerson && form({ action: frame.address, csrf: frame.csrf, content: actions(NO) })]
}

const NO = button({ label: 'No, thank you', kind: 'secondary', name: 'do', value: 'decline' })

function partnerMessage({ found: { message }, requestingApp }: InviteEntry): HtmlValue {
  if (message === null) return null
  const from = requestingApp === null ? 'the person who invites you' : requestingApp.app.organization.name
  return quotation(message, html`A message from <bdi>${from}</bdi>`)
}

function limitOf({ found: link, offeringSummary }: InviteEntry): HtmlValue {
  const left = remaining(link)
  const { maxCents, currency } = offeringSummary
  const rows = [
    maxCents !== null && ([checkoutWords(offeringSummary).most, amountShown(maxCents, currency)] as const),
    left !== null && (['With this link', html`up to ${amountShown(left, currency)}`] as const),
  ].filter((row) => row !== false)
  return rows.length > 0 && facts(rows)
}

function next(entry: InviteEntry, wrong: Wrong | undefined): Html {
  return entry.world === 'test' && entry.found.openedAt !== null ? tests(entry, wrong) : onward(entry)
}

/** A form instead of a link, because prefetching must not open an invitation. */
function onward(entry: InviteEntry): Html {
  const { frame, found } = entry
  const content = [
    decisionBar(button({ label: 'Continue', name: 'do', value: 'continue' }), found.perPerson && NO),
    whereOnward(entry),
  ]
  return form({ action: frame.address, csrf: frame.csrf, content })
}

function tests({ frame, offeringSummary, found: link }: InviteEntry, wrong: Wrong | undefined): Html {
  const amountInput = amountField(offeringSummary, wrongAmount(wrong))
  const others = link.perPerson ? [{ value: 'decline', label: 'decline the invitation' }] : []
  return testButtons({ action: frame.address, csrf: frame.csrf, offeringSummary, amountInput, others })
}

const Link = Type.Object({ link: Type.String({ maxLength: 100, description: 'The last part of the link’s url.' }) })
const Pressed = Type.Object({
  do: Type.Unsafe<Decision['do']>(Type.Enum([...MOVES], { type: 'string' })),
  amount: Type.Optional(Type.String({ maxLength: 30 })),
})
const Page = Type.String()
const responses = { 200: Page, 303: Type.Null(), 403: Page, 404: Page, 409: Page, 422: Page }

const COMMON = {
  path: '/i/:link',
  alias: false,
  tag: 'Invite links',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  access: visitor(
    'Everyone who has the link may open it. A link for an account also needs a sign-in with that account.',
  ),
} as const

/** The page of an invite link. Viewing it does not open the link; submitting its form does, unless the person declines. */
export const invitePageRoutes = (deps: InvitePageDeps): Route[] => [
  route({
    ...COMMON,
    operation: 'showInvitation',
    method: 'GET',
    documented: true,
    summary: 'Show an invitation page',
    description: 'Shows the page to which an invite link leads.',
    schema: { params: Link, response: responses },
    handler: (visit) => showInvitation(deps, visit),
  }),
  route({
    ...COMMON,
    operation: 'decideInvitation',
    method: 'POST',
    accepts: ['application/x-www-form-urlencoded'],
    summary: 'Submit the person’s choice',
    schema: { params: Link, body: Pressed, response: responses },
    handler: (visit) => decideInvitation(deps, visit),
  }),
]
