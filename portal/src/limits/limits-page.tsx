import './limits.css'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { client, type Mode, read, type Schemas } from '../api/client.ts'
import { type LimitName, limitWords } from '../api/limit-names.ts'
import { appQuery } from '../api/queries.ts'
import { appCrumbs, useAppId, useMode } from '../shell/place.ts'
import { CopyText } from '../ui/copy.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { RangeFilter, useRange } from '../ui/range-filter.tsx'
import { Time } from '../ui/time.tsx'
import { UseOverTime } from './use-over-time.tsx'

type Limits = Schemas['AppLimits']['attributes']
type Token = Limits['tokens'][number]

const READ_EVERY_MS = 5_000

const limitsQuery = (app_id: string) =>
  queryOptions({
    queryKey: ['apps', app_id, 'limits'],
    queryFn: async ({ signal }) =>
      (await read(client.GET('/portal/api/apps/{app_id}/limits', { signal, params: { path: { app_id } } }))).data
        .attributes,
    refetchInterval: READ_EVERY_MS,
  })

/** Shows which limits apply, how much of each is left now, and how much was used over time. */
export function LimitsPage() {
  const appId = useAppId() ?? ''
  const mode = useMode()
  const { data: app } = useSuspenseQuery(appQuery(appId))
  const { data: limits } = useSuspenseQuery(limitsQuery(appId))
  const [range, changeRange] = useRange()
  const tokens = limits.tokens.filter((token) => token.mode === mode)
  const perToken = limits.limits.find(({ name }) => name === 'access_token')?.limit ?? null
  return (
    <Page
      title="Limits"
      crumbs={appCrumbs(app)}
      lead="A request over a limit gets 429 with the time to wait. A window of a limit begins at the same time for every token, key, endpoint and address."
    >
      <Panel title="Now" hint="The busiest token, key or endpoint in the present window. Updated every few seconds.">
        <DataTable
          label={`Limits of this app in ${mode} mode`}
          rows={OWN_LIMITS.flatMap((name) => rowOf(limits, name, mode))}
          columns={NOW_COLUMNS}
          rowKey={({ name }) => name}
        />
      </Panel>
      <Panel
        title="Busiest tokens"
        hint={
          limits.tokens_complete
            ? 'The tokens with the most requests in this hour, at most 20. A token itself is never shown, only its key and its installation.'
            : 'The app has more than 1,000 valid tokens. Only 1,000 of them were read. The busiest of these are listed.'
        }
      >
        {tokens.length === 0 ? (
          <p className="hint">No token made a request in this hour.</p>
        ) : (
          <DataTable
            label="Busiest tokens of this hour"
            rows={tokens}
            columns={tokenColumns(perToken)}
            rowKey={({ client_id, installation_id, requests }) => `${client_id} ${installation_id} ${requests}`}
          />
        )}
      </Panel>
      <Panel title="Over time" actions={<RangeFilter value={range} onChange={changeRange} />}>
        <UseOverTime appId={appId} mode={mode} range={range} />
      </Panel>
      <Panel title="By IP address" hint="These limits count all requests from one address, of all apps together.">
        <DataTable
          label="Limits of an IP address"
          rows={limits.limits.filter(({ name }) => !OWN_LIMITS.includes(name))}
          columns={ADDRESS_COLUMNS}
          rowKey={({ name }) => name}
        />
      </Panel>
    </Page>
  )
}

/** The limits of the app's own tokens, keys and endpoints. */
const OWN_LIMITS: readonly LimitName[] = [
  'access_token',
  'publishable_key',
  'server_key',
  'token_client',
  'pending_intent',
  'webhook_test',
]

type Limit = Limits['limits'][number]
type Row = Limit & { readonly used: number }

function rowOf(limits: Limits, name: LimitName, mode: Mode): readonly Row[] {
  const limit = limits.limits.find((one) => one.name === name)
  return limit === undefined ? [] : [{ ...limit, used: Math.max(0, ...usesOf(limits, name, mode)) }]
}

function usesOf({ tokens, keys, webhook_endpoints }: Limits, name: LimitName, mode: Mode): readonly number[] {
  const inMode = <One extends { readonly mode: Mode }>(all: readonly One[]) => all.filter((one) => one.mode === mode)
  switch (name) {
    case 'access_token':
      return inMode(tokens).map(({ requests }) => requests)
    case 'pending_intent':
      return inMode(tokens).map(({ new_intents }) => new_intents)
    case 'publishable_key':
      return inMode(keys).map(({ public_reads }) => public_reads)
    case 'server_key':
      return inMode(keys).map(({ server_requests }) => server_requests)
    case 'token_client':
      return inMode(keys).map(({ token_requests }) => token_requests)
    default:
      return inMode(webhook_endpoints).map(({ tests }) => tests)
  }
}

const PERIODS: Readonly<Record<number, string>> = { 60: 'minute', 300: '5 min', 3600: 'hour' }

const allowedWords = ({ limit, period }: Limit) =>
  limit === null ? 'Lifted' : `${limit.toLocaleString('en')} per ${PERIODS[period] ?? `${period} seconds`}`

const NOW_COLUMNS: readonly Column<Row>[] = [
  {
    header: 'Limit',
    cell: ({ name }) => (
      <span className="limit-name">
        {limitWords(name)[0]} <span className="hint">{limitWords(name)[1]}</span>
      </span>
    ),
  },
  { header: 'Left', cell: ({ name, limit, used }) => <Left name={name} limit={limit} used={used} />, align: 'end' },
  { header: 'Allowed', cell: allowedWords, align: 'end', wide: true },
  { header: 'Resets', cell: ({ resets_at }) => <Time at={resets_at} />, wide: true },
]

const ADDRESS_COLUMNS: readonly Column<Limit>[] = [
  { header: 'Limit', cell: ({ name }) => <span className="limit-name">{limitWords(name)[0]}</span> },
  { header: 'Allowed', cell: allowedWords, align: 'end' },
]

type LeftProps = { readonly name: LimitName; readonly limit: number | null; readonly used: number }

function Left({ name, limit, used }: LeftProps) {
  if (limit === null) return 'Not limited'
  return (
    <span className="left-of">
      {Math.max(0, limit - used).toLocaleString('en')}
      <meter
        min={0}
        max={limit}
        high={limit * 0.8}
        optimum={0}
        value={Math.min(used, limit)}
        aria-label={`${used.toLocaleString('en')} of ${limit.toLocaleString('en')} used: ${limitWords(name).join(' for ')}`}
      />
    </span>
  )
}

const KINDS: Readonly<Record<Token['kind'], string>> = {
  client: 'The app itself',
  user: 'A person',
  installation: 'An installation',
}

function tokenColumns(limit: number | null): readonly Column<Token>[] {
  return [
    { header: 'Token of', cell: ({ kind }) => KINDS[kind] },
    { header: 'Key', cell: ({ client_id }) => <CopyText value={client_id} label="Copy the key" />, wide: true },
    {
      header: 'Installation',
      cell: ({ installation_id }) =>
        installation_id === null ? '–' : <CopyText value={installation_id} label="Copy the installation id" />,
      wide: true,
    },
    { header: 'Requests', cell: ({ requests }) => requests.toLocaleString('en'), align: 'end' },
    {
      header: 'Left',
      cell: ({ requests }) => (limit === null ? '–' : Math.max(0, limit - requests).toLocaleString('en')),
      align: 'end',
    },
  ]
}
