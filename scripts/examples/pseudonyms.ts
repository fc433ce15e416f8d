import { createHash } from 'node:crypto'

type Recording = {
  /** The address of the service. */
  readonly base: string
  readonly hookUrl: string
  readonly startedMs: number
  /** Ids of demo records. The reference of a running demo replaces them by that demo's own ids. */
  readonly ids: readonly string[]
}

const BASE_URL = 'https://api.portico.example'
const HOOK_URL = 'https://hooks.example.com/portico'
/** The time that all examples show as the time of recording. */
const NOW_MS = Date.UTC(2026, 10, 15, 8)
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The stand-in of server/src/http/openapi-examples.ts. The reference of a running demo shows the demo's own ids instead. */
const STAND_IN = '0V3xkQ2b9TzQ4mYcW8sLr7Hp'

const ID = /\b((?:evt|inst)_test|[a-z]{2,5})_([0-9A-Za-z]{24})\b/g
/** The ids in test events. */
const EXAMPLE_ID = /\b([a-z]{2,5})_example\b/g
const SECRET = /\b([a-z]{2})_(test|live)_([0-9A-Za-z_.-]+)/g
const SIGNING_SECRET = /whsec_([0-9A-Za-z+/=]+)/g
const TIME = /\b(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}:\d{2})/g
const SIGNATURE = /\bv1[,=][0-9A-Za-z+/=]+/g
/** Cursors, links and digests, which are long and differ in every run. */
const SEALED = /^[0-9A-Za-z_-]{40,}={0,2}$/
const LINK = /(\/(?:i|join|invest\/session)\/)[0-9A-Za-z_.-]+/g

/**
 * Replaces values that differ from run to run by values of the same form: ids by ids that depend only on the order of
 * their appearance, times by times at the same distance from a fixed time, rounded to the hour or the day, and secrets by
 * a text that describes them.
 */
export function pseudonyms({ base, hookUrl, startedMs, ids }: Recording): <T>(value: T) => T {
  const known = new Map<string, string>()
  const counts = new Map<string, number>()
  const placeholderFor = (prefix: string, id: string): string => {
    const earlier = known.get(id)
    if (earlier !== undefined) return earlier
    const count = counts.get(prefix) ?? 0
    counts.set(prefix, count + 1)
    const made = count === 0 ? `${prefix}_${STAND_IN}` : `${prefix}_${base62(`${prefix} ${count}`)}`
    known.set(id, made)
    return made
  }
  for (const id of ids) placeholderFor(id.split('_')[0] ?? '', id)
  const text = (value: string): string => {
    if (SEALED.test(value) && !/^whsec_|_(test|live)_/.test(value)) return 'ZXhhbXBsZS1vcGFxdWUtdmFsdWU'
    return value
      .replaceAll(hookUrl, HOOK_URL)
      .replaceAll(new URL(hookUrl).host, new URL(HOOK_URL).host)
      .replaceAll(base, BASE_URL)
      .replace(LINK, '$1example-link')
      .replace(
        SIGNING_SECRET,
        (_, key: string) => `whsec_${Buffer.from('example-only-'.repeat(9)).toString('base64').slice(0, key.length)}`,
      )
      .replace(
        SIGNATURE,
        (found) => `${found.slice(0, 3)}${Buffer.from('an-example-signature-of-32-bytes').toString('base64')}`,
      )
      .replace(SECRET, (_, kind: string, world: string, rest: string) => `${kind}_${world}_${fake(rest.length)}`)
      .replace(ID, (_, prefix: string, rest: string) => placeholderFor(prefix, `${prefix}_${rest}`))
      .replace(EXAMPLE_ID, (id, prefix: string) => placeholderFor(prefix, id))
      .replace(TIME, (found) => shifted(found, startedMs))
  }
  const hide = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') return name === 'etag' ? 'ZXhhbXBsZS1ldGFn' : text(value)
    if (Array.isArray(value)) return value.map((item) => hide(item, name))
    if (typeof value === 'number') return hideNumber(value, name, startedMs)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hide(item, key)]))
  }
  return <T>(value: T) => hide(value) as T
}

/** Replaces durations and times in Unix seconds, which differ from run to run. */
function hideNumber(value: number, name: string, startedMs: number): number {
  if (name.endsWith('_ms')) return 42
  return isUnixTime(value, startedMs) ? NOW_MS / 1000 : value
}

const isUnixTime = (value: number, startedMs: number) => Math.abs(value - startedMs / 1000) < 10 * 24 * 3600

/**
 * Rounds times of more than a day ago to days and other times to hours. The demo is created seconds or minutes before the
 * recording, so hours in the past differ from run to run, but days hardly ever do.
 */
function shifted(time: string, startedMs: number): string {
  const distance = Date.parse(time) - startedMs
  const unit = distance < -DAY_MS ? DAY_MS : HOUR_MS
  const ms = NOW_MS + Math.round(distance / unit) * unit
  const iso = new Date(ms).toISOString()
  return time.includes('.')
    ? iso.replace(/\.\d+Z/, `${'.'.padEnd((/\.(\d+)/.exec(time)?.[1]?.length ?? 3) + 1, '0')}Z`)
    : iso.replace(/\.\d+Z/, 'Z')
}

function fake(length: number): string {
  return 'ExampleOnlyNotASecret'.repeat(Math.ceil(length / 21)).slice(0, length)
}

function base62(seed: string): string {
  const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const bytes = createHash('sha256').update(seed).digest()
  return [...bytes.subarray(0, 24)].map((byte) => letters[byte % 62]).join('')
}
