import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { Json } from '../ui/json.tsx'
import { Panel } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'

type Inspection = Schemas['SyncInspection']
type Row = Schemas['Investment']

/** Shows what a cursor contains and how many changes follow it or, for a rejected cursor, why the API rejects it. */
export function CursorPanel({ inspection, actions }: { readonly inspection: Inspection; readonly actions: ReactNode }) {
  const { cursor, rejection, waiting } = inspection
  return (
    <Panel title={cursor === null && rejection === null ? 'Position' : 'Cursor'} actions={actions}>
      {rejection !== null && <RejectionNotice rejection={rejection} />}
      <dl className="facts">
        {cursor !== null && (
          <>
            <Fact label="Kind">{cursor.kind === 'list' ? 'Cursor within a listing' : 'Cursor for changes'}</Fact>
            <Fact label="Covers all changes until">
              <Time at={cursor.as_of} /> <span className="hint">{cursor.as_of}</span>
            </Fact>
            <Fact label="Expires">
              <Time at={cursor.expires_at} />
            </Fact>
          </>
        )}
        {waiting !== null && <Fact label="Lag">{lagWords(waiting)}</Fact>}
        <Fact label="Published until">
          <Time at={inspection.published_through} /> <span className="hint">{inspection.published_through}</span>
        </Fact>
      </dl>
    </Panel>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function lagWords({ changes, complete }: NonNullable<Inspection['waiting']>): string {
  if (!complete) return `More than ${changes.toLocaleString('en')} changes wait`
  return changes === 0 ? 'None: your copy is up to date' : changes === 1 ? '1 change waits' : `${changes} changes wait`
}

const REASONS: Readonly<Record<NonNullable<Inspection['rejection']>['reason'], string>> = {
  malformed: 'The cursor is not from this list, or was changed',
  other_mode: 'The cursor is from the other mode',
  other_list: 'The cursor is from another list',
  other_reader: 'The cursor was made for another reader',
  identities_added: 'The cursor was made without identity fields, which the installation can see',
  too_old: 'The cursor is too old',
  access_changed: 'Access has changed since the cursor was made',
}

function RejectionNotice({ rejection }: { readonly rejection: NonNullable<Inspection['rejection']> }) {
  const { reason, status, type, message, remediation } = rejection
  return (
    <div className="notice danger" role="alert">
      <p>
        <strong>{REASONS[reason]}.</strong> The API answers {status} <code>{type}</code>: {message} {remediation}
      </p>
    </div>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  { header: 'Investment', cell: ({ id }) => <CopyText value={id} label="Copy the investment id" /> },
  { header: 'Status', cell: ({ status }) => (status === undefined ? <Badge>removed</Badge> : <Badge>{status}</Badge>) },
  { header: 'Investor', cell: ({ investor }) => investor?.name ?? <code>{investor?.id ?? ''}</code>, wide: true },
  { header: 'Committed', cell: ({ amounts }) => amountWords(amounts), align: 'end', wide: true },
  { header: 'Reason', cell: ({ reason }) => reason?.replaceAll('_', ' ') ?? '', wide: true },
  { header: 'Observed', cell: ({ observed_at }) => <Time at={observed_at} />, wide: true },
]

function amountWords(amounts: Row['amounts']): string {
  if (amounts === undefined) return ''
  const currency = amounts.currency.toUpperCase()
  return (amounts.committed_cents / 100).toLocaleString('en', { style: 'currency', currency })
}

type RecordsPanelProps = { readonly inspection: Inspection; readonly onNext: (cursor: string) => void }

/** Shows the page of records that a token of the installation gets. */
export function RecordsPanel({ inspection: { page, rejection }, onNext }: RecordsPanelProps) {
  if (rejection !== null) return null
  if (page === null) {
    return (
      <Panel title="Records">
        <p className="hint">
          Only the user’s own token can read the records of this connection, so they are not shown.
        </p>
      </Panel>
    )
  }
  const { data: rows, meta } = page
  const next = (
    <Button onPress={() => onNext(meta.next_cursor)}>
      {meta.has_more ? 'Next page' : 'Continue from the end of this page'}
    </Button>
  )
  return (
    <Panel title={meta.mode === 'bootstrap' ? 'Listing' : 'Changes'} hint={pageWords(meta)} actions={next}>
      {rows.length === 0 ? (
        <p className="hint">
          {meta.mode === 'bootstrap'
            ? 'This installation sees no investment on this page.'
            : 'Nothing has changed since the cursor.'}
        </p>
      ) : (
        <DataTable label="Records of the page" rows={rows} columns={COLUMNS} rowKey={({ id }) => id} />
      )}
      <p className="next-cursor">
        <span className="hint">next_cursor</span> <CopyText value={meta.next_cursor} label="Copy the next cursor" />
      </p>
      <details className="page-json">
        <summary>The page as JSON</summary>
        <Json value={page} label="The page as JSON" />
      </details>
    </Panel>
  )
}

function pageWords({ page_count, has_more }: NonNullable<Inspection['page']>['meta']): string {
  const rows = page_count === 1 ? '1 record' : `${page_count} records`
  return has_more ? `${rows} on this page, and there are more.` : `${rows} on this page. This is the last page.`
}
