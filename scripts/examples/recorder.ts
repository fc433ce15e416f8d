import type { OpenApiDocument, Operation } from '../../server/src/http/openapi-types.ts'
import { isRef } from '../../server/src/http/openapi-types.ts'
import { type Credential, headersFor } from './credentials.ts'

/** One recorded call: the request and its response. */
export type Recorded = {
  parameters: Record<string, unknown>
  body?: unknown
  responses: Record<string, unknown>
}

export type Call = {
  readonly as?: Credential
  /** The parameters of the path, such as `id`. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[]>>
  readonly body?: unknown
  readonly form?: Readonly<Record<string, string>>
}

type Place = { readonly method: string; readonly path: string; readonly operation: Operation }

/** The JSON of a response, of any shape, from which later calls take values. */
// biome-ignore lint/suspicious/noExplicitAny: the shapes are those of 200 different answers, and the test checks them.
type Json = any

/** Calls operations of a running service by their id, and stores the first response of each status. */
export class Recorder {
  readonly recorded = new Map<string, Recorded>()
  readonly problems: string[] = []
  readonly #base: string
  readonly #places: ReadonlyMap<string, Place>

  constructor(base: string, document: OpenApiDocument) {
    this.#base = base
    this.#places = new Map(placesOf(document).map((place) => [place.operation.operationId, place]))
  }

  operations(): readonly Place[] {
    return [...this.#places.values()]
  }

  async call(operationId: string, call: Call = {}): Promise<Json> {
    const place = this.#places.get(operationId)
    if (place === undefined) throw new Error(`there is no operation ${operationId}`)
    const answer = await this.#send(place, call)
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json') === true
    const shown: Json = isJson && text !== '' ? JSON.parse(text) : beginningOf(text)
    const declared = place.operation.responses[String(answer.status)]
    if (declared === undefined || isRef(declared)) {
      this.problems.push(`${operationId} answered ${answer.status}: ${text.slice(0, 600)}`)
      return shown
    }
    const known = this.#note(operationId, call)
    if (known.responses[answer.status] === undefined && declared.content !== undefined) {
      known.responses[answer.status] = operationId === 'readOpenApi' ? headOf(shown) : shown
    }
    return shown
  }

  async #send({ method, path: template }: Place, { as, path = {}, query = {}, body, form }: Call): Promise<Response> {
    const address = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
    const fields = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
    const search = new URLSearchParams(fields)
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    return fetch(`${this.#base}${address}${search.size === 0 ? '' : `?${search}`}`, {
      method: method.toUpperCase(),
      redirect: 'manual',
      headers: { ...headersFor(as, method), ...type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    })
  }

  #note(operationId: string, { path, query, body, form }: Call): Recorded {
    const known = this.recorded.get(operationId) ?? { parameters: {}, responses: {} }
    known.parameters = { ...path, ...query, ...known.parameters }
    const sent = body ?? form
    if (known.body === undefined && sent !== undefined) known.body = sent
    this.recorded.set(operationId, known)
    return known
  }

  /** Calls an operation that rejects the request. The parameters become examples; the error response does not. */
  async refused(operationId: string, call: Call): Promise<void> {
    await this.call(operationId, call)
    this.problems.pop()
    this.recorded.set(operationId, { parameters: { ...call.path, ...call.query }, responses: {} })
  }

  /** Calls the GET operations that were not called yet, with known values for their parameters. */
  async callRest(as: (place: Place) => Credential | undefined, known: Readonly<Record<string, string>>): Promise<void> {
    for (const place of this.#places.values()) {
      const { method, path, operation } = place
      if (method !== 'get' || this.recorded.has(operation.operationId) || hasNoExample(operation)) continue
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      if (names.some((name) => known[name] === undefined)) continue
      const query = (operation.parameters ?? [])
        .flatMap((one) => (isRef(one) ? [] : [one]))
        .filter((one) => one.in === 'query' && one.required)
        .map((one) => [one.name, known[one.name] ?? ''])
      const params = Object.fromEntries(names.map((name) => [name, known[name] ?? '']))
      await this.call(operation.operationId, {
        ...credential(as(place)),
        path: params,
        query: Object.fromEntries(query),
      })
    }
  }
}

/** Whether no call is made: the operation was removed, or it is a stream, which does not end. */
export function hasNoExample({ deprecated, responses }: Operation): boolean {
  return deprecated === true || JSON.stringify(responses).includes('text/event-stream')
}

const LINES_SHOWN = 6

/** Metrics and pages are long and repetitive, so an example has only the beginning. */
function beginningOf(text: string): string {
  return text.split('\n').slice(0, LINES_SHOWN).join('\n')
}

/** The beginning of the OpenAPI document, which would otherwise contain itself. */
function headOf({ openapi, info: { title, version }, servers }: OpenApiDocument) {
  return { openapi, info: { title, version }, servers }
}

const credential = (as: Credential | undefined) => (as === undefined ? {} : { as })

function placesOf({ paths }: OpenApiDocument): Place[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  )
}
