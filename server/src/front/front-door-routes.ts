import { Type } from 'typebox'
import { visitor } from '#http/access.ts'
import { isLocalRequest } from '#http/browser/own-form.ts'
import { type Route, route } from '#http/route.ts'
import { actions, hidden, linkButton } from '#pages/elements.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import { type Person, page } from '#pages/layout.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'

export type FrontDoorDeps = {
  readonly brand: ShownBrand
  readonly origin: () => string
  /** Whether people may create accounts by themselves. */
  readonly signUp: () => boolean
  /** Null if the service is not a demo, or if other machines can reach it. */
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
      description: 'Shows the page that describes the service and links to its parts.',
      tag: 'Pages',
      access: visitor('it is the first page that a stranger opens'),
      errorsAs: 'page',
      contentType: 'text/html; charset=utf-8',
      schema: { response: { 200: Type.String() } },
      handler: async ({ caller, browser, address, header }) => {
        // The page shows the demo's passwords. They are public, but only the person at this machine needs them.
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

/** The first page: what the service is, with links for developers, for operators and for signed-in people. */
function frontDoorPage(parts: FrontDoorParts): string {
  const { brand, demo, person, csrf } = parts
  const main = html`<section class="door">
<h1>Build on ${brandName(brand)}</h1>
<p class="lead">An API for companies that raise money, the people who invest in them and the syndicates that invest together. An app reads and does only what a person has agreed to.</p>
${person === null ? entrance(parts) : nextSteps(person)}
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

function nextSteps({ name }: Person): Html {
  return html`<p>You are signed in as <strong><bdi>${name}</bdi></strong>.</p>
${actions(linkButton('Developer portal', '/developers', 'primary'), linkButton('Your connected apps', '/settings/apps'))}`
}

type Way = readonly [label: string, href: string, what: string]

const BUILD: readonly Way[] = [
  ['Developer portal', '/developers', 'Create an app, get its keys, and see its requests and webhooks.'],
  ['API reference', '/docs', 'Every operation with an example that you can try in the browser.'],
  ['Changelog', '/docs/changelog', 'What changed, version by version.'],
  ['Usage conditions', '/conditions', 'What an app may do with the data that it reads.'],
]

const RUN: readonly Way[] = [
  ['Platform feed', '/docs/api/platform-feed', 'Report what happens on your platform.'],
  ['Partners and accounts', '/docs/api/platform-partners', 'Decide what each app may do, and manage accounts.'],
  ['Status', '/status', 'Which parts of the service work, since when, and which are delayed.'],
]

function paths(): Html {
  return html`<div class="paths">
${path('Build an app', 'Read offerings, sync investments, receive signed webhooks, and send people to sign in and give consent. Begin in the sandbox, where no money moves.', BUILD)}
${path('Run a platform', 'The service runs next to your own systems, and they report facts to it. It manages apps, consent, events and limits.', RUN)}
</div>`
}

function path(title: string, text: string, ways: readonly Way[]): Html {
  const links = ways.map(
    ([label, href, what]): HtmlValue => html`<li><a href="${href}">${label}</a><span class="hint">${what}</span></li>`,
  )
  return html`<section class="card"><h2>${title}</h2><p>${text}</p><ul class="links">${links}</ul></section>`
}

/** What the front page shows about the demo, only to the person at this machine. */
export type DemoDoor = {
  readonly people: readonly DemoDoorPerson[]
  /** The file with the demo's keys, as a path that works in a shell from every directory. */
  readonly file: string
  readonly app: { readonly name: string; readonly clientId: string }
  readonly ids: { readonly offering: string; readonly investor: string }
  /** Whether people can sign in with passwords. The buttons send passwords, so the page shows the buttons only then. */
  readonly passwords: boolean
}

export type DemoDoorPerson = {
  readonly part: 'founder' | 'editor' | 'investor' | 'manager' | 'developer'
  readonly name: string
  readonly email: string
  readonly password: string
}

const PARTS: Readonly<Record<DemoDoorPerson['part'], { readonly is: string; readonly does: string }>> = {
  founder: { is: 'a founder', does: 'Runs a company and can install apps on it.' },
  editor: { is: 'an editor', does: 'Edits pages of two companies and installs apps that only read.' },
  investor: { is: 'an investor', does: 'Holds investments and has connected an app.' },
  manager: { is: 'a syndicate manager', does: 'Manages syndicates and approves what apps propose.' },
  developer: { is: 'a developer', does: 'Owns the partner’s apps, with their keys and webhooks.' },
}

type DemoParts = { readonly demo: DemoDoor; readonly csrf: string; readonly origin: string }

function demoSection({ demo, csrf, origin }: DemoParts): Html {
  const { people, passwords } = demo
  return html`<section class="card" aria-labelledby="demo"><h2 id="demo">Try the demo</h2>
<p>This installation has made-up companies and investors in its sandbox, and accounts that you can sign in with. You see this section because you opened the page on the machine that runs the service.</p>
${passwords && html`<ul class="people">${people.map((person) => html`<li class="person-row">${personRow(person, csrf, '/')}</li>`)}</ul>`}
<p class="hint">No mail leaves this demo: <a href="/demo/mail">read what it would send</a>.</p>
</section>
<section class="card" aria-labelledby="minutes"><h2 id="minutes">Five minutes as an app</h2>
<p>Paste the lines into a terminal, one after the other. You need bash, curl and Node. A click on a line selects the whole line.</p>
<ol class="steps">${steps(demo, origin).map(stepView)}</ol>
</section>`
}

/**
 * Sends the form of the sign-in page, filled in with the public password. So the same rules apply: the button does not sign in if
 * the account has another password or a second factor, or is disabled.
 */
function personRow({ part, name, email, password }: DemoDoorPerson, csrf: string, returnTo: string): Html {
  const { is, does } = PARTS[part]
  const [first = name] = name.split(' ')
  return html`<form method="post" action="/sign-in">${hidden('csrf', csrf)}${hidden('email', email)}${hidden('password', password)}${hidden('return_to', returnTo)}
<button class="button" type="submit">Continue as ${first}, ${is}</button></form>
<span class="hint">${does}</span>`
}

type SignInForm = { readonly csrf: string; readonly returnTo: string; readonly email: string }

/** The buttons on the sign-in page: one for each person of the demo, or only for the person whose address the app named. */
export const demoSignIn =
  (demo: FrontDoorDeps['demo']) =>
  (request: Parameters<typeof isLocalRequest>[0], { csrf, returnTo, email }: SignInForm): HtmlValue => {
    const shown = isLocalRequest(request) ? demo() : null
    if (shown === null || !shown.passwords) return undefined
    const expected = shown.people.filter((person) => person.email === email)
    const people = expected.length > 0 ? expected : shown.people
    return html`<ul class="people">${people.map((person) => html`<li class="person-row">${personRow(person, csrf, returnTo)}</li>`)}</ul>`
  }

type Step = { readonly title: string; readonly text: HtmlValue; readonly lines?: string }

function steps({ file, app, ids }: DemoDoor, origin: string): readonly Step[] {
  const of = (expression: string) => `$(node -p "const demo = require('$DEMO'); ${expression}")`
  const json = `-H 'Content-Type: application/json'`
  return [
    {
      title: 'Take the keys',
      text: 'They are in a file that only you can read.',
      lines: [
        `DEMO=${quoted(file)}`,
        `BASE=${quoted(origin)}`,
        `KEY=${of("const [key] = demo.apps[0].keys; key.client_id + ':' + key.client_secret")}`,
        `OPERATOR=${of('demo.operator_keys.test')}`,
      ].join('\n'),
    },
    {
      title: 'List open offerings',
      text: 'A publishable key reads public data.',
      lines: `curl "$BASE/explore?per_page=2" -H "Authorization: Bearer \${KEY%%:*}"`,
    },
    {
      title: 'Get a token',
      text: 'For the app itself, without a user.',
      lines: 'curl -u "$KEY" "$BASE/oauth/token" -d grant_type=client_credentials',
    },
    {
      title: 'Receive a webhook',
      text: 'Starts a receiver that prints its requests, creates an endpoint for it, and sends a test event.',
      lines: [
        `node -e "require('http').createServer((q, r) => q.on('end', () => r.end()).pipe(process.stdout)).listen(4500, '127.0.0.1')" &`,
        'curl -s --retry 30 --retry-connrefused --retry-delay 1 http://127.0.0.1:4500/',
        `ENDPOINT=$(curl -s -u "$KEY" "$BASE/webhook_endpoints" ${json} -d '{"url": "http://127.0.0.1:4500/", "events": ["*"]}' | node -p "JSON.parse(require('fs').readFileSync(0)).data.id")`,
        'curl -X POST -u "$KEY" "$BASE/webhook_endpoints/$ENDPOINT/test"',
      ].join('\n'),
    },
    {
      title: `Install ${app.name} on a company`,
      text: html`Continue as the founder above, then <a href="/apps/${app.clientId}/install">install the app</a>. After that its endpoint receives the company’s events.`,
    },
    {
      title: 'Make an investment happen',
      text: 'In the sandbox the platform’s own key acts as the investor. The receiver prints the event.',
      lines: `curl "$BASE/sandbox/investments" -H "Authorization: Bearer $OPERATOR" ${json} -d '${JSON.stringify({ offering: ids.offering, investor: ids.investor, amount_cents: 25_000 })}'`,
    },
  ]
}

function stepView({ title, text, lines }: Step): Html {
  return html`<li class="step"><h3>${title}</h3><p>${text}</p>${lines !== undefined && html`<pre tabindex="0" aria-label="${title}: lines to paste"><code>${lines}</code></pre>`}</li>`
}

const quoted = (text: string) => (/^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
