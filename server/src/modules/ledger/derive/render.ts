import type { WorldTime } from '#kernel/clock.ts'
import type { InvestmentRecord } from './record.ts'

/**
 * A record as open text, which a page puts together without parsing it: `body` ends inside the investor, whose identity
 * may follow or not. With identity `${body}${identity}}`, without `${body}}}`; `cursor` and `reason` go before the last
 * brace.
 */
export type OpenText = { readonly body: string; readonly identity: string }

export function renderRecord({ id, visible, open, identity }: InvestmentRecord, observedAt: WorldTime): OpenText {
  const start = `{"id":"${id}","visible":${visible},"observed_at":"${observedAt}",`
  return {
    body: start + withoutEnds(JSON.stringify(open), 2),
    identity: `,${JSON.stringify(identity.investor).slice(1)},${renderRest(identity)}`,
  }
}

function renderRest({ external_username, message }: InvestmentRecord['identity']): string {
  return withoutEnds(JSON.stringify({ external_username, message }), 1)
}

/** Without the opening brace and so many closing ones. */
function withoutEnds(json: string, closing: number): string {
  return json.slice(1, -closing)
}

/** The first field after the time at which the record was observed. */
const AFTER_TIME = '"status":'

/** Whether two texts are of the same record, whenever each was observed. */
export function isSameRecord(a: OpenText, b: OpenText): boolean {
  return a.identity === b.identity && isSameOpenPart(a, b)
}

/** The same, as seen by a reader who may not see who the investor is. */
export function isSameOpenPart(a: OpenText, b: OpenText): boolean {
  return saysVisible(a) === saysVisible(b) && withoutTime(a) === withoutTime(b)
}

function withoutTime({ body }: OpenText): string {
  return body.slice(body.indexOf(AFTER_TIME))
}

function saysVisible({ body }: OpenText): boolean {
  return body.slice(0, body.indexOf(AFTER_TIME)).includes('"visible":true')
}

/**
 * "Top-level record fields that differ from the last published copy"; all of them when there was none. The id never
 * changes, and when a record was observed is no part of what it says.
 */
export function changedFields(before: OpenText | null, after: InvestmentRecord): string[] {
  const now = fieldsOf(after)
  if (before === null) return Object.keys(now)
  const { id: _, observed_at: __, ...old } = JSON.parse(`${before.body}${before.identity}}`) as Fields
  const gone = Object.keys(old).filter((name) => !(name in now))
  return [...Object.keys(now), ...gone].filter((name) => !isSame(old[name], now[name]))
}

type Fields = Readonly<Record<string, unknown>>

/** As they stand in the text. */
function fieldsOf({ visible, open, identity }: InvestmentRecord): Fields {
  return { visible, ...open, ...identity, investor: { ...open.investor, ...identity.investor } }
}

/** Both were written by the same function, so the same value has the same words. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))
}
