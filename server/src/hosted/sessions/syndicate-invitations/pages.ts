import { signInAddress } from '#http/browser/return-to.ts'
import type { OpenInvitation } from '#market/syndicates/index.ts'
import { facts, points } from '#pages/blocks.ts'
import { actions, button, decisionBar, errorSummary, form, linkButton } from '#pages/elements.ts'
import { type Frame, framedPage, type PageResponse, refusalPage } from '#pages/hosted-page.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import { brandName } from '#pages/platform-brand.ts'
import type { Way } from '../join-page/eligibility.ts'
import { reasonWords } from '../join-page/offer-page.ts'

export type InvitationResponse = PageResponse<200 | 403 | 409 | 410>

/** The visitor's relation to the invitation. */
export type VisitorState = 'signed_out' | 'no_user' | 'another_address' | Exclude<Way, 'apply' | 'applied'>

export const invitationAddress = (link: string): string => `/syndicate-invitations/${encodeURIComponent(link)}`

type InvitationFrame = Frame & {
  readonly invitation: OpenInvitation
  /** True after the visitor pressed a button whose action was no longer possible. */
  readonly pressed?: boolean
}

export function invitationPage(frame: InvitationFrame, state: VisitorState): InvitationResponse {
  const { invitation, pressed = false } = frame
  const isForAnother = state === 'another_address' || state === 'no_user'
  const mayJoin = state === 'join' || state === 'signed_out'
  const below = isForAnother ? [otherAccount(frame, state)] : [mayJoin && meaning(invitation), way(frame, state)]
  return framedPage(frame, {
    status: pressed ? 409 : isForAnother ? 403 : 200,
    title: `Join ${invitation.syndicate}`,
    question: html`Join <bdi>${invitation.syndicate}</bdi>?`,
    first: changed(pressed),
    above: [about(frame)],
    below: [...below, noMoreMail(frame)],
  })
}

const changed = (pressed: boolean): HtmlValue =>
  errorSummary(
    pressed ? [{ message: 'This page now shows the current state.' }] : [],
    'Something changed since you opened this page. Nothing was done; please look again.',
  )

function about({ invitation, brand }: InvitationFrame): Html {
  const { inviter, tagline, email } = invitation
  const who = inviter === null ? html`A manager` : html`<strong><bdi>${inviter}</bdi></strong>`
  return html`<p class="lead">${who} invites you to a syndicate at ${brandName(brand)}, a group of people who invest together.</p>
${tagline !== null && html`<p>${tagline}</p>`}${facts([['Sent to', html`<bdi>${email}</bdi>`]])}`
}

function meaning({ syndicate }: OpenInvitation): Html {
  const sentences = [
    html`You become a member at once.`,
    html`Nothing is invested, reserved or signed, and no money moves.`,
    html`Those who run <bdi>${syndicate}</bdi> see your name and your email address. Apps to which they give access to the members also see your name and email address.`,
  ]
  return html`<section class="stack"><h2>What it means</h2>${points(sentences)}</section>`
}

function way(frame: InvitationFrame, state: Exclude<VisitorState, 'another_address' | 'no_user'>): HtmlValue {
  const { invitation, address, csrf, brand } = frame
  switch (state) {
    case 'signed_out':
      return [
        html`<p>To answer, sign in with the account that has the address above.</p>`,
        decisionBar(linkButton(`Sign in to ${brandName(brand)}`, signInAddress(address), 'primary')),
      ]
    case 'join':
      return form({
        ...{ action: address, csrf },
        content: decisionBar(button({ label: `Join ${invitation.syndicate}`, name: 'decision', value: 'join' })),
      })
    case 'member':
      return html`<p>You are a member of <bdi>${invitation.syndicate}</bdi> already. There is nothing more to do here.</p>`
    default: {
      const { title, text } = reasonWords(state, { syndicate: invitation.syndicate, brand })
      return html`<section class="stack"><h2>${title}</h2><p>${text}</p></section>`
    }
  }
}

function otherAccount({ brand }: InvitationFrame, state: 'another_address' | 'no_user'): Html {
  if (state === 'another_address') {
    return html`<p>The invitation was sent to an address that this account does not have. Sign in with the account that has that address, or ask for an invitation to your own address.</p>`
  }
  return html`<p>This account is not known as an investor at ${brandName(brand)}. If you have another account, sign in with that one; otherwise finish signing up at ${brandName(brand)}, then open this page again.</p>`
}

/** Shown also to a person who is not signed in, because a person who has the mail may stop further mail. */
function noMoreMail({ invitation, address, csrf }: InvitationFrame): HtmlValue {
  if (invitation.mailDeclined) return html`<p class="small muted">You get no more mail about this invitation.</p>`
  const stop = button({ label: 'No more mail about this', kind: 'secondary', name: 'decision', value: 'no_mail' })
  return form({ action: address, csrf, content: actions(stop) })
}

export function joinedPage(frame: InvitationFrame): InvitationResponse {
  const { syndicate } = frame.invitation
  return framedPage(frame, {
    ...{ status: 200, title: `Joined ${syndicate}`, question: html`You are a member of <bdi>${syndicate}</bdi>` },
    above: [html`<p>There is nothing more to do here. You can close this page.</p>`],
  })
}

export function declinedMailPage(frame: InvitationFrame): InvitationResponse {
  return framedPage(frame, {
    ...{ status: 200, title: 'No more mail', question: 'You get no more mail about this invitation' },
    above: [
      html`<p>The invitation stays open. You can still join <bdi>${frame.invitation.syndicate}</bdi> with the link in the mail.</p>`,
    ],
  })
}

export function deadPage(frame: Frame): InvitationResponse {
  const words = {
    status: 410 as const,
    title: 'This invitation no longer works',
    message: 'It was answered or withdrawn, or a part of the link is missing.',
    remediation: 'If you have not joined, ask the managers of the syndicate for a new invitation.',
  }
  return refusalPage(words, { ...frame, person: null })
}
