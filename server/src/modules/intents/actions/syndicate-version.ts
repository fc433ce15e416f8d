import type { Facts } from '../shown.ts'
import type { SyndicateSeen } from './syndicate-store.ts'
import { excerptOf } from './words.ts'

/**
 * What a syndicate says of itself: what is published, and what is lost with a draft. Whatever else changes (who is in it, how
 * one applies) is counted on the page, or does not matter to either.
 */
export function versionOf({ tagline, description, avatar_url }: SyndicateSeen): Facts {
  return [
    ['Tagline', excerptOf(tagline)],
    ['Description', excerptOf(description)],
    ['Picture', excerptOf(avatar_url)],
  ]
}
