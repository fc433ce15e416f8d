import { createHash } from 'node:crypto'
import type { Picture } from '../picture.ts'
import { contrast, mixed } from './contrast.ts'

/**
 * What people see of the platform on every page. It has nothing to do with the brand on the wire, which names headers and the
 * staff role and stays what client libraries expect.
 */
export type PlatformBrand = {
  readonly name: string
  /** The colour of links and buttons, as `#rrggbb`. */
  readonly accent: string | null
  readonly logo: Picture | null
  readonly favicon: Picture | null
  readonly links: PlatformLinks
}

export type PlatformLinks = {
  readonly support: string | null
  readonly terms: string | null
  readonly privacy: string | null
}

/** A page that needs no more than a name takes the name alone. */
export type ShownBrand = string | PlatformBrand

export function namedBrand(name: string): PlatformBrand {
  return {
    name,
    ...{ accent: null, logo: null, favicon: null },
    links: { support: null, terms: null, privacy: null },
  }
}

export function brandOf(brand: ShownBrand): PlatformBrand {
  return typeof brand === 'string' ? namedBrand(brand.charAt(0).toUpperCase() + brand.slice(1)) : brand
}

export const brandName = (brand: ShownBrand): string => brandOf(brand).name

/** Paper in tokens.css, in the light and in the dark scheme. */
const PAPER = { light: '#fdfdfb', dark: '#181d1b' }
const [BLACK, WHITE] = ['#000000', '#ffffff']
/** What WCAG calls AA: links are text in this colour. */
const ACCENT_CONTRAST_MIN = 4.5

export const isReadableAccent = (accent: string): boolean => contrast(accent, PAPER.light) >= ACCENT_CONTRAST_MIN

/** The accent in both schemes. On dark paper it is lightened until it can be read there. */
export function accentStyle(accent: string): string {
  const shares = Array.from({ length: 21 }, (_, at) => 1 - at / 20)
  const onDark = shares.map((share) => mixed(accent, WHITE, share)).find((colour) => isReadable(colour)) ?? WHITE
  return `${rules(accent, BLACK)}@media (prefers-color-scheme: dark) {\n${rules(onDark, WHITE)}}\n`
}

const isReadable = (colour: string) => contrast(colour, PAPER.dark) >= ACCENT_CONTRAST_MIN

function rules(accent: string, strengthenedWith: string): string {
  const onAccent = contrast(WHITE, accent) >= contrast(BLACK, accent) ? WHITE : BLACK
  const strong = mixed(accent, strengthenedWith, 0.8)
  return `:root {\n  --accent: ${accent};\n  --accent-strong: ${strong};\n  --on-accent: ${onAccent};\n}\n`
}

export const BRAND_DIRECTORY = '/assets/platform'
const versionOf = (content: string | Buffer) => createHash('sha256').update(content).digest('base64url').slice(0, 12)

/** Addresses change with the content, so that a browser never shows an earlier logo. */
export const brandAddresses = {
  style: (accent: string) => `${BRAND_DIRECTORY}/accent.css?v=${versionOf(accent)}`,
  logo: ({ bytes }: Picture) => `${BRAND_DIRECTORY}/logo?v=${versionOf(bytes)}`,
  favicon: ({ bytes }: Picture) => `${BRAND_DIRECTORY}/favicon?v=${versionOf(bytes)}`,
}
