import { card } from '#http/pages/blocks.ts'
import { signedInAs } from '#http/pages/elements.ts'
import { html } from '#http/pages/html.ts'
import { page } from '#http/pages/layout.ts'
import type { ShownBrand } from '#http/pages/platform-brand.ts'
import type { World } from '#kernel/world.ts'
import { joinAddress } from './addresses.ts'
import type { Answer } from './answer.ts'
import type { Visit } from './visit.ts'

export type Refusal = 'unknown_link' | 'app_gone' | 'nobody_here' | 'deactivated' | 'somebody_else'

type Words = {
  readonly status: 403 | 404
  readonly title: string
  readonly message: string
  readonly remediation: string
}

const ANOTHER_ACCOUNT = 'If you have another account, sign in with that one.'

const WORDS: Readonly<Record<Refusal, Words>> = {
  unknown_link: {
    status: 404,
    title: 'This link leads nowhere',
    message: 'It is not complete, or was never made here. Nothing happened.',
    remediation: 'Go back to where you found it and try again, or ask the people there for another.',
  },
  app_gone: {
    status: 403,
    title: 'This link no longer works',
    message: 'The app that made it may no longer sign people up to the syndicate. Nothing happened.',
    remediation: 'Ask the people who run the syndicate how to join.',
  },
  nobody_here: {
    status: 403,
    title: 'You cannot join with this account',
    message: 'The account you are signed in with is not known in the part of the platform this link belongs to.',
    remediation: ANOTHER_ACCOUNT,
  },
  deactivated: {
    status: 403,
    title: 'You cannot join with this account',
    message: 'The account you are signed in with was deactivated. Nothing happened.',
    remediation: ANOTHER_ACCOUNT,
  },
  somebody_else: {
    status: 403,
    title: 'This link is somebody else’s',
    message: 'Each link is for one person, and another account has used this one. Nothing happened.',
    remediation: `${ANOTHER_ACCOUNT} If not, go back to where you found the link and ask for one of your own.`,
  },
}

type Around = {
  readonly brand: ShownBrand
  readonly requestId: string
  readonly world: World | null
  readonly link: string
  readonly visit: Pick<Visit, 'caller' | 'browser'>
}

/** For who cannot go on. Nobody is sent anywhere from these pages. */
export function refusalAnswer(why: Refusal, { brand, requestId, world, link, visit }: Around): Answer {
  const { status, title, message, remediation } = WORDS[why]
  const { caller: person, browser } = visit
  const other = person !== null && signedInAs({ person, csrf: browser.csrf, returnTo: joinAddress(link) })
  const main = card(
    html`<h1>${title}</h1><p>${message}</p><p>${remediation}</p>`,
    why !== 'unknown_link' && other,
    html`<p class="request-id">Request <code>${requestId}</code></p>`,
  )
  return { status, body: page({ title, main, brand, world }) }
}
