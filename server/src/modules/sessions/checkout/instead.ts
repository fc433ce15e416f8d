import { signInAddress } from '#http/browser/return-to.ts'
import { notice } from '#http/pages/blocks.ts'
import { actions, linkButton } from '#http/pages/elements.ts'
import { type Html, html } from '#http/pages/html.ts'
import type { ShownBrand } from '#http/pages/platform-brand.ts'

import { brandName } from '#http/pages/platform-brand.ts'
import type { Arrived } from './arrive.ts'

/** What stands in the place of the button where there is nothing to press; null where there is. */
export function instead(
  arrived: Pick<Arrived<unknown>, 'frame' | 'told' | 'world' | 'userId'>,
  checkout: string | null,
) {
  const { frame, told, world, userId } = arrived
  if (told.status === 'upcoming')
    return notice('This offering is not open yet. Come back when it has opened.', 'warning')
  if (told.status !== 'open') return notice('This offering takes nobody in any more.', 'warning')
  if (world === 'test') return userId === null ? nobodyYet(frame) : null
  return checkout === null ? noCheckout(frame.brand) : null
}

function nobodyYet({ person, address }: Arrived<unknown>['frame']): Html {
  return person === null ? signInFirst(address) : notice(NOT_KNOWN_HERE, 'warning')
}

const NOT_KNOWN_HERE =
  'The account you are signed in with is not known in the sandbox, which this link belongs to. If you have another account, sign in with that one.'

/** The host's checkout would know whose it is; the test buttons have to be told. */
function signInFirst(address: string): Html {
  const link = linkButton('Sign in', signInAddress(address), 'primary')
  return html`<p>Sign in to go on, so that it is known whose it is.</p>${actions(link)}`
}

function noCheckout(brand: ShownBrand): Html {
  const said = html`${brandName(brand)} has not opened its checkout for links like this one yet. Nothing is lost: come back later, or go to the company’s page.`
  return notice(said, 'warning')
}

/** Where the button leads. */
export function whereOnward({ world, frame }: Pick<Arrived<unknown>, 'world' | 'frame'>): Html {
  const words =
    world === 'test'
      ? 'The sandbox has test buttons in the place of the checkout.'
      : `You will go on at ${brandName(frame.brand)}’s own checkout, where you decide.`
  return html`<p class="small muted">${words}</p>`
}
