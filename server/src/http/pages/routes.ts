import { Type } from 'typebox'
import { open } from '../access.ts'
import { type Route, route } from '../route.ts'
import { KEEP_ASSET } from './asset.ts'
import { brandAssetRoutes, type PlatformBrand } from './platform-brand.ts'
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
      access: open('A style sheet holds nothing of anybody’s.'),
      schema: { response: { 200: Type.String() } },
      contentType: 'text/css; charset=utf-8',
      handler: async () => ({ status: 200, body: style.text, headers: { 'Cache-Control': KEEP_ASSET } }),
    }),
  ]
}
