import { type Html, html } from '#http/pages/html.ts'
import type { ShownBrand } from '#http/pages/platform-brand.ts'

import { brandName } from '#http/pages/platform-brand.ts'
import type { IneligibleReason } from '../join-session.ts'

type About = { readonly syndicate: string; readonly brand: ShownBrand }
type Words = { readonly title: Html; readonly text: Html }

/** Why somebody cannot become a member, and what they could do about it. */
const WORDS: Readonly<Record<IneligibleReason, (about: About) => Words>> = {
  accreditation_required: ({ syndicate, brand }) => ({
    title: html`<bdi>${syndicate}</bdi> is for accredited investors`,
    text: html`Your account does not say that you are one. If you are, say so in your account at ${brandName(brand)}, and then open this page again.`,
  }),
  jurisdiction: ({ syndicate, brand }) => ({
    title: html`<bdi>${syndicate}</bdi> is not open where you live`,
    text: html`It takes members from certain countries. Yours is not among them, or your account at ${brandName(brand)} does not say which it is.`,
  }),
  blocked: ({ syndicate }) => ({
    title: html`You cannot join <bdi>${syndicate}</bdi> from here`,
    text: html`Those who run it ended your membership. Only an invitation of theirs brings you back.`,
  }),
  club_unavailable: ({ syndicate }) => ({
    title: html`<bdi>${syndicate}</bdi> takes no new members at the moment`,
    text: html`It is not open yet, or was closed for now. Ask those who run it when that will change.`,
  }),
  requires_investment: ({ syndicate, brand }) => ({
    title: html`One joins <bdi>${syndicate}</bdi> by investing in its fund`,
    text: html`That is done at ${brandName(brand)} and not on this page, where nothing is invested. You can open this page again afterwards.`,
  }),
}

export function reasonWords(reason: IneligibleReason, about: About): Words {
  return WORDS[reason](about)
}
