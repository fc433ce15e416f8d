import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { Schemas } from '../api/client.ts'
import { appQuery } from '../api/queries.ts'
import { appCrumbs, useAppId } from '../shell/place.ts'
import { StatusBadge } from '../ui/badge.tsx'
import { CopyText } from '../ui/copy.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { InstallInSandbox } from './install-in-sandbox.tsx'
import { InstallLink } from './install-link.tsx'
import { installationQuery, targetName } from './installation-queries.ts'
import './installations.css'
import { RevokePanel } from './revoke-panel.tsx'
import { TokenPanel } from './token-panel.tsx'

type Installation = Schemas['AppInstallation']

export function InstallationPage() {
  const appId = useAppId() ?? ''
  const { installationId = '' }: { installationId?: string } = useParams({ strict: false })
  const { data: app } = useSuspenseQuery(appQuery(appId))
  const { data: installation } = useSuspenseQuery(installationQuery(appId, installationId))
  const crumbs = [...appCrumbs(app), { label: 'Installations', to: `/apps/${appId}/installations` }]
  return (
    <Page title={targetName(installation.target)} crumbs={crumbs} status={<StatusBadge status={installation.status} />}>
      <FactsPanel appId={appId} installation={installation} />
      <ScopesPanel appId={appId} installation={installation} />
      {installation.status === 'active' && installation.target.type !== 'user' && (
        <TokenPanel key={installation.id} appId={appId} installation={installation} />
      )}
      {installation.status === 'active' && (
        <RevokePanel key={`revoke-${installation.id}`} appId={appId} installation={installation} />
      )}
    </Page>
  )
}

const roleWords = (role: string) => role.charAt(0).toUpperCase() + role.slice(1)

function FactsPanel({ appId, installation }: { readonly appId: string; readonly installation: Installation }) {
  const facts: readonly (readonly [label: string, value: React.ReactNode])[] = [
    ['Installation', <CopyText key="id" value={installation.id} label="Copy the installation id" />],
    [
      roleWords(installation.target.type),
      <CopyText key="target" value={installation.target.id} label="Copy the target id" />,
    ],
    ['Mode', installation.mode === 'test' ? 'Test' : 'Live'],
    ['Tier', roleWords(installation.tier)],
    ['Installed', <Event key="made" at={installation.installed_at} role={installation.installed_by.role} />],
    ['Valid tokens', installation.valid_tokens],
    ['Last used', installation.last_used_at === null ? 'Never' : <Time key="used" at={installation.last_used_at} />],
  ]
  return (
    <Panel title="Installation">
      <dl className="facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {installation.revoked_at !== undefined && (
          <div>
            <dt>Revoked</dt>
            <dd>
              <Event at={installation.revoked_at} role={installation.revoked_by?.role ?? ''} />
            </dd>
          </div>
        )}
      </dl>
      {installation.status === 'active' && (
        <p className="links">
          {installation.target.type !== 'syndicate' && (
            <Link to={`/apps/${appId}/sync`} search={{ installation: installation.id }}>
              What its sync returns
            </Link>
          )}
          <Link to={`/apps/${appId}/logs`} search={{ credential: installation.id }}>
            Requests with its tokens
          </Link>
        </p>
      )}
    </Panel>
  )
}

function Event({ at, role }: { readonly at: string; readonly role: string }) {
  return (
    <>
      <Time at={at} /> {role !== '' && `by ${role}`}
    </>
  )
}

/**
 * Lists the requested scopes, then other granted scopes. Next to a missing scope the panel says why it is missing, and
 * what to do.
 */
function ScopesPanel({ appId, installation }: { readonly appId: string; readonly installation: Installation }) {
  const missing = new Map(installation.missing_scopes.map((each) => [each.scope, each]))
  const granted = new Set(installation.scopes)
  const names = [
    ...installation.requested_scopes,
    ...installation.scopes.filter((scope) => !installation.requested_scopes.includes(scope)),
  ]
  const total = names.filter((name) => granted.has(name)).length
  return (
    <Panel
      title="Scopes"
      hint={`${total} of these ${names.length} scopes ${installation.status === 'active' ? 'are' : 'were'} granted.`}
    >
      <ul className="rows">
        {names.map((name) => {
          const reason = missing.get(name)
          return (
            <li key={name}>
              <div>
                <code>{name}</code>
                {reason !== undefined && (
                  <p className="hint">
                    {REASONS[reason.reason]} {reason.remedy}
                  </p>
                )}
              </div>
              <span className={granted.has(name) ? 'scope-granted' : 'scope-missing'}>
                {granted.has(name) ? 'Granted' : 'Missing'}
              </span>
            </li>
          )
        })}
      </ul>
      {total < names.length && installation.target.type !== 'user' && (
        <p className="hint">
          {installation.status === 'active'
            ? 'To grant more scopes, a person there removes the app, or you revoke the installation below. Then the person installs the app again by this link'
            : 'The link to install the app again'}
          : <InstallLink appId={appId} mode={installation.mode} />
        </p>
      )}
      {installation.status !== 'active' && installation.mode === 'test' && installation.target.type === 'company' && (
        <InstallInSandbox appId={appId} />
      )}
    </Panel>
  )
}

type Reason = Installation['missing_scopes'][number]['reason']

const REASONS: Readonly<Record<Reason, string>> = {
  removed: 'Your app no longer asks for this scope: it was removed after this installation was made.',
  program_pending: 'The platform has not granted the program that this scope belongs to.',
  pii_not_approved: 'The app is not approved for investor PII.',
  tier_without_writes: 'A person of this tier cannot grant this scope.',
  founder_only: 'Only a founder can grant this scope.',
  must_be_listed: 'People grant this scope only if the request lists it.',
  not_for_installations: 'Only the app’s own credentials can have this scope.',
  retired: 'Another scope replaced this one.',
  not_consented: 'The person has not granted this scope: the app declared it later, or the person left it out.',
}
