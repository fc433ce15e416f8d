import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Mode } from '../api/client.ts'
import { keysQuery } from '../api/queries.ts'
import { CopyText } from '../ui/copy.tsx'

type InstallLinkProps = { readonly appId: string; readonly mode: Mode }

/** The link by which a person who runs a company or a syndicate installs the app. It contains a key, because the key decides the mode. */
export function InstallLink({ appId, mode }: InstallLinkProps) {
  const { data: keys } = useQuery(keysQuery(appId))
  if (keys === undefined) return <>…</>
  const key = keys.find(({ attributes }) => attributes.mode === mode && attributes.status === 'active')
  if (key === undefined) {
    return (
      <Link to={`/apps/${appId}/keys`} search={{ mode }}>
        First create a key for {mode} mode
      </Link>
    )
  }
  return <CopyText value={`${location.origin}/apps/${key.id}/install`} label="Copy the link to install the app" />
}
