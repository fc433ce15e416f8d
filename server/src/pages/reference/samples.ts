import { isRef, type OpenApiDocument, type Parameter, type RequestBody } from '#http/openapi-types.ts'
import { type Html, html } from '../html.ts'
import type { Endpoint } from './endpoints.ts'
import { exampleOf } from './example.ts'
import {
  CLOSE,
  FORM,
  LANGUAGES,
  type Language,
  markedSample,
  OPEN,
  PUBLISHABLE,
  type SampleRequest,
  type SampleValue,
} from './sample-languages.ts'

/** Ids of records that exist, by their prefix (`co_`) or by the name of a parameter. */
export type ExistingIds = Readonly<Record<string, string>>

/** The sources of sample requests: the document, and the ids of the demo's records if there is a demo. */
export type SampleSources = { readonly document: OpenApiDocument; readonly ids: ExistingIds }

const JSON_TYPE = 'application/json'

export function sampleRequest({ method, path, operation }: Endpoint, { document, ids }: SampleSources): SampleRequest {
  const { requestBody, security, 'x-access': access, responses } = operation
  const given = (operation.parameters ?? []).flatMap((it): Parameter[] => (isRef(it) ? [] : [it]))
  const holders = access !== undefined && 'holders' in access ? access.holders : []
  const body = requestBody === undefined ? null : bodyExample(requestBody, { document, ids }, method)
  const answers = answerOf(responses)
  return {
    baseUrl: document.servers[0]?.url ?? '',
    ...{ method, path, body, answers },
    parameters: given.flatMap((it) =>
      it.required && it.in !== 'header'
        ? [{ in: it.in, name: it.name, value: parameterExample(it, { document, ids }) }]
        : [],
    ),
    credential: security.length === 0 ? 'none' : holders.includes('publishable') ? 'publishable' : 'token',
    hasSdkMethod: security.length > 0 && (answers === 'json' || '204' in responses) && body?.type !== FORM,
  }
}

function answerOf(responses: Endpoint['operation']['responses']): SampleRequest['answers'] {
  const contents = Object.entries(responses).flatMap(([status, response]) =>
    status.startsWith('2') && !isRef(response) ? Object.keys(response.content ?? {}) : [],
  )
  if (contents.includes(JSON_TYPE)) return 'json'
  if (contents.includes('text/event-stream')) return 'stream'
  return contents.length > 0 ? 'text' : 'nothing'
}

/** The id of a demo record, if there is one; otherwise the recorded value, or a value that the schema accepts. */
export function parameterExample({ name, schema, example }: Parameter, { document, ids }: SampleSources): SampleValue {
  const { schemas } = document.components
  const value = ids[name] ?? existing(example ?? exampleOf(schema, schemas, { depth: 0, name }) ?? name, ids)
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value)
}

type BodyExample = { readonly type: string; readonly value: unknown }

/**
 * Prefers the form encoding of OAuth if the operation reads it, then JSON. Without a recorded body the example has only the
 * required fields, or all fields for PATCH.
 */
function bodyExample({ content }: RequestBody, { document, ids }: SampleSources, method: string): BodyExample {
  const [first = JSON_TYPE] = Object.keys(content)
  const type = [FORM, JSON_TYPE].find((name) => name in content) ?? first
  const { schema = {}, example } = content[type] ?? {}
  const { schemas } = document.components
  const value = example ?? exampleOf(schema, schemas, { depth: 0, brief: method !== 'PATCH' })
  return { type, value: existing(value, ids) }
}

const ID = /^([a-z]+_)[0-9A-Za-z]{24}$/
const PUBLISHABLE_EXAMPLE = /^pk_test_ExampleOnly/

/** Recorded ids are pseudonyms. With a demo, a sample request names records of the demo instead. */
function existing(value: unknown, ids: ExistingIds): unknown {
  if (Array.isArray(value)) return value.map((item) => existing(item, ids))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, existing(field, ids)]))
  }
  if (typeof value !== 'string') return value
  if (PUBLISHABLE_EXAMPLE.test(value)) return PUBLISHABLE
  return ids[ID.exec(value)?.[1] ?? ''] ?? value
}

/** Whether the value is an id that no record of the demo has. "Try it" shows such an id and does not send it. */
export function isMadeUpId(value: SampleValue, ids: ExistingIds): boolean {
  return ID.test(String(value)) && !Object.values(ids).includes(String(value))
}

/** The body as text: the content of the "Try it" form. */
export function bodyText({ type, value }: BodyExample): string {
  if (type !== FORM) return JSON.stringify(value, null, 2)
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return new URLSearchParams(Object.fromEntries(fields.map(([name, field]) => [name, String(field)]))).toString()
}

export const requestSamples = (id: string, request: SampleRequest): Html =>
  samplesView(id, 'Request', (language) => markedSample(language, request))

/** A sample in each language. Radio buttons switch between them without a script; the script stores the choice. */
export function samplesView(id: string, title: string, sample: (language: Language) => string | null): Html {
  const shown = (Object.keys(LANGUAGES) as Language[]).flatMap((language) => {
    const text = sample(language)
    return text === null ? [] : [{ language, text }]
  })
  const choices = shown.map(
    ({ language }, at) =>
      html`<label><input type="radio" name="${id}-language" value="${language}"${at === 0 && html` checked`}> ${LANGUAGES[language]}</label>`,
  )
  const texts = shown.map(
    ({ language, text }) =>
      html`<pre tabindex="0" data-language="${language}" aria-label="${title} in ${LANGUAGES[language]}"><code>${withCredential(text, language)}</code></pre>`,
  )
  return html`<fieldset class="samples"><legend>${title}</legend><div class="languages">${choices}</div>${texts}</fieldset>`
}

/**
 * The quotes around a credential in each language. In curl a credential needs no quotes, because it is inside the quotes of its
 * header.
 */
const QUOTES: Readonly<Record<Language, string>> = { curl: '', sdk: "'", fetch: "'", python: '"', ruby: '"' }

function withCredential(text: string, language: Language): readonly (Html | string)[] {
  return text.split(OPEN).flatMap((part, at) => {
    if (at === 0) return [part]
    const [credential = '', rest = ''] = part.split(CLOSE)
    return [html`<span class="token" data-quote="${QUOTES[language]}">${credential}</span>`, rest]
  })
}
