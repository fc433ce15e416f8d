import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from 'typebox'
import { CONDITIONS_PATH, CONDITIONS_VERSION, conditionsUrl } from '#access/apps/index.ts'
import { open } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { PAGE_HEADERS } from '#http/security-headers.ts'
import { notFound } from '#kernel/errors.ts'
import { card, facts, notice } from '#pages/blocks.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import { page } from '#pages/layout.ts'
import { type Block, blockView, readMarkdown } from '#pages/markdown.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'

const COMMON = {
  method: 'GET',
  alias: false,
  tag: 'Pages',
  access: open('Developers read the conditions before they have an app, and so do people whose data apps receive.'),
  contentType: 'text/html; charset=utf-8',
  errorsAs: 'page',
} as const

const HEADERS = { ...PAGE_HEADERS, 'Cache-Control': 'public, max-age=300' }

/** The pages to which every app's acceptance refers: the conditions in force, and each version under a permanent URL. */
export function conditionRoutes({ brand }: { readonly brand: ShownBrand }): Route[] {
  // Rendered when the service starts, so that a missing text stops the start.
  const pages = new Map(
    VERSIONS.map((version) => [version, conditionsPage({ brand, version, inForce: CONDITIONS_VERSION })]),
  )
  const pageOf = (version: string) => {
    const body = pages.get(version)
    if (body === undefined) throw notFound(`there are no conditions of ${version}`)
    return { status: 200, body, headers: HEADERS } as const
  }
  return [
    route({
      ...COMMON,
      operation: 'showUsageConditions',
      path: CONDITIONS_PATH,
      summary: 'Show the usage conditions',
      description: 'The page with the version of the usage conditions that is in force.',
      schema: { response: { 200: Type.String() } },
      handler: async () => pageOf(CONDITIONS_VERSION),
    }),
    route({
      ...COMMON,
      operation: 'showUsageConditionsVersion',
      path: `${CONDITIONS_PATH}/:version`,
      summary: 'Show one usage conditions version',
      description: 'The page with one version of the usage conditions.',
      schema: { params: Type.Object({ version: Type.String() }), response: { 200: Type.String() } },
      handler: async ({ params: { version } }) => pageOf(version),
    }),
  ]
}

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
    html`<p class="muted">Every change of these conditions gets a new version, which the <a href="/docs/changelog">changelog</a>
announces. If a change allows less than before, existing apps get time to comply.</p>`,
  ]
  return page({ title: TITLE, main: html`${main}`, brand })
}

function replaced(inForce: string): Html {
  const link = html`<a href="${conditionsUrl(inForce)}">version ${inForce}</a>`
  return notice(html`New apps accept ${link}. This text stays here for the apps that accepted it.`, 'warning')
}

function otherThan(version: string): HtmlValue {
  const others = VERSIONS.filter((each) => each !== version)
  if (others.length === 0) return 'None yet'
  return others.map((each, i) => html`${i > 0 && ', '}<a href="${conditionsUrl(each)}">${each}</a>`)
}

/** The text before the first heading, then each heading with its section, numbered for reference. */
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

/** Newest first. An accepted text never changes: other words are another version. */
const VERSIONS: readonly string[] = ['2026-11-01']

/** `platform` is the name of the platform, as people write it. */
function textOf(version: string, platform: string): readonly Block[] {
  const text = readFileSync(join(import.meta.dirname, 'texts', `${version}.md`), 'utf8')
  return readMarkdown(text.replaceAll('{platform}', platform))
}
