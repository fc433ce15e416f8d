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
 * A request is logged when it ends, with its start time. So each poll begins this long before the newest start time, to find
 * requests that started earlier and ended later.
 */
const OVERLAP_MS = 60_000
const NEW_MAX = 1_000

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
    once: { about: 'end after these, without following' },
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
    if (printer.json) for (const row of first) printer.entry(row)
    else if (first.length > 0) printer.table(COLUMNS, first)
    if (values.once) return EXIT.ok
    printer.note('Following. Ctrl-C stops.')
    for await (const row of newRequests(connection, filters, first)) printer.row(COLUMNS, row)
    return EXIT.ok
  },
})

/** Polls for new requests without end, and yields them oldest first. */
async function* newRequests(connection: Connection, filters: Filters, first: readonly Api.LoggedRequest[]) {
  const printed = new Set(first.map(({ id }) => id))
  let newest = first.at(-1)?.attributes.started_at
  for (;;) {
    await wait(POLL_EVERY_MS)
    const since = newest === undefined ? {} : { since: new Date(Date.parse(newest) - OVERLAP_MS).toISOString() }
    const rows = await readRequests(connection, { ...filters, ...since }, { max: NEW_MAX })
    yield* rows.filter(({ id }) => !printed.has(id)).toReversed()
    for (const { id } of rows) printed.add(id)
    newest = rows[0]?.attributes.started_at ?? newest
  }
}

function readRequests(
  connection: Connection,
  filters: Filters & { readonly since?: string },
  { max }: { readonly max: number },
): Promise<Api.LoggedRequest[]> {
  const query = { ...filters, mode: connection.mode, per_page: Math.min(max, 100) }
  const path = { app_id: appOf(connection) }
  return connection.client('session').list('/portal/api/apps/{app_id}/requests', { path, query }).toArray({ max })
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
