import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { client, read } from '../api/client.ts'
import { keysQuery } from '../api/queries.ts'
import { useAction } from '../api/use-action.ts'
import { Button, type ButtonVariant } from '../ui/button.tsx'
import { ActionError } from '../ui/error-state.tsx'

export const SANDBOX_COMPANY_WORDS =
  'You become the founder of a company in the sandbox, with an open offering and two investors, and install the app there.'

type InstallInSandboxProps = { readonly appId: string; readonly variant?: ButtonVariant }

/**
 * A button that creates a sandbox company with the person as its founder, unless they already have one, and opens the install page for
 * this company. On that page the person sees which scopes the app asks for, as every founder does.
 */
export function InstallInSandbox({ appId, variant = 'plain' }: InstallInSandboxProps) {
  const { data: keys } = useQuery(keysQuery(appId))
  const key = keys?.find(({ attributes }) => attributes.mode === 'test' && attributes.status === 'active')
  const creating = useAction({
    run: () => {
      const params = { path: { app_id: appId } }
      return read(client.POST('/portal/api/apps/{app_id}/sandbox/company', { params }))
    },
    changes: [],
    onResult: ({ data }) => location.assign(`/apps/${key?.id}/install?target=${data.id}`),
  })
  if (keys !== undefined && key === undefined) {
    return (
      <Link to={`/apps/${appId}/keys`} search={{ mode: 'test' }}>
        First create a key
      </Link>
    )
  }
  return (
    <span className="install-in-sandbox">
      <Button
        variant={variant}
        isDisabled={key === undefined || creating.isPending}
        onPress={() => creating.mutate(undefined)}
      >
        Install on a sandbox company
      </Button>
      <ActionError error={creating.error} />
    </span>
  )
}
