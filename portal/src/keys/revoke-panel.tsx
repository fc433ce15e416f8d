import { useState } from 'react'
import { client, read, type Schemas } from '../api/client.ts'
import { keysQuery } from '../api/queries.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { Panel } from '../ui/page.tsx'
import { LastUsed } from './last-used.tsx'

type RevokePanelProps = { readonly appId: string; readonly appKey: Schemas['AppKey'] }

export function RevokePanel({ appId, appKey }: RevokePanelProps) {
  const { name, mode } = appKey.attributes
  const [isAsking, setAsking] = useState(false)
  const revoking = useAction({
    run: () => {
      const params = { path: { app_id: appId, key_id: appKey.id } }
      return read(client.POST('/portal/api/apps/{app_id}/keys/{key_id}/revoke', { params }))
    },
    done: `The key ${name} is revoked`,
    changes: [keysQuery(appId).queryKey],
    onDone: () => setAsking(false),
  })
  return (
    <Panel title="Revoke" danger>
      <ul className="rows">
        <li>
          <div>
            <strong>Revoke this key</strong>
            <p className="hint">The key and every token that was obtained with it stop working for good.</p>
          </div>
          <Button variant="danger" onPress={() => setAsking(true)}>
            Revoke
          </Button>
        </li>
      </ul>
      <ConfirmDialog
        title={`Revoke the key ${name}?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        typed={name}
        confirmLabel={`Revoke ${name}`}
        onConfirm={() => revoking.mutate(undefined)}
        isPending={revoking.isPending}
        error={<ActionError error={revoking.error} />}
      >
        <p>
          This ends the {mode} key {name}, its secrets, and every token that was obtained with it. You cannot undo this.
        </p>
        <p>
          Last used: <LastUsed appId={appId} keyId={appKey.id} createdAt={appKey.attributes.created_at} />
        </p>
      </ConfirmDialog>
    </Panel>
  )
}
