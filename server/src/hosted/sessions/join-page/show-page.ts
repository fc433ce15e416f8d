import { signInAddress } from '#http/browser/return-to.ts'
import { points } from '#pages/blocks.ts'
import { actions, button, decisionBar, form, hidden, linkButton } from '#pages/elements.ts'
import type { LinkVisit } from '#pages/hosted-page.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import { personAtSyndicate, userName } from '../join-api/store.ts'
import type { JoinSessionState } from '../join-session-states.ts'
import { wayOf } from './eligibility.ts'
import {
  frameOf,
  guardJoinPage,
  type JoinEntry,
  type JoinPageDeps,
  type JoinResponse,
  joinAddress,
  refusalResponse,
} from './entry-guard.ts'
import {
  about,
  changedSummary,
  framed,
  introPage,
  type JoinFrame,
  notNow,
  offerPage,
  reasonWords,
  returnResponse,
} from './offer-page.ts'

/** Shows the page and changes nothing, so the app does not learn who opened its link. */
export async function showJoin(deps: JoinPageDeps, visit: LinkVisit): Promise<JoinResponse> {
  const guarded = await guardJoinPage(deps, visit)
  return 'answer' in guarded ? guarded.answer : pageFor(deps, visit, { entry: guarded.entry })
}

type Showing = {
  readonly entry: JoinEntry
  /** True after the person pressed a button whose action was no longer possible. */
  readonly pressed?: true
}

export async function pageFor(
  deps: JoinPageDeps,
  visit: LinkVisit,
  { entry, pressed }: Showing,
): Promise<JoinResponse> {
  const { session, person, world } = entry
  const frame = { ...frameOf(deps, visit, world), entry }
  if (session.status !== 'open') return endPage(frame, pressed)
  if (person === null) return introPage(frame)
  if (session.userId !== null && session.userId !== person.userId) {
    return refusalResponse('somebody_else', frame)
  }
  const { reads } = deps.databases[world]
  if (session.userId === null) {
    const named = { account: person.name, userName: await userName(reads, person.userId) }
    return continuePage(frame, { ...named, changed: pressed === true })
  }
  const way = wayOf(await personAtSyndicate(reads, session.syndicate.id, person.userId))
  return offerPage(frame, way, pressed)
}

type Ended = Exclude<JoinSessionState, 'open'>
type Words = { readonly title: Html; readonly text: Html }

/** The page of a session that is no longer open. `late`: the person still pressed a button. */
function endPage(frame: JoinFrame, late = false): JoinResponse {
  const { session, person } = frame.entry
  // Only the session's own person sees the outcome, on the page and in the return URL.
  const others = session.userId !== null && session.userId !== person?.userId
  const { title, text } = others ? USED : wordsFor(frame)
  const back = wayBack(frame.entry, others)
  const content = [
    html`<p>${text}</p>${late && html`<p>Nothing was done now.</p>`}`,
    others && wasItYou(frame),
    back === null ? html`<p>You can close this page.</p>` : actions(back),
  ]
  return framed(frame, { status: late ? 409 : 200, title: `Join ${session.syndicate.name}`, question: title, content })
}

function wayBack({ session: { returnUrl, id, status }, app }: JoinEntry, others: boolean): Html | null {
  if (returnUrl === null) return null
  return linkButton(`Return to ${app.name}`, others ? returnUrl : returnResponse(returnUrl, id, status), 'primary')
}

const USED: Words = {
  title: html`This link has been used`,
  text: html`Each link is for one person. Go back to where you found it and ask for your own link.`,
}

function wasItYou({ entry: { person, link } }: JoinFrame): HtmlValue {
  if (person !== null) return null
  return html`<p>If it was you who used this link, <a href="${signInAddress(joinAddress(link))}">sign in</a> to see whether you have joined.</p>`
}

function wordsFor({ entry: { session, app }, brand }: JoinFrame): Words {
  const { name } = session.syndicate
  const { status, ineligibleReason } = session
  if (ineligibleReason !== null) return reasonWords(ineligibleReason, { syndicate: name, brand })
  const words: Readonly<Record<Exclude<Ended, 'ineligible'>, Words>> = {
    pending_approval: {
      title: html`Your application is with <bdi>${name}</bdi>`,
      text: html`Those who run it decide. There is nothing more to do here.`,
    },
    joined: { title: html`You are a member of <bdi>${name}</bdi>`, text: html`There is nothing more to do here.` },
    rejected: {
      title: html`<bdi>${name}</bdi> declined your application`,
      text: html`You can ask those who run it for the reason, and you may apply again.`,
    },
    canceled: {
      title: html`This invitation to join was withdrawn`,
      text: html`<bdi>${app.name}</bdi> withdrew it, so you did not become a member. Ask <bdi>${app.name}</bdi> for another.`,
    },
    expired: {
      title: html`This link has expired`,
      text: html`Links like this work only for a limited time. Ask <bdi>${app.name}</bdi> for another.`,
    },
  }
  return words[status === 'open' || status === 'ineligible' ? 'expired' : status]
}

/** What the form of the first page sends as `way`. */
export const CONTINUE = 'continue'

type Continuing = {
  /** The name of the signed-in account. */
  readonly account: string
  /** The user's name, which the app will see; null if the user has no name. */
  readonly userName: string | null
  /** True after the person sent a form that was out of date; nothing was done. */
  readonly changed: boolean
}

/**
 * The first page for a signed-in person, while the session has no user: "a signed-in person presses 'Continue as …' on the
 * session's first page, which says that the partner will see it". Opening the link alone changes nothing.
 */
function continuePage(frame: JoinFrame, { account, userName, changed }: Continuing): JoinResponse {
  const { entry, csrf } = frame
  const label = `Continue as ${account}`
  const content = [
    about(entry),
    visible(entry, userName),
    form({
      action: joinAddress(entry.link),
      csrf,
      content: [hidden('way', CONTINUE), decisionBar(button({ label }), notNow(entry))],
    }),
  ]
  const title = `Join ${entry.session.syndicate.name}`
  const question = html`Join <bdi>${entry.session.syndicate.name}</bdi>?`
  return framed(frame, { status: changed ? 409 : 200, title, question, first: changedSummary(changed), content })
}

function visible({ app }: JoinEntry, userName: string | null): Html {
  const name = userName !== null && html`: your name, <strong><bdi>${userName}</bdi></strong>, and your user id`
  const lines = [
    html`<bdi>${app.name}</bdi> sees who you are${name}. It sees this even if you do not join.`,
    html`The link works for this account only.`,
    html`You do not join yet. The next page says what joining means, and you decide there.`,
    html`<bdi>${app.name}</bdi> gets no access to your account and cannot act in your name.`,
  ]
  return html`<section class="stack"><h2>If you continue</h2>${points(lines)}</section>`
}
