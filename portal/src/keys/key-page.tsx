import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Schemas } from '../api/client.ts'
import { appQuery, keysQuery } from '../api/queries.ts'
import { appCrumbs, useAppId } from '../shell/place.ts'
import { StatusBadge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { CopyText } from '../ui/copy.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { LastUsed } from './last-used.tsx'
import { RevokePanel } from './revoke-panel.tsx'
import { SecretsPanel } from './secrets-panel.tsx'

export function KeyPage() {
  const appId = useAppId() ?? ''
  const { keyId = '' }: { keyId?: string } = useParams({ strict: false })
  const { data: app } = useSuspenseQuery(appQuery(appId))
  const { data: keys } = useSuspenseQuery(keysQuery(appId))
  const list = `/apps/${appId}/keys`
  const crumbs = [...appCrumbs(app), { label: 'Keys', to: list }]
  const key = keys.find(({ id }) => id === keyId)
  if (key === undefined) {
    return (
      <Page title="Not found" crumbs={crumbs}>
        <EmptyState title="This app has no such key" action={<LinkButton to={list}>All keys</LinkButton>}>
          Check the address.
        </EmptyState>
      </Page>
    )
  }
  const { name, status, client_type } = key.attributes
  return (
    <Page title={name} crumbs={crumbs} status={<StatusBadge status={status} />}>
      <FactsPanel appId={appId} appKey={key} />
      {client_type === 'confidential' && status !== 'revoked' && (
        <SecretsPanel key={keyId} appId={appId} appKey={key} />
      )}
      {status !== 'revoked' && <RevokePanel key={`revoke-${keyId}`} appId={appId} appKey={key} />}
    </Page>
  )
}

type FactsPanelProps = { readonly appId: string; readonly appKey: Schemas['AppKey'] }

function FactsPanel({ appId, appKey }: FactsPanelProps) {
  const { mode, client_type, created_at, revoked_at, redirect_uris } = appKey.attributes
  return (
    <Panel title="Key" actions={<LinkButton to={`/apps/${appId}/settings`}>Redirect URIs</LinkButton>}>
      <dl className="facts">
        <div>
          <dt>Client id</dt>
          <dd>
            <CopyText value={appKey.id} label="Copy the client id" />
          </dd>
        </div>
        <div>
          <dt>Mode</dt>
          <dd>{mode === 'test' ? 'Test' : 'Live'}</dd>
        </div>
        <div>
          <dt>Type</dt>
          <dd>{client_type === 'public' ? 'Public, without a secret' : 'Confidential'}</dd>
        </div>
        <div>
          <dt>Redirect URIs</dt>
          <dd>
            {redirect_uris.length === 0 && 'None yet'}
            {redirect_uris.map((uri) => (
              <CopyText key={uri} value={uri} label="Copy the redirect URI" />
            ))}
          </dd>
        </div>
        <div>
          <dt>Last used</dt>
          <dd>
            <LastUsed appId={appId} keyId={appKey.id} createdAt={appKey.attributes.created_at} />
          </dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd>
            <Time at={created_at} />
          </dd>
        </div>
        {revoked_at !== null && (
          <div>
            <dt>Revoked</dt>
            <dd>
              <Time at={revoked_at} />
            </dd>
          </div>
        )}
      </dl>
    </Panel>
  )
}
