import type { OpenApiDocument } from '../openapi-types.ts'
import { type Html, type HtmlValue, html } from '../pages/html.ts'
import type { OpenDemo } from './open-demo.ts'

/** Which credential is for what and how one comes by it. The script puts its own part, for "Try it", below. */
export function credentialSection(document: OpenApiDocument, demo: OpenDemo | null): Html {
  const to = linker(document)
  return html`<section class="tag" id="credentials"><h2>Credentials</h2>
<p>Every call carries one, as <code>Authorization: Bearer …</code>. Each operation says which kinds it takes.</p>
<dl class="kinds">
<dt>Publishable key <code>pk_…</code></dt>
<dd>Reads what everybody may see, and may be seen by everybody: it is your app’s key.${demo !== null && html` The demo’s is <code class="key">${demo.publishableKey}</code>.`}</dd>
<dt>Client-credentials token <code>at_…</code></dt>
<dd>Your app itself, without a user. ${to('createToken', 'Exchange')} the key and its secret, with <code>grant_type</code> <code>client_credentials</code>.</dd>
<dt>User’s token <code>at_…</code></dt>
<dd>A person who connected your app. ${to('authorize', 'Send them')} to the consent screen, then ${to('createToken', 'exchange')} the code.</dd>
<dt>Installation token <code>at_…</code></dt>
<dd>Your app on a company or a syndicate. ${to('createInstallation', 'Install it')} with a user’s token: the answer shows one.</dd>
<dt>Server key <code>pk_…:sk_…</code></dt>
<dd>Your app’s own server, as <code>Authorization: Basic</code>: a confidential key with its secret, where an operation names it.</dd>
<dt>Operator key <code>ok_…</code></dt>
<dd>The host platform’s own systems; never given to partners.</dd>
</dl>
${demo !== null && html`<p>This server has a demo in its test world: the examples below are about records that exist there. Its client secrets, operator keys and people’s passwords are in the file <code>demo.json</code> of the data directory, which only you can read.</p>`}
<div id="try-credential" ${demo !== null && demoData(demo)}></div>
</section>`
}

function demoData({ publishableKey, clientId, scopes }: OpenDemo): Html {
  return html`data-publishable-key="${publishableKey}" data-client-id="${clientId}" data-scopes="${scopes.join(' ')}"`
}

/** Links to an operation of the document; where there is none of that name, the words alone. */
function linker({ paths }: OpenApiDocument): (operation: string, words: string) => HtmlValue {
  const known = new Set(Object.values(paths).flatMap((item) => Object.values(item).map((it) => it.operationId)))
  return (operation, words) => (known.has(operation) ? html`<a href="#op-${operation}">${words}</a>` : words)
}
