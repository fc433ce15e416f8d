import type { Pair } from './tokens/store.ts'
import type { TokenKeyBox } from './tokens/token-keys.ts'

/** Which of an investor's clicks within the window is credited. */
export const CREDIT_MODELS = ['last_click', 'first_click'] as const
export type CreditModel = (typeof CREDIT_MODELS)[number]

/** Settings for crediting. */
export type ReferralSettings = {
  readonly model: CreditModel
  /** For how long a click can be credited, in days of its world's time. */
  readonly windowDays: number
  /** Seals and opens the keys of the opaque tokens. */
  readonly tokenKeys: TokenKeyBox
}

export type ReleaseSettings = {
  /** "k a setting, 5 by default": the smallest group of people that may be published. */
  readonly peopleMin: number
  readonly tokenKeys: TokenKeyBox
  /** Called when the token key of a pair cannot be opened. Nothing is published for the pair until the key can be opened. */
  readonly onUnopened: (pair: Pair) => void
}
