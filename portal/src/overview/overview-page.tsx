import './overview.css'
import { useSuspenseQuery } from '@tanstack/react-query'
import { appQuery } from '../api/queries.ts'
import { useAppId, useMode } from '../shell/place.ts'
import { StatusBadge } from '../ui/badge.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { RangeFilter, useRange } from '../ui/range-filter.tsx'
import { ActivityCharts } from './activity-charts.tsx'
import { AttentionList } from './attention-list.tsx'
import { FirstSteps } from './first-steps.tsx'
import { overviewQuery, useOverviewUpdates } from './overview-query.ts'

/** Shows what needs attention, the first steps, and the activity of the chosen range. */
export function OverviewPage() {
  const appId = useAppId() ?? ''
  const mode = useMode()
  const { data: app } = useSuspenseQuery(appQuery(appId))
  const { data: overview } = useSuspenseQuery(overviewQuery(appId, mode))
  const [range, changeRange] = useRange()
  const { attention, first_steps: steps } = overview.attributes
  useOverviewUpdates(appId, mode, steps)
  const isNew = steps.some(({ done }) => !done)
  return (
    <Page
      title={app.attributes.name}
      crumbs={[{ label: 'Apps', to: '/apps' }]}
      status={<StatusBadge status={app.attributes.status} />}
      actions={<RangeFilter value={range} onChange={changeRange} />}
    >
      {(attention.length > 0 || !isNew) && (
        <Panel title="Needs attention">
          <AttentionList appId={appId} items={attention} />
        </Panel>
      )}
      {isNew && <FirstSteps appId={appId} mode={mode} steps={steps} />}
      <ActivityCharts appId={appId} mode={mode} range={range} />
    </Page>
  )
}
