import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { requireUnchanged } from '../api/changed-meanwhile.ts'
import { client, read, type Schemas } from '../api/client.ts'
import { keysQuery } from '../api/queries.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy.tsx'
import { Dialog, SecretDialog } from '../ui/dialog.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { SelectField } from '../ui/field.tsx'
import { Panel } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'

type Key = Schemas['AppKey']
type SecretsPanelProps = { readonly appId: string; readonly appKey: Key }

const OVERLAPS = [
  { value: '3600', label: 'One hour' },
  { value: '86400', label: 'One day' },
  { value: '604800', label: 'One week' },
  { value: '0', label: 'No time: it stops at once' },
] as const

/** At most two secrets are valid: the current one, and the previous one until its overlap ends. */
export function SecretsPanel({ appId, appKey }: SecretsPanelProps) {
  const { name, secrets } = appKey.attributes
  const [opened, setOpened] = useState<Key | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const curl = `curl -u "${appKey.id}:$CLIENT_SECRET" ${location.origin}/oauth/token -d grant_type=client_credentials`
  return (
    <Panel
      title="Secrets"
      hint="We cannot show a secret again. Rotate it to get a new one. The old secret keeps working for the time that you choose."
      actions={<Button onPress={() => setOpened(appKey)}>Rotate the secret</Button>}
    >
      <ul className="rows">
        {secrets.toReversed().map(({ created_at, expires_at }) => (
          <li key={created_at}>
            <div>
              <strong>{expires_at === null ? 'Current secret' : 'Previous secret'}</strong>
              <p className="hint">
                Created <Time at={created_at} />
              </p>
            </div>
            <span>{expires_at === null ? 'Valid until you rotate it' : <Ending at={expires_at} />}</span>
          </li>
        ))}
      </ul>
      <p className="hint">Get a token of the app itself:</p>
      <CopyText value={curl} label="Copy the curl line" />
      {opened !== null && (
        <RotateDialog
          appId={appId}
          opened={opened}
          onClose={() => setOpened(null)}
          onRotated={(next) => {
            setOpened(null)
            setSecret(next)
          }}
        />
      )}
      <SecretDialog title={`The new secret of ${name}`} secret={secret} onClose={() => setSecret(null)}>
        <p>Replace the secret in your server’s settings now. The client id stays the same.</p>
      </SecretDialog>
    </Panel>
  )
}

function Ending({ at }: { readonly at: string }) {
  return (
    <>
      Ends <Time at={at} />
    </>
  )
}

type RotateDialogProps = {
  readonly appId: string
  /** The key as it was when the person opened the dialog. */
  readonly opened: Key
  readonly onClose: () => void
  readonly onRotated: (secret: string | null) => void
}

function RotateDialog({ appId, opened, onClose, onRotated }: RotateDialogProps) {
  const [overlap, setOverlap] = useState('86400')
  const queries = useQueryClient()
  const { name, secrets } = opened.attributes
  const rotating = useAction({
    run: async () => {
      // If another person has just rotated the secret, a second rotation would end the secret that the app’s servers use.
      const keys = await queries.fetchQuery({ ...keysQuery(appId), staleTime: 0 })
      requireUnchanged(`the secrets of ${name}`, secrets, keys.find(({ id }) => id === opened.id)?.attributes.secrets)
      const params = { path: { app_id: appId, key_id: opened.id } }
      const body = { overlap_seconds: Number(overlap) }
      return read(client.POST('/portal/api/apps/{app_id}/keys/{key_id}/rotate_secret', { params, body }))
    },
    done: `The secret of ${name} is rotated`,
    changes: [keysQuery(appId).queryKey],
    onResult: ({ client_secret }) => onRotated(client_secret),
  })
  return (
    <Dialog
      title={`Rotate the secret of ${name}?`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            variant={overlap === '0' ? 'danger' : 'primary'}
            onPress={() => rotating.mutate(undefined)}
            isDisabled={rotating.isPending}
          >
            Rotate the secret
          </Button>
        </>
      }
    >
      <p>
        You get a new secret. Both secrets work during the overlap, so nothing stops while you replace the current one.
      </p>
      <SelectField
        label="The current secret keeps working for"
        value={overlap}
        onChange={setOverlap}
        options={OVERLAPS}
      />
      {overlap === '0' && (
        <p className="notice danger">
          Requests with the current secret fail from now on, until your server has the new one.
        </p>
      )}
      {overlap !== '0' && secrets.length > 1 && (
        <p className="notice warning">Two secrets are valid now. The older one ends with this rotation.</p>
      )}
      <ActionError error={rotating.error} />
    </Dialog>
  )
}
