import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, type Mode, read, type Schemas } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { usePages } from '../api/use-pages.ts'
import { usePolling } from '../api/use-polling.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Panel } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import { inMode, mayAct, type StaffRole, useConsoleMode, useRole } from './operator.ts'
import { because, type Decision, DecisionDialog } from './reason.tsx'
import { StaffPage } from './staff-page.tsx'

type Queue = Schemas['WorkQueue']['attributes']
type Job = Schemas['BackgroundJob']
type SetAside = Schemas['SetAsideWork']

const READ_EVERY_MS = 10_000

const QUEUE_WORDS: Readonly<Record<Queue['queue'], string>> = {
  changes: 'Ledger publisher',
  events: 'Fan-out of events',
  deferred_events: 'Events deferred by fan-out',
  stream_entries: 'Places in event streams',
  deliveries: 'Webhook deliveries',
  intents: 'Approved intents',
  invitations: 'Mails of invitations',
  mails: 'Mails',
  notices: 'Notices to teams',
  audit: 'Chain of the audit',
}

/** How long the oldest entry has waited, in seconds, minutes or hours. */
function ageWords(seconds: number): string {
  if (seconds < 1) return '–'
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  return `${Math.round(seconds / 3_600)} h`
}

const modeWords = (mode: Mode | null) => (mode === null ? 'Both' : mode === 'live' ? 'Live' : 'Test')

const MODE_ORDER = ['live', null, 'test']
const liveFirst = (a: Schemas['WorkQueue'], b: Schemas['WorkQueue']) =>
  MODE_ORDER.indexOf(a.attributes.mode) - MODE_ORDER.indexOf(b.attributes.mode)

const QUEUE_COLUMNS: readonly Column<Queue>[] = [
  { header: 'Queue', cell: ({ queue }) => QUEUE_WORDS[queue] },
  { header: 'Mode', cell: ({ mode }) => modeWords(mode) },
  { header: 'Waiting', cell: ({ waiting }) => waiting.toLocaleString('en'), align: 'end' },
  { header: 'Oldest', cell: ({ oldest_seconds }) => ageWords(oldest_seconds), align: 'end', wide: true },
  {
    header: 'Set aside',
    align: 'end',
    cell: ({ set_aside }) =>
      set_aside === null ? '–' : set_aside === 0 ? '0' : <Badge tone="warning">{set_aside.toLocaleString('en')}</Badge>,
  },
]

const STATUS_TONES: Readonly<Record<Job['attributes']['status'], Tone>> = {
  ok: 'good',
  failing: 'danger',
  silent: 'warning',
}

const JOB_COLUMNS: readonly Column<Job>[] = [
  { header: 'Job', cell: ({ id }) => <code>{id}</code> },
  {
    header: 'Status',
    cell: ({ attributes: { status } }) => <Badge tone={STATUS_TONES[status]}>{status}</Badge>,
  },
  { header: 'Last round', cell: ({ attributes }) => <Time at={attributes.last_started_at} />, wide: true },
  {
    header: 'Took',
    cell: ({ attributes }) => `${Math.round(attributes.last_seconds * 1_000)} ms`,
    align: 'end',
    wide: true,
  },
  { header: 'Last error', cell: ({ attributes }) => <LastError {...attributes} />, wide: true },
]

function LastError({ last_failed_at: at, last_error: error }: Job['attributes']) {
  if (at === null) return '–'
  return (
    <>
      {error !== null && <>{error} </>}
      <span className="hint">
        <Time at={at} />
      </span>
    </>
  )
}

const PROBLEMS_FIRST = ['failing', 'silent', 'ok']
const byProblem = (a: Job, b: Job) =>
  PROBLEMS_FIRST.indexOf(a.attributes.status) - PROBLEMS_FIRST.indexOf(b.attributes.status)

/** Shows the queues of the workers, the work that they set aside after failures, and the last round of each job. */
export function JobsPage() {
  const role = useRole()
  const mode = useConsoleMode()
  const polling = usePolling(READ_EVERY_MS)
  const queues = useQuery({
    queryKey: ['work', 'queues'],
    queryFn: async ({ signal }) => (await read(client.GET('/platform/queues', { signal }))).data,
    refetchInterval: polling,
  })
  const jobs = useQuery({
    queryKey: ['work', 'jobs'],
    queryFn: async ({ signal }) => (await read(client.GET('/platform/jobs', { signal }))).data,
    refetchInterval: polling,
  })
  return (
    <StaffPage
      least="viewer"
      what="jobs"
      hasModes
      title="Jobs"
      lead="What waits for the workers of all processes, what they could not do, and what they did last."
    >
      <SetAsidePanel key={mode} mode={mode} role={role} />
      <Panel title="Queues" hint="Counted up to 10,000. Deliveries that wait for a retry have no age.">
        {queues.error !== null && queues.data === undefined ? (
          <ErrorState error={queues.error} onRetry={() => void queues.refetch()} />
        ) : queues.data === undefined ? (
          <Skeleton lines={8} />
        ) : (
          <DataTable
            label="Queues"
            rows={queues.data.toSorted(liveFirst)}
            columns={QUEUE_COLUMNS.map(({ cell, ...column }) => ({
              ...column,
              cell: (row: Schemas['WorkQueue']) => cell(row.attributes),
            }))}
            rowKey={({ id }) => id}
          />
        )}
      </Panel>
      <Panel title="Background jobs" hint="Of all workers together, written about three times a minute.">
        {jobs.error !== null && jobs.data === undefined ? (
          <ErrorState error={jobs.error} onRetry={() => void jobs.refetch()} />
        ) : jobs.data === undefined ? (
          <Skeleton lines={8} />
        ) : (
          <DataTable
            label="Background jobs"
            rows={jobs.data.toSorted(byProblem)}
            columns={JOB_COLUMNS}
            rowKey={({ id }) => id}
          />
        )}
      </Panel>
    </StaffPage>
  )
}

const KIND_WORDS: Readonly<Record<SetAside['attributes']['kind'], string>> = {
  change: 'Change of an investment',
  delivery: 'Webhook deliveries',
  invitation: 'Mail of an invitation',
  mail: 'Mail',
}

const KIND_HINTS: Readonly<Record<SetAside['attributes']['kind'], string>> = {
  change: 'The publisher tries the change again at once. Without a retry it tries every ten minutes.',
  delivery: 'What waits for the endpoint is sent oldest first, one at a time until one succeeds.',
  invitation: 'The mail gets all its tries again. It is not sent if the invitation is no longer wanted.',
  mail: 'The mail gets all its tries again. A link in it may have expired.',
}

type SetAsidePanelProps = { readonly mode: Mode; readonly role: StaffRole }

function SetAsidePanel({ mode, role }: SetAsidePanelProps) {
  const [retrying, setRetrying] = useState<SetAside | null>(null)
  const polling = usePolling(READ_EVERY_MS)
  const pages = usePages<SetAside>({
    queryKey: ['work', 'set aside', mode],
    readPage: (page, signal) =>
      read(client.GET('/platform/set_aside', { signal, headers: inMode(mode), params: { query: page } })),
    readAgain: () => polling,
  })
  const retry = useAction({
    run: ({ why }: Decision) => {
      if (retrying === null) throw new Error('the person has chosen no work to retry')
      const { id, attributes } = retrying
      return read(
        client.POST('/platform/set_aside/{kind}/{id}/retry', {
          headers: { ...because(why), ...inMode(mode) },
          params: { path: { kind: attributes.kind, id } },
        }),
      )
    },
    done: 'It is tried again',
    changes: [['work']],
    onResult: () => setRetrying(null),
  })
  const mayRetry = mayAct(role, 'support')
  const { rows, isLoading, error, readMore, refetch } = pages
  return (
    <Panel
      title="Set aside"
      hint={mayRetry ? 'What the workers put aside after failures.' : 'The role support retries these.'}
    >
      {isLoading && <Skeleton lines={3} />}
      {error !== null && rows.length === 0 && <ErrorState error={error} onRetry={refetch} />}
      {!isLoading && error === null && rows.length === 0 && <p className="hint">Nothing is set aside.</p>}
      <ul className="rows" aria-label="Work set aside">
        {rows.map((row) => (
          <li key={`${row.attributes.kind} ${row.id}`}>
            <div>
              <p>
                <strong>{KIND_WORDS[row.attributes.kind]}</strong> <code>{row.attributes.subject}</code>
              </p>
              <p className="hint">
                <SetAsideFacts {...row.attributes} />
              </p>
            </div>
            {mayRetry && (
              <Button onPress={() => setRetrying(row)}>
                Retry<span className="unseen"> {row.attributes.subject}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {readMore !== undefined && (
        <div className="form-actions">
          <Button onPress={readMore}>Load more</Button>
        </div>
      )}
      {retrying !== null && (
        <DecisionDialog
          title={`Retry ${KIND_WORDS[retrying.attributes.kind].toLowerCase()}?`}
          confirmLabel="Retry"
          isPending={retry.isPending}
          error={retry.error}
          onConfirm={retry.mutate}
          onClose={() => {
            retry.reset()
            setRetrying(null)
          }}
        >
          <p>{KIND_HINTS[retrying.attributes.kind]}</p>
        </DecisionDialog>
      )}
    </Panel>
  )
}

function SetAsideFacts({ since, retry_at, attempts, waiting, error }: SetAside['attributes']) {
  return (
    <>
      Since <Time at={since} />
      {attempts !== null && `, ${attempts} ${attempts === 1 ? 'try' : 'tries'}`}
      {waiting !== null && `, ${waiting.toLocaleString('en')} waiting`}
      {retry_at !== null && (
        <>
          , tried again <Time at={retry_at} />
        </>
      )}
      {error !== null && `: ${error}`}
    </>
  )
}
