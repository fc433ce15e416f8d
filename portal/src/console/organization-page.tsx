import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { type App, client, read, type Schemas } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { usePages } from '../api/use-pages.ts'
import { StatusBadge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy.tsx'
import type { Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { EndlessTable } from '../ui/endless-table.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { HistoryPanel } from './history-panel.tsx'
import { mayAct, operatorQuery, organizationQuery, PARTNER_CHANGES } from './operator.ts'
import { because, type Decision, DecisionDialog } from './reason.tsx'
import { StopPreview } from './stop-preview.tsx'

type Organization = Schemas['Organization']

const COLUMNS: readonly Column<App>[] = [
  { header: 'App', cell: ({ attributes }) => attributes.name },
  { header: 'Status', cell: ({ attributes }) => <StatusBadge status={attributes.status} /> },
  { header: 'Approved', cell: ({ attributes }) => (attributes.approved_at === null ? 'No' : 'Yes'), wide: true },
  { header: 'Created', cell: ({ attributes }) => <Time at={attributes.created_at} />, wide: true },
]

/** Shows a partner: its apps, its history, and the action that ends the partnership. */
export function OrganizationPage() {
  const { organizationId = '' }: { organizationId?: string } = useParams({ strict: false })
  const { data: organization } = useSuspenseQuery(organizationQuery(organizationId))
  const { data: operator } = useSuspenseQuery(operatorQuery)
  const { name, status, created_at, ended_at } = organization.attributes
  const { role } = operator.attributes
  return (
    <Page title={name} crumbs={[{ label: 'Partners', to: '/partners' }]} status={<StatusBadge status={status} />}>
      <Panel title="The organization">
        <dl className="facts">
          <div>
            <dt>Organization id</dt>
            <dd>
              <CopyText value={organization.id} label="Copy the organization id" />
            </dd>
          </div>
          <div>
            <dt>Since</dt>
            <dd>
              <Time at={created_at} />
            </dd>
          </div>
          {ended_at !== null && (
            <div>
              <dt>Ended</dt>
              <dd>
                <Time at={ended_at} />
              </dd>
            </div>
          )}
        </dl>
      </Panel>
      <Apps key={`apps ${organization.id}`} organization={organization} />
      {mayAct(role, 'admin') && status === 'active' && (
        <EndPanel key={`end ${organization.id}`} organization={organization} />
      )}
      <HistoryPanel
        title="History of the organization"
        queryKey={['organization history', organization.id]}
        role={role}
        readPage={(page, headers, signal) =>
          read(
            client.GET('/platform/organizations/{organization_id}/history', {
              signal,
              headers,
              params: { path: { organization_id: organization.id }, query: page },
            }),
          )
        }
      />
    </Page>
  )
}

function Apps({ organization }: { readonly organization: Organization }) {
  const pages = usePages<App>({
    queryKey: ['partner', 'apps of', organization.id],
    readPage: (page, signal) =>
      read(client.GET('/platform/apps', { signal, params: { query: { organization_id: organization.id, ...page } } })),
  })
  return (
    <EndlessTable
      label="Apps of the organization"
      pages={pages}
      rows={pages.rows}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowTo={({ id }) => `/apps/${id}`}
      empty={<EmptyState title="No apps">The team has not created an app, or has deleted all of them.</EmptyState>}
    />
  )
}

function EndPanel({ organization }: { readonly organization: Organization }) {
  const { name } = organization.attributes
  const [isAsking, setAsking] = useState(false)
  const ending = useAction({
    run: ({ why, toTeam }: Decision) =>
      read(
        client.POST('/platform/organizations/{organization_id}/end', {
          headers: because(why),
          params: { path: { organization_id: organization.id } },
          body: { reason: toTeam },
        }),
      ),
    done: `The partnership with ${name} is ended`,
    changes: PARTNER_CHANGES,
    onResult: () => setAsking(false),
  })
  return (
    <Panel title="End the partnership" danger>
      <ul className="rows">
        <li>
          <p className="hint">All apps of {name} stop for good. This cannot be undone.</p>
          <Button variant="danger" onPress={() => setAsking(true)}>
            End the partnership
          </Button>
        </li>
      </ul>
      {isAsking && (
        <DecisionDialog
          title={`End the partnership with ${name}?`}
          confirmLabel={`End ${name}`}
          isDangerous
          teamLabel="What the team has to know"
          typed={name}
          isPending={ending.isPending}
          error={ending.error}
          onConfirm={ending.mutate}
          onClose={() => {
            ending.reset()
            setAsking(false)
          }}
        >
          <p>
            In both modes, all apps of {name} lose their tokens and installations for good, and their webhooks stop.
            This cannot be undone: to return, the partner would need a new organization with new apps.
          </p>
          <StopPreview organization={organization.id} />
        </DecisionDialog>
      )}
    </Panel>
  )
}
