import { HTTP_METHODS, isRef, type OpenApiDocument, type Response } from '#http/openapi-types.ts'
import { ERROR_STATUS, type ErrorType } from '#kernel/errors.ts'
import { type Html, type HtmlValue, html, withCode } from '../html.ts'
import { conventionAddress, nameIn, type TopicPage } from './endpoints.ts'
import { pretty } from './operation-view.ts'

/** For each error type: what it means, and what a program should do next. */
const MEANINGS: Readonly<Record<ErrorType, readonly [string, string]>> = {
  invalid_request: ['A parameter, a cursor, the JSON or the version cannot be read.', 'Correct the request.'],
  invalid_token: [
    'The credential is missing, unknown, expired or revoked.',
    'Get a new token, then send the request again, once.',
  ],
  insufficient_scope: [
    'The token lacks the scope that the operation needs.',
    'Request the scope on the authorize URL, or install the app again with it.',
  ],
  forbidden: ['The user or the installation has no right to this record.', 'Do not send the request again.'],
  sandbox_only: ['The operation exists in the test world only.', 'Use a test credential.'],
  app_suspended: ['The platform suspended your app.', 'Write to the platform: only it lifts a suspension.'],
  not_found: [
    'The id is wrong, belongs to the other world, or is not visible to this credential. The response does not show which.',
    'Check the id, and whether it belongs to the test or to the live world.',
  ],
  no_disclosures: [
    'The company has no public filing for the round.',
    'Read the company itself: not every round has one.',
  ],
  method_not_allowed: ['The path exists, but not for this method.', 'Use a method that the message names.'],
  already_installed: ['Your app is installed there already.', 'Use `details.installation`.'],
  installation_revoked: [
    'The installation ended, and its tokens read nothing.',
    'Stop, and delete the data that you have to delete. A new installation has a new id.',
  ],
  idempotency_conflict: [
    'The `Idempotency-Key` was used for a different request.',
    'Make a new key for a new request.',
  ],
  scope_change_blocked: [
    'The scopes of the app cannot change in its present state.',
    'Do what the message says, then change them.',
  ],
  illegal_transition: [
    'The state of the record does not allow this.',
    'Read the record again: `details.allowed` lists what it allows.',
  ],
  gone: [
    'The cursor is too old to continue from, or the event is no longer stored.',
    'List again from the start, without `cursor` and `updated_since`.',
  ],
  endpoint_removed: ['The endpoint was removed.', 'Use what the message names instead.'],
  payload_too_large: [
    'The body is larger than the operation accepts.',
    'Send less at once: the message has the limit.',
  ],
  unsupported_media_type: [
    'The body is not in a format that the operation reads.',
    'Send a format that the operation reads, with its `Content-Type`.',
  ],
  misdirected_request: ['The request names a host that is not this service.', 'Use the address of the service.'],
  validation_error: [
    'The body can be read, but some fields are not acceptable.',
    'Correct the fields of `details.fields`: each has a code and a message.',
  ],
  invalid_scopes: ['A scope of the request cannot be selected or removed.', 'Name scopes that the app may have.'],
  use_intents: [
    'An app cannot do this by itself.',
    'Propose it with POST /intents, and send a person to the `review_url` of the answer.',
  ],
  still_implied: ['A scope that stays implies the one to remove.', 'Remove both in one change, or keep both.'],
  nothing_grantable: [
    'None of the requested scopes can be granted there.',
    'Read the installation, and request scopes that it has.',
  ],
  scope_missing: [
    'The installation no longer has the scope of the event.',
    'Ask for the scope, then send the request again.',
  ],
  session_not_cancelable: ['The session has ended, or can no longer be canceled.', 'Read it to see how it ended.'],
  rate_limit_exceeded: [
    'A rate limit is used up.',
    'Wait `details.retry_after` seconds, then send the same request again.',
  ],
  internal_error: [
    'The service failed. The request may have been carried out.',
    'Send it again with the same `Idempotency-Key`, and report the `request_id`.',
  ],
  unavailable: ['The service cannot answer at the moment.', 'Send the request again, with a growing wait.'],
}

/** The list of types at the end of a description: OpenAPI has no field for them. */
const TYPES = / `error\.type`: .*$/

/** Every error response in the document's components, to which the operations refer. */
export function errorsPage(document: OpenApiDocument): TopicPage {
  const all = Object.entries(document.components.responses).map(([name, response]) => ({
    ...{ name, response, status: statusOf(name, response, document) },
  }))
  const hasTypes = ({ response }: { readonly response: Response }) => TYPES.test(response.description)
  const content = html`<p>Every error has the <a href="${conventionAddress('errors')}">same shape</a>. Programs decide by <code>error.type</code>.</p>
${all.filter(hasTypes).map(({ name, response, status }) => errorView(name, response, status))}
${errorView('MethodNotAllowed', { description: 'The path exists, but not for this method.' }, '405')}
<section class="operation"><h2>Errors of OAuth and of pages</h2>
<p>OAuth answers as RFC 6749 says, with <code>error</code> and <code>error_description</code>. Pages for people answer with a page.</p>
<ul class="points">${all
    .filter((one) => !hasTypes(one))
    .map(
      ({ name, response, status }) =>
        html`<li id="error-${name}"><b>${status}</b> ${name}: ${withCode(response.description)}</li>`,
    )}</ul></section>`
  return { title: 'Errors', content }
}

function errorView(name: string, { description, content }: Omit<Response, 'headers'>, status: string): Html {
  const example = content?.['application/json']?.example
  const types = Object.entries(ERROR_STATUS).filter(([, value]) => String(value) === status)
  return html`<section class="operation" id="error-${name}"><h2><a href="#error-${name}">${status} ${name}</a></h2>
<p>${withCode(description.replace(TYPES, ''))}</p>
<dl class="kinds">${types.map(([type]) => typeView(type as ErrorType))}</dl>
${example !== undefined && html`<pre tabindex="0" aria-label="Example of ${name}"><code>${pretty(example)}</code></pre>`}</section>`
}

function typeView(type: ErrorType): HtmlValue {
  const [meaning, remedy] = MEANINGS[type]
  return html`<dt id="error-${type}"><a href="#error-${type}"><code>${type}</code></a></dt><dd>${withCode(meaning)} ${withCode(remedy)}</dd>`
}

/** The status of an error component: the status under which an operation uses it, otherwise the status of its error type. */
function statusOf(name: string, { description }: Response, { paths }: OpenApiDocument): string {
  const operations = Object.values(paths).flatMap((item) => HTTP_METHODS.flatMap((method) => item[method] ?? []))
  const responses = operations.flatMap((operation) => Object.entries(operation.responses))
  const [used] = responses.find(([, response]) => isRef(response) && nameIn(response.$ref) === name) ?? []
  const [type = ''] = TYPES.exec(description)?.[0].match(/(?<=: `)[a-z_]+/) ?? []
  return used ?? String(ERROR_STATUS[type as ErrorType] ?? '')
}
