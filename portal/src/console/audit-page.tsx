import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { client, read, type Schemas } from '../api/client.ts'
import { usePages } from '../api/use-pages.ts'
import { chosenOf, given, useFilters } from '../shell/filters.ts'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy.tsx'
import type { Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { EndlessTable } from '../ui/endless-table.tsx'
import { ActionError, ErrorState } from '../ui/error-state.tsx'
import { TextField } from '../ui/field.tsx'
import { FilterBar, SelectFilter, TextFilter, TimeFilter } from '../ui/filter-bar.tsx'
import { Json } from '../ui/json.tsx'
import { Panel } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { exactTime, Time } from '../ui/time.tsx'
import { because, ReasonGate } from './reason.tsx'
import { RecordId, StaffPage } from './staff-page.tsx'

type Entry = Schemas['AuditEntry']

const COLUMNS: readonly Column<Entry>[] = [
  {
    header: 'Action',
    cell: ({ attributes }) => (
      <>
        {attributes.action}
        <span className="narrow-only who">by {actorOf(attributes)}</span>
      </>
    ),
  },
  { header: 'When', cell: ({ attributes }) => <Time at={attributes.at} /> },
  { header: 'Who', cell: ({ attributes }) => actorOf(attributes), wide: true },
  { header: 'To what', cell: ({ attributes }) => <code>{attributes.subject}</code>, wide: true },
  { header: 'Why', cell: ({ attributes }) => <span className="why">{attributes.reason ?? '–'}</span>, wide: true },
]

const actorOf = ({ actor }: Entry['attributes']) => actor.name ?? actor.id

/** Lists who did what, and why. A person can also verify that no entry was changed afterwards. */
export function AuditPage() {
  const [{ entry }] = useFilters()
  return (
    <StaffPage
      title={entry === undefined ? 'Audit' : `Entry ${entry}`}
      {...(entry === undefined
        ? {
            lead: 'Who changed what, and why, newest first. Choose “Show reads too” to see also who read what. The audit records that you read it.',
          }
        : { crumbs: [{ label: 'Audit', to: '/audit' }] })}
      least="compliance"
      what="the audit"
    >
      {entry === undefined ? (
        <>
          <ChainPanel />
          <AuditFilters />
          <ReasonGate title="The audit">{(reason) => <Entries reason={reason} />}</ReasonGate>
        </>
      ) : (
        <ReasonGate title="The entry">{(reason) => <OneEntry id={entry} reason={reason} />}</ReasonGate>
      )}
    </StaffPage>
  )
}

const FILTERS = ['subject', 'actor', 'action', 'by', 'since', 'until', 'reads'] as const
const BY = ['operators', 'others'] as const

function AuditFilters() {
  const [filters, change] = useFilters()
  const isSet = FILTERS.some((name) => filters[name] !== undefined)
  const clear = () => change(Object.fromEntries(FILTERS.map((name) => [name, ''])))
  return (
    <FilterBar onClear={isSet ? clear : undefined}>
      <TextFilter
        label="To what"
        value={filters['subject']}
        placeholder="app_…, acct_…"
        onChange={(subject) => change({ subject })}
      />
      <TextFilter
        label="By whom"
        value={filters['actor']}
        placeholder="acct_…, opk_…"
        onChange={(actor) => change({ actor })}
      />
      <TextFilter
        label="Action"
        value={filters['action']}
        placeholder="app.suspended"
        onChange={(action) => change({ action })}
      />
      <SelectFilter
        label="Acted by"
        value={filters['by']}
        any="Anyone"
        options={[
          ['operators', 'Operators only'],
          ['others', 'Others only'],
        ]}
        onChange={(by) => change({ by })}
      />
      <label className="live-switch">
        <input
          type="checkbox"
          checked={filters['reads'] === 'shown'}
          onChange={({ target }) => change({ reads: target.checked ? 'shown' : '' })}
        />
        Show reads too
      </label>
      <TimeFilter label="From" value={filters['since']} onChange={(since) => change({ since })} />
      <TimeFilter label="Before" value={filters['until']} onChange={(until) => change({ until })} />
    </FilterBar>
  )
}

function Entries({ reason }: { readonly reason: string }) {
  const [{ subject, actor, action, by, since, until, reads: shown }] = useFilters()
  const acted = chosenOf(BY, by)
  const by_operator = acted === undefined ? undefined : acted === 'operators'
  // There are many more reads than changes. A person who filters by an action wants that action, also if it is a read.
  const reads = shown === 'shown' || (action ?? '') !== '' ? undefined : false
  const query = given({ subject, actor, action, by_operator, since, until, reads })
  const pages = usePages<Entry>({
    queryKey: ['audit', query],
    readPage: (page, signal) =>
      read(
        client.GET('/platform/audit', { signal, headers: because(reason), params: { query: { ...query, ...page } } }),
      ),
  })
  return (
    <EndlessTable
      label="Audit entries, newest first"
      pages={pages}
      rows={pages.rows}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowTo={() => '/audit'}
      rowSearch={({ id }) => ({ entry: id })}
      empty={<EmptyState title="No entry matches">Clear a filter, or look in another span of time.</EmptyState>}
    />
  )
}

function OneEntry({ id, reason }: { readonly id: string; readonly reason: string }) {
  const { rows, isLoading, error, refetch } = usePages<Entry>({
    queryKey: ['audit', 'entry', id],
    readPage: (_, signal) =>
      read(client.GET('/platform/audit', { signal, headers: because(reason), params: { query: { entry: id } } })),
  })
  if (isLoading) return <Skeleton lines={8} />
  if (error !== null) return <ErrorState error={error} onRetry={refetch} />
  const [entry] = rows
  if (entry === undefined) {
    return (
      <EmptyState title="There is no such entry">
        If the chain names it, the entry was removed from the database: only its digest is left.
      </EmptyState>
    )
  }
  const { at, actor, action, subject, details, by_operator, request_id, reason: why, chained } = entry.attributes
  const facts: readonly (readonly [label: string, value: React.ReactNode])[] = [
    ['Action', <code key="action">{action}</code>],
    ['When', exactTime(at)],
    ['By whom', <Actor key="actor" id={actor.id} name={actor.name} />],
    ['To what', <RecordId key="subject" id={subject} label="the subject" mode="live" />],
    ['Why', why ?? 'No reason is recorded, or it was erased with the person'],
    ['Acted as', by_operator ? 'An operator' : 'Not an operator'],
    ['Request', request_id === null ? 'None' : <CopyText key="id" value={request_id} label="Copy the request id" />],
    ['Chain', chained ? 'A digest covers it' : 'Its digest follows within seconds'],
  ]
  return (
    <Panel
      title={action}
      actions={
        <span className="links">
          <Link to="/audit" search={{ subject }}>
            All about this subject
          </Link>
          <Link to="/audit" search={{ actor: actor.id }}>
            All by this actor
          </Link>
        </span>
      }
    >
      <dl className="facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Json value={details} label="Details of the entry" />
    </Panel>
  )
}

function Actor({ id, name }: { readonly id: string; readonly name: string | null }) {
  return (
    <>
      {name !== null && <>{name} </>}
      <RecordId id={id} label="the actor" mode="live" />
    </>
  )
}

type Verified = Schemas['AuditVerification']['data']['attributes']
type Finding = Verified['findings'][number]

const FINDING_WORDS: Readonly<Record<Finding['kind'], string>> = {
  changed: 'was changed after it was written',
  reason_changed: 'has another reason than it was written with',
  removed: 'was removed',
  inserted: 'was inserted later',
  digest_removed: 'follows a digest that was removed',
}

/** Verifies the whole chain of digests. It does so only when a person presses the button, because it reads the whole audit. */
function ChainPanel() {
  const [earlier, setEarlier] = useState('')
  const end = earlier.trim()
  const verifying = useMutation({
    mutationFn: async () =>
      (await read(client.GET('/platform/audit/verification', { params: { query: end === '' ? {} : { end } } }))).data
        .attributes,
  })
  return (
    <Panel
      title="Is the audit intact?"
      hint="Every entry has a digest over itself and the digest before it. Verifying computes all of them again."
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          verifying.mutate()
        }}
      >
        <TextField
          label="End of an earlier verification"
          hint="Optional. Without it, a chain that was written again as a whole goes unnoticed."
          value={earlier}
          onChange={setEarlier}
          maxLength={100}
          mono
        />
        <div className="form-actions">
          <Button type="submit" isDisabled={verifying.isPending}>
            {verifying.isPending ? 'Verifying …' : 'Verify the chain'}
          </Button>
        </div>
      </form>
      <ActionError error={verifying.error} />
      {verifying.data !== undefined && <Result verified={verifying.data} />}
    </Panel>
  )
}

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

function Result({ verified }: { readonly verified: Verified }) {
  const { whole, verified_at, entries, waiting, end, knows_earlier_end, findings, findings_count } = verified
  const covered = counted(entries, 'entry has its digest', 'entries have their digests')
  return (
    <>
      {whole ? (
        <p className="notice" role="status">
          <strong>Intact until {exactTime(verified_at)}.</strong> {covered}
          {waiting > 0 && `, and ${counted(waiting, 'newer one waits for its own', 'newer ones wait for theirs')}`}.
          {knows_earlier_end === true && ' The earlier end is in the chain.'}
        </p>
      ) : (
        <div className="notice danger" role="alert">
          <strong>Not intact.</strong> Verified {exactTime(verified_at)}.
          {knows_earlier_end === false &&
            ' The earlier end is not in the chain: digests were removed, or the chain was written again.'}
          {findings_count > 0 && ` ${counted(findings_count, 'entry is', 'entries are')} not as written:`}
        </div>
      )}
      {findings.length > 0 && (
        <ul className="rows" aria-label="Broken entries">
          {findings.map(({ entry, kind }) => (
            <li key={`${entry} ${kind}`}>
              <span>
                Entry{' '}
                <Link to="/audit" search={{ entry }}>
                  {entry}
                </Link>{' '}
                {FINDING_WORDS[kind]}
              </span>
            </li>
          ))}
        </ul>
      )}
      {findings_count > findings.length && (
        <p className="hint">The first {findings.length} are listed. npm run verify-audit lists all of them.</p>
      )}
      {end !== null && (
        <p className="hint">
          Store this end outside of the database, and enter it the next time:{' '}
          <CopyText value={end} label="Copy the end of the chain" />
        </p>
      )}
    </>
  )
}
