import { Type } from 'typebox'
import { open, signedIn } from '#http/access.ts'
import { KEEP_ASSET } from '#http/pages/asset.ts'
import { PICTURE_TYPES, PictureBody } from '#http/picture.ts'
import { type Route, route } from '#http/route.ts'
import { notFound } from '#kernel/errors.ts'
import { Exactly, One, OneOf } from '#modules/organizations/http.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { AppRecord, showApp } from './app-record.ts'
import { changeLogo, removeLogo } from './change-logo.ts'
import { LOGO_BYTES_MAX, logoVersion } from './logo.ts'
import { findLogo } from './logo-store.ts'
import { AppParam } from './schemas.ts'

const portal = { tag: 'Portal', alias: false, access: signedIn() } as const

const LogoBody = Exactly(
  {
    media_type: OneOf(PICTURE_TYPES),
    data: Type.String({
      minLength: 1,
      maxLength: Math.ceil(LOGO_BYTES_MAX / 3) * 4,
      description: 'The picture in base64: 64 KiB at most, 16 to 1,024 pixels wide and high.',
    }),
  },
  'LogoPicture',
)

/** The picture of an app, which lies with us: a partner does not learn who looks at a page that asks for consent. */
export const appLogoRoutes = ({ platform }: { readonly platform: PlatformDatabase }): Route[] => [
  route({
    ...portal,
    operation: 'changeAppLogo',
    method: 'PUT',
    path: '/portal/api/apps/:app_id/logo',
    summary: 'Set an app’s logo',
    description: 'Sets or replaces the logo of an app.',
    schema: { params: AppParam, body: LogoBody, response: { 200: One(AppRecord) } },
    platform: async ({ ptx, caller, params: { app_id: app }, body }) => {
      await changeLogo(ptx, { account: caller.accountId, app }, body)
      return { status: 200, body: await showApp(ptx, app) }
    },
  }),
  route({
    ...portal,
    operation: 'removeAppLogo',
    method: 'DELETE',
    path: '/portal/api/apps/:app_id/logo',
    summary: 'Remove an app’s logo',
    description: 'Removes the logo of an app.',
    schema: { params: AppParam, response: { 204: Type.Null() } },
    platform: async ({ ptx, caller, params: { app_id: app } }) => {
      await removeLogo(ptx, { account: caller.accountId, app })
      return { status: 204, body: null }
    },
  }),
  route({
    operation: 'readAppLogo',
    method: 'GET',
    path: '/assets/apps/:app_id/logo',
    alias: false,
    cors: 'any',
    summary: 'Get an app’s logo',
    description: 'Returns the logo of an app as an image.',
    tag: 'Assets',
    access: open('A picture that an app’s team gives for everybody to see.'),
    schema: { params: AppParam, response: { 200: PictureBody, 304: Type.Null() } },
    contentType: 'image/*',
    handler: async ({ params: { app_id: app }, header }) => {
      const logo = await findLogo(platform.reads, app)
      if (logo === null) throw notFound(`app ${app} has no logo`)
      const tag = `"${logoVersion(logo.digest)}"`
      // Shown on anybody's pages, as those of companies are.
      const headers = { 'Cache-Control': KEEP_ASSET, ETag: tag, 'Cross-Origin-Resource-Policy': 'cross-origin' }
      if (header('If-None-Match') === tag) return { status: 304, body: null, headers }
      return { status: 200, body: { mediaType: logo.media_type, bytes: logo.bytes }, headers }
    },
  }),
]
