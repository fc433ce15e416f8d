import { createHash } from 'node:crypto'
import type { Picture } from '#http/response-bodies.ts'

/**
 * The name, colour and pictures of the platform on every page. The brand of the API is another setting: it is part of header
 * names and of the staff role's name, which client libraries expect.
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

/** The brand of a page. A page that needs only the name gets only the name. */
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

/** The background in tokens.css, in the light and in the dark scheme. */
const PAPER = { light: '#fdfdfb', dark: '#181d1b' }
const [BLACK, WHITE] = ['#000000', '#ffffff']
/** The accent colour of tokens.css. */
export const DEFAULT_ACCENT = '#0f5a43'
/** The contrast that WCAG level AA requires: links are text in this colour. */
const ACCENT_CONTRAST_MIN = 4.5

export const isReadableAccent = (accent: string): boolean => contrast(accent, PAPER.light) >= ACCENT_CONTRAST_MIN

/** The accent colour in both schemes. In the dark scheme it is lightened until it is readable. */
export function accentStyle(accent: string): string {
  return `${rules(accent, BLACK)}@media (prefers-color-scheme: dark) {\n${rules(accentOnDark(accent), WHITE)}}\n`
}

export function accentOnDark(accent: string): string {
  const shares = Array.from({ length: 21 }, (_, at) => 1 - at / 20)
  return shares.map((share) => mixed(accent, WHITE, share)).find((colour) => isReadable(colour)) ?? WHITE
}

const isReadable = (colour: string) => contrast(colour, PAPER.dark) >= ACCENT_CONTRAST_MIN

/** The colour of text on the accent. */
export const onAccentOf = (accent: string) => (contrast(WHITE, accent) >= contrast(BLACK, accent) ? WHITE : BLACK)

function rules(accent: string, strengthenedWith: string): string {
  const strong = mixed(accent, strengthenedWith, 0.8)
  return `:root {\n  --accent: ${accent};\n  --accent-strong: ${strong};\n  --on-accent: ${onAccentOf(accent)};\n}\n`
}

export const BRAND_DIRECTORY = '/assets/platform'
const versionOf = (content: string | Buffer) => createHash('sha256').update(content).digest('base64url').slice(0, 12)

/** Each address contains a digest of the file's content, so that a browser does not show an earlier logo from its cache. */
export const brandAddresses = {
  style: (accent: string) => `${BRAND_DIRECTORY}/accent.css?v=${versionOf(accent)}`,
  logo: ({ bytes }: Picture) => `${BRAND_DIRECTORY}/logo?v=${versionOf(bytes)}`,
  favicon: ({ bytes }: Picture) => `${BRAND_DIRECTORY}/favicon?v=${versionOf(bytes)}`,
}

/** Accepts letters in upper and lower case; colours are stored in lower case. */
export const COLOUR_PATTERN = '^#[0-9A-Fa-f]{6}$'

type Channels = readonly [red: number, green: number, blue: number]

function channelsOf(colour: string): Channels {
  const number = Number.parseInt(colour.slice(1), 16)
  return [number >> 16, (number >> 8) & 0xff, number & 0xff]
}

/** WCAG 2.2, "relative luminance". */
function luminance(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Channels
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG 2.2, "contrast ratio": from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

export const isDark = (colour: string): boolean => luminance(colour) < 0.18

/** Mixes two colours: `share` of the first, and the rest of the second. */
export function mixed(one: string, other: string, share: number): string {
  const [first, second] = [channelsOf(one), channelsOf(other)]
  const blend = (at: 0 | 1 | 2) => Math.round(first[at] * share + second[at] * (1 - share))
  return `#${[blend(0), blend(1), blend(2)].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/**
 * The icon for a platform that has not configured an icon: a portico on a tile in the platform's colour. The tile makes it
 * recognizable on light and on dark tabs.
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
