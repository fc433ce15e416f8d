import { useQuery } from '@tanstack/react-query'
import type { Mode } from '../api/client.ts'
import { keysQuery } from '../api/queries.ts'
import { CopyText } from '../ui/copy.tsx'

/**
 * A curl line for the first request of an app. It contains the client id of an active key, or a placeholder if no key
 * is active. A client id is not a secret.
 */
export function FirstRequest({ appId, mode }: { readonly appId: string; readonly mode: Mode }) {
  const { data: keys = [] } = useQuery(keysQuery(appId))
  const key = keys.find(({ attributes }) => attributes.mode === mode && attributes.status === 'active')
  const line = `curl "${location.origin}/explore" -H "Authorization: Bearer ${key?.id ?? 'YOUR_CLIENT_ID'}"`
  return <CopyText value={line} label="Copy the request" />
}
