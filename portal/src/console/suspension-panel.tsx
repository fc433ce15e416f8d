import { useState } from 'react'
import { type App, client, read } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Panel } from '../ui/page.tsx'
import { mayAct, PARTNER_CHANGES, type StaffRole } from './operator.ts'
import { because, type Decision, DecisionDialog } from './reason.tsx'
import { StopPreview } from './stop-preview.tsx'

type SuspensionPanelProps = { readonly app: App; readonly role: StaffRole }

/** Suspends an app, or lifts its suspension. */
export function SuspensionPanel({ app, role }: SuspensionPanelProps) {
  const { name, status } = app.attributes
  const [isAsking, setAsking] = useState(false)
  const isSuspended = status === 'suspended'
  const params = { path: { app_id: app.id } }
  const changing = useAction({
    run: ({ why, toTeam }: Decision) =>
      isSuspended
        ? read(client.POST('/platform/apps/{app_id}/lift', { params, headers: because(why) }))
        : read(
            client.POST('/platform/apps/{app_id}/suspend', { params, headers: because(why), body: { reason: toTeam } }),
          ),
    done: isSuspended ? `${name} works again` : `${name} is suspended`,
    changes: PARTNER_CHANGES,
    onResult: () => setAsking(false),
  })
  if (!mayAct(role, 'compliance') || status === 'ended') return null
  const close = () => {
    changing.reset()
    setAsking(false)
  }
  const common = { isPending: changing.isPending, error: changing.error, onConfirm: changing.mutate, onClose: close }
  return (
    <Panel title={isSuspended ? 'Lift the suspension' : 'Suspend'} danger={!isSuspended}>
      <ul className="rows">
        <li>
          <p className="hint">
            {isSuspended
              ? 'It works again as before, also with its tokens that have not expired.'
              : 'Its tokens are rejected from the next request on, nobody can sign in to it or install it, and its webhooks stop.'}
          </p>
          <Button variant={isSuspended ? 'plain' : 'danger'} onPress={() => setAsking(true)}>
            {isSuspended ? 'Lift the suspension' : 'Suspend the app'}
          </Button>
        </li>
      </ul>
      {isAsking && isSuspended && (
        <DecisionDialog {...common} title={`Let ${name} work again?`} confirmLabel="Lift the suspension">
          <p>It works again as before, also with its tokens that have not expired.</p>
        </DecisionDialog>
      )}
      {isAsking && !isSuspended && (
        <DecisionDialog
          {...common}
          title={`Suspend ${name}?`}
          confirmLabel={`Suspend ${name}`}
          isDangerous
          teamLabel="What the team has to know"
          typed={name}
        >
          <p>
            In both modes: its tokens are rejected from the next request on, nobody can sign in to it or install it, and
            its webhooks are not sent. Installations stay, and work again when you lift the suspension.
          </p>
          <StopPreview app={app.id} />
        </DecisionDialog>
      )}
    </Panel>
  )
}
