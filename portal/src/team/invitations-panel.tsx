import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure, client, read, type Schemas } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ActionError, ErrorState } from '../ui/error-state.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Panel } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import {
  invitationsQuery,
  type Organization,
  ROLE_NAMES,
  type Role,
  roleOptions,
  rolesManagedBy,
} from './team-queries.ts'

type InvitationsPanelProps = { readonly organization: Organization }

export function InvitationsPanel({ organization }: InvitationsPanelProps) {
  const { data: invitations, error, refetch } = useQuery(invitationsQuery(organization.id))
  const [isInviting, setInviting] = useState(false)
  const { role, status } = organization.attributes
  const managed = status === 'active' ? rolesManagedBy(role) : []
  return (
    <Panel
      title="Open invitations"
      hint="A person joins the team when they accept. An invitation is valid for 14 days."
      actions={
        managed.length === 0 ? undefined : (
          <Button variant="primary" onPress={() => setInviting(true)}>
            Invite a person
          </Button>
        )
      }
    >
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {invitations === undefined && error === null && <Skeleton />}
      {invitations?.length === 0 && <p className="hint">No invitation is open.</p>}
      <ul className="rows">
        {invitations?.map((invitation) => (
          <li key={invitation.id}>
            <div>
              <strong>{invitation.attributes.email}</strong>
              <p className="hint">
                {ROLE_NAMES[invitation.attributes.role]}, expires <Time at={invitation.attributes.expires_at} />
              </p>
            </div>
            {managed.includes(invitation.attributes.role) && (
              <Withdrawal organization={organization} invitation={invitation} />
            )}
          </li>
        ))}
      </ul>
      {isInviting && <InviteDialog organization={organization} roles={managed} onClose={() => setInviting(false)} />}
    </Panel>
  )
}

type WithdrawalProps = InvitationsPanelProps & { readonly invitation: Schemas['TeamInvitation'] }

/** The button needs no confirmation, because the team can invite the person again. */
function Withdrawal({ organization, invitation }: WithdrawalProps) {
  const { email } = invitation.attributes
  const withdrawing = useAction({
    run: () => {
      const params = { path: { organization_id: organization.id, invitation_id: invitation.id } }
      return read(client.DELETE('/portal/api/organizations/{organization_id}/invitations/{invitation_id}', { params }))
    },
    done: `The invitation to ${email} was withdrawn`,
    changes: [invitationsQuery(organization.id).queryKey],
  })
  return (
    <span>
      <Button
        onPress={() => withdrawing.mutate(undefined)}
        isDisabled={withdrawing.isPending}
        aria-label={`Withdraw the invitation to ${email}`}
      >
        Withdraw
      </Button>
      <ActionError error={withdrawing.error} />
    </span>
  )
}

type InviteDialogProps = InvitationsPanelProps & { readonly roles: readonly Role[]; readonly onClose: () => void }

function InviteDialog({ organization, roles, onClose }: InviteDialogProps) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('developer')
  const inviting = useAction({
    run: () => {
      const params = { path: { organization_id: organization.id } }
      const body = { email: email.trim(), role }
      return read(client.POST('/portal/api/organizations/{organization_id}/members', { params, body }))
    },
    done: `${email.trim()} was invited`,
    changes: [invitationsQuery(organization.id).queryKey],
    onDone: onClose,
  })
  const fields = inviting.error instanceof ApiFailure ? inviting.error.fieldErrors() : {}
  return (
    <Dialog
      title={`Invite a person to ${organization.attributes.name}`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            variant="primary"
            onPress={() => inviting.mutate(undefined)}
            isDisabled={inviting.isPending || email.trim() === ''}
          >
            Invite
          </Button>
        </>
      }
    >
      <p>The person accepts on the Team page of this portal, signed in with this email address.</p>
      <TextField
        label="Email"
        hint="The address that the person signs in with."
        type="email"
        value={email}
        onChange={setEmail}
        error={fields['email']}
        autoFocus
      />
      <SelectField
        label="Role"
        value={role}
        onChange={(value) => setRole(value as Role)}
        options={roleOptions(roles)}
      />
      {Object.keys(fields).length === 0 && <ActionError error={inviting.error} />}
    </Dialog>
  )
}
