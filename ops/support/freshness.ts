import { setTimeout as wait } from 'node:timers/promises'
import { bearer, retryUntilAnswered, type Statuses } from './http.ts'
import type { Stage } from './stage.ts'
import type { Place } from './tokens.ts'

export type FreshnessLoad = {
  /** How many responses were checked for a change of the catalogue. */
  readonly checked: number
  readonly faults: readonly string[]
  /** Changes the company's tagline, and reads it at every process after the fact was acknowledged. */
  work(isOver: () => boolean): Promise<void>
}

const PAUSE_MS = 400

export function freshnessLoad(stage: Stage, places: readonly Place[], statuses: Statuses): FreshnessLoad {
  const { baseUrl, operatorKey, company, offering, client } = stage
  const basic = {
    authorization: `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')}`,
  }
  const faults: string[] = []
  let checked = 0

  async function token(isOver: () => boolean): Promise<string | null> {
    const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'read:public' })
    const reply = await retryUntilAnswered(statuses, `${baseUrl}/oauth/token`, { headers: basic, body }, isOver)
    if (reply === null) return null
    if (reply.status !== 200) throw new Error(`no token: ${reply.status} ${reply.text}`)
    return (JSON.parse(reply.text) as { access_token: string }).access_token
  }

  /** Changes the tagline, and resolves to whether the service acknowledged it. No other load changes this company. */
  async function change(tagline: string, isOver: () => boolean): Promise<boolean> {
    const data = { id: company, tagline }
    const fact = { id: crypto.randomUUID(), type: 'company.updated', occurred_at: new Date().toISOString(), data }
    const headers = { ...bearer(operatorKey), 'content-type': 'application/json' }
    const reply = await retryUntilAnswered(
      statuses,
      `${baseUrl}/platform/facts`,
      { headers, body: JSON.stringify([fact]) },
      isOver,
    )
    return reply?.status === 200
  }

  async function check(place: Place, path: string, { tagline, bearing }: { tagline: string; bearing: string }) {
    const headers = { ...bearer(bearing), 'x-forwarded-host': new URL(baseUrl).host }
    const reply = await retryUntilAnswered(statuses, place.url + path, { headers, timeoutMs: 4_000 })
    checked++
    const shown = reply?.status === 200 && reply.text.includes(`"${tagline}"`)
    if (!shown)
      faults.push(`${place.name}${path} does not show ${tagline}: ${reply?.status} ${reply?.text.slice(0, 300)}`)
  }

  return {
    faults,
    get checked() {
      return checked
    },
    work: async (isOver) => {
      for (let turn = 1; !isOver(); turn++) {
        const tagline = `Changed ${turn} times`
        const bearing = await token(isOver)
        if (bearing === null || !(await change(tagline, isOver))) continue
        const paths = [`/companies/${company}`, `/offerings/${offering}`]
        const shown = { tagline, bearing }
        await Promise.all(places.flatMap((place) => paths.map((path) => check(place, path, shown))))
        await wait(PAUSE_MS)
      }
    },
  }
}

/** How often the processes read from replicas since they were started, and how often the primary answered instead, by reason. */
export async function staleReads(places: readonly Place[]): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const { url } of places) {
    const text = await fetch(`${url}/metrics`).then((response) => response.text())
    for (const [, outcome = '', count] of text.matchAll(
      /^portico_stale_reads_total\{[^}]*outcome="(\w+)"[^}]*\} (\d+)/gm,
    ))
      counts.set(outcome, (counts.get(outcome) ?? 0) + Number(count))
  }
  return counts
}
