import './webhooks.css'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure, client, read } from '../api/client.ts'
import type { Subscription } from '../api/event-names.ts'
import { useAction } from '../api/use-action.ts'
import { useAppId, useMode } from '../shell/place.ts'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy.tsx'
import { SecretDialog } from '../ui/dialog.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { TextField } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'
import { type Endpoint, webhooksKey } from './endpoint-queries.ts'
import { EventPicker } from './event-picker.tsx'
import { VerifySignature } from './verify-signature.tsx'

export function NewEndpointPage() {
  const appId = useAppId() ?? ''
  const mode = useMode()
  const navigate = useNavigate()
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<readonly Subscription[]>(['*'])
  const [installation, setInstallation] = useState('')
  const [created, setCreated] = useState<Endpoint | null>(null)
  const creating = useAction({
    run: async () => {
      const installation_id = installation.trim() === '' ? null : installation.trim()
      const body = { mode, url: url.trim(), events: [...events], installation_id }
      const params = { path: { app_id: appId } }
      return (await read(client.POST('/portal/api/apps/{app_id}/webhook_endpoints', { params, body }))).data
    },
    changes: [webhooksKey(appId)],
    onResult: setCreated,
  })
  const fields = creating.error instanceof ApiFailure ? creating.error.fieldErrors() : {}
  const isReady = url.trim() !== '' && events.length > 0
  return (
    <Page
      title="Add an endpoint"
      crumbs={[{ label: 'Webhooks', to: `/apps/${appId}/webhooks` }]}
      lead={`The endpoint is for ${mode} mode. To add one for ${mode === 'test' ? 'live' : 'test'} mode, switch the mode at the top of the page.`}
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) creating.mutate(undefined)
        }}
      >
        <TextField
          label="URL"
          hint={`A public https address.${mode === 'test' ? ' If this platform runs on your machine, it also accepts http://localhost:3000/webhooks.' : ''}`}
          type="url"
          value={url}
          onChange={setUrl}
          error={fields['url']}
          mono
        />
        {mode === 'test' && <FirstReceiver onUse={setUrl} />}
        <EventPicker value={events} onChange={setEvents} error={fields['events']} />
        <TextField
          label="Only for one installation (optional)"
          hint="The id of the installation. Without one, the endpoint receives the events of all installations of the app."
          value={installation}
          onChange={setInstallation}
          error={fields['installation_id']}
          mono
        />
        {Object.keys(fields).length === 0 && <ActionError error={creating.error} />}
        <div className="form-actions">
          <Button type="submit" variant="primary" isDisabled={!isReady || creating.isPending}>
            Add the endpoint
          </Button>
        </div>
      </form>
      <SecretDialog
        title="The signing secret"
        use={<VerifySignature />}
        secret={created?.attributes.secret ?? null}
        onClose={() => void navigate({ to: `/apps/${appId}/webhooks/${created?.id}` })}
      >
        <p>Your endpoint verifies the signature of each delivery with this secret.</p>
      </SecretDialog>
    </Page>
  )
}

const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)
const RECEIVER_URL = 'http://localhost:3000/webhooks'
const RECEIVER = `node -e "require('http').createServer((q, r) => q.on('end', () => r.end()).pipe(process.stdout)).listen(3000)"`
const FORWARDER = `npx portico listen --forward-to ${RECEIVER_URL}`

/** Help for a person who has no server yet, because the form needs the URL of a server. */
function FirstReceiver({ onUse }: { readonly onUse: (url: string) => void }) {
  if (!isLocal) {
    return (
      <details>
        <summary>No public server yet?</summary>
        <p className="hint">The command line forwards events to your machine, without an endpoint:</p>
        <CopyText value={FORWARDER} label="Copy the line" />
      </details>
    )
  }
  return (
    <details>
      <summary>No server yet?</summary>
      <p className="hint">
        Paste this line into a terminal. It starts a server that prints what it receives and answers 200:
      </p>
      <CopyText value={RECEIVER} label="Copy the line" />
      <Button variant="quiet" onPress={() => onUse(RECEIVER_URL)}>
        Use its URL
      </Button>
    </details>
  )
}
