import { signInAddress } from '#http/browser/return-to.ts'
import type { OpenInvitation } from '#market/syndicates/index.ts'
import { facts, points } from '#pages/blocks.ts'
import { actions, button, decisionBar, errorSummary, form, linkButton } from '#pages/elements.ts'
import { type Frame, framedPage, type PageAnswer, refusalPage } from '#pages/hosted-page.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import { brandName } from '#pages/platform-brand.ts'
import type { Way } from '../join-page/eligibility.ts'
import { reasonWords } from '../join-page/offer-page.ts'

export type InvitationAnswer = PageAnswer<200 | 403 | 409 | 410>

/** The visitor's relation to the invitation. */
export type Standing = 'signed_out' | 'no_user' | 'another_address' | Exclude<Way, 'apply' | 'applied'>

export const invitationAddress = (link: string): string => `/syndicate-invitations/${encodeURIComponent(link)}`

type InvitationFrame = Frame & {
  readonly invitation: OpenInvitation
  /** The visitor pressed a button that no longer applied. */
  readonly pressed?: boolean
}

export function standingPage(frame: InvitationFrame, standing: Standing): InvitationAnswer {
  const { invitation, pressed = false } = frame
  const isForAnother = standing === 'another_address' || standing === 'no_user'
  const mayJoin = standing === 'join' || standing === 'signed_out'
  const below = isForAnother ? [otherAccount(frame, standing)] : [mayJoin && meaning(invitation), way(frame, standing)]
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
    html`You are a member at once.`,
    html`Nothing is invested, reserved or signed, and no money moves.`,
    html`Those who run <bdi>${syndicate}</bdi> see your name and your email address, and so do apps that they let see the members.`,
  ]
  return html`<section class="stack"><h2>What it means</h2>${points(sentences)}</section>`
}

function way(frame: InvitationFrame, standing: Exclude<Standing, 'another_address' | 'no_user'>): HtmlValue {
  const { invitation, address, csrf, brand } = frame
  switch (standing) {
    case 'signed_out':
      return [
        html`<p>Sign in with the account of the address above to answer.</p>`,
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
      const { title, text } = reasonWords(standing, { syndicate: invitation.syndicate, brand })
      return html`<section class="stack"><h2>${title}</h2><p>${text}</p></section>`
    }
  }
}

function otherAccount({ brand }: InvitationFrame, standing: 'another_address' | 'no_user'): Html {
  if (standing === 'another_address') {
    return html`<p>The invitation was sent to an address that this account does not have. Sign in with the account of that address, or ask for an invitation to yours.</p>`
  }
  return html`<p>This account is not known as an investor at ${brandName(brand)}. If you have another account, sign in with that one; otherwise finish signing up at ${brandName(brand)}, then open this page again.</p>`
}

/** Also for a person who is not signed in: having the mail is enough to stop further mail. */
function noMoreMail({ invitation, address, csrf }: InvitationFrame): HtmlValue {
  if (invitation.mailDeclined) return html`<p class="small muted">You get no more mail about this invitation.</p>`
  const stop = button({ label: 'No more mail about this', kind: 'secondary', name: 'decision', value: 'no_mail' })
  return form({ action: address, csrf, content: actions(stop) })
}

export function joinedPage(frame: InvitationFrame): InvitationAnswer {
  const { syndicate } = frame.invitation
  return framedPage(frame, {
    ...{ status: 200, title: `Joined ${syndicate}`, question: html`You are a member of <bdi>${syndicate}</bdi>` },
    above: [html`<p>There is nothing more to do here. You can close this page.</p>`],
  })
}

export function declinedMailPage(frame: InvitationFrame): InvitationAnswer {
  return framedPage(frame, {
    ...{ status: 200, title: 'No more mail', question: 'You get no more mail about this invitation' },
    above: [
      html`<p>It stays open: with the link of the mail you can still join <bdi>${frame.invitation.syndicate}</bdi>.</p>`,
    ],
  })
}

export function deadPage(frame: Frame): InvitationAnswer {
  const words = {
    status: 410 as const,
    title: 'This invitation no longer works',
    message: 'It was answered or withdrawn, or a part of the link is missing.',
    remediation: 'If you have not joined, ask the managers of the syndicate for a new invitation.',
  }
  return refusalPage(words, { ...frame, person: null })
}
