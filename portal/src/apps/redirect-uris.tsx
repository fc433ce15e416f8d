import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure, client, read, type Schemas } from '../api/client.ts'
import { keysQuery } from '../api/queries.ts'
import { useAction } from '../api/use-action.ts'
import { useMode } from '../shell/place.ts'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ActionError, ErrorState } from '../ui/error-state.tsx'
import { TextField } from '../ui/field.tsx'
import { Panel } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

type Key = Schemas['AppKey']

/** A redirect URI belongs to a key, and each key has one mode. */
export function RedirectUris({ appId }: { readonly appId: string }) {
  const mode = useMode()
  const { data, error, refetch } = useQuery(keysQuery(appId))
  const [edited, setEdited] = useState<Key | null>(null)
  const keys = data?.filter(({ attributes }) => attributes.mode === mode && attributes.status !== 'revoked')
  return (
    <Panel
      title="Redirect URIs"
      hint={`The addresses to which people return after they consented in ${mode} mode. Each key has its own.`}
    >
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {keys === undefined && error === null && <Skeleton />}
      {keys?.length === 0 && <p className="hint">This app has no key for {mode} mode yet.</p>}
      <ul className="rows">
        {keys?.map((key) => (
          <li key={key.id}>
            <div>
              <strong>{key.attributes.name}</strong>
              {key.attributes.redirect_uris.length === 0 && <p className="hint">This key has no redirect URI yet.</p>}
              {key.attributes.redirect_uris.map((uri) => (
                <CopyText key={uri} value={uri} label="Copy the redirect URI" />
              ))}
            </div>
            <Button onPress={() => setEdited(key)} aria-label={`Edit the redirect URIs of ${key.attributes.name}`}>
              Edit
            </Button>
          </li>
        ))}
      </ul>
      {edited !== null && <UrisDialog key={edited.id} appId={appId} edited={edited} onClose={() => setEdited(null)} />}
    </Panel>
  )
}

type UrisDialogProps = { readonly appId: string; readonly edited: Key; readonly onClose: () => void }

function UrisDialog({ appId, edited, onClose }: UrisDialogProps) {
  const [text, setText] = useState(edited.attributes.redirect_uris.join('\n'))
  const redirect_uris = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
  const saving = useAction({
    run: () => {
      const path = { app_id: appId, key_id: edited.id }
      const body = { redirect_uris }
      return read(client.PATCH('/portal/api/apps/{app_id}/keys/{key_id}', { params: { path }, body }))
    },
    done: 'The redirect URIs are saved',
    changes: [keysQuery(appId).queryKey],
    onDone: onClose,
  })
  const fields = saving.error instanceof ApiFailure ? Object.values(saving.error.fieldErrors()) : []
  return (
    <Dialog
      title={`Redirect URIs of ${edited.attributes.name}`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button variant="primary" onPress={() => saving.mutate(undefined)} isDisabled={saving.isPending}>
            Save
          </Button>
        </>
      }
    >
      <TextField
        label="One redirect URI in each line"
        hint="Use https, http on localhost, or a scheme of your own. A request must name the same URI exactly; on localhost its port may differ."
        value={text}
        onChange={setText}
        error={fields.length === 0 ? undefined : fields.join('. ')}
        lines={5}
        mono
      />
      {fields.length === 0 && <ActionError error={saving.error} />}
    </Dialog>
  )
}
