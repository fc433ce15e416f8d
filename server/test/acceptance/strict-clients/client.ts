import type { Decoder } from './decode.ts'

export type Fields = Record<string, unknown>
export type Body = {
  readonly data: Fields & { readonly id: string; readonly attributes: Fields }
  readonly list: readonly (Fields & { readonly id: string; readonly attributes: Fields })[]
  readonly meta: Fields
  readonly token: { readonly access_token: string; readonly scope: string }
  readonly error: { readonly type: string; readonly message: string; readonly details?: unknown }
}
export type Answer = Body & { readonly status: number; readonly raw: Fields }
type Request = {
  readonly bearer?: string
  readonly body?: unknown
  readonly key?: string
  readonly status?: number
  readonly as?: Decoder
}

/**
 * One client library at one version of the API. It sends its version with every request, expects exactly the documented
 * status, and decodes what it gets; what it cannot decode is kept in `faults` instead of ending its program, so that one
 * run shows all of them.
 */
export class StrictClient {
  readonly faults: string[] = []
  readonly called = new Set<string>()
  readonly #base: string
  readonly #version: string

  constructor(base: string, version: string) {
    this.#base = base
    this.#version = version
  }

  /** `operation` is the id under which the OpenAPI document lists it, so that a test can see which ones are missing. */
  async call(operation: string, method: string, path: string, request: Request = {}): Promise<Answer> {
    const { bearer, body, key, status = 200, as } = request
    this.called.add(operation)
    const response = await fetch(this.#base + path, {
      method,
      headers: {
        'Wefunder-Version': this.#version,
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const raw: Fields = /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : { text }
    const where = `${this.#version} ${operation}`
    if (response.status !== status)
      this.faults.push(`${where}: ${response.status} instead of ${status}: ${text.slice(0, 200)}`)
    else if (as !== undefined) this.faults.push(...as.faults(raw, where))
    for (const name of ['Wefunder-Version', 'Wefunder-Version-Latest', 'X-Wf-Request-Id']) {
      if (response.headers.get(name) === null) this.faults.push(`${where}: the header ${name} is missing`)
    }
    const answer = raw as unknown as Body
    return { ...answer, list: raw['data'] as Answer['list'], raw, status: response.status }
  }
}
