import { setTimeout as wait } from 'node:timers/promises'
import type { Api } from '@portico/sdk'
import { type Command, command } from '../command.ts'
import type { Connection } from '../connection/connection.ts'
import { EXIT, usageFailure } from '../failure.ts'
import { readEventTypes, readLimit } from '../option-values.ts'
import { type Column, when } from '../printer.ts'

const COLUMNS: readonly Column<Api.WebhookEndpoint>[] = [
  { title: 'id', text: ({ id }) => id },
  { title: 'url', text: ({ attributes }) => attributes.url, style: 'bold' },
  {
    title: 'state',
    text: ({ attributes }) =>
      attributes.enabled ? (attributes.failing_since === null ? 'enabled' : 'failing') : 'disabled',
  },
  { title: 'events', text: ({ attributes }) => attributes.events.join(','), style: 'dim' },
]

const endpointsList = command({
  name: 'endpoints list',
  summary: 'list the app’s webhook endpoints',
  usage: '',
  options: {},
  examples: ['portico endpoints list', 'portico endpoints list --json'],
  run: async ({ printer, connect }) => {
    const connection = await connect()
    const query = { mode: connection.mode }
    const rows = await connection.client('server').list('/webhook_endpoints', { query }).toArray()
    if (printer.json) printer.document({ data: rows })
    else if (rows.length > 0) printer.table(COLUMNS, rows)
    else
      printer.note(
        'There are no webhook endpoints. portico endpoints create URL creates one; portico listen needs none.',
      )
    return undefined
  },
})

const endpointsCreate = command({
  name: 'endpoints create',
  summary: 'create a webhook endpoint; its secret is shown once',
  usage: 'URL [--events NAMES]',
  options: { events: { value: 'NAMES', multiple: true, about: 'which events it gets (default: all)' } },
  examples: ['portico endpoints create https://example.com/hook --events investment.*,installation.revoked'],
  words: { min: 1, max: 1 },
  run: async ({ values, words: [url = ''], printer, connect }) => {
    const events = values.events.length === 0 ? readEventTypes(['*']) : readEventTypes(values.events)
    const { data } = await (await connect()).client('server').post('/webhook_endpoints', { body: { url, events } })
    if (printer.json) printer.document(data)
    else {
      printer.fields([
        ['id', data.id],
        ['url', data.attributes.url],
        ['secret', data.attributes.secret ?? ''],
      ])
      printer.note('The secret is shown only once.')
    }
    return undefined
  },
})

const endpointsDelete = command({
  name: 'endpoints delete',
  summary: 'delete a webhook endpoint and cancel its pending deliveries',
  usage: 'ENDPOINT',
  options: {},
  examples: ['portico endpoints delete whe_0VbIWuIRqK9re0PjUg1xVVPM'],
  words: { min: 1, max: 1 },
  run: async ({ words: [id = ''], printer, connect }) => {
    const { data } = await (await connect()).client('server').delete('/webhook_endpoints/{id}', { path: { id } })
    if (printer.json) printer.document(data)
    else printer.line(`${data.id} is deleted.`)
    return undefined
  },
})

const endpointsTest = command({
  name: 'endpoints test',
  summary: 'send a test event to a webhook endpoint',
  usage: 'ENDPOINT',
  options: {},
  examples: ['portico endpoints test whe_0VbIWuIRqK9re0PjUg1xVVPM'],
  words: { min: 1, max: 1 },
  run: async ({ words: [id = ''], printer, connect }) => {
    const { data } = await (await connect()).client('server').post('/webhook_endpoints/{id}/test', { path: { id } })
    const { delivered, response_code, error } = data
    if (printer.json) printer.document(data)
    else
      printer.line(
        delivered ? `Delivered: the endpoint answered ${response_code}.` : `Not delivered: ${error ?? response_code}.`,
      )
    return delivered ? undefined : EXIT.failed
  },
})

type Delivery = Api.WebhookDelivery & { readonly endpoint: string }

const DELIVERY_COLUMNS: readonly Column<Delivery>[] = [
  { title: 'when', text: ({ attributes }) => when(attributes.created_at), style: 'dim' },
  { title: 'event', text: ({ attributes }) => attributes.event ?? '–', style: 'bold' },
  {
    title: 'status',
    text: ({ attributes }) =>
      attributes.reason === null ? attributes.status : `${attributes.status} (${attributes.reason})`,
  },
  { title: 'id', text: ({ id }) => id },
  { title: 'endpoint', text: ({ endpoint }) => endpoint, style: 'dim' },
]

const STATUSES = ['pending', 'delivered', 'exhausted', 'canceled'] as const
type Status = (typeof STATUSES)[number]
const POLL_EVERY_MS = 2_000
/** A poll reads at most this many deliveries to one endpoint, or `limit` deliveries if `limit` is larger. */
const READ_MAX = 1_000
const PAGE_MIN = 25
const PAGE_MAX = 100

function readStatus(text: string | undefined): Status | undefined {
  const known = STATUSES.find((name) => name === text)
  if (text !== undefined && known === undefined)
    throw usageFailure(`--status is one of ${STATUSES.join(', ')}, not "${text}".`)
  return known
}

type Following = {
  readonly endpoint?: string | undefined
  readonly status?: Status | undefined
  /**
   * Every poll reads at least this many of the newest deliveries to each endpoint, because the status of a delivery
   * that an earlier poll read may have changed.
   */
  readonly limit: number
  /** Called for an endpoint that had more new deliveries than a poll reads. */
  readonly onSkipped: (endpoint: string) => void
  readonly max?: number
}

/**
 * Polls deliveries. Each `read` resolves to the deliveries that are new or have another status than at the last
 * `read`, oldest first.
 */
export class DeliveryFollower {
  readonly #connection: Connection
  readonly #following: Following
  readonly #statuses = new Map<string, string>()
  /**
   * The id of the newest delivery that was read, by endpoint. Both the ids and the list of the API are sorted by time.
   */
  readonly #newest = new Map<string, string>()
  #isFirst = true

  constructor(connection: Connection, following: Following) {
    this.#connection = connection
    this.#following = following
  }

  async read(): Promise<Delivery[]> {
    const rows = (await Promise.all((await this.#endpoints()).map((id) => this.#readEndpoint(id)))).flat()
    this.#isFirst = false
    const fresh = rows.filter(({ id, attributes }) => this.#statuses.get(id) !== attributes.status)
    for (const { id, attributes } of fresh) this.#statuses.set(id, attributes.status)
    return fresh.toSorted((a, b) => a.attributes.created_at.localeCompare(b.attributes.created_at))
  }

  async #endpoints(): Promise<readonly string[]> {
    const { endpoint } = this.#following
    if (endpoint !== undefined) return [endpoint]
    const query = { mode: this.#connection.mode }
    return (await this.#connection.client('server').list('/webhook_endpoints', { query }).toArray()).map(({ id }) => id)
  }

  /**
   * Reads pages until it finds a delivery that the last poll read, so that a burst between two polls is not skipped.
   * Stops earlier if there are too many new deliveries, and calls `onSkipped`.
   */
  async #readEndpoint(endpoint: string): Promise<Delivery[]> {
    const { status, limit, onSkipped, max = READ_MAX } = this.#following
    const newestBefore = this.#newest.get(endpoint) ?? ''
    const request = {
      path: { id: endpoint },
      query: {
        per_page: Math.min(Math.max(limit, PAGE_MIN), PAGE_MAX),
        ...(status === undefined ? {} : { status }),
      },
    }
    const rows: Delivery[] = []
    for await (const row of this.#connection.client('server').list('/webhook_endpoints/{id}/deliveries', request)) {
      if (rows.length >= limit && (this.#isFirst || row.id <= newestBefore)) break
      if (rows.length >= Math.max(limit, max)) {
        onSkipped(endpoint)
        break
      }
      rows.push({ ...row, endpoint })
    }
    this.#newest.set(endpoint, rows[0]?.id ?? newestBefore)
    return rows
  }
}

const deliveriesTail = command({
  name: 'deliveries tail',
  summary: 'show deliveries to webhook endpoints, and follow them',
  usage: '[--endpoint ENDPOINT] [--status STATUS] [--once]',
  about:
    'Shows the last deliveries to the app’s webhook endpoints, then each delivery that is new or changes, until Ctrl-C.',
  options: {
    endpoint: { value: 'ENDPOINT', about: 'only deliveries to this endpoint' },
    status: { value: 'STATUS', about: `only deliveries with this status: ${STATUSES.join(', ')}` },
    limit: { value: 'N', about: 'how many of the last deliveries to show first (default: 25)' },
    once: { about: 'show the last deliveries and end, without following' },
  },
  examples: [
    'portico deliveries tail',
    'portico deliveries tail --status exhausted --once',
    'portico deliveries tail --json',
  ],
  onStop: 'succeeds',
  run: async ({ values, printer, connect }) => {
    const limit = readLimit(values.limit)
    const status = readStatus(values.status)
    const onSkipped = (endpoint: string) =>
      printer.note(
        `More than ${READ_MAX.toLocaleString('en')} new deliveries to ${endpoint} at once: only the newest are shown.`,
      )
    const follower = new DeliveryFollower(await connect(), { endpoint: values.endpoint, status, limit, onSkipped })
    const first = (await follower.read()).slice(-limit)
    if (printer.json) for (const row of first) printer.entry(row)
    else if (first.length > 0) printer.table(DELIVERY_COLUMNS, first)
    if (values.once) return undefined
    printer.note('Following. Ctrl-C stops.')
    for (;;) {
      await wait(POLL_EVERY_MS)
      for (const row of await follower.read()) printer.row(DELIVERY_COLUMNS, row)
    }
  },
})

export const endpointCommands: readonly Command[] = [
  ...[endpointsList, endpointsCreate, endpointsDelete, endpointsTest],
  deliveriesTail,
]
