import { setTimeout as wait } from 'node:timers/promises'
import type { Api } from '@portico/sdk'
import { type Command, command } from '../command.ts'
import type { Connection } from '../connection/connection.ts'
import { EXIT, Failure, usageFailure } from '../failure.ts'
import { readLimit } from '../option-values.ts'
import { type Column, when } from '../printer.ts'

const COLUMNS: readonly Column<Api.LoggedRequest>[] = [
  { title: 'when', text: ({ attributes }) => when(attributes.started_at), style: 'dim' },
  { title: 'status', text: ({ attributes }) => String(attributes.status), style: 'bold' },
  { title: 'request', text: ({ attributes }) => `${attributes.method} ${attributes.route}` },
  { title: 'ms', text: ({ attributes }) => String(attributes.duration_ms), style: 'dim' },
  { title: 'error', text: ({ attributes }) => attributes.error_type ?? '–' },
  { title: 'id', text: ({ id }) => id },
]

const POLL_EVERY_MS = 1_000
/**
 * A request is logged when it ends, with its start time. So each poll begins this long before the start of the newest request,
 * to find requests that started earlier and ended later. A request that lasted longer than this can be missed.
 */
const OVERLAP_MS = 60_000
/** How many requests a poll reads at most. */
const READ_MAX = 1_000

type Filters = { readonly status?: string; readonly route?: string }

const logsTail = command({
  name: 'logs tail',
  summary: 'show the API requests of the app, and follow them',
  usage: '[--status STATUS] [--route ROUTE] [--once]',
  about:
    'Shows the last requests that the app made, with their request ids and errors, then each new one until Ctrl-C. Needs a login.',
  options: {
    status: { value: 'STATUS', about: 'only requests with this status: 404, 4xx, or error for 400 and more' },
    route: { value: 'ROUTE', about: 'only requests with this path, as in the documentation: /investments/{id}' },
    limit: { value: 'N', about: 'how many of the last requests to show first (default: 25)' },
    once: { about: 'show the last requests and end, without following' },
  },
  examples: ['portico logs tail', 'portico logs tail --status error --once', 'portico logs tail --json'],
  onStop: 'succeeds',
  run: async ({ values, printer, connect }) => {
    const limit = readLimit(values.limit)
    const filters = {
      ...(values.status === undefined ? {} : { status: readStatus(values.status) }),
      ...(values.route === undefined ? {} : { route: values.route }),
    }
    const connection = await connect()
    const first = (await readRequests(connection, filters, { max: limit })).toReversed()
    const onSkipped = () =>
      printer.note(`More than ${READ_MAX.toLocaleString('en')} new requests at once: only the newest are shown.`)
    if (printer.json) for (const row of first) printer.entry(row)
    else if (first.length > 0) printer.table(COLUMNS, first)
    if (values.once) return EXIT.ok
    printer.note('Following. Ctrl-C stops.')
    for await (const row of newRequests(connection, { filters, newest: first.at(-1), onSkipped }))
      printer.row(COLUMNS, row)
    return EXIT.ok
  },
})

type Following = {
  readonly filters: Filters
  /** The newest request that was shown. */
  readonly newest: Api.LoggedRequest | undefined
  /** Called if there were more new requests than a poll reads. */
  readonly onSkipped: () => void
  readonly max?: number
}

/**
 * Polls for new requests without end, and yields them oldest first. The list begins with the request that was logged
 * last, so all new requests come before the newest request of the last poll.
 */
export async function* newRequests(connection: Connection, { filters, newest, onSkipped, max = READ_MAX }: Following) {
  let last = newest
  for (;;) {
    await wait(POLL_EVERY_MS)
    const since =
      last === undefined ? {} : { since: new Date(Date.parse(last.attributes.started_at) - OVERLAP_MS).toISOString() }
    const fresh: Api.LoggedRequest[] = []
    for await (const row of listRequests(connection, { ...filters, ...since }, PAGE_MAX)) {
      if (row.id === last?.id) break
      if (fresh.length === max) {
        onSkipped()
        break
      }
      fresh.push(row)
    }
    yield* fresh.toReversed()
    last = fresh[0] ?? last
  }
}

const PAGE_MAX = 100

export function readRequests(
  connection: Connection,
  filters: Filters,
  { max }: { readonly max: number },
): Promise<Api.LoggedRequest[]> {
  return listRequests(connection, filters, Math.min(max, PAGE_MAX)).toArray({ max })
}

function listRequests(connection: Connection, filters: Filters & { readonly since?: string }, per_page: number) {
  const query = { ...filters, mode: connection.mode, per_page }
  return connection
    .client('session')
    .list('/portal/api/apps/{app_id}/requests', { path: { app_id: appOf(connection) }, query })
}

function appOf(connection: Connection): string {
  // Throws if the person is not logged in. This check is first, so that the error names the login and not the app.
  connection.client('session')
  const id = connection.parts.app?.id ?? null
  if (id !== null) return id
  throw new Failure('No app is chosen.', { type: 'no_app', remedy: 'Choose one with portico apps use.' })
}

function readStatus(text: string): string {
  if (/^([1-5]\d\d|[1-5]xx|error)$/.test(text)) return text
  throw usageFailure(`--status is a status such as 404, 4xx, or error, not "${text}".`)
}

export const logCommands: readonly Command[] = [logsTail]
