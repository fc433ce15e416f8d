import type { QueryKey } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { type PageQuery, usePages } from '../api/use-pages.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Json } from '../ui/json.tsx'
import { Panel } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import type { StaffRole } from './operator.ts'
import { because, ReasonGate } from './reason.tsx'

type Entry = Schemas['PlatformHistoryEntry'] & { readonly attributes: { readonly subject?: string } }

type ReadPage = (
  page: PageQuery,
  headers: ReturnType<typeof because>,
  signal: AbortSignal,
) => Promise<{ data: Entry[]; meta: { has_more: boolean; next_cursor: string | null } }>

type HistoryPanelProps = {
  readonly title: string
  readonly queryKey: QueryKey
  readonly role: StaffRole
  readonly readPage: ReadPage
}

/** The history of an app or an organization: who did what and why. The role viewer sees neither names nor reasons. */
export function HistoryPanel({ title, role, ...reading }: HistoryPanelProps) {
  return (
    <ReasonGate title={title}>
      {(reason) => (
        <Panel title={title} {...(role === 'viewer' ? { hint: 'Your role sees neither names nor reasons.' } : {})}>
          <Entries title={title} reason={reason} {...reading} />
        </Panel>
      )}
    </ReasonGate>
  )
}

type EntriesProps = Omit<HistoryPanelProps, 'role'> & { readonly reason: string }

function Entries({ title, reason, queryKey, readPage }: EntriesProps) {
  const [openId, setOpenId] = useState<string | null>(null)
  const { rows, isLoading, error, readMore, refetch } = usePages<Entry>({
    queryKey,
    readPage: (page, signal) => readPage({ ...page, per_page: 50 }, because(reason), signal),
  })
  if (isLoading) return <Skeleton lines={6} />
  if (error !== null && rows.length === 0) return <ErrorState error={error} onRetry={refetch} />
  const opened = rows.find(({ id }) => id === openId)
  return (
    <>
      <ol className="rows" aria-label={title}>
        {rows.map((entry) => (
          <li key={entry.id}>
            <div>
              <p>
                <strong>{actionWords(entry.attributes.action)}</strong> <Subject of={entry} />
              </p>
              <p className="hint">
                {actorWords(entry.attributes.actor)}, <Time at={entry.attributes.at} />
                {entry.attributes.reason !== null && `: ${entry.attributes.reason}`}
              </p>
            </div>
            <Button variant="quiet" onPress={() => setOpenId(entry.id)}>
              Details
            </Button>
          </li>
        ))}
      </ol>
      {readMore !== undefined && (
        <div className="form-actions">
          <Button onPress={readMore}>Load older entries</Button>
        </div>
      )}
      {opened !== undefined && (
        <Dialog title={actionWords(opened.attributes.action)} isOpen onClose={() => setOpenId(null)}>
          <Json value={opened} label="The entry" />
        </Dialog>
      )}
    </>
  )
}

/** A link to the app that an entry in the history of an organization is about. */
function Subject({ of: { attributes } }: { readonly of: Entry }) {
  const { subject = '' } = attributes
  if (!subject.startsWith('app_')) return null
  return <Link to={`/apps/${subject}`}>{subject}</Link>
}

/** An action in words: `app.pii_approved` is "App PII approved". */
function actionWords(action: string): string {
  const words = action.replaceAll(/[._]/g, ' ').replace(/\bpii\b/, 'PII')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function actorWords({ type, name, id }: Entry['attributes']['actor']): string {
  const who = name ?? id ?? ''
  switch (type) {
    case 'member':
      return who === '' ? 'A person of the team' : who
    case 'key':
      return `The app’s key ${who}`
    case 'platform':
      return who === '' ? 'The platform' : `The platform: ${who}`
    case 'system':
      return 'Caused by another entry'
  }
}
