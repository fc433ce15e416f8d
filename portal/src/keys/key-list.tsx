import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Schemas } from '../api/client.ts'
import { appQuery, keysQuery } from '../api/queries.ts'
import { useFilters } from '../shell/filters.ts'
import { appCrumbs, useAppId, useMode } from '../shell/place.ts'
import { StatusBadge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { CreateKeyDialog } from './create-key.tsx'
import { LastUsed } from './last-used.tsx'

type Key = Schemas['AppKey']

export function KeyListPage() {
  const appId = useAppId() ?? ''
  const mode = useMode()
  const navigate = useNavigate()
  const { data: app } = useSuspenseQuery(appQuery(appId))
  const { data: all } = useSuspenseQuery(keysQuery(appId))
  // The address says whether the dialog is open, so that the first steps can link to the open dialog.
  const [{ create }, change] = useFilters()
  const keys = all.filter(({ attributes }) => attributes.mode === mode)
  const createButton = (
    <Button variant="primary" onPress={() => change({ create: 'on' })}>
      Create a key
    </Button>
  )
  return (
    <Page
      title="Keys"
      crumbs={appCrumbs(app)}
      lead={`With a key your app identifies itself in ${mode} mode. A confidential key has a secret. A public key, for phones and browsers, has no secret.`}
      actions={keys.length > 0 ? createButton : undefined}
    >
      {keys.length === 0 ? (
        <EmptyState title={`No keys for ${mode} mode yet`} action={createButton}>
          Create a key to get a client id and a secret. {mode === 'test' && 'Nothing in test mode is real.'}
        </EmptyState>
      ) : (
        <DataTable
          label={`Keys for ${mode} mode`}
          rows={keys}
          columns={columnsFor(appId)}
          rowKey={({ id }) => id}
          rowTo={({ id }) => `/apps/${appId}/keys/${id}`}
        />
      )}
      <CreateKeyDialog
        appId={appId}
        isOpen={create !== undefined}
        onClose={() => change({ create: '' })}
        onCreated={(id) => void navigate({ to: `/apps/${appId}/keys/${id}` })}
      />
    </Page>
  )
}

const columnsFor = (appId: string): readonly Column<Key>[] => [
  { header: 'Name', cell: ({ attributes }) => attributes.name },
  { header: 'Status', cell: ({ attributes }) => <StatusBadge status={attributes.status} /> },
  { header: 'Client id', cell: ({ id }) => <CopyText value={id} label="Copy the client id" />, wide: true },
  { header: 'Type', cell: ({ attributes }) => typeWords(attributes), wide: true },
  {
    header: 'Last used',
    cell: ({ id, attributes }) => <LastUsed appId={appId} keyId={id} createdAt={attributes.created_at} />,
  },
  { header: 'Created', cell: ({ attributes }) => <Time at={attributes.created_at} />, wide: true },
]

function typeWords({ client_type, secrets }: Key['attributes']): string {
  if (client_type === 'public') return 'Public'
  return secrets.length > 1 ? 'Confidential, two secrets' : 'Confidential'
}
