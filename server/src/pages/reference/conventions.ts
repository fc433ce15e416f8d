import { isRef, type OpenApiDocument, type Operation } from '#http/openapi-types.ts'
import { PAGE_SIZES } from '#http/pagination.ts'
import { stepsOf, type VersionStep } from '#http/version-steps.ts'
import { BEHAVIOUR_WORDS, behaviour, NEWEST, VERSIONS, type Version } from '#http/versions.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import {
  conventionAddress,
  endpointsOf,
  errorAddress,
  nameIn,
  operationAddress,
  type TopicPage,
  topicAddress,
} from './endpoints.ts'
import type { Language } from './sample-languages.ts'
import { samplesView } from './samples.ts'

/** Explains once what many operations have in common. Operations link to these sections. */
export function conventionsPage({ components }: OpenApiDocument): TopicPage {
  const { name: version = 'Version' } = components.parameters['ApiVersion'] ?? {}
  const content = html`${section(
    'pagination',
    'Pagination',
    html`<p>A list returns a page of rows in <code>data</code>. Send <code>per_page</code> (${PAGE_SIZES.default} unless you say otherwise, at most ${PAGE_SIZES.max}) and, for the next page, the previous <code>meta.next_cursor</code> as <code>cursor</code>, unchanged.</p>
<p>Continue while <code>meta.has_more</code> is true; a page may be empty before the end. A cursor belongs to its list and the list’s order: another list or order answers 400. A cursor does not contain the filters, so send the same filters with every page.</p>`,
  )}
${section(
  'money',
  'Money',
  html`<p>In a response an amount is an integer of cents, or of another currency’s smallest unit, in a field whose name ends in <code>_cents</code>; <code>currency</code> is beside it. Offerings and campaigns also have <code>amount_raised</code>, <code>funding_target</code> and <code>min_investment</code> in whole units, such as dollars.</p>`,
)}
${section(
  'idempotency',
  'Idempotency',
  html`<p>Send a random <code>Idempotency-Key</code> with a POST. If no answer arrives, send the same request with the same key: within 24 hours you get the first answer again, with <code>Idempotent-Replayed: true</code>, and nothing happens twice. The same key with another body gets <a href="${errorAddress('Conflict')}">409</a>.</p>
<p>GET, PUT and DELETE may be repeated without a key.</p>`,
)}
${section(
  'conditional',
  'Conditional requests',
  html`<p>Send the <code>ETag</code> of the answer that you have as <code>If-None-Match</code>. If the content has not changed since, the answer is 304 without a body.</p>`,
)}
${section(
  'limits',
  'Limits',
  html`<p>Requests are counted per access token, publishable key or server key, and per IP address, in windows that are aligned to the clock. Over a limit the answer is <a href="${errorAddress('RateLimited')}">429</a>: wait <code>details.retry_after</code> seconds, then send the same request again. A rejected request changed nothing.</p>
<p><code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code> and <code>X-RateLimit-Reset</code> are in the 429 only.</p>`,
)}
${section(
  'errors',
  'Errors',
  html`<p>Every error has <code>error.type</code>, <code>message</code>, <code>remediation</code> (what to do) and <code>request_id</code>. Programs decide by the type. A 4xx other than 429 has the same result when it is repeated; repeat 429 and 5xx later. <a href="${topicAddress('errors')}">All errors</a>.</p>`,
)}
${section(
  'versions',
  'Versions',
  html`<p>Name the version in <code>${version}</code>. Without it your app’s version counts, which is the newest at the time when the app was created. <a href="${topicAddress('versions')}">What differs in older versions</a>.</p>`,
)}
${section(
  'webhooks',
  'Verify a webhook',
  html`<p>A webhook is a POST with the payload of its <a href="${topicAddress('events')}">event</a>, sent at least once, and again after any answer but 2xx. <code>${signatureHeader(version)}</code> is <code>t=…,v1=…</code>: the HMAC-SHA256 of <code>t</code>, a dot and the raw body, in hex, with the whole secret as its key. Reject a webhook that is older than five minutes.</p>
${samplesView('verify', 'Verify a signature', (language) => VERIFY[language]?.(signatureHeader(version)) ?? null)}`,
)}`
  return { title: 'Conventions', content }
}

const signatureHeader = (version: string) => version.replace(/Version$/, 'Signature')

/** The guide that says more about a convention, with an example to run. */
const GUIDES: Readonly<Record<string, readonly [string, string]>> = {
  pagination: ['sync-investments', 'Sync investments'],
  money: ['sync-investments', 'Sync investments'],
  idempotency: ['errors-and-retries#retry-without-doing-it-twice', 'Retry without doing it twice'],
  conditional: ['rate-limits#send-fewer-requests', 'Send fewer requests'],
  limits: ['rate-limits', 'Rate limits'],
  errors: ['errors-and-retries', 'Errors and retries'],
  versions: ['versions-and-upgrades', 'Versions and upgrades'],
  webhooks: ['receive-webhooks', 'Receive webhooks'],
}

function section(id: string, title: string, content: HtmlValue): Html {
  const [guide = '', name = ''] = GUIDES[id] ?? []
  return html`<section class="operation convention" id="${id}"><h2><a href="#${id}">${title}</a></h2>${content}
<p class="guide-link">Guide: <a href="/docs/guides/${guide}">${name}</a></p></section>
`
}

/** Links to the conventions that an operation follows, and to what differs in older versions. */
export function conventionLinks(operation: Operation, steps: readonly VersionStep[]): HtmlValue {
  const parameters = (operation.parameters ?? []).map((it) => (isRef(it) ? nameIn(it.$ref) : it.name))
  const isCall = operation.security.length > 0
  const conventions = [
    ...(parameters.includes('cursor') ? [['pagination', 'Pagination']] : []),
    ...(parameters.includes('IdempotencyKey') ? [['idempotency', 'Idempotency']] : []),
    ...(parameters.includes('IfNoneMatch') ? [['conditional', 'Conditional requests']] : []),
    ...(isCall
      ? [
          ['limits', 'Limits'],
          ['errors', 'Errors'],
        ]
      : []),
  ].map(([id = '', title = '']) => html`<li><a href="${conventionAddress(id)}">${title}</a></li>`)
  const older = describedVersions(steps)
    .filter((version) => stepsBefore(version, operation.operationId, steps).length > 0)
    .map(
      (version) =>
        html`<li><a href="${topicAddress('versions')}#${version}-${operation.operationId}">Differs in ${describedBy(version, steps)}</a></li>`,
    )
  const links = [...conventions, ...older]
  return links.length > 0 && html`<ul class="see">${links}</ul>`
}

const VERIFY: { readonly [L in Language]?: (header: string) => string } = {
  sdk: () => `import { webhooks } from '@portico/sdk'

/** body: the raw body, before any parser changes it. Throws if no signature matches. */
export async function receive(body: string, headers: Headers, secret: string) {
  const event = await webhooks.verify(body, headers, secret)
  console.log('verified', event.id, event.event)
}
`,
  python: (header) => `import hashlib
import hmac
import time


def is_genuine(secret: str, header: str | None, body: bytes) -> bool:
    """header: ${header}. body: the raw body, before any parser changes it."""
    parts = [part.strip().partition("=") for part in (header or "").split(",")]
    t = next((value for key, _, value in parts if key == "t"), "")
    if not (t.isascii() and t.isdigit()) or abs(time.time() - int(t)) > 300:
        return False
    expected = hmac.new(secret.encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest()
    return any(key == "v1" and hmac.compare_digest(value.encode(), expected.encode()) for key, _, value in parts)
`,
  ruby: (header) => `require "openssl"

# header: ${header}. body: the raw body, before any parser changes it.
def genuine?(secret, header, body)
  parts = header.to_s.split(",").map { |part| part.strip.split("=", 2) }
  t = parts.assoc("t")&.last.to_s
  return false unless t.match?(/\\A\\d+\\z/) && (Time.now.to_i - t.to_i).abs <= 300
  expected = OpenSSL::HMAC.hexdigest("SHA256", secret, "#{t}.".b + body.b)
  parts.any? { |key, value| key == "v1" && OpenSSL.secure_compare(value.to_s, expected) }
end
`,
}

/** One difference between the responses of two versions: a field that only one of them has, or a field with different values. */
type Difference = { readonly path: string; readonly older: string | null; readonly newest: string | null }

/**
 * What differs in each older version. The list of fields is not written by hand: the steps that change responses are applied
 * to the recorded examples, and the two forms are compared.
 */
export function versionsPage(document: OpenApiDocument, steps: readonly VersionStep[]): TopicPage {
  const sections = OLDER.map((version) => {
    const same = likeVersion(version, steps)
    const content =
      same === undefined
        ? versionView(version, document, steps)
        : html`<p>Behaves like <a href="#version-${same}">${same}</a>.</p>`
    return html`<section class="operation" id="version-${version}"><h2><a href="#version-${version}">What differs in ${version}</a></h2>${content}</section>`
  })
  const content = html`<section class="introduction"><p>The newest version is <code>${NEWEST}</code>, and the reference describes it. A request names its version in a header; without the header, the app’s own version counts. The response says in a header which version it has.</p></section>
${sections}`
  return { title: 'Versions', content }
}

const OLDER = VERSIONS.filter((version) => version !== NEWEST).toReversed()

/** A newer version that behaves like this one and is not the newest version; undefined if there is none. */
const likeVersion = (version: Version, steps: readonly VersionStep[]) =>
  OLDER.slice(0, OLDER.indexOf(version)).find((other) => changesBefore(other, steps) === changesBefore(version, steps))

/** The versions of `OLDER` whose differences are listed: those that behave like no newer version of `OLDER`. */
const describedVersions = (steps: readonly VersionStep[]) =>
  OLDER.filter((version) => likeVersion(version, steps) === undefined)

/** The version and the older versions that behave like it. */
const describedBy = (version: Version, steps: readonly VersionStep[]) =>
  OLDER.filter((other) => other === version || likeVersion(other, steps) === version).join(', ')

const stepsBefore = (version: Version, operationId: string, steps: readonly VersionStep[]) =>
  steps.filter(
    ({ before, operations }) => version < before && (operations === 'all' || operations.includes(operationId)),
  )

/** A text that is equal for two versions if the same steps and the same behaviour apply to them. */
function changesBefore(version: Version, steps: readonly VersionStep[]): string {
  const names = steps.filter(({ before }) => version < before).map(({ name }) => name)
  return JSON.stringify([names, behaviour(version)])
}

function versionView(version: Version, document: OpenApiDocument, steps: readonly VersionStep[]): HtmlValue {
  const [newest, own] = [behaviour(NEWEST), behaviour(version)]
  const behaviours = Object.entries(BEHAVIOUR_WORDS)
    .filter(([name]) => own[name as keyof typeof own] !== newest[name as keyof typeof newest])
    .map(([, { older, newest: now }]) => html`<li>${older} <span class="facts">${now}</span></li>`)
  const endpoints = document.tags.flatMap(({ name }) =>
    endpointsOf(document, name).map((it) => ({ ...it, topic: name })),
  )
  const operations = endpoints.flatMap(({ method, path, topic, operation }) => {
    const { operationId, summary, responses } = operation
    const mine = stepsBefore(version, operationId, steps)
    if (mine.length === 0) return []
    const [answered] = Object.entries(responses).flatMap(([status, response]) =>
      'content' in response && status.startsWith('2')
        ? [{ status, example: response.content?.['application/json']?.example }]
        : [],
    )
    const differences =
      answered === undefined
        ? []
        : differencesOf(stepsOf(operationId, steps), version, answered.status, answered.example)
    return html`<section class="topic" id="${version}-${operationId}"><h3><a href="${operationAddress(topic, operationId)}">${summary}</a></h3>
<p class="endpoint"><span class="method">${method}</span> <code>${path}</code></p>
<p>${mine.map(({ name }) => name).join('; ')}.${mine.some(({ request }) => request !== undefined) && ' The body is read in the older form too.'}</p>
${differences.length > 0 && html`<ul class="fields">${differences.map(differenceView)}</ul>`}</section>`
  })
  return html`<h3>Everywhere</h3><ul class="points">${behaviours}</ul>
<p>Lists also take <code>limit</code> for <code>per_page</code>.</p>
${operations}`
}

function differenceView({ path, older, newest }: Difference): HtmlValue {
  const name = html`<code class="name">${path}</code>`
  if (older === null) return html`<li>${name} does not exist</li>`
  if (newest === null) return html`<li>${name} exists: <code>${older}</code></li>`
  return html`<li>${name} is <code>${older}</code>, in the newest <code>${newest}</code></li>`
}

function differencesOf(
  steps: ReturnType<typeof stepsOf>,
  version: Version,
  status: string,
  example: unknown,
): readonly Difference[] {
  if (example === undefined) return []
  const [newest, older] = [leaves(example), leaves(steps.response(version, example, Number(status)))]
  const paths = [...new Set([...newest.keys(), ...older.keys()])]
  return paths
    .map((path) => ({ path, older: older.get(path) ?? null, newest: newest.get(path) ?? null }))
    .filter((found) => found.older !== found.newest)
}

const VALUE_CHARS_MAX = 60

/**
 * Every value of a record by its path, such as `data[].attributes.amount_cents`. If a list has several values at a path, the
 * first value is used.
 */
function leaves(value: unknown, path = '', found = new Map<string, string>()): Map<string, string> {
  const inner = innerValues(value, path)
  for (const [name, field] of inner) leaves(field, name, found)
  if (inner.length === 0 && !found.has(path)) found.set(path, shortText(value))
  return found
}

function innerValues(value: unknown, path: string): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.map((item: unknown) => [`${path}[]`, item])
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([name, field]) => [path === '' ? name : `${path}.${name}`, field])
}

/** A step converts cursors to numbers. The result for the recorded cursor, which is sealed, is NaN. */
function shortText(value: unknown): string {
  const text = Number.isNaN(value) ? 'a number' : (JSON.stringify(value) ?? '')
  return text.length > VALUE_CHARS_MAX ? `${text.slice(0, VALUE_CHARS_MAX)}…` : text
}
