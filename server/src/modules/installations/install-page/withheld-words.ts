import type { ShownBrand } from '#http/pages/platform-brand.ts'

import { brandName } from '#http/pages/platform-brand.ts'
import { closure, isScopeName, SCOPE_CATALOGUE, type ScopeName } from '#modules/scopes/index.ts'
import type { WhyWithheld, Withheld } from '../installing/grant-offer.ts'
import { INVESTOR_PII } from '../pii-grant.ts'

export type WithheldWords = {
  /** What is not granted, and why. */
  readonly sentence: string
  /** What one could do about it, or what is granted all the same. */
  readonly hint?: string
}

export type WithheldFrom = {
  readonly withheld: readonly Withheld[]
  readonly granted: readonly string[]
  readonly brand: ShownBrand
  /** The company or syndicate. */
  readonly name: string
}

/** In the order of the reasons that people can do something about. Undeclared names are the app's own mistake. */
const TOLD: readonly WhyWithheld[] = [
  'pii_not_approved',
  'editor_no_writes',
  'founder_only',
  'must_be_listed',
  'not_for_installations',
]

/** What the app declares and will not get, each with its reason. */
export function withheldWords(from: WithheldFrom): readonly WithheldWords[] {
  const byReason = Map.groupBy(from.withheld, ({ why }) => why)
  return TOLD.flatMap((why) => {
    const names = (byReason.get(why) ?? []).flatMap(({ scope }) => (isScopeName(scope) ? [scope] : []))
    return names.length === 0 ? [] : wordsFor(why, notImplied(names), from)
  })
}

function wordsFor(why: WhyWithheld, names: readonly ScopeName[], from: WithheldFrom): readonly WithheldWords[] {
  switch (why) {
    case 'pii_not_approved':
      return names.map((name) => piiWords(name, from))
    case 'editor_no_writes':
      return [
        {
          sentence: 'Anything that changes your company: not granted, because editors cannot give it.',
          hint: `If the app needs it, ask a founder or admin of ${from.name} to install it.`,
        },
      ]
    case 'founder_only':
      return names.map((name) => because(name, 'only a founder can give it.'))
    case 'must_be_listed':
      return names.map((name) => because(name, 'the app has to ask for it by name.'))
    default:
      return names.map((name) => because(name, isOwn(name) ? 'the app has this by itself.' : 'no installation has it.'))
  }
}

function piiWords(name: ScopeName, { brand, granted }: WithheldFrom): WithheldWords {
  const why = `${brandName(brand)} has not approved this app for them.`
  if (name !== INVESTOR_PII) return because(name, why)
  const sentence = `Investor names and emails: not granted, because ${why}`
  const told = closure(granted.filter(isScopeName)).has('read:companies')
  return told ? { sentence, hint: 'It is still told an investor’s name at the moment they invest.' } : { sentence }
}

function because(name: ScopeName, why: string): WithheldWords {
  return { sentence: `${SCOPE_CATALOGUE[name].consent.replace(/\.$/, '')}: not granted, because ${why}` }
}

/** The app's own, whoever installs it. */
function isOwn(name: ScopeName): boolean {
  return SCOPE_CATALOGUE[name].holders.every((holder) => holder === 'client')
}

/** What one of them includes is not named again. */
function notImplied(names: readonly ScopeName[]): readonly ScopeName[] {
  return names.filter((name) => !names.some((other) => other !== name && closure([other]).has(name)))
}
