import { setTimeout as wait } from 'node:timers/promises'
import { HelpWanted, readCommandLine, rejectPositionals, UsageError } from '../command-line.ts'

// For partners, against any server: it uses only HTTP and no code of the service.
const HELP = `Usage: npm run verify-sync -- --base-url https://… --token at_… [--seconds 60] [--company co_…]

Lists the investments the token sees, syncs for so long, and compares what that gives with a new listing.
Exit code 0 when they agree, 1 when they do not, 2 when it could not be found out.

  --base-url URL   where the service is
  --token TOKEN    an access token with the scope read:investments
  --seconds N      how long to sync (default: 60)
  --company ID     only the investments in this company
  --help           print this

Examples:

  npm run verify-sync -- --base-url http://127.0.0.1:4400 --token at_test_… --seconds 10
  npm run verify-sync -- --base-url https://api.example.com --token "$TOKEN" --company co_0V8Zq3…
`

const EXIT_UNKNOWN = 2

function readArguments(argv: readonly string[]) {
  const text = { type: 'string' } as const
  const options = { 'base-url': text, token: text, seconds: text, company: text }
  const { values, positionals } = readCommandLine(argv, options, HELP)
  rejectPositionals(positionals, HELP)
  const { 'base-url': baseUrl = '', token, seconds = '60', company } = values
  if (!URL.canParse(baseUrl)) throw new UsageError('--base-url must be the address of the service.', HELP)
  if (token === undefined) throw new UsageError('--token is missing.', HELP)
  if (!/^\d{1,6}$/.test(seconds)) throw new UsageError('--seconds must be a whole number.', HELP)
  const address = new URL(baseUrl).href.replace(/\/$/, '')
  return { baseUrl: address, token, seconds: Number(seconds), ...(company === undefined ? {} : { company }) }
}

export type VerifySettings = Api & { readonly seconds: number }

const SYNC_EVERY_MS = 1_000
/** Both copies change while they are compared: a difference counts only if it is in every comparison. */
const COMPARISONS = 5

/** Compares a synced copy with a new listing and reports the differences. */
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
    `${id}\n  synced copy:   ${kept.records.get(id) ?? 'nothing'}\n  new listing:   ${fresh.records.get(id) ?? 'nothing'}`,
  )
}

/** A partner's copy: the records as received, and the cursor. */
type Copy = {
  readonly records: Map<string, string>
  readonly seen: { pages: number; changes: number; tombstones: number; listings: number }
  cursor: string | null
}

function emptyCopy(): Copy {
  return { records: new Map(), seen: { pages: 0, changes: 0, tombstones: 0, listings: 0 }, cursor: null }
}

/** Lists if there is no cursor or it has expired, then applies all changes. */
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

/** A tombstone has no status; it only reports that the record is gone. An investor's own hidden record has a status. */
function apply({ records, seen }: Copy, row: Row, isChange: boolean): void {
  const { cursor: _cursor, reason: _reason, ...record } = row
  if (isChange) seen.changes += 1
  if ('status' in record) records.set(row.id, inOrder(record))
  else {
    seen.tombstones += 1
    records.delete(row.id)
  }
}

/** Sorts the fields, because their order has no meaning. */
function inOrder(record: object): string {
  return JSON.stringify(record, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

/** The ids whose records differ. */
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
/** The wait if the server names none, and the longest wait. */
const [WAIT_MS, WAIT_MAX_MS] = [1_000, 120_000]

/**
 * One page, from the cursor or from the beginning. Null on 410: list again. Waits if the response asks for it, or if the server
 * is unreachable.
 */
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

/** The Retry-After of a proxy, or the end of the limit's window: our own 429 has no Retry-After. */
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

try {
  const settings = readArguments(process.argv.slice(2))
  const agrees = await verifySync(settings, (line) => process.stdout.write(`${line}\n`))
  process.exitCode = agrees ? 0 : 1
} catch (error) {
  if (error instanceof HelpWanted) process.stdout.write(error.message)
  else {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exitCode = EXIT_UNKNOWN
  }
}
