import type { TokenKeyBox } from '../tokens/token-keys.ts'

export type ReleaseSettings = {
  /** "k a setting, 5 by default": in how large a group of people one of them may be counted. */
  readonly peopleMin: number
  readonly tokenKeys: TokenKeyBox
}
