import type { Pair, TokenKeyBox } from '../tokens/token-keys.ts'

export type ReleaseSettings = {
  /** "k a setting, 5 by default": in how large a group of people one of them may be counted. */
  readonly peopleMin: number
  readonly tokenKeys: TokenKeyBox
  /** The key of this app and company cannot be opened: nothing is told of the two until it can. */
  readonly onUnopened: (pair: Pair) => void
}
