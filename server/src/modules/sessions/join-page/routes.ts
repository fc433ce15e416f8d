import { Type } from 'typebox'
import { open, visitor } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { notFound } from '#kernel/errors.ts'
import { TAG } from '../join-api/fields.ts'
import { themeStyle } from '../join-themes/appearance.ts'
import { FRAME_PATH, JOIN_PATH, STYLE_PATH } from './addresses.ts'
import type { JoinPageDeps } from './arrive.ts'
import { decideJoin } from './decide.ts'
import { formStyle, showForm } from './form-page.ts'
import { showJoin } from './show.ts'

const LINK_CHARS_MAX = 200
const WAY_CHARS_MAX = 40
const Link = Type.Object({ link: Type.String({ maxLength: LINK_CHARS_MAX }) })
const JoinForm = Type.Object({ way: Type.String({ maxLength: WAY_CHARS_MAX }) })

const Page = Type.String()
const answers = { 200: Page, 303: Type.Null(), 403: Page, 404: Page, 409: Page }

const PAGE = { alias: false, tag: TAG, errorsAs: 'page', contentType: 'text/html; charset=utf-8' } as const
const VISITED = { ...PAGE, access: visitor('People are sent here by an app before they have signed in.') } as const

export const joinPageRoutes = (deps: JoinPageDeps): Route[] => [
  route({
    ...VISITED,
    operation: 'showJoin',
    method: 'GET',
    path: JOIN_PATH,
    summary: 'Show a join session page',
    description: 'The page to which an app sends a person to join a syndicate.',
    schema: { params: Link, response: answers },
    handler: (request) => showJoin(deps, request),
  }),
  route({
    ...VISITED,
    operation: 'decideJoin',
    method: 'POST',
    path: JOIN_PATH,
    accepts: ['application/x-www-form-urlencoded'],
    summary: 'Submit the person’s decision',
    schema: { params: Link, body: JoinForm, response: answers },
    handler: (request) => decideJoin(deps, request),
  }),
  route({
    ...PAGE,
    operation: 'showJoinForm',
    method: 'GET',
    path: FRAME_PATH,
    summary: 'Show an embedded join form',
    description: 'The first step of an embedded join session, for a frame in the app’s own site.',
    access: open('Shown inside other sites: it knows nobody and changes nothing, and its link cannot be guessed.'),
    schema: { params: Link, response: answers },
    handler: ({ params: { link } }) => showForm(deps, link),
  }),
  route({
    operation: 'readJoinFormStyle',
    method: 'GET',
    path: STYLE_PATH,
    alias: false,
    tag: TAG,
    summary: 'Get embedded join form styles',
    description: 'The style sheet of an embedded join session.',
    access: open('Colours, and nothing of anybody’s.'),
    contentType: 'text/css; charset=utf-8',
    schema: { params: Link, response: { 200: Type.String() } },
    handler: async ({ params: { link } }) => {
      const appearance = await formStyle(deps, link)
      if (appearance === null) throw notFound('no embedded session with a theme')
      return { status: 200, body: themeStyle(appearance) }
    },
  }),
]
