import { setTimeout as wait } from 'node:timers/promises'
import { onDatabase } from '../database.ts'
import { cpuSeconds, postgresOf, residentMib } from '../processes.ts'
import type { Service } from '../service.ts'
import { makeDue, YEAR_WEEKS } from './fill.ts'

const POLL_MS = 20
const TOO_LONG_MS = 600_000

export type Publishing = {
  /** From the Monday on which the last week was due (`released_at`) until a poll found the week published. */
  readonly seconds: number
  readonly cohorts: number
  readonly beforeMib: number
  readonly mostMib: number
  readonly serverCpu: number
  readonly postgresCpu: number
}

/**
 * Measures how the service's own worker publishes a year of weeks with few credits, and then the last week, which has
 * the most credits.
 */
export async function measurePublishing(
  { pid }: Service,
  { url, dataDirectory }: { readonly url: string; readonly dataDirectory: string },
): Promise<Publishing> {
  return onDatabase(url, async (client) => {
    const published = async () => {
      const { rows } = await client.query<{ weeks: number }>('select count(*)::int as weeks from live.referral_weeks')
      return rows[0]?.weeks ?? 0
    }
    /** Returns how many seconds passed until this many weeks were published. */
    const until = async (weeks: number) => {
      for (const startedAt = performance.now(); performance.now() - startedAt < TOO_LONG_MS; await wait(POLL_MS)) {
        if ((await published()) >= weeks) return (performance.now() - startedAt) / 1_000
      }
      throw new Error(`${weeks} weeks were not published in time`)
    }
    const cpu = () => ({ server: cpuSeconds([pid]), postgres: cpuSeconds(postgresOf(dataDirectory)) })
    await makeDue(client)
    await until(YEAR_WEEKS)
    const [beforeMib, before] = [residentMib(pid), cpu()]
    let mostMib = beforeMib
    const watch = setInterval(() => {
      mostMib = Math.max(mostMib, residentMib(pid))
    }, POLL_MS)
    const seconds = await until(YEAR_WEEKS + 1)
    clearInterval(watch)
    const after = cpu()
    const { rows } = await client.query<{ cohorts: number }>(
      `select count(*)::int as cohorts from live.referral_cohorts
        where week = (select max(week) from live.referral_weeks)`,
    )
    return {
      ...{ seconds, beforeMib, mostMib, cohorts: rows[0]?.cohorts ?? 0 },
      serverCpu: after.server - before.server,
      postgresCpu: after.postgres - before.postgres,
    }
  })
}
