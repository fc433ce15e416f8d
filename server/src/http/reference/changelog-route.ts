import { join } from 'node:path'
import { Type } from 'typebox'
import { open } from '../access.ts'
import { KEEP_ASSET, styleSheet } from '../pages/asset.ts'
import { type Route, route } from '../route.ts'
import { pagePolicy } from '../security-headers.ts'
import { changelogPage } from './changelog-page.ts'

/** `text`: the project's own CHANGELOG.md. The style is the reference's, which serves it. */
export function changelogRoute({ text, product }: { readonly text: string; readonly product: string }): Route {
  const style = styleSheet('/docs', join(import.meta.dirname, 'reference.css')).address
  const body = changelogPage({ text, product, style })
  const headers = { 'Content-Security-Policy': pagePolicy(), 'Cache-Control': KEEP_ASSET }
  return route({
    operation: 'readChangelog',
    method: 'GET',
    path: '/docs/changelog',
    alias: false,
    summary: 'Show the API changelog',
    description: 'The page that lists what changed, version by version.',
    tag: 'Reference',
    access: open('It tells what changed, and contains no personal data.'),
    errorsAs: 'page',
    schema: { response: { 200: Type.String() } },
    contentType: 'text/html; charset=utf-8',
    handler: async () => ({ status: 200, body, headers }),
  })
}
