import { useState } from 'react'
import { client, read } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { showToast } from '../ui/toast.tsx'
import type { DeliveryFilter } from './delivery-queries.ts'
import { webhooksKey } from './endpoint-queries.ts'

type RedeliverManyProps = {
  readonly appId: string
  readonly filter: DeliveryFilter
  /** The ids of the selected deliveries. */
  readonly chosen: ReadonlySet<string>
  readonly onDone: () => void
}

type Redelivered = { accepted: number; skipped: number }

/** The API accepts at most this many ids in one request. */
const IDS_MAX = 100

/** Buttons that send the selected deliveries again, or all deliveries that match the filters. */
export function RedeliverMany({ appId, filter, chosen, onDone }: RedeliverManyProps) {
  const [isAsking, setAsking] = useState(false)
  const redelivering = useAction({
    run: (ids: readonly string[] | null) => (ids === null ? sendFiltered(appId, filter) : sendChosen(appId, ids)),
    changes: [webhooksKey(appId)],
    onDone: (result) => {
      setAsking(false)
      showToast(resultWords(result))
      onDone()
    },
  })
  return (
    <div className="inline-form">
      <Button onPress={() => redelivering.mutate([...chosen])} isDisabled={chosen.size === 0 || redelivering.isPending}>
        {chosen.size === 0 ? 'Redeliver selected' : `Redeliver ${chosen.size} selected`}
      </Button>
      <Button onPress={() => setAsking(true)} isDisabled={redelivering.isPending}>
        Redeliver all of this list
      </Button>
      {!isAsking && <ActionError error={redelivering.error} />}
      <ConfirmDialog
        title="Redeliver all of this list?"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        confirmLabel="Redeliver all of this list"
        onConfirm={() => redelivering.mutate(null)}
        isPending={redelivering.isPending}
        error={<ActionError error={redelivering.error} />}
      >
        <p>
          Every delivery that matches the filters is sent again. This includes deliveries that the list has not loaded
          yet, and deliveries that succeeded. Your endpoint gets the same event ids again.
        </p>
      </ConfirmDialog>
    </div>
  )
}

export function resultWords({ accepted, skipped }: Redelivered): string {
  const sent = `${accepted.toLocaleString('en')} ${accepted === 1 ? 'delivery is' : 'deliveries are'} sent again`
  return skipped === 0 ? sent : `${sent}, ${skipped.toLocaleString('en')} cannot be sent again`
}

async function sendChosen(app_id: string, ids: readonly string[]): Promise<Redelivered> {
  const result: Redelivered = { accepted: 0, skipped: 0 }
  for (let at = 0; at < ids.length; at += IDS_MAX) {
    const body = { ids: ids.slice(at, at + IDS_MAX) }
    const params = { path: { app_id } }
    const { data } = await read(client.POST('/portal/api/apps/{app_id}/webhook_deliveries/redeliver', { params, body }))
    result.accepted += data.accepted
    result.skipped += data.skipped.length
  }
  return result
}

/**
 * Sends all deliveries that match the filter again, newest first. The new deliveries are newer than the cursor, so no later request
 * sends them again.
 */
export async function sendFiltered(app_id: string, filter: DeliveryFilter): Promise<Redelivered> {
  const result: Redelivered = { accepted: 0, skipped: 0 }
  const params = { path: { app_id } }
  let cursor: string | null = ''
  while (cursor !== null) {
    const body: { filter: DeliveryFilter; cursor?: string } = { filter, ...(cursor !== '' && { cursor }) }
    const { data, meta } = await read(
      client.POST('/portal/api/apps/{app_id}/webhook_deliveries/redeliver', { params, body }),
    )
    result.accepted += data.accepted
    result.skipped += data.skipped.length
    cursor = meta.has_more ? meta.next_cursor : null
  }
  return result
}
