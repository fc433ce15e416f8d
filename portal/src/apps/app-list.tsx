import { useSuspenseQuery } from '@tanstack/react-query'
import type { App } from '../api/client.ts'
import { appsQuery } from '../api/queries.ts'
import { StatusBadge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { CopyText } from '../ui/copy.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { AppLogo } from './app-logo.tsx'

const COLUMNS: readonly Column<App>[] = [
  {
    header: 'Name',
    cell: ({ attributes }) => (
      <span className="app-name">
        <AppLogo name={attributes.name} url={attributes.logo_url} />
        {attributes.name}
      </span>
    ),
  },
  { header: 'Status', cell: ({ attributes }) => <StatusBadge status={attributes.status} /> },
  { header: 'Organization', cell: ({ attributes }) => attributes.organization.name, wide: true },
  { header: 'App id', cell: ({ id }) => <CopyText value={id} label="Copy the app id" />, wide: true },
  { header: 'Scopes', cell: ({ attributes }) => attributes.scopes.length, align: 'end', wide: true },
  { header: 'Created', cell: ({ attributes }) => <Time at={attributes.created_at} />, wide: true },
]

const createButton = (
  <LinkButton to="/apps/new" variant="primary">
    Create an app
  </LinkButton>
)

export function AppListPage() {
  const { data: apps } = useSuspenseQuery(appsQuery)
  if (apps.length === 0) {
    return (
      <Page title="Apps">
        <EmptyState title="No apps yet" action={createButton}>
          An app has keys, scopes and webhooks. Begin in test mode: nothing there is real, and no money moves.
        </EmptyState>
      </Page>
    )
  }
  return (
    <Page title="Apps" actions={createButton}>
      <DataTable
        label="Your apps"
        rows={apps}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowTo={({ id }) => `/apps/${id}`}
      />
    </Page>
  )
}
