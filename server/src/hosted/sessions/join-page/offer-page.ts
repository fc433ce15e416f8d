import { signInAddress } from '#http/browser/return-to.ts'
import type { Id } from '#kernel/ids.ts'
import { facts, points } from '#pages/blocks.ts'
import { button, decisionBar, errorSummary, form, hidden, linkButton } from '#pages/elements.ts'
import { type Frame, framedPage, introduceApp } from '#pages/hosted-page.ts'
import { alternatives, type Html, type HtmlValue, html } from '#pages/html.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'
import { withParameters } from '#pages/return-place.ts'
import { INELIGIBLE_REASONS, type IneligibleReason, type JoinSessionState } from '../join-session-states.ts'
import type { Way } from './eligibility.ts'
import { type JoinEntry, type JoinResponse, joinAddress } from './entry-guard.ts'

/** The page for a visitor who is not signed in. It describes the syndicate. */
export function introPage(frame: JoinFrame): JoinResponse {
  const { entry, brand } = frame
  const { syndicate } = entry.session
  const content = [
    about(entry),
    meaning(entry, null),
    learnt(entry, html`Your name, when you continue on the next page.`),
    decisionBar(
      linkButton(`Sign in to ${brandName(brand)}`, signInAddress(joinAddress(entry.link)), 'primary'),
      notNow(entry),
    ),
    html`<p class="small muted">You see everything again before you decide.</p>`,
  ]
  return framed(frame, { status: 200, title: `Join ${syndicate.name}`, question: ask(syndicate.name), content })
}

/** The page on which a signed-in person decides. `changed`: the person sent an outdated form, and nothing was done. */
export function offerPage(frame: JoinFrame, way: Way, changed = false): JoinResponse {
  const { entry } = frame
  const { syndicate } = entry.session
  const content = isReason(way) ? cannot(frame, way) : can(frame, way)
  const first = changedSummary(changed)
  const question = ask(syndicate.name)
  return framed(frame, { status: changed ? 409 : 200, title: `Join ${syndicate.name}`, question, first, content })
}

const ask = (syndicate: string) => html`Join <bdi>${syndicate}</bdi>?`

/** Shown first on a page that is shown again, because the submitted form was outdated. */
export function changedSummary(changed: boolean): HtmlValue {
  return errorSummary(
    changed ? [{ message: 'This page now shows the current state.' }] : [],
    'Something changed since you opened this page. Nothing was done; please look again.',
  )
}

type Open = Exclude<Way, IneligibleReason>

const isReason = (way: Way): way is IneligibleReason => INELIGIBLE_REASONS.some((reason) => reason === way)

const LABEL: Readonly<Record<Open, (syndicate: string, app: string) => string>> = {
  join: (syndicate) => `Join ${syndicate}`,
  apply: (syndicate) => `Apply to ${syndicate}`,
  applied: (_, app) => `Tell ${app} that I have applied`,
  member: (_, app) => `Tell ${app} that I am a member`,
}

function can(frame: JoinFrame, way: Open): HtmlValue {
  const { entry } = frame
  const { app, session } = entry
  const label = LABEL[way](session.syndicate.name, app.name)
  const known = html`Your name, which <bdi>${app.name}</bdi> sees since you pressed Continue.`
  return [about(entry), meaning(entry, way), learnt(entry, known), decision(frame, way, label)]
}

function cannot(frame: JoinFrame, reason: IneligibleReason): HtmlValue {
  const { entry, brand } = frame
  const { app, session } = entry
  const { title, text } = reasonWords(reason, { syndicate: session.syndicate.name, brand })
  return [
    html`<section class="stack"><h2>${title}</h2><p>${text}</p></section>`,
    html`<p>You can let <bdi>${app.name}</bdi> know. It then sees this reason, and the link no longer works. Otherwise it sees only your name.</p>`,
    decision(frame, reason, `Let ${app.name} know`),
  ]
}

export function about({ app, session }: JoinEntry): Html {
  const { name, tagline, managers } = session.syndicate
  return html`<section class="stack"><p><bdi>${app.name}</bdi> asks whether you want to join a syndicate, a group of people who invest together:</p>
<h2><bdi>${name}</bdi></h2>${tagline !== null && html`<p>${tagline}</p>`}${managers.length > 0 && facts([['Run by', names(managers)]])}</section>`
}

/** `way` is null before sign-in, because the way to join depends on the person. */
function meaning({ session }: JoinEntry, way: Open | null): Html {
  const { name } = session.syndicate
  const first: Readonly<Record<Open, Html>> = {
    join: html`You become a member at once.`,
    apply: html`You apply, and those who run <bdi>${name}</bdi> decide. Until then you are not a member.`,
    applied: html`You have applied already, and those who run <bdi>${name}</bdi> have not decided yet. Your application stays as it is.`,
    member: html`You are a member already, and you stay a member.`,
  }
  const sentences = [
    way === null
      ? html`You join at once, or you apply to those who run <bdi>${name}</bdi>. After you sign in, this page shows which of the two.`
      : first[way],
    html`Nothing is invested, reserved or signed, and no money moves.`,
    html`Those who run <bdi>${name}</bdi> see your name and your email address.`,
  ]
  return html`<section class="stack"><h2>What it means</h2>${points(sentences)}</section>`
}

function learnt({ app, session }: JoinEntry, name: Html): Html {
  const sentences = [
    name,
    html`The outcome: whether you applied, joined or were declined.`,
    session.readsMembers &&
      html`Your email address, because those who run <bdi>${session.syndicate.name}</bdi> let <bdi>${app.name}</bdi> see the members.`,
    html`<bdi>${app.name}</bdi> gets no access to your account, and can do nothing in your name.`,
  ].filter((line) => line !== false)
  return html`<section class="stack"><h2>What <bdi>${app.name}</bdi> learns</h2>${points(sentences)}</section>`
}

/** The form sends back the way to join that the page showed, so that the person agrees only to what they saw. */
function decision({ entry, csrf }: JoinFrame, way: Way, label: string): Html {
  const content = [hidden('way', way), decisionBar(button({ label }), notNow(entry))]
  return form({ action: joinAddress(entry.link), csrf, content })
}

/** The link back to the app. It changes nothing: the session stays open. */
export function notNow({ session }: JoinEntry): HtmlValue {
  return session.returnUrl !== null && linkButton('Not now', returnResponse(session.returnUrl, session.id, 'open'))
}

export type JoinFrame = Frame & { readonly entry: JoinEntry }

type Framed = {
  readonly status: 200 | 409
  readonly title: string
  /** Shown first: the message that something has changed since the person opened the page. */
  readonly first?: HtmlValue
  /** The heading, if it is not the title. */
  readonly question?: HtmlValue
  readonly content: HtmlValue
}

/** A page with the app, the signed-in account and then the content. */
export function framed(frame: JoinFrame, { status, title, question = title, first, content }: Framed): JoinResponse {
  const { app, session } = frame.entry
  const { returnUrl } = session
  const above = [introduceApp(app, { returnUrl })]
  return framedPage(frame, { status, title, first, question, above, below: [content], leadsTo: returnUrl })
}

/** "Ada, Grace and Mary"; empty if no manager has a name. */
export function names(people: readonly string[]): HtmlValue {
  return alternatives(
    people.map((name) => html`<bdi>${name}</bdi>`),
    'and',
  )
}

type About = { readonly syndicate: string; readonly brand: ShownBrand }
type Words = { readonly title: Html; readonly text: Html }

/** Why the person cannot become a member, and what they can do. */
const WORDS: Readonly<Record<IneligibleReason, (about: About) => Words>> = {
  accreditation_required: ({ syndicate, brand }) => ({
    title: html`<bdi>${syndicate}</bdi> is for accredited investors`,
    text: html`Your account does not say that you are an accredited investor. If you are, say so in your account at ${brandName(brand)}, and then open this page again.`,
  }),
  jurisdiction: ({ syndicate, brand }) => ({
    title: html`<bdi>${syndicate}</bdi> is not open where you live`,
    text: html`This syndicate takes members only from certain countries. Your country is not one of them, or your account at ${brandName(brand)} names no known country.`,
  }),
  blocked: ({ syndicate }) => ({
    title: html`You cannot join <bdi>${syndicate}</bdi> from here`,
    text: html`Those who run it ended your membership. You need an invitation from them to join again.`,
  }),
  club_unavailable: ({ syndicate }) => ({
    title: html`<bdi>${syndicate}</bdi> takes no new members at the moment`,
    text: html`It is not open yet, or was closed for now. Ask those who run it when that will change.`,
  }),
  requires_investment: ({ syndicate, brand }) => ({
    title: html`People join <bdi>${syndicate}</bdi> by investing in its fund`,
    text: html`You cannot invest on this page. Invest in the fund at ${brandName(brand)}, and then open this page again.`,
  }),
}

export function reasonWords(reason: IneligibleReason, about: About): Words {
  return WORDS[reason](about)
}

/** The return URL with the status. A person can change the URL, so apps read the status from the session or its events. */
export function returnResponse(returnUrl: string, id: Id<'joinSession'>, status: JoinSessionState): string {
  return withParameters(returnUrl, new URLSearchParams({ join_session_id: id, status }))
}
