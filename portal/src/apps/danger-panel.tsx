import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type App, client, read } from '../api/client.ts'
import { appsQuery } from '../api/queries.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { Panel } from '../ui/page.tsx'

type DangerPanelProps = { readonly app: App; readonly mayManage: boolean }

/**
 * Lets owners and admins disable and enable the app. They can delete it if it was never approved, was never installed, has
 * issued no live token and is not suspended.
 */
export function DangerPanel({ app, mayManage }: DangerPanelProps) {
  if (!mayManage) {
    return (
      <Panel title="Disable or delete">
        <p className="hint">Owners and admins of {app.attributes.organization.name} can disable and delete this app.</p>
      </Panel>
    )
  }
  return (
    <Panel title="Disable or delete" danger>
      <ul className="rows">
        <li>
          <Disabling app={app} />
        </li>
        <li>
          <Deletion app={app} />
        </li>
      </ul>
    </Panel>
  )
}

function Disabling({ app }: { readonly app: App }) {
  const { name, status } = app.attributes
  const [isAsking, setAsking] = useState(false)
  const params = { path: { app_id: app.id } }
  const changes = [appsQuery.queryKey]
  const disabling = useAction({
    run: () => read(client.POST('/portal/api/apps/{app_id}/disable', { params })),
    done: `${name} is disabled`,
    changes,
    onDone: () => setAsking(false),
  })
  const enabling = useAction({
    run: () => read(client.POST('/portal/api/apps/{app_id}/enable', { params })),
    done: `${name} is enabled`,
    changes,
  })
  if (status === 'disabled') {
    return (
      <>
        <div>
          <strong>Enable this app</strong>
          <p className="hint">New tokens can be issued again. Earlier tokens stay invalid.</p>
          <ActionError error={enabling.error} />
        </div>
        <Button onPress={() => enabling.mutate(undefined)} isDisabled={enabling.isPending}>
          Enable
        </Button>
      </>
    )
  }
  return (
    <>
      <div>
        <strong>Disable this app</strong>
        <p className="hint">Every token of the app stops working for good. You can enable the app again.</p>
      </div>
      <Button variant="danger" onPress={() => setAsking(true)} isDisabled={status !== 'active'}>
        Disable
      </Button>
      <ConfirmDialog
        title={`Disable ${name}?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        confirmLabel={`Disable ${name}`}
        onConfirm={() => disabling.mutate(undefined)}
        isPending={disabling.isPending}
        error={<ActionError error={disabling.error} />}
      >
        <p>Every token of this app, in test and in live mode, stops working now and for good.</p>
        <p>People keep their connections. The app needs new tokens after you enable it again.</p>
      </ConfirmDialog>
    </>
  )
}

function Deletion({ app }: { readonly app: App }) {
  const { name, deletable, status } = app.attributes
  const [isAsking, setAsking] = useState(false)
  const navigate = useNavigate()
  const deleting = useAction({
    run: async () => {
      const params = { path: { app_id: app.id } }
      await read(client.DELETE('/portal/api/apps/{app_id}', { params, body: { name } }))
      await navigate({ to: '/apps' })
    },
    done: `${name} is deleted`,
    changes: [appsQuery.queryKey],
  })
  return (
    <>
      <div>
        <strong>Delete this app</strong>
        <p className="hint">
          {deletable
            ? 'Its keys, settings and test connections are deleted for good.'
            : `An app that was approved, was installed, has issued a live token or is suspended cannot be deleted.${status === 'active' ? ' Disable it instead.' : ''}`}
        </p>
      </div>
      <Button variant="danger" onPress={() => setAsking(true)} isDisabled={!deletable}>
        Delete
      </Button>
      <ConfirmDialog
        title={`Delete ${name}?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        typed={name}
        confirmLabel={`Delete ${name}`}
        onConfirm={() => deleting.mutate(undefined)}
        isPending={deleting.isPending}
        error={<ActionError error={deleting.error} />}
      >
        <p>
          This deletes the app {name} with its keys and settings, and ends the connections that people made in test
          mode. You cannot undo this.
        </p>
      </ConfirmDialog>
    </>
  )
}
