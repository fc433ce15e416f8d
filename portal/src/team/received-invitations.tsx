import { client, read, type Schemas } from '../api/client.ts'
import { appsQuery, meQuery } from '../api/queries.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { Panel } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { ROLE_NAMES } from './team-queries.ts'

type Received = Schemas['ReceivedInvitation']

export function ReceivedInvitations({ invitations }: { readonly invitations: readonly Received[] }) {
  if (invitations.length === 0) return null
  return (
    <Panel title="You are invited">
      <ul className="rows">
        {invitations.map((invitation) => (
          <li key={invitation.organization.id}>
            <InvitationRow invitation={invitation} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function InvitationRow({ invitation }: { readonly invitation: Received }) {
  const { organization, role, expires_at } = invitation
  const params = { path: { organization_id: organization.id } }
  const changes = [meQuery.queryKey, appsQuery.queryKey]
  const accepting = useAction({
    run: () => read(client.POST('/portal/api/invitations/{organization_id}/accept', { params })),
    done: `You are on the team of ${organization.name}`,
    changes,
  })
  const declining = useAction({
    run: () => read(client.POST('/portal/api/invitations/{organization_id}/decline', { params })),
    done: 'The invitation is declined',
    changes,
  })
  const isPending = accepting.isPending || declining.isPending
  return (
    <>
      <div>
        <strong>{organization.name}</strong>
        <p className="hint">
          Your role will be {ROLE_NAMES[role].toLowerCase()}. The invitation expires <Time at={expires_at} />.
        </p>
        <ActionError error={accepting.error ?? declining.error} />
      </div>
      <span className="member-actions">
        <Button onPress={() => declining.mutate(undefined)} isDisabled={isPending}>
          Decline
        </Button>
        <Button variant="primary" onPress={() => accepting.mutate(undefined)} isDisabled={isPending}>
          Accept
        </Button>
      </span>
    </>
  )
}
