import {
  type CatalogueScope,
  CONCERN_OF,
  CONCERNS,
  type Concern,
  closure,
  inCatalogueOrder,
  SCOPE_CATALOGUE,
  type ScopeName,
  type ScopeNames,
  takesEffectOn,
} from '#access/scopes/index.ts'
import type { InstallTarget } from './target-store.ts'

/** A sentence for people, and the scopes it describes: a retired scope has the sentence of its replacement. */
export type ScopeSentence = {
  readonly names: readonly ScopeName[]
  readonly sentence: string
  /** The sensitive data that becomes visible; null if there is none. */
  readonly sensitive: string | null
}

export type ScopeSentenceGroup = { readonly heading: string; readonly sentences: readonly ScopeSentence[] }

/** The sentences for these scopes, grouped by subject, in the order in which pages show them. */
export function scopeSentences(scopes: ScopeNames): readonly ScopeSentenceGroup[] {
  const entries = inCatalogueOrder(scopes).map((name) => SCOPE_CATALOGUE[name])
  return (Object.keys(CONCERNS) as Concern[])
    .map((concern) => ({
      heading: CONCERNS[concern],
      sentences: sentencesOf(entries.filter(({ concerns }) => concerns === concern)),
    }))
    .filter(({ sentences }) => sentences.length > 0)
}

function sentencesOf(entries: readonly CatalogueScope[]): readonly ScopeSentence[] {
  const bySentence = Map.groupBy(entries, ({ consent }) => consent)
  return [...bySentence].map(([sentence, same]) => ({
    names: same.map(({ name }) => name),
    sentence,
    sensitive: same.find(({ sensitive }) => sensitive !== null)?.sensitive ?? null,
  }))
}

/** Sentences that say what an app will be able to do on its target. */
type GrantedWords = {
  /** What it can do with the company or syndicate. */
  readonly there: readonly ScopeSentence[]
  /** What it can do with the app's own data. */
  readonly itself: readonly ScopeSentence[]
  /** Scopes that are granted but have no effect, because they are about a person or about the other type of target. */
  readonly elsewhere: readonly ScopeSentence[]
}

type TargetType = InstallTarget['type']

type Words = { readonly sentence: string; readonly sensitive?: string }

const COMPANY_SHOWN = 'What each investor committed, and when. The app receives an investor’s name when they invest.'
const INVESTMENTS_SHOWN = 'What each investor committed, paid and has left to do.'
const MEMBERS_SHOWN = 'Each member’s name and email address, and what they invested through the syndicate.'
const SEE_COMPANY: Words = {
  sentence: 'See this company, its offerings, funds (SPVs) and investors.',
  sensitive: COMPANY_SHOWN,
}
const MANAGE_COMPANY: Words = {
  sentence: 'See and manage this company, its offerings, funds (SPVs) and investors.',
  sensitive: COMPANY_SHOWN,
}
const OWN_INSTALLATION: Words = { sentence: 'See where it is installed.' }

/**
 * The catalogue's sentences tell a person about all their data. These sentences replace them if an installation on one company or syndicate
 * gives access to less.
 */
const INSTALLED: Readonly<Record<TargetType, Partial<Readonly<Record<ScopeName, Words>>>>> = {
  company: {
    'read:companies': SEE_COMPANY,
    'read:offerings': SEE_COMPANY,
    'write:companies': MANAGE_COMPANY,
    'write:offerings': MANAGE_COMPANY,
    'read:investments': {
      sentence: 'See the investments in this company and how far each has come.',
      sensitive: INVESTMENTS_SHOWN,
    },
    'write:investments': {
      sentence: 'See the investments in this company, and change their details.',
      sensitive: INVESTMENTS_SHOWN,
    },
    'read:investors:pii': {
      sentence: 'See who the investors of this company are.',
      sensitive: SCOPE_CATALOGUE['read:investors:pii'].sensitive ?? '',
    },
    'write:installations': OWN_INSTALLATION,
  },
  syndicate: {
    'read:syndicates': {
      sentence: 'See this syndicate, with its members, deals, statistics and portfolio.',
      sensitive: MEMBERS_SHOWN,
    },
    'write:syndicates': {
      sentence: 'See and run this syndicate: members, deals and settings. What cannot be undone still needs approval.',
      sensitive: MEMBERS_SHOWN,
    },
    'write:syndicate_members': { sentence: 'Let people sign up to this syndicate from the app’s own site.' },
    'write:installations': OWN_INSTALLATION,
  },
}

export function grantedWords(type: TargetType, scopes: ScopeNames): GrantedWords {
  const entries = withoutImplied(scopes).map((name) => SCOPE_CATALOGUE[name])
  const itself = entries.filter(({ concerns }) => concerns === 'app')
  const effective = entries.filter((scope) => !itself.includes(scope) && takesEffectOn(scope.name, type))
  // Scopes about the target itself come first.
  const isAboutTarget = ({ concerns }: CatalogueScope) => concerns === CONCERN_OF[type]
  const there = [...effective.filter(isAboutTarget), ...effective.filter((scope) => !isAboutTarget(scope))]
  const elsewhere = entries.filter((scope) => !there.includes(scope) && !itself.includes(scope))
  return {
    there: sentencesAt(type, there),
    itself: sentencesAt(type, itself),
    elsewhere: scopeSentences(elsewhere.map(({ name }) => name)).flatMap(({ sentences }) => sentences),
  }
}

/** Drops scopes that another granted scope implies, because the sentence of that scope covers them. */
function withoutImplied(scopes: ScopeNames): readonly ScopeName[] {
  const names = inCatalogueOrder(scopes)
  const says = (one: ScopeName, other: ScopeName) => one !== other && closure([one]).has(other)
  return names.filter((name) => !names.some((other) => says(other, name) && !says(name, other)))
}

function sentencesAt(type: TargetType, scopes: readonly CatalogueScope[]): readonly ScopeSentence[] {
  const bySentence = Map.groupBy(scopes, ({ name, consent }) => INSTALLED[type][name]?.sentence ?? consent)
  return [...bySentence].map(([sentence, same]) => ({
    names: same.map(({ name }) => name),
    sentence,
    sensitive: same.map((scope) => sensitiveAt(type, scope)).find((shown) => shown !== null) ?? null,
  }))
}

function sensitiveAt(type: TargetType, { name, sensitive }: CatalogueScope): string | null {
  const words = INSTALLED[type][name]
  return words === undefined ? sensitive : (words.sensitive ?? null)
}
