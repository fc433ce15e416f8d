import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type App, client, read } from '../api/client.ts'
import { StatusBadge } from '../ui/badge.tsx'
import { CopyText } from '../ui/copy.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { ApprovalsPanel } from './approvals-panel.tsx'
import { HistoryPanel } from './history-panel.tsx'
import { consoleAppQuery, operatorQuery } from './operator.ts'
import { SuspensionPanel } from './suspension-panel.tsx'

/** Shows an app to the platform's staff: its approvals and open requests, its data, its suspension and its history. */
export function AppPage() {
  const { appId = '' }: { appId?: string } = useParams({ strict: false })
  const { data: app } = useSuspenseQuery(consoleAppQuery(appId))
  const { data: operator } = useSuspenseQuery(operatorQuery)
  const { name, organization, status } = app.attributes
  const { role } = operator.attributes
  const crumbs = [
    { label: 'Partners', to: '/partners' },
    { label: organization.name, to: `/organizations/${organization.id}` },
  ]
  return (
    <Page title={name} crumbs={crumbs} status={<StatusBadge status={status} />}>
      {status === 'suspended' && (
        <p className="notice warning">
          Suspended {app.attributes.suspended_at !== null && <Time at={app.attributes.suspended_at} />}:{' '}
          {app.attributes.suspended_reason}
        </p>
      )}
      <ApprovalsPanel key={`approvals ${app.id}`} app={app} role={role} />
      <FactsPanel app={app} />
      <SuspensionPanel key={`suspension ${app.id}`} app={app} role={role} />
      <HistoryPanel
        title="History of the app"
        queryKey={['app history', app.id]}
        role={role}
        readPage={(page, headers, signal) =>
          read(
            client.GET('/platform/apps/{app_id}/history', {
              signal,
              headers,
              params: { path: { app_id: app.id }, query: page },
            }),
          )
        }
      />
    </Page>
  )
}

function FactsPanel({ app }: { readonly app: App }) {
  const { organization, description, website_url, setup_url, scopes, conditions, created_at } = app.attributes
  const facts: readonly (readonly [label: string, value: React.ReactNode])[] = [
    ['App id', <CopyText key="id" value={app.id} label="Copy the app id" />],
    [
      'Organization',
      <Link key="organization" to={`/organizations/${organization.id}`}>
        {organization.name}
      </Link>,
    ],
    ['Description', description ?? 'None'],
    ['Website', website_url ?? 'None'],
    ['Setup URL', setup_url ?? 'None'],
    ['Scopes', scopes.length === 0 ? 'None' : scopes.join(', ')],
    [
      'Usage conditions',
      `Version ${conditions.version}${conditions.newer === null ? '' : `; has not accepted version ${conditions.newer.version}`}`,
    ],
    ['Created', <Time key="created" at={created_at} />],
  ]
  return (
    <Panel title="The app">
      <dl className="facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
