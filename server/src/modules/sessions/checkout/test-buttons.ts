import { notice } from '#http/pages/blocks.ts'
import { actions, button, form } from '#http/pages/elements.ts'
import { type Html, type HtmlValue, html } from '#http/pages/html.ts'
import { checkoutWords } from './checkout-words.ts'
import type { ToldOffering } from './told-offering.ts'

export type TestButton = { readonly value: string; readonly label: string }

type Parts = {
  readonly action: string
  readonly csrf: string
  readonly told: ToldOffering
  /** What the person has to say before the first button, such as an amount. */
  readonly asked: HtmlValue
  readonly others: readonly TestButton[]
}

const SAID =
  'There is no checkout in the sandbox. These buttons play what it would have come to; no money moves and nothing is real.'

/** In the sandbox, in the place of the host's checkout: marked so that nobody takes them for it. */
export function testButtons({ action, csrf, told, asked, others }: Parts): Html {
  const first = button({ label: `Test: complete the ${checkoutWords(told).noun}`, name: 'do', value: 'succeed' })
  const rest = others.map(({ value, label }) =>
    button({ label: `Test: ${label}`, kind: 'secondary', name: 'do', value }),
  )
  return html`<section class="stack"><h2>Test buttons</h2>${notice(SAID, 'warning')}
${form({ action, csrf, content: html`<div class="stack">${asked}${actions(first, rest)}</div>` })}</section>`
}
