import { useState } from 'react'
import { client, read } from '../api/client.ts'
import { EVENT_NAMES, type EventName } from '../api/event-names.ts'
import { useAction } from '../api/use-action.ts'
import { chosenOf } from '../shell/filters.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { SelectField } from '../ui/field.tsx'
import { Json } from '../ui/json.tsx'
import { Panel } from '../ui/page.tsx'
import { type EndpointProps, failureWords } from './endpoint-queries.ts'

export function TestPanel({ appId, endpoint }: EndpointProps) {
  const covered = EVENT_NAMES.filter((name) => isCovered(endpoint.attributes.events, name))
  const [event, setEvent] = useState<EventName | undefined>(covered[0])
  const testing = useAction({
    run: () => {
      const params = { path: { app_id: appId, endpoint_id: endpoint.id } }
      const body = event === undefined ? {} : { event }
      return read(client.POST('/portal/api/apps/{app_id}/webhook_endpoints/{endpoint_id}/test', { params, body }))
    },
    changes: [],
  })
  const result = testing.data
  return (
    <Panel title="Send a test" hint="A signed example, sent now. It is not recorded; ten a minute.">
      <div className="inline-form">
        <SelectField
          label="Event"
          value={event ?? ''}
          onChange={(name) => setEvent(chosenOf(EVENT_NAMES, name))}
          options={covered.map((name) => ({ value: name, label: name }))}
        />
        <Button onPress={() => testing.mutate(undefined)} isDisabled={testing.isPending}>
          {testing.isPending ? 'Sending' : 'Send the test'}
        </Button>
      </div>
      <ActionError error={testing.error} />
      {result !== undefined && !testing.isPending && (
        <div className="test-result" role="status">
          <p>
            <Badge tone={result.data.delivered ? 'good' : 'danger'}>
              {result.data.response_code ?? result.data.error ?? 'failed'}
            </Badge>{' '}
            {result.data.delivered
              ? `Delivered in ${result.data.duration_ms} ms.`
              : failureWords(result.data.response_code, result.data.error)}
          </p>
          {result.meta.note !== undefined && <p className="hint">{result.meta.note}</p>}
          <Json value={result.data.payload} label="What was sent" />
        </div>
      )}
    </Panel>
  )
}

const isCovered = (events: readonly string[], name: EventName) =>
  events.some((each) => each === '*' || each === name || (each.endsWith('.*') && name.startsWith(each.slice(0, -1))))
