import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, type Mode, read, readAll, type Schemas } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { Panel } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'

type Duty = Schemas['AppRemovalDuty']
type State = Duty['attributes']['state']

const TONES: Readonly<Record<State, Tone>> = { overdue: 'danger', open: 'warning', confirmed: 'good' }
const DATA_WORDS = { investor_pii: 'investors’ data', user_data: 'the user’s data' } as const
const dataWords = ({ data }: Duty['attributes']) => data.map(({ kind }) => DATA_WORDS[kind]).join(' and ')

type RemovalDutiesProps = { readonly appId: string; readonly mode: Mode }

/** Lists the data that the app must delete because installations ended. Renders nothing if there is no such duty. */
export function RemovalDuties({ appId, mode }: RemovalDutiesProps) {
  const { data: duties } = useSuspenseQuery({
    queryKey: ['apps', appId, 'removal duties', mode],
    queryFn: ({ signal }) =>
      readAll((cursor) =>
        read(
          client.GET('/portal/api/apps/{app_id}/removal_duties', {
            signal,
            params: { path: { app_id: appId }, query: { mode, per_page: 100, ...(cursor && { cursor }) } },
          }),
        ),
      ),
  })
  if (duties.length === 0) return null
  return (
    <Panel
      title="Data to delete"
      hint="The usage conditions require the deletion as soon as the app loses access. The platform expects your confirmation within 30 days."
    >
      <ul className="rows" aria-label="Removal duties">
        {duties.map((duty) => (
          <DutyRow key={duty.id} appId={appId} duty={duty} />
        ))}
      </ul>
    </Panel>
  )
}

function DutyRow({ appId, duty }: { readonly appId: string; readonly duty: Duty }) {
  const { state, target, since, due_by, confirmed_at, confirmed_as } = duty.attributes
  const [isAsking, setAsking] = useState(false)
  const confirming = useAction({
    run: () => {
      const params = { path: { app_id: appId, duty_id: duty.id } }
      return read(client.POST('/portal/api/apps/{app_id}/removal_duties/{duty_id}/confirm', { params }))
    },
    done: 'The deletion is confirmed',
    changes: [
      ['apps', appId, 'removal duties'],
      ['apps', appId, 'history'],
    ],
    onDone: () => setAsking(false),
  })
  const what = dataWords(duty.attributes)
  return (
    <li>
      <div>
        <p>
          <Badge tone={TONES[state]}>{state}</Badge> {what} of <code>{target.id}</code>, since <Time at={since} />
        </p>
        <p className="hint">
          {confirmed_at === null ? (
            <>
              Expected by <Time at={due_by} />
            </>
          ) : (
            <>
              Confirmed by {confirmed_as === 'team' ? 'your team' : 'the platform'} <Time at={confirmed_at} />
            </>
          )}
        </p>
      </div>
      {confirmed_at === null && <Button onPress={() => setAsking(true)}>Confirm the deletion</Button>}
      <ConfirmDialog
        title="Confirm that the data is deleted?"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        confirmLabel="The data is deleted"
        onConfirm={() => confirming.mutate(undefined)}
        isPending={confirming.isPending}
        error={<ActionError error={confirming.error} />}
      >
        <p>
          You confirm for your organization that the app has deleted {what} of {target.id}, also from copies. The app’s
          history and the platform’s list show your confirmation. You cannot withdraw it.
        </p>
      </ConfirmDialog>
    </li>
  )
}
