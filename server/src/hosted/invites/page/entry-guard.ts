import { type CheckoutDeps, type CheckoutEntry, type CheckoutResponse, guardEntry } from '#hosted/sessions/http.ts'
import { checkoutWords } from '#hosted/sessions/index.ts'
import type { Guarded, LinkVisit } from '#pages/hosted-page.ts'
import { type HtmlValue, html } from '#pages/html.ts'
import { type InviteLink, isUsedUp, remaining } from '../link.ts'
import { isUsedBy, readLink } from '../store.ts'

export type InvitePageDeps = CheckoutDeps
export type InviteEntry = CheckoutEntry<InviteLink> & {
  /** Whether the visitor has an investment by this link that is not canceled. */
  readonly hasInvested: boolean
}
type GuardedInvite = Guarded<InviteEntry, CheckoutResponse>

/**
 * Only the account for which a link was made may open the link. A link for an email address belongs to the first user who opens it while
 * signed in, or invests by it.
 */
export async function guardInvitePage(deps: InvitePageDeps, visit: LinkVisit): Promise<GuardedInvite> {
  const guarded = await guardEntry(deps, visit, {
    kind: 'inviteLink',
    path: '/i',
    find: readLink,
    about: (link) => ({ ...link, owner: link.userId ?? link.openedBy, unfinished: isUnfinished(link) }),
  })
  if ('answer' in guarded) return guarded
  const { found, world, userId } = guarded.entry
  const hasInvested = userId !== null && (await isUsedBy(deps.databases[world].reads, found.id, userId))
  return { entry: { ...guarded.entry, hasInvested } }
}

/** A use of a reusable link does not finish it. */
function isUnfinished({ perPerson, investment }: InviteLink): boolean {
  return !perPerson || investment === null
}

type End = { readonly title: string; readonly content: HtmlValue }

/**
 * The page for a visitor who can do nothing more with the link; null if the visitor can still do something. A visitor who has
 * invested sees that first, even if the link was canceled since.
 */
export function endOf(entry: InviteEntry): End | null {
  const { found: link, offeringSummary, hasInvested } = entry
  const over = link.canceledAt !== null || isUsedUp(link) || remaining(link) === 0
  if (hasInvested && (link.perPerson || over)) {
    const content = html`<p>It is with <bdi>${offeringSummary.companyName}</bdi>, and there is nothing more to do here.</p>`
    return { title: checkoutWords(offeringSummary).done, content }
  }
  return endForOthers(entry)
}

function endForOthers(entry: InviteEntry): End | null {
  const { found: link, offeringSummary, requestingApp } = entry
  const sender = requestingApp === null ? 'the sender' : html`<bdi>${requestingApp.app.organization.name}</bdi>`
  const nothing = nothingDone(entry)
  if (link.canceledAt !== null) {
    const content = html`<p>It was taken back. ${nothing}</p><p>If you did not expect that, ask ${sender}.</p>`
    return { title: 'This invitation was withdrawn', content }
  }
  if (link.perPerson && link.investment !== null) {
    const content = html`<p>It was for one ${checkoutWords(offeringSummary).noun}, which has been made.</p><p>Ask ${sender} for another one.</p>`
    return { title: 'This invitation has been used', content }
  }
  if (link.declinedAt !== null) {
    const content = html`<p>${nothing}</p><p>If you have changed your mind, ask ${sender} for a new invitation.</p>`
    return { title: 'You said no to this invitation', content }
  }
  if (isUsedUp(link) || remaining(link) === 0) {
    const content = html`<p>It allows no further ${checkoutWords(offeringSummary).noun}. ${nothing}</p><p>Ask ${sender} for another one.</p>`
    return { title: 'This invitation has been used up', content }
  }
  return null
}

/** "Nothing was invested". Null if the link was used and the visitor is not signed in: the visitor may be one of the investors. */
function nothingDone({ found: { uses }, offeringSummary, userId }: InviteEntry): string | null {
  return userId === null && uses > 0 ? null : checkoutWords(offeringSummary).nothingDone
}
