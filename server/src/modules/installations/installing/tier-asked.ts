import type { Tier } from '../installation.ts'

/** As who somebody may install: by their role at a company, the highest first, or as a syndicate's manager. */
export const COMPANY_TIERS = ['founder', 'admin', 'editor'] as const satisfies readonly Tier[]
export const INSTALLER_TIERS = [...COMPANY_TIERS, 'manager'] as const

export type InstallerTier = (typeof INSTALLER_TIERS)[number]

export type AskedTier = { readonly ok: true; readonly tier: InstallerTier } | { readonly ok: false; readonly why: Why }
type Why = 'too_high' | 'of_another_target'

/**
 * An installation is made with the role that who makes it holds, or, on a company, with a lower one where that is asked
 * for. "Syndicate installations are always manager tier."
 */
export function askedTier(held: InstallerTier, asked: InstallerTier | null): AskedTier {
  if (asked === null || asked === held) return { ok: true, tier: held }
  if (held === 'manager' || asked === 'manager') return { ok: false, why: 'of_another_target' }
  return rank(asked) < rank(held) ? { ok: false, why: 'too_high' } : { ok: true, tier: asked }
}

function rank(tier: (typeof COMPANY_TIERS)[number]): number {
  return COMPANY_TIERS.indexOf(tier)
}
