import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client, read } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog, SecretDialog } from '../ui/dialog.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { Panel } from '../ui/page.tsx'
import { type EndpointProps, webhooksKey } from './endpoint-queries.ts'
import { VerifySignature } from './verify-signature.tsx'

export function SecretPanel({ appId, endpoint }: EndpointProps) {
  const [secret, setSecret] = useState<string | null>(null)
  const params = { path: { app_id: appId, endpoint_id: endpoint.id } }
  const rotating = useAction({
    run: () => read(client.POST('/portal/api/apps/{app_id}/webhook_endpoints/{endpoint_id}/rotate_secret', { params })),
    changes: [webhooksKey(appId)],
    onResult: ({ data }) => setSecret(data.attributes.secret ?? null),
  })
  return (
    <Panel
      title="Signing secret"
      hint="A new secret is shown once. For 24 hours, deliveries are signed with both the new and the present secret: your endpoint can use either."
      actions={
        <Button onPress={() => rotating.mutate(undefined)} isDisabled={rotating.isPending}>
          Rotate the secret
        </Button>
      }
    >
      <ActionError error={rotating.error} />
      <VerifySignature />
      <SecretDialog
        title="The new signing secret"
        use={<VerifySignature />}
        secret={secret}
        onClose={() => setSecret(null)}
      >
        <p>Let your endpoint verify signatures with this secret within 24 hours.</p>
      </SecretDialog>
    </Panel>
  )
}

export function DeletionPanel({ appId, endpoint }: EndpointProps) {
  const { url, health } = endpoint.attributes
  const { host } = new URL(url)
  const [isAsking, setAsking] = useState(false)
  const navigate = useNavigate()
  const deleting = useAction({
    run: async () => {
      const params = { path: { app_id: appId, endpoint_id: endpoint.id } }
      await read(client.DELETE('/portal/api/apps/{app_id}/webhook_endpoints/{endpoint_id}', { params }))
      await navigate({ to: `/apps/${appId}/webhooks` })
    },
    done: `The endpoint at ${host} is deleted`,
    changes: [webhooksKey(appId)],
  })
  return (
    <Panel
      title="Delete this endpoint"
      danger
      actions={
        <Button variant="danger" onPress={() => setAsking(true)}>
          Delete
        </Button>
      }
    >
      <p className="hint">No event is sent to a deleted endpoint. You cannot undo this.</p>
      <ConfirmDialog
        title={`Delete the endpoint at ${host}?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        typed={host}
        confirmLabel="Delete the endpoint"
        onConfirm={() => deleting.mutate(undefined)}
        isPending={deleting.isPending}
        error={<ActionError error={deleting.error} />}
      >
        <p>
          This deletes the endpoint {url}
          {health.waiting > 0 && ` and cancels ${health.waiting.toLocaleString('en')} deliveries that wait for it`}. Its
          history of deliveries is no longer shown. You cannot undo this.
        </p>
      </ConfirmDialog>
    </Panel>
  )
}
