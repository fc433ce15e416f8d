import { useQuery } from '@tanstack/react-query'
import { client, read } from '../api/client.ts'
import { Time } from '../ui/time.tsx'

type LastUsedProps = { readonly appId: string; readonly keyId: string; readonly createdAt: string }

/** The time of the key's last request. The request log covers seven days, so an older use is unknown. */
export function LastUsed({ appId, keyId, createdAt }: LastUsedProps) {
  const { data, error } = useQuery({
    queryKey: ['apps', appId, 'last-used', keyId],
    queryFn: async ({ signal }) => {
      const params = { path: { app_id: appId }, query: { credential: keyId, per_page: 1 } }
      return (await read(client.GET('/portal/api/apps/{app_id}/requests', { signal, params }))).data
    },
  })
  if (error !== null) return <>Unknown</>
  if (data === undefined) return <>…</>
  const [newest] = data
  if (newest === undefined) {
    if (Date.now() - Date.parse(createdAt) < LOG_MS) return <>Never</>
    return <span title="The request log covers seven days.">Not in 7 days</span>
  }
  return <Time at={newest.attributes.started_at} />
}

const LOG_MS = 7 * 24 * 60 * 60_000
