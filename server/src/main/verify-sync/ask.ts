import { setTimeout as wait } from 'node:timers/promises'

export type Row = { readonly id: string; readonly visible: boolean; readonly [field: string]: unknown }
export type Page = {
  readonly data: readonly Row[]
  readonly meta: {
    readonly mode: 'bootstrap' | 'delta'
    readonly has_more: boolean
    readonly next_cursor: string
  }
}

export type Api = { readonly baseUrl: string; readonly token: string; readonly company?: string }

const PER_PAGE = 100
const TRIES_MAX = 30
/** Where the server does not say how long, and at most where it does. */
const [WAIT_MS, WAIT_MAX_MS] = [1_000, 120_000]

/** A page, from the cursor or from the beginning. Null on 410: list again. Waits where the response asks for it, or nobody answers. */
export async function askForPage(api: Api, cursor: string | null): Promise<Page | null> {
  const query = new URLSearchParams({ per_page: String(PER_PAGE) })
  if (api.company !== undefined) query.set('company_id', api.company)
  if (cursor !== null) query.set('cursor', cursor)
  for (let tries = 1; ; tries++) {
    const answer = await send(`${api.baseUrl}/investments?${query}`, api.token)
    if (answer?.status === 200) return (await answer.json()) as Page
    if (answer?.status === 410) return null
    const isPassing = answer === null || answer.status === 429 || answer.status === 503
    if (!isPassing || tries === TRIES_MAX) throw new Error(await explain(answer))
    await wait(pauseMs(answer))
  }
}

async function send(url: string, token: string): Promise<Response | null> {
  try {
    return await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  } catch {
    return null
  }
}

/** As long as a proxy on the way says, or until the window of a limit ends: a 429 of ours has no Retry-After. */
function pauseMs(answer: Response | null): number {
  const told = (name: string) => Number(answer?.headers.get(name) ?? Number.NaN) * 1_000
  const ms = [told('retry-after'), told('x-ratelimit-reset') - Date.now()].find((wanted) => wanted >= 0)
  return Math.min(ms ?? WAIT_MS, WAIT_MAX_MS)
}

async function explain(answer: Response | null): Promise<string> {
  return answer === null
    ? 'The server cannot be reached.'
    : `The server answered ${answer.status}: ${await answer.text()}`
}
