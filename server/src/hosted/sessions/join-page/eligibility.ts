import type { MembershipState } from '#market/syndicates/index.ts'
import type { IneligibleReason } from '../join-session-states.ts'

/** The facts about a syndicate and a person from which the functions below derive whether and how the person can join. */
export type PersonAtSyndicate = {
  readonly launched: boolean
  readonly membershipOpen: boolean
  readonly requiresAccreditation: boolean
  /** Self-attested or verified. */
  readonly accredited: boolean
  /** Where members may live; null: anywhere. */
  readonly countries: readonly string[] | null
  /** Where the person lives; null if unknown. */
  readonly country: string | null
  /** Members must have invested in the syndicate's fund. */
  readonly fundRequired: boolean
  readonly fund: boolean
  /** The person has invested at least the fund's minimum. */
  readonly invested: boolean
  readonly membership: MembershipState | null
  /** No manager approval is needed. */
  readonly automatic: boolean
  readonly invited: boolean
  /** Invited again after a removal. */
  readonly invitedSinceRemoval: boolean
}

type Rule = (person: PersonAtSyndicate) => boolean

const AWAITS_INVESTMENT: ReadonlySet<MembershipState | null> = new Set(['approved', 'payment_failed'])

/**
 * "ineligible_reason: accreditation_required, jurisdiction, blocked, club_unavailable, requires_investment." If several reasons
 * apply, the first in the table below is used. Reasons that the person cannot change are first in the table.
 *
 * blocked              a manager removed the person and has not invited them again
 * club_unavailable     the syndicate is not launched yet, or takes only invited people and the person is not invited
 * jurisdiction         the person's country is not in the syndicate's list, or unknown
 * accreditation_required  the syndicate is for accredited investors, and the person is not accredited
 * requires_investment  the person must first invest in the syndicate's fund, and "a join session touches no deal"
 */
const RULES: readonly (readonly [IneligibleReason, Rule])[] = [
  ['blocked', ({ membership, invitedSinceRemoval }) => membership === 'removed' && !invitedSinceRemoval],
  ['club_unavailable', ({ launched, membershipOpen, invited }) => !launched || !(membershipOpen || invited)],
  [
    'jurisdiction',
    ({ countries, country }) => countries !== null && (country === null || !countries.includes(country)),
  ],
  ['accreditation_required', ({ requiresAccreditation, accredited }) => requiresAccreditation && !accredited],
  [
    'requires_investment',
    ({ fundRequired, fund, invested, membership }) =>
      (fundRequired || (fund && AWAITS_INVESTMENT.has(membership))) && !invested,
  ],
]

export function ineligibleReason(person: PersonAtSyndicate): IneligibleReason | null {
  return RULES.find(([, holds]) => holds(person))?.[0] ?? null
}

/**
 * What happens when the person finishes: they join, they apply, they have applied before, they are a member already, or they
 * are not eligible.
 */
export type Way = 'join' | 'apply' | 'applied' | 'member' | IneligibleReason

/** Approved applicants and former members do not apply again but join, as in the membership's state machine. */
const RETURNS: ReadonlySet<MembershipState | null> = new Set(['approved', 'payment_failed', 'left', 'removed'])

/** What happens when this person finishes. If a reason applies, the person cannot join, unless they are a member already. */
export function wayOf(person: PersonAtSyndicate): Way {
  const { membership, automatic, invited } = person
  if (membership === 'member') return 'member'
  const reason = ineligibleReason(person)
  if (reason !== null) return reason
  if (automatic || invited || RETURNS.has(membership)) return 'join'
  return membership === 'pending' ? 'applied' : 'apply'
}

/**
 * "Jurisdiction": a syndicate names countries by their ISO 3166 code, but people write the country in an address as they like.
 * Null if the text names no known country; the person's country is then unknown.
 */
export function countryCode(written: string | null): string | null {
  if (written === null) return null
  const word = plain(written)
  return CODE_OF_NAME.get(word) ?? (/^[a-z]{2}$/.test(word) ? knownCode(word.toUpperCase()) : null)
}

const ENGLISH = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Codes that have a name in `Intl.DisplayNames` but are not countries. */
const NO_COUNTRY: ReadonlySet<string> = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ'])

/** Replaces an alias by the official code (UK by GB). Null if the code is not a country's. */
function knownCode(code: string): string | null {
  const region = new Intl.Locale(`und-${code}`).region ?? code
  return NO_COUNTRY.has(region) || ENGLISH.of(region) === undefined ? null : region
}

/** Other names and abbreviations that people use for some countries. */
const ALSO: readonly (readonly [code: string, names: readonly string[]])[] = [
  ['US', ['USA', 'U.S.', 'U.S.A.', 'United States of America', 'America']],
  ['GB', ['U.K.', 'GBR', 'Great Britain', 'Britain', 'England', 'Scotland', 'Wales', 'Northern Ireland']],
  ['CI', ['Ivory Coast']],
  ['CZ', ['Czech Republic']],
  ['DE', ['DEU', 'Deutschland']],
  ['HK', ['Hong Kong']],
  ['IE', ['Republic of Ireland']],
  ['KR', ['Korea', 'Republic of Korea']],
  ['MK', ['Macedonia']],
  ['MM', ['Myanmar', 'Burma']],
  ['NL', ['Holland', 'The Netherlands']],
  ['RU', ['Russian Federation']],
  ['TR', ['Turkey']],
  ['VN', ['Viet Nam']],
]

const CODE_OF_NAME: ReadonlyMap<string, string> = new Map([...ownNames(), ...otherNames()])

function* ownNames(): Iterable<[string, string]> {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = knownCode(code) === code ? ENGLISH.of(code) : undefined
    if (name !== undefined) yield [plain(name), code]
  }
}

function* otherNames(): Iterable<[string, string]> {
  for (const [code, names] of ALSO) for (const name of names) yield [plain(name), code]
}

/** Lower-case letters with single spaces: no accents, digits or punctuation, and no leading "the". */
function plain(text: string): string {
  const letters = text.normalize('NFKD').replaceAll(/[\p{Mark}.]/gu, '')
  return letters
    .replaceAll(/[^\p{Letter}]+/gu, ' ')
    .trim()
    .toLowerCase()
    .replace(/^the /, '')
}
