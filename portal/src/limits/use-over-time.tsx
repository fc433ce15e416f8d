import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { client, type Mode, read, type Schemas } from '../api/client.ts'
import { limitWords } from '../api/limit-names.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { type Line, RANGES, type Range, Timeline } from '../ui/timeline.tsx'

type Use = Schemas['AppLimitUse']['attributes']['series'][number]
type Place = { readonly appId: string; readonly mode: Mode; readonly range: Range }

const READ_EVERY_MS = 30_000

const useQueryOf = ({ appId: app_id, mode, range }: Place) =>
  queryOptions({
    queryKey: ['apps', app_id, 'limits', 'usage', mode, RANGES[range].unit],
    queryFn: async ({ signal }) => {
      const params = { path: { app_id }, query: { mode, unit: RANGES[range].unit } }
      const { data } = await read(client.GET('/portal/api/apps/{app_id}/limits/usage', { signal, params }))
      return [...Map.groupBy(data.attributes.series, ({ name }) => name)]
    },
    refetchInterval: READ_EVERY_MS,
  })

/** A chart for each limit that the app used. */
export function UseOverTime(place: Place) {
  const { data, error, refetch } = useQuery(useQueryOf(place))
  if (data === undefined) {
    return error === null ? <Skeleton lines={4} /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  if (data.length === 0) {
    return <p className="hint">No token or key of this app was used in {place.mode} mode in this time.</p>
  }
  return (
    <div className="limit-charts">
      {data.map(([name, points]) => (
        <LimitChart key={name} name={name} points={points} range={place.range} />
      ))}
    </div>
  )
}

type LimitChartProps = { readonly name: Use['name']; readonly points: readonly Use[]; readonly range: Range }

function LimitChart({ name, points, range }: LimitChartProps) {
  const limit = points.at(-1)?.limit ?? 0
  const lines = useMemo(
    (): readonly Line<Use>[] => [
      { label: 'Most used in a window', of: (point) => point?.peak ?? 0 },
      { label: 'Limit', of: (point) => point?.limit ?? limit, tone: 'warning' },
      { label: 'Rejected requests', of: (point) => point?.rejected ?? 0, tone: 'danger' },
    ],
    [limit],
  )
  return (
    <section>
      <h3>
        {limitWords(name)[0]} <span className="hint">{limitWords(name)[1]}</span>
      </h3>
      <Timeline label={limitWords(name).join(' for ')} range={range} points={points} lines={lines} />
    </section>
  )
}
