import type { Api, Client } from '@portico/sdk'
import { type Command, type Context, command } from '../command.ts'
import type { Connection } from '../connection/connection.ts'
import { usageFailure } from '../failure.ts'
import { readLimit } from '../option-values.ts'
import { type Column, type Printer, when } from '../printer.ts'

const LIMIT = { limit: { value: 'N', about: 'how many at most (default: 25)' } } as const

/** Prints rows as a table, or all of them as one JSON document. */
function showRows<Row>(printer: Printer, columns: readonly Column<Row>[], rows: readonly Row[]): void {
  if (printer.json) printer.document({ data: rows })
  else if (rows.length > 0) printer.table(columns, rows)
  else printer.note('There are no rows.')
}

const APP_COLUMNS: readonly Column<Api.App>[] = [
  { title: 'id', text: ({ id }) => id },
  { title: 'name', text: ({ attributes }) => attributes.name, style: 'bold' },
  { title: 'organization', text: ({ attributes }) => attributes.organization.name },
  { title: 'status', text: ({ attributes }) => attributes.status },
  { title: 'approved', text: ({ attributes }) => when(attributes.approved_at) },
  { title: 'waits for', text: ({ attributes }) => openRequests(attributes).join(', ') || '–' },
]

/** What the app's team waits for, as in `GET /platform/requests`. Apps that are suspended or disabled do not wait. */
function openRequests({ status, approved_at, approval, pii, programs }: Api.App['attributes']): readonly string[] {
  if (status !== 'active') return []
  const isApproval =
    approved_at === null && (approval.declined_at === null || isAfter(approval.requested_at, approval.declined_at))
  const isPii = pii.requested_at !== null && pii.approved_at === null
  const waiting = programs.filter((one) => isAfter(one.requested_at, one.approved_at))
  return [
    ...(isApproval ? ['approval'] : []),
    ...(isPii ? ['investor PII'] : []),
    ...waiting.map(({ program }) => program),
  ]
}

/**
 * Whether a request waits: it was made, and it has no decision or only an older one. The times have one format, so
 * their texts compare as times.
 */
function isAfter(requestedAt: string | null, decidedAt: string | null): boolean {
  return requestedAt !== null && (decidedAt === null || requestedAt > decidedAt)
}

function showApp(printer: Printer, app: Api.App): void {
  const { id, attributes } = app
  if (printer.json) {
    printer.document(app)
    return
  }
  const { name, organization, status, suspended_reason, approved_at, scopes } = attributes
  printer.fields([
    ['id', id],
    ['name', name],
    ['organization', `${organization.name} (${organization.id})`],
    ['status', suspended_reason === null ? status : `${status}: ${suspended_reason}`],
    ['approved', when(approved_at)],
    ['waits for', openRequests(attributes).join(', ') || '–'],
    ['scopes', scopes.join(' ')],
  ])
}

const apps = command({
  name: 'operator apps',
  summary: 'list all apps of the platform, or show one (operator’s key)',
  usage: '[APP_ID] [--open-requests]',
  options: { 'open-requests': { about: 'only apps with a request that the platform has not decided' }, ...LIMIT },
  examples: ['portico operator apps --open-requests', 'portico operator apps app_0VbIWuIRqK9re0PjUg1xVVPM --json'],
  words: { min: 0, max: 1 },
  run: async ({ values, words: [app_id], printer, connect }) => {
    const limit = readLimit(values.limit)
    const client = (await connect()).client('operator')
    if (app_id !== undefined) {
      showApp(printer, (await client.get('/platform/apps/{app_id}', { path: { app_id } })).data)
      return undefined
    }
    const query = { ...(values['open-requests'] ? { open_requests: true } : {}), per_page: Math.min(limit, 100) }
    showRows(printer, APP_COLUMNS, await client.list('/platform/apps', { query }).toArray({ max: limit }))
    return undefined
  },
})

const HISTORY_COLUMNS: readonly Column<Api.PlatformHistoryEntry>[] = [
  { title: 'when', text: ({ attributes }) => when(attributes.at), style: 'dim' },
  { title: 'action', text: ({ attributes }) => attributes.action, style: 'bold' },
  { title: 'by', text: ({ attributes: { actor } }) => actor.name ?? actor.id ?? actor.type },
  { title: 'details', text: ({ attributes }) => JSON.stringify(attributes.details), style: 'dim' },
]

const history = command({
  name: 'operator history',
  summary: 'list the changes of an app, and who made them (operator’s key)',
  usage: 'APP_ID',
  options: LIMIT,
  examples: ['portico operator history app_0VbIWuIRqK9re0PjUg1xVVPM'],
  words: { min: 1, max: 1 },
  run: async ({ values, words: [app_id = ''], printer, connect }) => {
    const limit = readLimit(values.limit)
    const client = (await connect()).client('operator')
    const request = { path: { app_id }, query: { per_page: Math.min(limit, 100) } }
    showRows(
      printer,
      HISTORY_COLUMNS,
      await client.list('/platform/apps/{app_id}/history', request).toArray({ max: limit }),
    )
    return undefined
  },
})

/** Apps and accounts belong to both worlds, so the service accepts only the live key for changes of apps and for accounts. */
async function liveClient({ connect }: Pick<Context, 'connect'>): Promise<Client> {
  const connection: Connection = await connect()
  if (connection.mode === 'live') return connection.client('operator')
  throw usageFailure('This command concerns both worlds, and needs the operator’s live key.', 'Add --mode live.')
}

type Decision = {
  readonly name: string
  readonly summary: string
  readonly decide: (client: Client, path: { readonly app_id: string }) => Promise<{ readonly data: Api.App }>
}

const DECISIONS: readonly Decision[] = [
  {
    name: 'approve',
    summary: 'approve an app for people who are not on its team',
    decide: (client, path) => client.post('/platform/apps/{app_id}/approve', { path }),
  },
  {
    name: 'unapprove',
    summary: 'withdraw the approval of an app',
    decide: (client, path) => client.post('/platform/apps/{app_id}/unapprove', { path }),
  },
  {
    name: 'lift',
    summary: 'lift the suspension of an app',
    decide: (client, path) => client.post('/platform/apps/{app_id}/lift', { path }),
  },
  {
    name: 'approve-pii',
    summary: 'approve that an app reads names and addresses of investors',
    decide: (client, path) => client.post('/platform/apps/{app_id}/pii_approval', { path }),
  },
]

const decisions = DECISIONS.map(({ name, summary, decide }) =>
  command({
    name: `operator ${name}`,
    summary: `${summary} (operator’s key)`,
    usage: 'APP_ID --mode live',
    options: {},
    examples: [`portico operator ${name} app_0VbIWuIRqK9re0PjUg1xVVPM --mode live`],
    words: { min: 1, max: 1 },
    run: async ({ words: [app_id = ''], printer, connect }) => {
      showApp(printer, (await decide(await liveClient({ connect }), { app_id })).data)
      return undefined
    },
  }),
)

const suspend = command({
  name: 'operator suspend',
  summary: 'suspend an app at once: its tokens stop working (operator’s key)',
  usage: 'APP_ID --reason TEXT --mode live',
  options: { reason: { value: 'TEXT', about: 'the reason that the team sees' } },
  examples: [
    'portico operator suspend app_0VbIWuIRqK9re0PjUg1xVVPM --reason "Publishes names of investors" --mode live',
  ],
  words: { min: 1, max: 1 },
  run: async ({ values: { reason }, words: [app_id = ''], printer, connect }) => {
    if (reason === undefined) throw usageFailure('The reason is missing.', 'Add --reason: the team sees it.')
    const client = await liveClient({ connect })
    showApp(
      printer,
      (await client.post('/platform/apps/{app_id}/suspend', { path: { app_id }, body: { reason } })).data,
    )
    return undefined
  },
})

const ACCOUNT_COLUMNS: readonly Column<Api.Account>[] = [
  { title: 'id', text: ({ id }) => id },
  { title: 'email', text: ({ attributes }) => attributes.email, style: 'bold' },
  { title: 'name', text: ({ attributes }) => attributes.name },
  { title: 'status', text: ({ attributes }) => (attributes.disabled_at === null ? 'active' : 'disabled') },
  { title: 'since', text: ({ attributes }) => when(attributes.created_at), style: 'dim' },
]

const accounts = command({
  name: 'operator accounts',
  summary: 'list the accounts of people (operator’s key)',
  usage: '[--search TEXT] --mode live',
  options: { search: { value: 'TEXT', about: 'only accounts whose address or name begins with this text' }, ...LIMIT },
  examples: ['portico operator accounts --search ada@ --mode live'],
  run: async ({ values, printer, connect }) => {
    const limit = readLimit(values.limit)
    const client = await liveClient({ connect })
    const { search } = values
    const query = { ...(search === undefined ? {} : { query: search }), per_page: Math.min(limit, 100) }
    showRows(printer, ACCOUNT_COLUMNS, await client.list('/platform/accounts', { query }).toArray({ max: limit }))
    return undefined
  },
})

const fact = command({
  name: 'operator fact',
  summary: 'show an applied fact and the events it caused (operator’s key)',
  usage: 'FACT_ID',
  options: {},
  examples: ['portico operator fact evt-2026-01-15-000001'],
  words: { min: 1, max: 1 },
  run: async ({ words: [id = ''], printer, connect }) => {
    const { data } = await (await connect()).client('operator').get('/platform/facts/{id}', { path: { id } })
    if (printer.json) printer.document(data)
    else {
      printer.fields([
        ['id', data.id],
        ['type', data.type],
        ['occurred', when(data.occurred_at)],
        ['applied', when(data.applied_at)],
        ...data.events.map((event): [string, string] => ['caused', `${event.event}  ${event.id}`]),
      ])
    }
    return undefined
  },
})

const revoke = command({
  name: 'operator revoke',
  summary: 'revoke an installation of any app (operator’s key)',
  usage: 'INSTALLATION_ID',
  options: {},
  examples: ['portico operator revoke inst_0VbIWuDFt3YydPyWqxIcTE5M'],
  words: { min: 1, max: 1 },
  run: async ({ words: [id = ''], printer, connect }) => {
    const { data } = await (await connect()).client('operator').delete('/platform/installations/{id}', { path: { id } })
    if (printer.json) printer.document(data)
    else printer.line(`${data.id} on ${data.target.name ?? data.target.id} is revoked.`)
    return undefined
  },
})

export const operatorCommands: readonly Command[] = [apps, history, ...decisions, suspend, accounts, fact, revoke]
