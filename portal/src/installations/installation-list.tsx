import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { App, Mode, Schemas } from '../api/client.ts'
import { appQuery, keysQuery } from '../api/queries.ts'
import { catalogueQuery, type PickerScope } from '../scopes/scope-queries.ts'
import { appCrumbs, useAppId, useMode } from '../shell/place.ts'
import { Badge, StatusBadge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { InstallInSandbox, SANDBOX_COMPANY_WORDS } from './install-in-sandbox.tsx'
import { InstallLink } from './install-link.tsx'
import { installationsQuery, targetName } from './installation-queries.ts'
import { RemovalDuties } from './removal-duties.tsx'

type Installation = Schemas['Installation']

const columnsFor = (declared: readonly PickerScope[]): readonly Column<Installation>[] => [
  { header: 'Where', cell: ({ target }) => targetName(target) },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { header: 'Kind', cell: ({ target }) => KINDS[target.type], wide: true },
  { header: 'Tier', cell: ({ tier }) => tier.charAt(0).toUpperCase() + tier.slice(1), wide: true },
  { header: 'Scopes', cell: (installation) => <ScopeCount of={installation} declared={declared} />, wide: true },
  { header: 'Installed', cell: ({ installed_at }) => <Time at={installed_at} />, wide: true },
]

/**
 * Shows how many scopes the installation has. If the app declares scopes for this kind of target that the installation lacks, shows how
 * many it lacks.
 */
function ScopeCount({ of, declared }: { readonly of: Installation; readonly declared: readonly PickerScope[] }) {
  const held = new Set(of.scopes)
  const lacking = declared.filter(
    ({ id, attributes }) => attributes.takes_effect_on.includes(of.target.type) && !held.has(id),
  )
  if (of.status !== 'active' || lacking.length === 0) return <>{of.scopes.length}</>
  return (
    <>
      {of.scopes.length} <Badge tone="warning">{lacking.length} missing</Badge>
    </>
  )
}

const KINDS: Readonly<Record<Installation['target']['type'], string>> = {
  company: 'Company',
  syndicate: 'Syndicate',
  user: 'User',
}

export function InstallationListPage() {
  const appId = useAppId() ?? ''
  const mode = useMode()
  const { data: app } = useSuspenseQuery(appQuery(appId))
  const { data: keys } = useSuspenseQuery(keysQuery(appId))
  const { data: catalogue } = useSuspenseQuery(catalogueQuery)
  const { data: installations } = useSuspenseQuery(installationsQuery(appId, mode))
  const key = keys.find(({ attributes }) => attributes.mode === mode && attributes.status === 'active')
  return (
    <Page
      title="Installations"
      crumbs={appCrumbs(app)}
      lead={`Companies, syndicates and users that your app is connected to in ${mode} mode. Revoked ones stay in the list for 30 days.`}
    >
      {installations.length === 0 ? (
        <EmptyState
          title={`Not installed in ${mode} mode yet`}
          action={
            key === undefined ? (
              <LinkButton to={`/apps/${appId}/keys`} variant="primary">
                Create a key
              </LinkButton>
            ) : app.attributes.scopes.length === 0 ? (
              <LinkButton to={`/apps/${appId}/scopes`} variant="primary">
                Choose scopes
              </LinkButton>
            ) : (
              <>
                {mode === 'test' && <InstallInSandbox appId={appId} variant="primary" />}
                <InstallLink appId={appId} mode={mode} />
              </>
            )
          }
        >
          {key === undefined ? (
            'First create a key. Then people who run a company or a syndicate install the app by a link.'
          ) : app.attributes.scopes.length === 0 ? (
            'First choose what the app may read and change: an app without scopes cannot be installed.'
          ) : (
            <WhoInstalls app={app} mode={mode} />
          )}
        </EmptyState>
      ) : (
        <>
          <DataTable
            label={`Installations in ${mode} mode`}
            rows={installations}
            columns={columnsFor(catalogue.filter(({ id }) => app.attributes.scopes.includes(id)))}
            rowKey={({ id }) => id}
            rowTo={({ id }) => `/apps/${appId}/installations/${id}`}
          />
          {key !== undefined && (
            <p className="hint">
              The link to install the app on a company or syndicate: <InstallLink appId={appId} mode={mode} />
            </p>
          )}
          {mode === 'test' && installations.every(({ status }) => status !== 'active') && (
            <InstallInSandbox appId={appId} />
          )}
        </>
      )}
      <RemovalDuties appId={appId} mode={mode} />
    </Page>
  )
}

/**
 * Says who can install the app. Without this text, a person outside of the team would learn only on the install page that they
 * cannot install it.
 */
function WhoInstalls({ app, mode }: { readonly app: App; readonly mode: Mode }) {
  if (mode === 'test') return <>{SANDBOX_COMPANY_WORDS} Other people of your team install the app by the link.</>
  if (app.attributes.approved_at === null) {
    return (
      <>
        Until the platform approves this app, only people of its team can install it. Invite a person who runs a company
        or a syndicate to <Link to="/team">your team</Link> and give them this link.
      </>
    )
  }
  return <>Give this link to a person who runs a company or a syndicate. Users connect when they consent.</>
}
