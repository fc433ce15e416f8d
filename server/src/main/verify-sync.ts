import { setTimeout as wait } from 'node:timers/promises'

export type VerifySettings = Api & { readonly seconds: number }

const SYNC_EVERY_MS = 1_000
/** Both copies move on while they are compared: what differs only now and then is on its way. */
const COMPARISONS = 5

/** Says whether a copy kept by sync is what a new listing gives, and what is not. */
export async function verifySync({ seconds, ...api }: VerifySettings, say: (line: string) => void): Promise<boolean> {
  const kept = emptyCopy()
  await bringUpToDate(api, kept)
  say(`Listed ${kept.records.size} investments. Syncing for ${seconds} s.`)
  const until = performance.now() + seconds * 1_000
  while (performance.now() < until) {
    await wait(Math.min(SYNC_EVERY_MS, Math.max(0, until - performance.now())))
    await bringUpToDate(api, kept)
  }
  const { pages, changes, tombstones, listings } = kept.seen
  say(`${changes} changes (${tombstones} of them tombstones) on ${pages} pages; listed ${listings} time(s).`)
  const fresh = emptyCopy()
  const wrong = await compareRepeatedly(api, kept, fresh)
  for (const id of wrong) tell(say, id, { kept, fresh })
  const agrees = wrong.size === 0
  say(agrees ? `The copy agrees with a new listing of ${fresh.records.size}.` : `${wrong.size} records differ.`)
  return agrees
}

async function compareRepeatedly(api: Api, kept: Copy, fresh: Copy): Promise<Set<string>> {
  const once = async () => {
    await bringUpToDate(api, fresh)
    await bringUpToDate(api, kept)
    await bringUpToDate(api, fresh)
    return differing(kept, fresh)
  }
  let wrong = await once()
  for (let times = 1; times < COMPARISONS && wrong.size > 0; times++) {
    const now = await once()
    wrong = new Set([...wrong].filter((id) => now.has(id)))
  }
  return wrong
}

function tell(say: (line: string) => void, id: string, { kept, fresh }: { kept: Copy; fresh: Copy }): void {
  say(
    `${id}\n  kept by sync:  ${kept.records.get(id) ?? 'nothing'}\n  newly listed:  ${fresh.records.get(id) ?? 'nothing'}`,
  )
}

/** What a partner keeps: the records as they came, and the cursor. */
type Copy = {
  readonly records: Map<string, string>
  readonly seen: { pages: number; changes: number; tombstones: number; listings: number }
  cursor: string | null
}

function emptyCopy(): Copy {
  return { records: new Map(), seen: { pages: 0, changes: 0, tombstones: 0, listings: 0 }, cursor: null }
}

/** Lists if there is no cursor yet or it is too old, then applies what changed until there is no more. */
async function bringUpToDate(api: Api, copy: Copy): Promise<void> {
  for (;;) {
    if (copy.cursor === null) {
      copy.records.clear()
      copy.seen.listings += 1
    }
    const page = await askForPage(api, copy.cursor)
    if (page === null) {
      copy.cursor = null
      continue
    }
    copy.seen.pages += 1
    for (const row of page.data) apply(copy, row, page.meta.mode === 'delta')
    copy.cursor = page.meta.next_cursor
    if (!page.meta.has_more && page.meta.mode === 'delta') return
  }
}

/** A tombstone is a row that says no more than that it is gone: it has no status. One's own hidden record has one. */
function apply({ records, seen }: Copy, row: Row, isChange: boolean): void {
  const { cursor: _cursor, reason: _reason, ...record } = row
  if (isChange) seen.changes += 1
  if ('status' in record) records.set(row.id, inOrder(record))
  else {
    seen.tombstones += 1
    records.delete(row.id)
  }
}

/** The order of fields says nothing. */
function inOrder(record: object): string {
  return JSON.stringify(record, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

/** The ids of which the two say different things. */
function differing(a: Copy, b: Copy): Set<string> {
  const ids = new Set([...a.records.keys(), ...b.records.keys()])
  return new Set([...ids].filter((id) => a.records.get(id) !== b.records.get(id)))
}

type Row = { readonly id: string; readonly visible: boolean; readonly [field: string]: unknown }
type Page = {
  readonly data: readonly Row[]
  readonly meta: {
    readonly mode: 'bootstrap' | 'delta'
    readonly has_more: boolean
    readonly next_cursor: string
  }
}

type Api = { readonly baseUrl: string; readonly token: string; readonly company?: string }

const PER_PAGE = 100
const TRIES_MAX = 30
/** Where the server does not say how long, and at most where it does. */
const [WAIT_MS, WAIT_MAX_MS] = [1_000, 120_000]

/** A page, from the cursor or from the beginning. Null on 410: list again. Waits where the response asks for it, or nobody answers. */
async function askForPage(api: Api, cursor: string | null): Promise<Page | null> {
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
  const headerMs = (name: string) => Number(answer?.headers.get(name) ?? Number.NaN) * 1_000
  const ms = [headerMs('retry-after'), headerMs('x-ratelimit-reset') - Date.now()].find((wanted) => wanted >= 0)
  return Math.min(ms ?? WAIT_MS, WAIT_MAX_MS)
}

async function explain(answer: Response | null): Promise<string> {
  return answer === null
    ? 'The server cannot be reached.'
    : `The server answered ${answer.status}: ${await answer.text()}`
}
