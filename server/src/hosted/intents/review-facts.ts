import { digestOf, hexDigestOf } from '#system/crypto/secret.ts'

export type Facts = readonly (readonly [label: string, value: string])[]

/** What would happen, described by the action. */
export type Prospect = {
  /** A question that the reviewer answers with yes or no. */
  readonly question: string
  /** What will happen, in one sentence: the `impact_summary` of the API. */
  readonly summary: string
  /** The numbers and names that a person needs for the decision. */
  readonly facts: Facts
  /** What cannot be undone. */
  readonly final: string
  /** Facts that the page does not show but the decision depends on: "and to the resource's version". */
  readonly version: Facts
}

/** The app that proposes, and the name of the user for whom it proposes; the name is null if an installation proposes. */
export type Asker = {
  readonly app: string
  readonly organization: string
  readonly logo: string | null
  readonly proposer: string | null
}

/** What a person sees before they decide. It includes the app, because a renamed app needs a new decision. */
export type Shown = Prospect & { readonly asker: Asker }

/** Equal contents give equal texts, for comparing and hashing. */
export function shownText({ question, summary, facts, final, version, asker }: Shown): string {
  const { app, organization, logo, proposer } = asker
  return JSON.stringify({ question, summary, facts, final, version, asker: { app, organization, logo, proposer } })
}

export function shownDigest(shown: Shown): Buffer {
  return digestOf(shownText(shown))
}

/** Parses the content that the page's form sends back; null for any other text. The caller compares it with the current content. */
export function readShown(text: string): Shown | null {
  try {
    const read: unknown = JSON.parse(text)
    return isShown(read) ? read : null
  } catch {
    return null
  }
}

function isShown(value: unknown): value is Shown {
  if (typeof value !== 'object' || value === null) return false
  const { question, summary, facts, final, version, asker } = value as Record<keyof Shown, unknown>
  return [question, summary, final].every(isText) && isFacts(facts) && isFacts(version) && isAsker(asker)
}

const isText = (value: unknown) => typeof value === 'string'

function isFacts(value: unknown): value is Facts {
  return Array.isArray(value) && value.every((fact) => Array.isArray(fact) && fact.every(isText))
}

function isAsker(value: unknown): value is Asker {
  if (typeof value !== 'object' || value === null) return false
  const { app, organization, logo, proposer } = value as Record<keyof Asker, unknown>
  return [app, organization].every(isText) && [logo, proposer].every((one) => one === null || isText(one))
}

/** The changes since `before` was shown, as sentences; empty if nothing has changed. */
export function changesSince(before: Shown, now: Shown): string[] {
  return [
    ...(before.summary === now.summary ? [] : [`What will happen now reads: ${now.summary}`]),
    ...differences(before.facts, now.facts),
    ...differences(before.version, now.version),
    ...differences(namesOf(before.asker), namesOf(now.asker)),
    ...(before.asker.logo === now.asker.logo ? [] : ['The app has a new logo']),
  ]
}

function namesOf({ app, organization, proposer }: Asker): Facts {
  return [
    ['App', app],
    ['App by', organization],
    ['Proposed by', proposer ?? 'the app itself'],
  ]
}

function differences(before: Facts, now: Facts): string[] {
  return [
    ...now.flatMap(([label, value]) => changeOf(label, factOf(before, label), value)),
    ...before.flatMap(([label, was]) => (factOf(now, label) === null ? [`${label}: no longer, was ${was}`] : [])),
  ]
}

function factOf(facts: Facts, label: string): string | null {
  return facts.find(([name]) => name === label)?.[1] ?? null
}

function changeOf(label: string, was: string | null, is: string): string[] {
  if (was === is) return []
  return [was === null ? `${label}: new, ${is}` : `${label}: was ${was}, now ${is}`]
}

/** Formats a sum in cents that PostgreSQL added up, in whole units. */
export function money(cents: string, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 0 })
  return format.format(BigInt(cents) / 100n)
}

/**
 * Rounds an amount to its two leading digits. An open deal takes investments while a person reads its page, so an approval of the
 * exact amount would almost always be outdated.
 */
export function roughly(whole: string): string {
  if (!isRough(whole)) return whole
  const unit = 10n ** BigInt(whole.length - LEADING)
  return String(((BigInt(whole) + unit / 2n) / unit) * unit)
}

export const isRough = (whole: string) => whole.length > LEADING

const LEADING = 2

/** "1 investor", "2 investors". */
export function counted(count: number, noun: string): string {
  return `${new Intl.NumberFormat('en').format(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** Rounds a count that may grow, so that the text seldom changes: "fewer than 10 commitments", "300 commitments or more". */
export function countedRoughly(count: number, noun: string): string {
  if (count < 10) return `fewer than 10 ${noun}s`
  const unit = 10 ** (String(count).length - 1)
  const floor = Math.floor(count / unit) * unit
  return `${new Intl.NumberFormat('en').format(floor)} ${noun}s or more`
}

const EXCERPT_CHARS = 200

/** Long text is shown by its beginning and compared by its digest. */
export function excerptOf(text: string | null): string {
  if (text === null) return 'nothing'
  const beginning = beginningOf(text)
  return beginning === text ? text : `${beginning} (${hexDigestOf(text).slice(0, 16)})`
}

export function beginningOf(text: string): string {
  const letters = [...text]
  return letters.length <= EXCERPT_CHARS ? text : `${letters.slice(0, EXCERPT_CHARS).join('')}…`
}
