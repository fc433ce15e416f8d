import { Type } from 'typebox'
import { signedIn } from '#http/access.ts'
import type { ShownBrand } from '#http/pages/platform-brand.ts'
import { idPattern } from '#kernel/ids.ts'
import type { OnRevoked } from '../because.ts'
import type { Worlds } from './connected-apps.ts'

export type ConnectedAppsDeps = {
  readonly databases: Worlds
  readonly brand: ShownBrand
  readonly onRevoked: readonly OnRevoked[]
}

export const PATH = '/settings/apps'
export const Installation = Type.Object({ installation: Type.String({ pattern: idPattern('installation') }) })
export const COMMON = {
  alias: false,
  tag: 'Pages',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  access: signedIn(),
} as const
