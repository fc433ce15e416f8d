import { Type } from 'typebox'
import { visitor } from '#http/access.ts'
import { isLocalRequest } from '#http/browser/own-form.ts'
import { type Route, route } from '#http/route.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'
import type { DemoDoor } from './demo-section.ts'
import { frontDoorPage } from './front-door-page.ts'

export type { DemoDoor } from './demo-section.ts'

export type FrontDoorDeps = {
  readonly brand: ShownBrand
  readonly origin: () => string
  /** Whether people may create accounts by themselves. */
  readonly signUp: boolean
  /** Null without a demo, and where others than this machine reach the service. */
  readonly demo: () => DemoDoor | null
}

export function frontDoorRoutes({ brand, origin, signUp, demo }: FrontDoorDeps): Route[] {
  return [
    route({
      operation: 'showFrontDoor',
      method: 'GET',
      path: '/',
      alias: false,
      summary: 'Show the front page',
      description: 'The page that says what this is and where to go.',
      tag: 'Pages',
      access: visitor('it is the first page that a stranger opens'),
      errorsAs: 'page',
      contentType: 'text/html; charset=utf-8',
      schema: { response: { 200: Type.String() } },
      handler: async ({ caller, browser, address, header }) => {
        // The demo's passwords are on the page. They are known to everybody, and still only the person at this machine needs them.
        const shownDemo = isLocalRequest({ address, header }) ? demo() : null
        const parts = { brand, origin: origin(), signUp, demo: shownDemo, person: caller, csrf: browser.csrf }
        return { status: 200, body: frontDoorPage(parts) }
      },
    }),
  ]
}
