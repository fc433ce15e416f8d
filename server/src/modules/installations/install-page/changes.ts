import { isScopeName, parseScopes, type ScopeName } from '#modules/scopes/index.ts'
import { grantedWords } from '../granted-words.ts'
import type { GrantOffer } from '../installing/grant-offer.ts'
import type { Standing } from '../installing/standing-store.ts'
import type { InstallerTier } from '../installing/tier-asked.ts'
import { TIER_NAMES } from './tier-words.ts'

/** What the page showed, as its form brings it back. */
export type Shown = { readonly scopes: string; readonly tier: string }

/**
 * Somebody agrees to what they saw: the installation must be made with the same tier and the same scopes, no more and
 * no less. What has changed since, as sentences; none where nothing has.
 */
export function changesSince(shown: Shown, standing: Standing, { granted }: Pick<GrantOffer, 'granted'>): string[] {
  const seen = (parseScopes(shown.scopes) ?? []).filter(isScopeName)
  const say = (names: readonly ScopeName[]) => {
    const { there, itself, elsewhere } = grantedWords(standing.type, names)
    return [...there, ...itself, ...elsewhere].map(({ sentence }) => sentence)
  }
  return [
    ...(shown.tier === standing.tier ? [] : [tierWords(shown.tier, standing.tier)]),
    ...say(granted.filter((name) => !seen.includes(name))).map((sentence) => `New: ${sentence}`),
    ...say(seen.filter((name) => !granted.includes(name))).map((sentence) => `No longer granted: ${sentence}`),
  ]
}

function tierWords(before: string, now: InstallerTier): string {
  const was = Object.hasOwn(TIER_NAMES, before) ? TIER_NAMES[before as InstallerTier] : null
  return was === null
    ? `You are now ${TIER_NAMES[now]} there.`
    : `You were ${was} there, and are now ${TIER_NAMES[now]}.`
}
