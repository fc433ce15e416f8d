import { signInAddress } from '#http/browser/return-to.ts'
import { facts, points } from '#http/pages/blocks.ts'
import { actions, button, errorSummary, form, hidden, linkButton } from '#http/pages/elements.ts'
import { type Html, type HtmlValue, html } from '#http/pages/html.ts'
import { brandName } from '#http/pages/platform-brand.ts'
import { INELIGIBLE_REASONS, type IneligibleReason } from '../join-session.ts'
import { joinAddress } from './addresses.ts'
import type { Answer } from './answer.ts'
import type { Arrived } from './arrive.ts'
import type { Way } from './eligibility.ts'
import { type Frame, framed, names } from './frame.ts'
import { reasonWords } from './reason-words.ts'
import { returnAnswer } from './return-answer.ts'

/** For who has not signed in: what it is about, before anybody is asked who they are. */
export function introPage(frame: Frame): Answer {
  const { arrived, brand } = frame
  const { syndicate } = arrived.session
  const content = [
    about(arrived),
    meaning(arrived, null),
    learnt(arrived, html`Your name, when you continue on the next page.`),
    actions(
      linkButton(`Sign in to ${brandName(brand)}`, signInAddress(joinAddress(arrived.link)), 'primary'),
      notNow(arrived),
    ),
    html`<p class="small muted">You see everything once more before you decide.</p>`,
  ]
  return framed(frame, { status: 200, title: `Join ${syndicate.name}`, content })
}

/** What one would be deciding, and the decision. `changed`: it is no longer what the person saw when they pressed. */
export function offerPage(frame: Frame, way: Way, changed = false): Answer {
  const { arrived } = frame
  const { syndicate } = arrived.session
  const content = isReason(way) ? cannot(frame, way) : can(frame, way)
  const first = changedSummary(changed)
  return framed(frame, { status: changed ? 409 : 200, title: `Join ${syndicate.name}`, first, content })
}

/** Above a page that is shown again because the form that was sent did not fit it. */
export function changedSummary(changed: boolean): HtmlValue {
  return errorSummary(
    changed ? [{ message: 'What follows is how it is now.' }] : [],
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

function can(frame: Frame, way: Open): HtmlValue {
  const { arrived } = frame
  const { app, session } = arrived
  const label = LABEL[way](session.syndicate.name, app.name)
  const known = html`Your name. It sees that since you continued.`
  return [about(arrived), meaning(arrived, way), learnt(arrived, known), decision(frame, way, label)]
}

function cannot(frame: Frame, reason: IneligibleReason): HtmlValue {
  const { arrived, brand } = frame
  const { app, session } = arrived
  const { title, text } = reasonWords(reason, { syndicate: session.syndicate.name, brand })
  return [
    html`<section class="stack"><h2>${title}</h2><p>${text}</p></section>`,
    html`<p>You can let <bdi>${app.name}</bdi> know. It then sees this reason, and the link is used up. Otherwise it sees your name and no reason.</p>`,
    decision(frame, reason, `Let ${app.name} know`),
  ]
}

export function about({ app, session }: Arrived): Html {
  const { name, tagline, managers } = session.syndicate
  return html`<section class="stack"><p><bdi>${app.name}</bdi> asks whether you want to join a syndicate, a group of people who invest together:</p>
<h2><bdi>${name}</bdi></h2>${tagline !== null && html`<p>${tagline}</p>`}${managers.length > 0 && facts([['Run by', names(managers)]])}</section>`
}

/** Null: nobody has signed in, and which of the ways it is depends on who they are. */
function meaning({ session }: Arrived, way: Open | null): Html {
  const { name } = session.syndicate
  const first: Readonly<Record<Open, Html>> = {
    join: html`You are a member at once.`,
    apply: html`You apply, and those who run <bdi>${name}</bdi> decide. Until then you are not a member.`,
    applied: html`You have applied already, and those who run <bdi>${name}</bdi> have yet to decide. Nothing changes by it.`,
    member: html`You are a member already. Nothing changes by it.`,
  }
  const told = [
    way === null
      ? html`You join, or apply to those who run <bdi>${name}</bdi>: after signing in you see which.`
      : first[way],
    html`Nothing is invested, reserved or signed, and no money moves.`,
    html`Those who run <bdi>${name}</bdi> see your name and your email address.`,
  ]
  return html`<section class="stack"><h2>What it means</h2>${points(told)}</section>`
}

function learnt({ app, session }: Arrived, name: Html): Html {
  const told = [
    name,
    html`What becomes of this: whether you applied, joined or were declined.`,
    session.readsMembers &&
      html`Your email address, because those who run <bdi>${session.syndicate.name}</bdi> let it see the members.`,
    html`It gets no access to your account, and can do nothing in your name.`,
  ].filter((line) => line !== false)
  return html`<section class="stack"><h2>What <bdi>${app.name}</bdi> learns</h2>${points(told)}</section>`
}

/** The form brings back what was shown, so that nobody agrees to anything else. */
function decision({ arrived, csrf }: Frame, way: Way, label: string): Html {
  const content = [hidden('way', way), actions(button({ label }), notNow(arrived))]
  return form({ action: joinAddress(arrived.link), csrf, content })
}

/** The way back that changes nothing: the session stays open. */
export function notNow({ session }: Arrived): HtmlValue {
  return session.returnUrl !== null && linkButton('Not now', returnAnswer(session.returnUrl, session.id, 'open'))
}
