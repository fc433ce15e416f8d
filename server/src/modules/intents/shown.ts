import { digestOf } from '#system/crypto/secret.ts'

/**
 * What a person is shown before they decide. `version` names the state of what would be changed, whether or not it is
 * visible here: "approval binds to a hash of what was shown and to the resource's version".
 */
export type Shown = {
  /** What would be done, to be answered with yes or no. */
  readonly question: string
  /** What will happen, in one sentence: the `impact_summary` of the API. */
  readonly summary: string
  /** The numbers and names that matter. */
  readonly facts: readonly (readonly [label: string, value: string])[]
  /** What cannot be undone. */
  readonly final: string
  readonly version: string
}

/** One text for one content, so that two of them can be compared and hashed. */
export function shownText({ question, summary, facts, final, version }: Shown): string {
  return JSON.stringify({ question, summary, facts, final, version })
}

export function shownDigest(shown: Shown): Buffer {
  return digestOf(shownText(shown))
}

/** What a form brought back. Null for whatever no page of ours wrote. */
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
  const { question, summary, facts, final, version } = value as Record<keyof Shown, unknown>
  return [question, summary, final, version].every((text) => typeof text === 'string') && isFacts(facts)
}

function isFacts(value: unknown): value is Shown['facts'] {
  return Array.isArray(value) && value.every((fact) => Array.isArray(fact) && fact.every((x) => typeof x === 'string'))
}

/** What is no longer as it was shown, in sentences; none where nothing has changed. */
export function changesSince(before: Shown, now: Shown): string[] {
  const told = [
    ...(before.summary === now.summary ? [] : [`What will happen now reads: ${now.summary}`]),
    ...now.facts.flatMap(([label, value]) => changeOf(label, factOf(before, label), value)),
    ...before.facts.flatMap(([label, was]) => (factOf(now, label) === null ? [`${label}: no longer, was ${was}`] : [])),
  ]
  if (told.length > 0 || shownText(before) === shownText(now)) return told
  return ['Something that is not shown here was changed in the meantime. What you see is how it is now.']
}

function factOf({ facts }: Shown, label: string): string | null {
  return facts.find(([name]) => name === label)?.[1] ?? null
}

function changeOf(label: string, was: string | null, is: string): string[] {
  if (was === is) return []
  return [was === null ? `${label}: new, ${is}` : `${label}: was ${was}, now ${is}`]
}
