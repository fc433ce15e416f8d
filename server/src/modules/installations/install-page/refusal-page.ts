import { card } from '#http/pages/blocks.ts'
import { signedInAs } from '#http/pages/elements.ts'
import { html } from '#http/pages/html.ts'
import { type Person, page } from '#http/pages/layout.ts'
import type { ShownBrand } from '#http/pages/platform-brand.ts'
import { brandName } from '#http/pages/platform-brand.ts'
import type { World } from '#kernel/world.ts'
import type { AppDescription } from '#modules/apps/index.ts'
import type { Answer } from './answer.ts'

type Around = { readonly brand: ShownBrand; readonly requestId: string; readonly world: World | null }

/** Who sees it, and where they come back to as somebody else. */
type Shown = { readonly person: Person; readonly csrf: string; readonly returnTo: string }

type Words = {
  readonly status: 400 | 403 | 404
  readonly title: string
  readonly message: string
  readonly remediation: string
}

export type RefusalReason = 'unknown_app' | 'app_unavailable' | 'unreadable_request'

const BACK = 'Go back to where the link was and try again. If it stays, tell the people who make the app.'

/** For the person who was sent here, before we trust whoever sent them: nobody is sent on from these pages. */
const WORDS: Readonly<Record<RefusalReason, Words>> = {
  unknown_app: {
    status: 404,
    title: 'We do not know this app',
    message: 'The link that led you here names an app that nobody is registered with. Nothing was installed.',
    remediation: BACK,
  },
  app_unavailable: {
    status: 403,
    title: 'This app cannot be installed',
    message: 'It is not in service here at the moment. Nothing was installed, and what was installed before stays.',
    remediation: 'Ask the people who make the app when it will be back.',
  },
  unreadable_request: {
    status: 400,
    title: 'This link is not complete',
    message: 'An app sent you here, but its request cannot be read. Nothing was installed.',
    remediation: `${BACK} For them: state is sent once, is correctly encoded, and has at most 2,048 characters, fewer if they need encoding.`,
  },
}

export function refusalAnswer(reason: RefusalReason, around: Around): Answer {
  return answerWith(WORDS[reason], null, around)
}

/** Signed in, but nobody in the world the app belongs to. */
export function nobodyAnswer(unknown: boolean, shown: Shown, around: Around): Answer {
  const where = around.world === 'test' ? 'in the sandbox' : 'here'
  const words: Words = {
    status: 403,
    title: 'There is nothing to install on',
    message: unknown
      ? `The account you are signed in with has no company or syndicate ${where}. Nothing was installed.`
      : `The account you are signed in with was deactivated ${where}. Nothing was installed.`,
    remediation: 'If you have another account, sign in with that one.',
  }
  return answerWith(words, shown, around)
}

/** "Installing outside the app's own organization needs an approved app." */
export function notApprovedAnswer({ name, organization }: AppDescription, shown: Shown, around: Around): Answer {
  const brand = brandName(around.brand)
  const words: Words = {
    status: 403,
    title: `${name} has not been approved yet`,
    message: `Only the team of ${organization.name} can install this app until ${brand} has approved it. Nothing was installed.`,
    remediation: `Ask ${organization.name} to let you know when it is approved. If you are on their team, sign in with the account you use there.`,
  }
  return answerWith(words, shown, around)
}

function answerWith({ status, title, message, remediation }: Words, shown: Shown | null, around: Around): Answer {
  const { brand, world, requestId } = around
  const main = card(
    html`<h1>${title}</h1><p>${message}</p><p>${remediation}</p>`,
    shown !== null && signedInAs(shown),
    html`<p class="request-id">Request <code>${requestId}</code></p>`,
  )
  return { status, body: page({ title, main, brand, world }) }
}
