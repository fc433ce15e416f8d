import { useState } from 'react'
import { client, read, type Schemas } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { Panel } from '../ui/page.tsx'
import { targetName } from './installation-queries.ts'

type RevokePanelProps = { readonly appId: string; readonly installation: Schemas['AppInstallation'] }

export function RevokePanel({ appId, installation }: RevokePanelProps) {
  const name = targetName(installation.target)
  const [isAsking, setAsking] = useState(false)
  const revoking = useAction({
    run: () => {
      const params = { path: { app_id: appId, id: installation.id } }
      return read(client.DELETE('/portal/api/apps/{app_id}/installations/{id}', { params }))
    },
    done: `The installation on ${name} is revoked`,
    changes: [['apps', appId, 'installations']],
    onDone: () => setAsking(false),
  })
  return (
    <Panel title="Revoke" danger>
      <ul className="rows">
        <li>
          <div>
            <strong>Revoke this installation</strong>
            <p className="hint">Its tokens stop at the next request and its webhooks are no longer sent.</p>
          </div>
          <Button variant="danger" onPress={() => setAsking(true)}>
            Revoke
          </Button>
        </li>
      </ul>
      <ConfirmDialog
        title={`Revoke the installation on ${name}?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        typed={name}
        confirmLabel={`Revoke ${name}`}
        onConfirm={() => revoking.mutate(undefined)}
        isPending={revoking.isPending}
        error={<ActionError error={revoking.error} />}
      >
        <p>
          This ends the {installation.mode} installation on {name} with {tokenWords(installation.valid_tokens)}. Its
          queued webhook deliveries are canceled. Only a person there can install the app again, as a new installation.
        </p>
        {(installation.scopes.includes('read:investors:pii') || installation.target.type === 'user') && (
          <p>
            Your app must then delete the personal data that it received. The app’s history lists the data and the date.
          </p>
        )}
      </ConfirmDialog>
    </Panel>
  )
}

const tokenWords = (count: number) => (count === 1 ? 'its one valid token' : `its ${count} valid tokens`)
