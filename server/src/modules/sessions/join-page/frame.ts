import { appHead, card } from '#http/pages/blocks.ts'
import { signedInAs } from '#http/pages/elements.ts'
import { alternatives, type HtmlValue, html } from '#http/pages/html.ts'
import { page } from '#http/pages/layout.ts'
import type { ShownBrand } from '#http/pages/platform-brand.ts'
import { formTargets, placeWords, returnPlace } from '#http/pages/return-place.ts'
import { pagePolicy } from '#http/security-headers.ts'
import { joinAddress } from './addresses.ts'
import type { Answer } from './answer.ts'
import type { Arrived } from './arrive.ts'

/** What the pages of one visit have in common. */
export type Frame = { readonly arrived: Arrived; readonly brand: ShownBrand; readonly csrf: string }

type Framed = {
  readonly status: 200 | 409
  readonly title: string
  /** Above everything: what is different from what the person expected. */
  readonly first?: HtmlValue
  readonly content: HtmlValue
}

/** Who asks, who is being asked, and then what the page is about. */
export function framed({ arrived, brand, csrf }: Frame, { status, title, first, content }: Framed): Answer {
  const { app, session, person, link, world } = arrived
  const back = session.returnUrl !== null && html`You will return to ${placeWords(returnPlace(session.returnUrl))}`
  const main = card(
    first,
    appHead({
      name: app.name,
      logoUrl: app.logoUrl,
      lines: [html`by <bdi>${app.organization.name}</bdi>`, ...(back === false ? [] : [back])],
    }),
    person !== null && signedInAs({ person, csrf, returnTo: joinAddress(link) }),
    content,
  )
  const formAction = session.returnUrl === null ? [] : formTargets(session.returnUrl)
  return {
    status,
    body: page({ title, main, brand, world }),
    headers: { 'Content-Security-Policy': pagePolicy({ formAction }) },
  }
}

/** "Ada, Grace and Mary"; nobody where those who run it have no name. */
export function names(people: readonly string[]): HtmlValue {
  return alternatives(
    people.map((name) => html`<bdi>${name}</bdi>`),
    'and',
  )
}
