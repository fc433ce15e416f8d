import { useState } from 'react'
import { ApiFailure, client, read } from '../api/client.ts'
import { keysQuery } from '../api/queries.ts'
import { useAction } from '../api/use-action.ts'
import { useMode } from '../shell/place.ts'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy.tsx'
import { Dialog, SecretDialog } from '../ui/dialog.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { SelectField, TextField } from '../ui/field.tsx'

const TYPES = [
  { value: 'confidential', label: 'Confidential: a server that can keep a secret' },
  { value: 'public', label: 'Public: an app on phones or in browsers' },
] as const
type ClientType = (typeof TYPES)[number]['value']

type CreateKeyProps = {
  readonly appId: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onCreated: (keyId: string) => void
}

export function CreateKeyDialog({ appId, isOpen, onClose, onCreated }: CreateKeyProps) {
  const mode = useMode()
  const [name, setName] = useState('')
  const [type, setType] = useState<ClientType>('confidential')
  const [uris, setUris] = useState('')
  const [created, setCreated] = useState<{ readonly id: string; readonly secret: string } | null>(null)
  const finish = (id: string) => {
    setName('')
    setUris('')
    setCreated(null)
    onCreated(id)
  }
  const creating = useAction({
    run: () => {
      const redirect_uris = uris.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
      const body = { mode, name: name.trim(), client_type: type, redirect_uris }
      return read(client.POST('/portal/api/apps/{app_id}/keys', { params: { path: { app_id: appId } }, body }))
    },
    done: `The key ${name.trim()} is created`,
    changes: [keysQuery(appId).queryKey],
    onResult: ({ data, client_secret }) => {
      onClose()
      if (client_secret === null) finish(data.id)
      else setCreated({ id: data.id, secret: client_secret })
    },
  })
  const fields = creating.error instanceof ApiFailure ? creating.error.fieldErrors() : {}
  const wrongUris = Object.entries(fields).flatMap(([field, text]) => (field.startsWith('redirect_uris') ? [text] : []))
  const submit = () => {
    if (name.trim() !== '' && !creating.isPending) creating.mutate(undefined)
  }
  return (
    <>
      <Dialog
        title={`Create a key for ${mode} mode`}
        isOpen={isOpen}
        onClose={onClose}
        actions={
          <>
            <Button onPress={onClose}>Cancel</Button>
            <Button variant="primary" onPress={submit} isDisabled={name.trim() === '' || creating.isPending}>
              Create the key
            </Button>
          </>
        }
      >
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <TextField
            label="Name"
            hint="Name the place where the key is used. Only your team sees the name."
            value={name}
            onChange={setName}
            error={fields['name']}
            maxLength={80}
            autoFocus
          />
          <SelectField label="Type" value={type} onChange={(value) => setType(value as ClientType)} options={TYPES} />
          <TextField
            label="Redirect URIs"
            hint="One in each line. People return there after they consented. You can add them later."
            value={uris}
            onChange={setUris}
            error={wrongUris.length === 0 ? undefined : wrongUris.join('. ')}
            lines={2}
            mono
          />
          {Object.keys(fields).length === 0 && <ActionError error={creating.error} />}
        </form>
      </Dialog>
      <SecretDialog
        title="The secret of your new key"
        secret={created?.secret ?? null}
        onClose={() => created !== null && finish(created.id)}
      >
        <p>Store it where your server reads its settings, together with the client id:</p>
        <CopyText value={created?.id ?? ''} label="Copy the client id" />
      </SecretDialog>
    </>
  )
}
