import { createHash } from 'node:crypto'
import { DEFAULT_ACCENT, onAccentOf } from './platform-brand.ts'

/**
 * The picture beside the title of a page where the platform has none of its own: a portico on a tile in the platform's colour. The
 * tile brings its own ground, so it can be recognised on light and on dark tabs.
 */
export function defaultFavicon(accent: string | null): string {
  const tile = accent ?? DEFAULT_ACCENT
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${tile}"/><path fill="${onAccentOf(tile)}" d="M16 5 5 11v2h22v-2zM7 15h3v8H7zM14.500 15h3v8h-3zM22 15h3v8h-3zM5 25h22v2.500H5z"/></svg>
`
}

export const FAVICON_PATH = '/favicon.svg'

export function faviconAddress(accent: string | null): string {
  const version = createHash('sha256').update(defaultFavicon(accent)).digest('base64url').slice(0, 12)
  return `${FAVICON_PATH}?v=${version}`
}
