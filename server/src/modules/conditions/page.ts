import { card, facts, notice } from '#http/pages/blocks.ts'
import { type Html, type HtmlValue, html } from '#http/pages/html.ts'
import { page } from '#http/pages/layout.ts'
import { type Block, blockView } from '#http/pages/markdown.ts'
import type { ShownBrand } from '#http/pages/platform-brand.ts'
import { brandName } from '#http/pages/platform-brand.ts'
import { conditionsUrl } from '#modules/apps/index.ts'
import { textOf, VERSIONS } from './versions.ts'

type Shown = { readonly brand: ShownBrand; readonly version: string; readonly inForce: string }

const TITLE = 'Usage conditions of API access'

export function conditionsPage({ brand, version, inForce }: Shown): string {
  const [preamble, sections] = taken(textOf(version, brandName(brand)))
  const main = [
    card(
      html`<h1>${TITLE}</h1>`,
      version !== inForce && replaced(inForce),
      preamble,
      facts([
        ['Version', html`${version}${version === inForce && ', in force'}`],
        ['This version stays at', html`<a href="${conditionsUrl(version)}">${conditionsUrl(version)}</a>`],
        ['Other versions', otherThan(version)],
      ]),
      sections,
    ),
    html`<p class="muted">When what these ask for changes, the version changes, and the <a href="/docs/changelog">changelog</a> says
so. Where a change allows less than before, apps that exist are given time to comply.</p>`,
  ]
  return page({ title: TITLE, main: html`${main}`, brand })
}

function replaced(inForce: string): Html {
  const link = html`<a href="${conditionsUrl(inForce)}">version ${inForce}</a>`
  return notice(html`New apps accept ${link}. This one is kept for those who accepted it.`, 'warning')
}

function otherThan(version: string): HtmlValue {
  const others = VERSIONS.filter((each) => each !== version)
  if (others.length === 0) return 'None yet'
  return others.map((each, i) => html`${i > 0 && ', '}<a href="${conditionsUrl(each)}">${each}</a>`)
}

/** What stands before the first heading, and each heading with what belongs to it, numbered so that one can name it. */
function taken(blocks: readonly Block[]): readonly [HtmlValue, HtmlValue] {
  const preamble: Html[] = []
  const sections: { readonly title: string; readonly content: Html[] }[] = []
  for (const block of blocks) {
    if (block.kind === 'heading') sections.push({ title: block.text, content: [] })
    else (sections.at(-1)?.content ?? preamble).push(blockView(block))
  }
  const shown = sections.map(
    ({ title, content }, i) =>
      html`<section class="stack" id="condition-${i + 1}"><h2>${i + 1}. ${title}</h2>${content}</section>`,
  )
  return [preamble, shown]
}
