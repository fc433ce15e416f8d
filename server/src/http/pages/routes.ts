import { Type } from 'typebox'
import { open } from '../access.ts'
import { type Picture, PictureBody } from '../picture.ts'
import { type Route, route } from '../route.ts'
import { KEEP_ASSET } from './asset.ts'
import { accentStyle, BRAND_DIRECTORY, type PlatformBrand } from './platform-brand.ts'
import { pageStyle } from './style.ts'

/** What the pages for people load; the pages themselves belong to the modules they are about. */
export function pageAssetRoutes(brand: PlatformBrand): readonly Route[] {
  const style = pageStyle()
  return [
    ...brandAssetRoutes(brand),
    route({
      operation: 'readPageStyle',
      method: 'GET',
      path: style.path,
      alias: false,
      summary: 'Get the page style sheet',
      description: 'The style sheet of the hosted pages.',
      tag: 'Pages',
      access: open('A style sheet contains no personal data.'),
      schema: { response: { 200: Type.String() } },
      contentType: 'text/css; charset=utf-8',
      handler: async () => ({ status: 200, body: style.text, headers: { 'Cache-Control': KEEP_ASSET } }),
    }),
  ]
}

/** Only what is set is served: without a setting its route does not exist. */
function brandAssetRoutes({ accent, logo, favicon }: PlatformBrand): readonly Route[] {
  const headers = { 'Cache-Control': KEEP_ASSET }
  const asset = { method: 'GET', alias: false, tag: 'Assets', access: open('Every page for people shows it.') } as const
  const picture = (name: 'logo' | 'favicon', shown: Picture) =>
    route({
      ...asset,
      operation: name === 'logo' ? 'readPlatformLogo' : 'readPlatformFavicon',
      path: `${BRAND_DIRECTORY}/${name}`,
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
            path: `${BRAND_DIRECTORY}/accent.css`,
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
