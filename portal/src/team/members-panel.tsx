import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { requireUnchanged } from '../api/changed-meanwhile.ts'
import { client, read, type Schemas } from '../api/client.ts'
import { appsQuery, meQuery } from '../api/queries.ts'
import { useAction } from '../api/use-action.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx'
import { ActionError, ErrorState } from '../ui/error-state.tsx'
import { SelectField } from '../ui/field.tsx'
import { Panel } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import { membersQuery, type Organization, ROLE_NAMES, type Role, roleOptions, rolesManagedBy } from './team-queries.ts'

type Member = Schemas['Member']
type MembersPanelProps = { readonly organization: Organization; readonly myId: string }
type OpenDialog = { readonly member: Member; readonly about: 'role' | 'removal' }

export function MembersPanel({ organization, myId }: MembersPanelProps) {
  const { data: members, error, refetch } = useQuery(membersQuery(organization.id))
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const { role, status } = organization.attributes
  const hasEnded = status === 'ended'
  const managed = hasEnded ? [] : rolesManagedBy(role)
  return (
    <Panel title="Members" hint={hintOf(hasEnded, managed)}>
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {members === undefined && error === null && <Skeleton />}
      <ul className="rows">
        {members?.map((member) => (
          <li key={member.id} className="member">
            <div>
              <span className="member-name">
                <strong>{member.attributes.name}</strong>
                <Badge>{ROLE_NAMES[member.attributes.role]}</Badge>
                {member.id === myId && <Badge tone="good">You</Badge>}
              </span>
              <p className="hint">
                {member.attributes.email}, joined <Time at={member.attributes.joined_at} />
              </p>
            </div>
            <span className="member-actions">
              {managed.includes(member.attributes.role) && (
                <Button
                  onPress={() => setDialog({ member, about: 'role' })}
                  aria-label={`Change role of ${member.attributes.name}`}
                >
                  Change role
                </Button>
              )}
              {((member.id === myId && !hasEnded) || managed.includes(member.attributes.role)) && (
                <Button
                  onPress={() => setDialog({ member, about: 'removal' })}
                  aria-label={member.id === myId ? 'Leave the team' : `Remove ${member.attributes.name}`}
                >
                  {member.id === myId ? 'Leave' : 'Remove'}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {dialog?.about === 'role' && (
        <RoleDialog
          key={dialog.member.id}
          organization={organization}
          opened={dialog.member}
          roles={managed}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog?.about === 'removal' && (
        <RemoveDialog
          key={dialog.member.id}
          organization={organization}
          member={dialog.member}
          isMe={dialog.member.id === myId}
          onClose={() => setDialog(null)}
        />
      )}
    </Panel>
  )
}

function hintOf(hasEnded: boolean, managed: readonly Role[]): string | undefined {
  if (hasEnded) return 'The organization’s access has ended, so no one can change the team.'
  return managed.length === 0 ? 'Only owners and admins can change the team.' : undefined
}

type RoleDialogProps = {
  readonly organization: Organization
  /** The member as they were when the person opened the dialog. */
  readonly opened: Member
  readonly roles: readonly Role[]
  readonly onClose: () => void
}

function RoleDialog({ organization, opened, roles, onClose }: RoleDialogProps) {
  const queries = useQueryClient()
  const [role, setRole] = useState<Role>(opened.attributes.role)
  const { name } = opened.attributes
  const changing = useAction({
    run: async () => {
      const members = await queries.fetchQuery({ ...membersQuery(organization.id), staleTime: 0 })
      const current = members.find(({ id }) => id === opened.id)?.attributes.role
      requireUnchanged(`the role of ${name}`, opened.attributes.role, current)
      const params = { path: { organization_id: organization.id, account_id: opened.id } }
      const path = '/portal/api/organizations/{organization_id}/members/{account_id}'
      return read(client.PATCH(path, { params, body: { role } }))
    },
    done: `${name} is now ${ROLE_NAMES[role].toLowerCase()}`,
    changes: [membersQuery(organization.id).queryKey, meQuery.queryKey],
    onDone: onClose,
  })
  return (
    <Dialog
      title={`The role of ${name}`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            variant="primary"
            onPress={() => changing.mutate(undefined)}
            isDisabled={changing.isPending || role === opened.attributes.role}
          >
            Change the role
          </Button>
        </>
      }
    >
      <SelectField
        label="Role"
        value={role}
        onChange={(value) => setRole(value as Role)}
        options={roleOptions(roles)}
      />
      <ActionError error={changing.error} />
    </Dialog>
  )
}

type RemoveDialogProps = {
  readonly organization: Organization
  readonly member: Member
  readonly isMe: boolean
  readonly onClose: () => void
}

function RemoveDialog({ organization, member, isMe, onClose }: RemoveDialogProps) {
  const team = organization.attributes.name
  const { name, email } = member.attributes
  const removing = useAction({
    run: () => {
      const params = { path: { organization_id: organization.id, account_id: member.id } }
      return read(client.DELETE('/portal/api/organizations/{organization_id}/members/{account_id}', { params }))
    },
    done: isMe ? `You have left ${team}` : `${name} is removed`,
    changes: [membersQuery(organization.id).queryKey, meQuery.queryKey, appsQuery.queryKey],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={isMe ? `Leave ${team}?` : `Remove ${name} from ${team}?`}
      isOpen
      onClose={onClose}
      typed={isMe ? team : email}
      confirmLabel={isMe ? `Leave ${team}` : `Remove ${name}`}
      onConfirm={() => removing.mutate(undefined)}
      isPending={removing.isPending}
      error={<ActionError error={removing.error} />}
    >
      <p>
        {isMe ? 'You lose' : `${name} loses`} access to every app of {team} at once. Apps, keys and secrets do not
        change. {isMe ? 'Ask your team to rotate' : 'Rotate'} the secrets that {isMe ? 'you' : name} could see.
      </p>
    </ConfirmDialog>
  )
}
