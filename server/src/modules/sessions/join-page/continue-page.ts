import { points } from '#http/pages/blocks.ts'
import { actions, button, form, hidden } from '#http/pages/elements.ts'
import { type Html, html } from '#http/pages/html.ts'
import { joinAddress } from './addresses.ts'
import type { Answer } from './answer.ts'
import type { Arrived } from './arrive.ts'
import { type Frame, framed } from './frame.ts'
import { about, changedSummary, notNow } from './offer-page.ts'

/** What the form of the first page sends as `way`. */
export const CONTINUE = 'continue'

type Continuing = {
  /** The signed-in account’s. */
  readonly account: string
  /** As the app will read it; null where the user has no name. */
  readonly userName: string | null
  /** The person sent a form that was not acted on. */
  readonly changed: boolean
}

/**
 * The first page for a signed-in person, while the session has no user: "a signed-in person presses 'Continue as …' on the
 * session's first page, which says that the partner will see it". Opening the link alone changes nothing.
 */
export function continuePage(frame: Frame, { account, userName, changed }: Continuing): Answer {
  const { arrived, csrf } = frame
  const label = `Continue as ${account}`
  const content = [
    about(arrived),
    visible(arrived, userName),
    form({
      action: joinAddress(arrived.link),
      csrf,
      content: [hidden('way', CONTINUE), actions(button({ label }), notNow(arrived))],
    }),
  ]
  const title = `Join ${arrived.session.syndicate.name}`
  return framed(frame, { status: changed ? 409 : 200, title, first: changedSummary(changed), content })
}

function visible({ app }: Arrived, userName: string | null): Html {
  const name = userName !== null && html`: your name, <strong><bdi>${userName}</bdi></strong>, and your user id`
  const lines = [
    html`<bdi>${app.name}</bdi> sees who you are${name}. It sees this even if you do not join.`,
    html`The link works for this account only.`,
    html`You do not join yet. The next page says what joining means, and you decide there.`,
    html`<bdi>${app.name}</bdi> gets no access to your account and cannot act in your name.`,
  ]
  return html`<section class="stack"><h2>If you continue</h2>${points(lines)}</section>`
}
