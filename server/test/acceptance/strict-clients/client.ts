import { anything, type Decoder } from './decode.ts'
import { errorOf, OAUTH_ERROR } from './errors.ts'

type Values = Record<string, unknown>
type Resource = Values & { readonly id: string; readonly attributes: Values }
export type Answer = {
  readonly status: number
  readonly raw: Values
  readonly data: Resource
  readonly list: readonly Resource[]
  readonly meta: Values
  readonly token: { readonly access_token: string }
  readonly error: { readonly type: string; readonly details?: Values }
}

/** The response of an operation: its status, its body, and the status of a repeated Idempotency-Key if it differs. */
export type Expected = { readonly status: number; readonly body: Decoder; readonly again?: number }
export type Contract = Readonly<Record<string, Expected>>

type Request = {
  readonly bearer?: string
  readonly body?: unknown
  /** Sends the body as a form, as the token endpoint requires. */
  readonly form?: Readonly<Record<string, string>>
  readonly key?: string
  /** The status that is expected here: an error, or one of two success statuses. */
  readonly status?: number
  /** Sends the same request with the same key again. */
  readonly again?: true
}

const UNKNOWN = 'ZZZZZZZZZZZZZZZZZZZZZZZZ'
const OPEN = { '2025-01-15': 'older', '2026-10-01': 'older', '2026-11-01': 'newest' } as const
export type Version = keyof typeof OPEN
export const VERSIONS = Object.keys(OPEN) as readonly Version[]
export const isNewest = (version: Version) => OPEN[version] === 'newest'

/**
 * Acts as a client library at one version of the API. It sends its version with every request, expects exactly the
 * documented status, and decodes the response. It collects decoding errors in `faults` and continues, so that one run
 * shows all of them. Before the first call of an operation it makes common mistakes: no credential, an unknown id, a
 * body that is not JSON.
 */
export class StrictClient {
  readonly faults: string[] = []
  readonly succeeded = new Set<string>()
  /** Lists whose responses were all empty, so that no row was decoded. */
  readonly emptyLists = new Set<string>()
  readonly #filled = new Set<string>()
  readonly newest: boolean
  readonly #base: string
  readonly #version: Version
  readonly #contract: Contract
  readonly #called = new Set<string>()
  readonly #clockMovedAt: number

  constructor(base: string, version: Version, contract: Contract, clockMovedAt: number) {
    this.#clockMovedAt = clockMovedAt
    this.newest = isNewest(version)
    this.#base = base
    this.#version = version
    this.#contract = contract
  }

  /** `operation` is the operation's id in the OpenAPI document. */
  async call(operation: string, method: string, path: string, request: Request = {}): Promise<Answer> {
    const expected = this.#contract[operation]
    if (expected === undefined) throw new Error(`the contract has no row for ${operation}`)
    if (!this.#called.has(operation)) {
      this.#called.add(operation)
      await this.#makeMistakes(operation, method, path, request)
    }
    const status = request.status ?? (request.again ? expected.again : undefined) ?? expected.status
    const isSuccess = status < 300 || status === expected.status
    const error = request.form === undefined ? errorOf(status) : OAUTH_ERROR
    const body = isSuccess ? expected.body : error
    const answer = await this.#send(operation, method, path, { ...request, status, decoder: body })
    if (isSuccess && answer.status === status) this.#succeed(operation, answer)
    return answer
  }

  /** Records a fault that no decoder can see. */
  expect(holds: boolean, otherwise: string): void {
    if (!holds) this.faults.push(`${this.#version} ${otherwise}`)
  }

  #succeed(operation: string, { list }: Answer): void {
    this.succeeded.add(operation)
    if (!Array.isArray(list) || this.#filled.has(operation)) return
    if (list.length === 0) this.emptyLists.add(operation)
    else {
      this.#filled.add(operation)
      this.emptyLists.delete(operation)
    }
  }

  async #makeMistakes(operation: string, method: string, path: string, request: Request): Promise<void> {
    const { bearer, body } = request
    if (bearer === undefined) return
    const mistake = (status: number, at: string, sent: Omit<Request, 'status'> & { readonly text?: string }) =>
      this.#send(operation, method, at, { ...sent, status, decoder: errorOf(status) })
    await mistake(401, path, {})
    const [at = '', query = ''] = path.split('?')
    const wrong = at.replaceAll(/\/([a-z]+_)[0-9A-Za-z]{24}(?=\/|$)/g, `/$1${UNKNOWN}`)
    if (wrong !== at) {
      const sent = { bearer, ...(body === undefined ? {} : { body }) }
      await mistake(404, query === '' ? wrong : `${wrong}?${query}`, sent)
    }
    if (body !== undefined) await mistake(400, path, { bearer, text: '{"cut off' })
  }

  async #send(
    operation: string,
    method: string,
    path: string,
    request: Request & { readonly text?: string; readonly status: number; readonly decoder: Decoder },
  ): Promise<Answer> {
    const { bearer, body, form, key, status, decoder } = request
    const json = request.text ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(this.#base + path, {
      method,
      headers: {
        'Wefunder-Version': this.#version,
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      },
      ...(json === undefined ? {} : { body: json }),
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    })
    const text = await response.text()
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    const raw: Values = isJson ? JSON.parse(text) : { text }
    const where = `${this.#version} ${operation}`
    this.faults.push(...realTimesIn(text, this.#clockMovedAt).map((time) => `${where}: ${time} is real time`))
    if (response.status !== status) {
      this.faults.push(`${where}: ${response.status} instead of ${status} on ${path}: ${text.slice(0, 300)}`)
    } else if (decoder !== anything) {
      this.faults.push(...decoder.faults(raw, where))
    }
    this.#readHeaders(where, response)
    return {
      ...(raw as Omit<Answer, 'raw' | 'list' | 'status'>),
      list: raw['data'] as Answer['list'],
      raw,
      status: response.status,
    }
  }

  #readHeaders(where: string, { status, headers }: Response): void {
    const wanted: readonly (readonly [name: string, value: RegExp])[] = [
      ['Wefunder-Version', new RegExp(`^${this.#version}$`)],
      ['Wefunder-Version-Latest', /^2026-11-01$/],
      ['X-Wf-Request-Id', /^req_/],
      ['X-Request-Id', /^req_/],
      ...(status === 401 ? [['WWW-Authenticate', /^Bearer /] as const] : []),
    ]
    for (const [name, value] of wanted) {
      const sent = headers.get(name)
      if (sent === null || !value.test(sent)) this.faults.push(`${where}: the header ${name} is ${sent}`)
    }
  }
}

/**
 * "In the test world times in answers, events and delivery records are world time." The test moved the world's clock
 * ahead, so a time between that moment and now can only come from the machine's clock.
 */
function realTimesIn(json: string, movedAt: number): readonly string[] {
  const times = json.match(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g) ?? []
  return times.filter((time) => Date.parse(time) > movedAt && Date.parse(time) <= Date.now())
}
