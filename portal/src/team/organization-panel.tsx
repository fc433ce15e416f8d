import { useState } from 'react'
import { ApiFailure, client, read } from '../api/client.ts'
import { appsQuery, meQuery } from '../api/queries.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { TextField } from '../ui/field.tsx'
import { Panel } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { type Organization, rolesManagedBy } from './team-queries.ts'

type OrganizationPanelProps = { readonly organization: Organization }

export function OrganizationPanel({ organization }: OrganizationPanelProps) {
  const { name, status, role, created_at } = organization.attributes
  const [isRenaming, setRenaming] = useState(false)
  const mayRename = status === 'active' && rolesManagedBy(role).length > 0
  return (
    <Panel
      title={name}
      actions={mayRename ? <Button onPress={() => setRenaming(true)}>Rename</Button> : undefined}
      hint="People see this name when they consent to one of your apps."
    >
      {status === 'ended' && (
        <p className="notice danger">The platform has ended this organization’s access. You can change nothing.</p>
      )}
      <dl className="facts">
        <div>
          <dt>Organization id</dt>
          <dd>
            <CopyText value={organization.id} label="Copy the organization id" />
          </dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd>
            <Time at={created_at} />
          </dd>
        </div>
      </dl>
      {isRenaming && <RenameDialog organization={organization} onClose={() => setRenaming(false)} />}
    </Panel>
  )
}

function RenameDialog({ organization, onClose }: OrganizationPanelProps & { readonly onClose: () => void }) {
  const [name, setName] = useState(organization.attributes.name)
  const renaming = useAction({
    run: () => {
      const params = { path: { organization_id: organization.id } }
      return read(client.PATCH('/portal/api/organizations/{organization_id}', { params, body: { name: name.trim() } }))
    },
    done: 'The organization is renamed',
    changes: [meQuery.queryKey, appsQuery.queryKey],
    onDone: onClose,
  })
  const fields = renaming.error instanceof ApiFailure ? renaming.error.fieldErrors() : {}
  return (
    <Dialog
      title="Rename the organization"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            variant="primary"
            onPress={() => renaming.mutate(undefined)}
            isDisabled={renaming.isPending || name.trim() === ''}
          >
            Rename
          </Button>
        </>
      }
    >
      <TextField label="Name" value={name} onChange={setName} error={fields['name']} maxLength={80} autoFocus />
      {Object.keys(fields).length === 0 && <ActionError error={renaming.error} />}
    </Dialog>
  )
}
