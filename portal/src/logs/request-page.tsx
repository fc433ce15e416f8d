import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { client, read } from '../api/client.ts'
import { useAppId } from '../shell/place.ts'
import { Badge } from '../ui/badge.tsx'
import { CopyText } from '../ui/copy.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { StatusCode } from './status-code.tsx'

const requestQuery = (app_id: string, request_id: string) =>
  queryOptions({
    queryKey: ['apps', app_id, 'requests', request_id],
    queryFn: async ({ signal }) => {
      const params = { path: { app_id, request_id } }
      return (await read(client.GET('/portal/api/apps/{app_id}/requests/{request_id}', { signal, params }))).data
    },
  })

/** One API request. */
export function RequestPage() {
  const appId = useAppId() ?? ''
  const { requestId = '' }: { requestId?: string } = useParams({ strict: false })
  const { data: request } = useSuspenseQuery(requestQuery(appId, requestId))
  const { method, route, status, duration_ms, error_type, started_at, mode } = request.attributes
  const { kind, key_id, installation_id } = request.attributes.credential
  return (
    <Page
      title={`${method} ${route}`}
      crumbs={[{ label: 'Logs', to: `/apps/${appId}/logs` }]}
      status={<StatusCode status={status} />}
    >
      <Panel title="Request">
        <dl className="facts">
          <div>
            <dt>Request id</dt>
            <dd>
              <CopyText value={request.id} label="Copy the request id" />
            </dd>
          </div>
          <div>
            <dt>Error</dt>
            <dd>{error_type === null ? 'None' : <code>{error_type}</code>}</dd>
          </div>
          <div>
            <dt>Time</dt>
            <dd>
              <Time at={started_at} /> <span className="hint">{started_at}</span>
            </dd>
          </div>
          <div>
            <dt>Duration</dt>
            <dd>{duration_ms.toLocaleString('en')} ms</dd>
          </div>
          <div>
            <dt>Mode</dt>
            <dd>{mode === 'test' ? 'Test' : 'Live'}</dd>
          </div>
          <div>
            <dt>Credential</dt>
            <dd>
              <Badge>{kind.replaceAll('_', ' ')}</Badge>
            </dd>
          </div>
          <div>
            <dt>Key</dt>
            <dd>
              <CopyText value={key_id} label="Copy the key id" />
            </dd>
          </div>
          {installation_id !== null && (
            <div>
              <dt>Installation</dt>
              <dd>
                <CopyText value={installation_id} label="Copy the installation id" />
              </dd>
            </div>
          )}
        </dl>
        <p className="links">
          <Link to={`/apps/${appId}/logs`} search={{ route, method }}>
            Requests to this route
          </Link>
          <Link to={`/apps/${appId}/logs`} search={{ credential: installation_id ?? key_id }}>
            Requests with this credential
          </Link>
        </p>
      </Panel>
    </Page>
  )
}
