import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { open } from '../access.ts'
import { type Picture, PictureBody } from '../picture.ts'
import { type Route, route } from '../route.ts'
import { KEEP_ASSET } from './asset.ts'
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

const DIRECTORY = '/assets/platform'
const versionOf = (content: string | Buffer) => createHash('sha256').update(content).digest('base64url').slice(0, 12)

/** Addresses change with the content, so that a browser never shows an earlier logo. */
export const brandAddresses = {
  style: (accent: string) => `${DIRECTORY}/accent.css?v=${versionOf(accent)}`,
  logo: ({ bytes }: Picture) => `${DIRECTORY}/logo?v=${versionOf(bytes)}`,
  favicon: ({ bytes }: Picture) => `${DIRECTORY}/favicon?v=${versionOf(bytes)}`,
}

/** Only what is set is served: without a setting its route does not exist. */
export function brandAssetRoutes({ accent, logo, favicon }: PlatformBrand): readonly Route[] {
  const headers = { 'Cache-Control': KEEP_ASSET }
  const asset = { method: 'GET', alias: false, tag: 'Assets', access: open('Every page for people shows it.') } as const
  const picture = (name: 'logo' | 'favicon', shown: Picture) =>
    route({
      ...asset,
      operation: name === 'logo' ? 'readPlatformLogo' : 'readPlatformFavicon',
      path: `${DIRECTORY}/${name}`,
      summary: `Get the platform’s ${name}`,
      description: `The ${name} that every hosted page shows.`,
      schema: { response: { 200: PictureBody } },
      contentType: 'image/*',
      handler: async () => ({ status: 200, body: shown, headers }),
    })
  const style =
    accent === null
      ? []
      : [
          route({
            ...asset,
            operation: 'readPlatformStyle',
            path: `${DIRECTORY}/accent.css`,
            summary: 'Get the platform’s colour',
            description: 'The style sheet that gives hosted pages the platform’s colour.',
            schema: { response: { 200: Type.String() } },
            contentType: 'text/css; charset=utf-8',
            handler: async () => ({ status: 200, body: accentStyle(accent), headers }),
          }),
        ]
  return [
    ...style,
    ...(logo === null ? [] : [picture('logo', logo)]),
    ...(favicon === null ? [] : [picture('favicon', favicon)]),
  ]
}
