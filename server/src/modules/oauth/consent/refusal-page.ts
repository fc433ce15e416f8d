import { card } from '#http/pages/blocks.ts'
import { errorPage } from '#http/pages/error-page.ts'
import { html } from '#http/pages/html.ts'
import { type Person, page } from '#http/pages/layout.ts'
import type { ShownBrand } from '#http/pages/platform-brand.ts'
import type { World } from '#kernel/world.ts'
import type { PageReason } from '../authorize/refusals.ts'

type Words = { readonly title: string; readonly message: string; readonly remediation: string }

const BACK = 'Go back to the app and start again. If it stays, tell the people who make it what this page says.'

/** For the person who was sent here; what went wrong in detail is for whoever makes the app. */
const WORDS: Readonly<Record<PageReason, Words>> = {
  unreadable_request: {
    title: 'This link is not complete',
    message: 'An app sent you here, but its request cannot be read. Nothing was connected.',
    remediation: BACK,
  },
  too_long: {
    title: 'This link is too long',
    message: 'An app sent you here with a request that is longer than we can carry. Nothing was connected.',
    remediation: BACK,
  },
  unknown_app: {
    title: 'We do not know this app',
    message: 'An app sent you here under a name that nobody is registered with. Nothing was connected.',
    remediation: BACK,
  },
  app_unavailable: {
    title: 'This app cannot be connected',
    message:
      'It is not in service here at the moment. Nothing was connected, and nothing you connected before changes.',
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

export function refusalPage({ reason, detail }: Refused, { brand, requestId }: Around): string {
  const { title, message, remediation } = WORDS[reason]
  const main = card(
    html`<h1>${title}</h1><p>${message}</p><p>${remediation}</p>`,
    html`<p class="request-id">For whoever makes the app: ${detail}<br>Request <code>${requestId}</code></p>`,
  )
  return page({ title, main, brand })
}

type Nobody = {
  readonly world: World
  readonly why: 'unknown' | 'deactivated'
  readonly person: Person
  readonly csrf: string
}

/** Signed in, but nobody in the world the app belongs to: there is nothing that could be connected. */
export function nobodyHerePage({ world, why, person, csrf }: Nobody, around: Around): string {
  const where = world === 'test' ? 'in the sandbox' : 'here'
  const message =
    why === 'deactivated'
      ? `The account you are signed in with was deactivated ${where}.`
      : `The account you are signed in with has nothing ${where} that an app could be connected to.`
  const remediation = 'If you have another account, sign out, then go back to the app and start again.'
  return errorPage({ ...around, world, person, csrf, title: 'There is nothing to connect', message, remediation })
}
