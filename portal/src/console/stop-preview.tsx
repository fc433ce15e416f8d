import { useQuery } from '@tanstack/react-query'
import { client, read, type Schemas } from '../api/client.ts'
import { ActionError } from '../ui/error-state.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

type Stopped = Schemas['StopPreview']['data']['attributes']['live']

/** The API counts at most this many queued deliveries. */
const DELIVERIES_MAX = 10_000

const countWords = (count: number) => count.toLocaleString('en')

const ROWS: readonly (readonly [label: string, words: (stopped: Stopped) => string])[] = [
  ['Access tokens', ({ tokens }) => countWords(tokens.access)],
  ['Refresh tokens', ({ tokens }) => countWords(tokens.refresh)],
  ['Installations', ({ installations }) => countWords(installations)],
  ['Webhook endpoints', ({ endpoints }) => countWords(endpoints)],
  [
    'Deliveries that wait',
    ({ deliveries }) => countWords(deliveries) + (deliveries >= DELIVERIES_MAX ? ' or more' : ''),
  ],
]

type StopPreviewProps = { readonly app: string } | { readonly organization: string }

/** Shows what will stop together with an app or a partner, in both modes. */
export function StopPreview(props: StopPreviewProps) {
  const id = 'app' in props ? props.app : props.organization
  const { data, error } = useQuery({
    queryKey: ['stop preview', id],
    queryFn: ({ signal }) =>
      'app' in props
        ? read(client.GET('/platform/apps/{app_id}/stop_preview', { signal, params: { path: { app_id: id } } }))
        : read(
            client.GET('/platform/organizations/{organization_id}/stop_preview', {
              signal,
              params: { path: { organization_id: id } },
            }),
          ),
    // The server counts again for each decision.
    staleTime: 0,
    gcTime: 0,
  })
  if (error !== null) {
    return (
      <>
        <p>The portal could not count what stops:</p>
        <ActionError error={error} />
      </>
    )
  }
  if (data === undefined) return <Skeleton lines={5} />
  const { apps, live, test, streams } = data.data.attributes
  return (
    <div className="stop-preview">
      <table>
        <caption>
          {'app' in props ? 'What stops' : `What stops, of ${apps.length} ${apps.length === 1 ? 'app' : 'apps'}`}
        </caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="unseen">What</span>
            </th>
            <th scope="col" className="end">
              Live
            </th>
            <th scope="col" className="end">
              Test
            </th>
          </tr>
        </thead>
        <tbody>
          {ROWS.map(([label, words]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td className="end">{words(live)}</td>
              <td className="end">{words(test)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {streams > 0 && (
        <p className="hint">
          {streams} open event {streams === 1 ? 'stream' : 'streams'} too.
        </p>
      )}
    </div>
  )
}
