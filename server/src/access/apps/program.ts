import {
  type Program as GatedBy,
  inCatalogueOrder,
  SCOPE_CATALOGUE,
  SCOPE_NAMES,
  type ScopeName,
} from '#access/scopes/index.ts'
import { validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'

export type ProgramName = GatedBy['name']
export type ProgramTier = NonNullable<GatedBy['tier']>
export const PROGRAM_NAMES = ['marketing_partner', 'founder'] as const satisfies readonly ProgramName[]

/** An access program at one of its tiers; the founders' has none. */
export type ProgramAt = { readonly program: ProgramName; readonly tier: ProgramTier | null }

/** What an app asked for and was let into. Times are real time, as text. */
export type AppProgram = ProgramAt & {
  readonly app_id: Id<'app'>
  readonly requested_at: string | null
  readonly approved_at: string | null
}

/** "Marketing partner, tier 0", "tier 1", "founder": of the marketing partners' program one always says which tier. */
export function programAt(program: ProgramName, tier: ProgramTier | undefined): ProgramAt {
  if (program === 'founder' && tier !== undefined) {
    throw validationError([
      { field: 'tier', code: 'unexpected', message: 'is not for this program, which has no tiers' },
    ])
  }
  if (program === 'marketing_partner' && tier === undefined) {
    throw validationError([{ field: 'tier', code: 'required', message: 'is required for this program' }])
  }
  return { program, tier: tier ?? null }
}

/** The scopes an approval puts on an app: those of the program as such, and those of its tiers up to this one. */
export function programScopes({ program, tier }: ProgramAt): readonly ScopeName[] {
  return inCatalogueOrder(
    SCOPE_NAMES.filter((name) => {
      const gate = SCOPE_CATALOGUE[name].program
      return gate?.name === program && (gate.tier === undefined || (tier !== null && gate.tier <= tier))
    }),
  )
}
