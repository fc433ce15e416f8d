import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { type App, client, read } from '../api/client.ts'
import { appQuery } from '../api/queries.ts'
import { InstallInSandbox, SANDBOX_COMPANY_WORDS } from '../installations/install-in-sandbox.tsx'
import { installationsQuery } from '../installations/installation-queries.ts'
import { chosenOf, useFilters } from '../shell/filters.ts'
import { appCrumbs, useAppId, useMode } from '../shell/place.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useKnownIds } from './known-ids.ts'
import { MoveList } from './move-list.tsx'
import { useLaterEvents, useRuns } from './play.ts'
import { RunList } from './run-list.tsx'
import './sandbox.css'
import { ScenarioPanel } from './scenario-panel.tsx'

/** Shows buttons for moves in the test world, and what each move caused. */
export function SandboxPage() {
  const appId = useAppId() ?? ''
  const { data: app } = useSuspenseQuery(appQuery(appId))
  const isLive = useMode() === 'live'
  return (
    <Page
      title="Sandbox"
      crumbs={appCrumbs(app)}
      lead="Make the moves that the platform and its people make in live mode: pay an investment, close an offering, let a session expire. Records and events are the same as in live mode."
    >
      {isLive ? (
        <EmptyState
          title="The sandbox is in test mode only"
          action={
            <LinkButton to="." search={{ mode: 'test' }} variant="primary">
              Switch to test mode
            </LinkButton>
          }
        >
          In live mode only the platform changes records. Nothing in the sandbox touches the live world.
        </EmptyState>
      ) : app.attributes.status === 'active' ? (
        <Playground app={app} />
      ) : (
        <EmptyState
          title={`This app is ${app.attributes.status}`}
          action={<LinkButton to={`/apps/${appId}/settings`}>Open the app’s settings</LinkButton>}
        >
          Only an active app can make moves and receive events.
        </EmptyState>
      )}
    </Page>
  )
}

const GROUPS = [
  ['scenarios', 'Scenarios'],
  ['investments', 'Investments'],
  ['offerings', 'Offerings'],
  ['users', 'People'],
  ['syndicates', 'Syndicates'],
  ['memberships', 'Memberships'],
  ['join_sessions', 'Join sessions'],
  ['investment_sessions', 'Investment sessions'],
] as const

function Playground({ app }: { readonly app: App }) {
  const { id: appId } = app
  const [filters] = useFilters()
  const { runs, run } = useRuns(appId)
  const { known, isLoading } = useKnownIds(appId, runs)
  const whyNoEvents = useWhyNoEvents(app)
  const outcome = useRef<HTMLDivElement>(null)
  useLaterEvents(appId, runs, whyNoEvents !== null)
  const names = GROUPS.map(([name]) => name)
  const chosen = chosenOf(names, filters['moves']) ?? 'scenarios'
  return (
    <div className="playground">
      <div className="playground-moves">
        <nav className="tabs wrap" aria-label="Moves">
          {GROUPS.map(([name, label]) => (
            <Link
              key={name}
              to="."
              search={(before: Record<string, unknown>) => ({ ...before, moves: name })}
              {...(name === chosen ? { 'aria-current': 'page' } : { 'aria-current': undefined })}
            >
              {label}
            </Link>
          ))}
        </nav>
        {isLoading ? (
          // Load the suggested ids first. Without them a person who presses a button immediately would get an error.
          <Skeleton lines={8} />
        ) : chosen === 'scenarios' ? (
          <ScenarioPanel run={run} known={known} />
        ) : (
          <MoveList key={chosen} group={chosen} run={run} known={known} />
        )}
      </div>
      {runs.length > 0 && (
        <div className="outcome-jump">
          <Button onPress={() => outcome.current?.scrollIntoView()}>See what happened</Button>
        </div>
      )}
      <div className="playground-outcome" ref={outcome}>
        <ClockPanel appId={appId} />
        <RunList appId={appId} runs={runs} whyNoEvents={whyNoEvents} />
      </div>
    </div>
  )
}

/**
 * Why the app gets no events yet, with a link to the page on which the person changes this. Null if the app gets events, or if its
 * installations are not loaded yet.
 */
function useWhyNoEvents({ id: appId, attributes: { scopes } }: App): ReactNode {
  // The installations are read again, because the person may just have installed the app.
  const { data: installations } = useQuery({ ...installationsQuery(appId, 'test'), staleTime: 0 })
  if (!scopes.includes('read:webhooks') && !scopes.includes('write:webhooks')) {
    return (
      <>
        This app receives no events: it does not declare <code>read:webhooks</code>.{' '}
        <Link to={`/apps/${appId}/scopes`}>Choose scopes</Link>
      </>
    )
  }
  if (installations === undefined || installations.some(({ status }) => status === 'active')) return null
  return (
    <>
      This app receives no events: it is not installed in test mode. {SANDBOX_COMPANY_WORDS}
      <br />
      <InstallInSandbox appId={appId} />
    </>
  )
}

const CLOCK_READ_EVERY_MS = 30_000

const clockQuery = (app_id: string) =>
  queryOptions({
    queryKey: ['apps', app_id, 'sandbox clock'],
    queryFn: async ({ signal }) =>
      (await read(client.GET('/portal/api/apps/{app_id}/sandbox/clock', { signal, params: { path: { app_id } } })))
        .data,
    refetchInterval: CLOCK_READ_EVERY_MS,
  })

const utc = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })

function ClockPanel({ appId }: { readonly appId: string }) {
  const { data: clock, error, refetch } = useQuery(clockQuery(appId))
  return (
    <Panel title="Clock" hint="All apps share the test world’s clock, so only the platform moves it.">
      {error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : clock === undefined ? (
        <Skeleton lines={2} />
      ) : (
        <dl className="facts">
          <div>
            <dt>Test world</dt>
            <dd>
              <time dateTime={clock.now}>{utc.format(new Date(clock.now))} UTC</time>
            </dd>
          </div>
          <div>
            <dt>Ahead by</dt>
            <dd>{aheadWords(clock.ahead_seconds)}</dd>
          </div>
        </dl>
      )}
    </Panel>
  )
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** A duration such as "3 days, 2 hours". */
function aheadWords(seconds: number): string {
  if (seconds === 0) return 'Not ahead'
  let rest = seconds
  const parts = UNITS.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest %= size
    return count === 0 ? [] : [`${count} ${unit}${count === 1 ? '' : 's'}`]
  })
  return parts.join(', ')
}
