import type { Tier } from '../installation.ts'

/** As who somebody may install: by their role at a company, the highest first, or as a syndicate's manager. */
export const COMPANY_TIERS = ['founder', 'admin', 'editor'] as const satisfies readonly Tier[]

export type InstallerTier = (typeof COMPANY_TIERS)[number] | 'manager'

export type AskedTier = { readonly ok: true; readonly tier: InstallerTier } | { readonly ok: false; readonly why: Why }
type Why = 'too_high' | 'of_another_target'

/**
 * An installation is made with the role that who makes it holds, or, on a company, with a lower one where that is asked
 * for. "Syndicate installations are always manager tier."
 */
export function askedTier(held: InstallerTier, asked: Tier | null): AskedTier {
  if (asked === null || asked === held) return { ok: true, tier: held }
  const [holds, wants] = [rank(held), rank(asked)]
  if (holds === -1 || wants === -1) return { ok: false, why: 'of_another_target' }
  const tier = COMPANY_TIERS[wants]
  return tier === undefined || wants < holds ? { ok: false, why: 'too_high' } : { ok: true, tier }
}

function rank(tier: Tier): number {
  return (COMPANY_TIERS as readonly Tier[]).indexOf(tier)
}
