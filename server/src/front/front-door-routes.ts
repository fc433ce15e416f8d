import { Type } from 'typebox'
import { visitor } from '#http/access.ts'
import { isLocalRequest } from '#http/browser/own-form.ts'
import { type Route, route } from '#http/route.ts'
import { actions, linkButton } from '#pages/elements.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import { type Person, page } from '#pages/layout.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'
import { type DemoDoor, demoSection } from './demo-section.ts'

export type { DemoDoor } from './demo-section.ts'

export type FrontDoorDeps = {
  readonly brand: ShownBrand
  readonly origin: () => string
  /** Whether people may create accounts by themselves. */
  readonly signUp: () => boolean
  /** Null without a demo, and where others than this machine reach the service. */
  readonly demo: () => DemoDoor | null
}

export function frontDoorRoutes({ brand, origin, signUp, demo }: FrontDoorDeps): Route[] {
  return [
    route({
      operation: 'showFrontDoor',
      method: 'GET',
      path: '/',
      alias: false,
      summary: 'Show the front page',
      description: 'The page that says what this is and where to go.',
      tag: 'Pages',
      access: visitor('it is the first page that a stranger opens'),
      errorsAs: 'page',
      contentType: 'text/html; charset=utf-8',
      schema: { response: { 200: Type.String() } },
      handler: async ({ caller, browser, address, header }) => {
        // The demo's passwords are on the page. They are known to everybody, and still only the person at this machine needs them.
        const shownDemo = isLocalRequest({ address, header }) ? demo() : null
        const parts = { brand, origin: origin(), signUp: signUp(), demo: shownDemo, person: caller, csrf: browser.csrf }
        return { status: 200, body: frontDoorPage(parts) }
      },
    }),
  ]
}

export type FrontDoorParts = {
  readonly brand: ShownBrand
  readonly origin: string
  readonly signUp: boolean
  readonly demo: DemoDoor | null
  readonly person: Person | null
  readonly csrf: string
}

/** The first page: what this is, and a way on for those who build, those who run, and those who are here already. */
function frontDoorPage(parts: FrontDoorParts): string {
  const { brand, demo, person, csrf } = parts
  const main = html`<section class="door">
<h1>Build on ${brandName(brand)}</h1>
<p class="lead">An API for companies that raise money, the people who invest in them and the syndicates that invest together. An app reads and does only what a person has agreed to.</p>
${person === null ? entrance(parts) : goOn(person)}
</section>
${paths()}
${demo !== null && demoSection({ ...parts, demo })}`
  return page({ title: 'Welcome', brand, person, csrf, wide: true, main })
}

function entrance({ signUp }: FrontDoorParts): Html {
  return actions(
    linkButton('Sign in', '/sign-in?return_to=%2F', 'primary'),
    signUp && linkButton('Create an account', '/sign-up'),
  )
}

function goOn({ name }: Person): Html {
  return html`<p>You are signed in as <strong><bdi>${name}</bdi></strong>.</p>
${actions(linkButton('Your connected apps', '/settings/apps', 'primary'), linkButton('Developer portal', '/developers'))}`
}

type Way = readonly [label: string, href: string, what: string]

const BUILD: readonly Way[] = [
  ['Developer portal', '/developers', 'Create an app, get its keys, and see its requests and webhooks.'],
  ['API reference', '/docs', 'Every operation with an example, to be tried in the browser.'],
  ['Changelog', '/docs/changelog', 'What changed, version by version.'],
  ['Usage conditions', '/conditions', 'What an app may do with what it reads.'],
]

const RUN: readonly Way[] = [
  ['Platform feed', '/docs#tag-platform-feed', 'Report what happens on your platform.'],
  ['Partners and accounts', '/docs#tag-platform-partners', 'Decide which apps get what, and look after accounts.'],
  ['Status', '/status', 'What works, since when, and what is behind.'],
]

function paths(): Html {
  return html`<div class="paths">
${path('Build an app', 'Read offerings, keep investments in step, receive signed webhooks, and send people to sign in and agree. Begin in the sandbox, where no money moves.', BUILD)}
${path('Run a platform', 'It stands beside your own systems. They report facts; apps, consent, events and limits are looked after here.', RUN)}
</div>`
}

function path(title: string, text: string, ways: readonly Way[]): Html {
  const links = ways.map(
    ([label, href, what]): HtmlValue => html`<li><a href="${href}">${label}</a><span class="hint">${what}</span></li>`,
  )
  return html`<section class="card"><h2>${title}</h2><p>${text}</p><ul class="links">${links}</ul></section>`
}
