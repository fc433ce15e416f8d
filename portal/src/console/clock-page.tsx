import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, type Mode, read } from '../api/client.ts'
import { queryClient } from '../api/queries.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Panel } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { exactTime, Time } from '../ui/time.tsx'
import { inMode, mayAct, useConsoleMode, useRole } from './operator.ts'
import { because, type Decision, DecisionDialog } from './reason.tsx'
import { StaffPage } from './staff-page.tsx'

const STEPS = [
  ['PT1H', '1 hour'],
  ['P1D', '1 day'],
  ['P7D', '7 days'],
  ['P30D', '30 days'],
] as const
const OTHER = 'other'
const OPTIONS = [...STEPS.map(([value, label]) => ({ value, label })), { value: OTHER, label: 'Another duration' }]

const clockQuery = queryOptions({
  queryKey: ['sandbox clock'],
  queryFn: async ({ signal }) => {
    const { data } = await read(client.GET('/platform/sandbox_clock', { signal }))
    return { ...data, aheadOfBrowserMs: Date.parse(data.now) - Date.now() }
  },
})

/** The current time of a world, for a request with times that the server compares with the time of the world. */
export async function worldNowMs(mode: Mode): Promise<number> {
  const aheadMs = mode === 'test' ? (await queryClient.fetchQuery(clockQuery)).aheadOfBrowserMs : 0
  return Date.now() + aheadMs
}

/**
 * Shows how long ago a time was, by the clock of the page's world. The clock of the test world may have moved since
 * the page read that clock, so a time that seems to be in the future is shown as an exact time.
 */
export function WorldTime({ at }: { readonly at: string }) {
  const mode = useConsoleMode()
  const { data } = useQuery({ ...clockQuery, enabled: mode === 'test' })
  const aheadMs = mode === 'test' ? data?.aheadOfBrowserMs : 0
  if (aheadMs === undefined || Date.parse(at) > Date.now() + aheadMs) return <time dateTime={at}>{exactTime(at)}</time>
  return <Time at={at} aheadMs={aheadMs} />
}

/** Shown above a list in test mode if the clock of the test world is ahead of the real time. */
export function WorldTimeHint() {
  const mode = useConsoleMode()
  const { data } = useQuery({ ...clockQuery, enabled: mode === 'test' })
  if (mode === 'live' || data === undefined || data.ahead_seconds === 0) return null
  return (
    <p className="hint">
      Times are those of the test world, whose clock is {aheadWords(data.ahead_seconds)} ahead. The clock shows{' '}
      <time dateTime={data.now}>{exactTime(data.now)}</time>.
    </p>
  )
}

/** Shows the clock of the test world and moves it forward. All partners share this clock, and it never moves back. */
export function ClockPage() {
  return (
    <StaffPage
      title="Sandbox clock"
      lead="The clock of the test world. Partners read it, and their deadlines and expiries follow it; only the platform moves it."
      least="viewer"
      what="the sandbox clock"
    >
      <Clock />
    </StaffPage>
  )
}

function Clock() {
  const role = useRole()
  const { data, error, refetch } = useQuery(clockQuery)
  if (data === undefined && error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={4} />
  return (
    <>
      <Panel title="The time in test mode">
        <dl className="facts">
          <div>
            <dt>Now</dt>
            <dd>
              <time dateTime={data.now}>{exactTime(data.now)}</time>
            </dd>
          </div>
          <div>
            <dt>Ahead of real time</dt>
            <dd>{data.ahead_seconds === 0 ? 'Not at all' : aheadWords(data.ahead_seconds)}</dd>
          </div>
        </dl>
      </Panel>
      {mayAct(role, 'support') ? (
        <AdvancePanel />
      ) : (
        <p className="notice">The role support, and every role above it, moves the clock.</p>
      )}
    </>
  )
}

const UNITS = [
  [86_400, 'day', 'days'],
  [3_600, 'hour', 'hours'],
  [60, 'minute', 'minutes'],
  [1, 'second', 'seconds'],
] as const

/** A duration in words: `90061` is "1 day, 1 hour, 1 minute, 1 second". */
function aheadWords(seconds: number): string {
  let left = seconds
  const parts = UNITS.flatMap(([size, one, many]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count === 0 ? [] : [`${count.toLocaleString('en')} ${count === 1 ? one : many}`]
  })
  return parts.join(', ')
}

function AdvancePanel() {
  const [step, setStep] = useState<string>('P1D')
  const [typed, setTyped] = useState('')
  const [isAsking, setAsking] = useState(false)
  const isOther = step === OTHER
  const advance = isOther ? typed.trim() : step
  const words = STEPS.find(([value]) => value === step)?.[1] ?? advance
  const moving = useAction({
    run: ({ why }: Decision) =>
      read(client.POST('/sandbox/clock', { headers: { ...because(why), ...inMode('test') }, body: { advance } })),
    done: 'The sandbox clock has moved',
    changes: [['sandbox clock']],
    onResult: () => setAsking(false),
  })
  return (
    <Panel
      title="Move the clock forward"
      hint="The clock moves for all partners at once. It never moves back, and is at most 3,650 days ahead of real time."
      danger
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          setAsking(true)
        }}
      >
        <SelectField label="By" value={step} onChange={setStep} options={OPTIONS} />
        {isOther && (
          <TextField
            label="Duration"
            hint="ISO 8601 in weeks, days, hours, minutes and seconds: P3D, PT30M."
            value={typed}
            onChange={setTyped}
            maxLength={60}
            mono
          />
        )}
        <div className="form-actions">
          <Button type="submit" variant="danger" isDisabled={advance === ''}>
            Move the clock
          </Button>
        </div>
      </form>
      {isAsking && (
        <DecisionDialog
          title={`Move the sandbox clock forward by ${words}?`}
          confirmLabel="Move the clock"
          isDangerous
          reasonHint="Partners do not see it."
          isPending={moving.isPending}
          error={moving.error}
          onConfirm={moving.mutate}
          onClose={() => {
            moving.reset()
            setAsking(false)
          }}
        >
          <p>
            Everything in test mode that is due until then becomes due at once: tokens expire, sessions and intents end,
            deliveries are retried. You cannot move the clock back.
          </p>
        </DecisionDialog>
      )}
    </Panel>
  )
}
