import { signInAddress } from '#http/browser/return-to.ts'
import { card } from '#http/pages/blocks.ts'
import { html } from '#http/pages/html.ts'
import { type PageParts, page } from '#http/pages/layout.ts'

type Parts = Omit<PageParts, 'title' | 'main'> & { readonly address: string; readonly requestId: string }

const TITLE = 'There is nothing here'

/** The same for a company that is hidden from this person and for one that never was. */
export function nothingHerePage({ address, requestId, ...around }: Parts): string {
  const stranger = around.person === null
  const main = card(
    html`<h1>${TITLE}</h1><p>No company has its page at this address, or it is not for everybody to see.</p>`,
    stranger && html`<p>If you were invited, <a href="${signInAddress(address)}">sign in</a> to look again.</p>`,
    !stranger && html`<p>Check the address, or sign in as whoever was invited.</p>`,
    html`<p class="request-id">Request <code>${requestId}</code></p>`,
  )
  return page({ ...around, title: TITLE, main })
}
