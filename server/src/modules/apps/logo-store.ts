import type { Picture, PictureType } from '#http/picture.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

type Logo = { readonly media_type: PictureType; readonly bytes: Buffer; readonly digest: Buffer }

const FIND = platformStatement<Logo>(
  'apps.logo',
  'select media_type, bytes, digest from platform.app_logos where app_id = $1',
)

export async function findLogo(queries: PlatformQueries, app: Id<'app'>): Promise<Logo | null> {
  return queries.maybeOne(FIND, [app])
}

const WRITE = platformStatement(
  'apps.write_logo',
  `insert into platform.app_logos (app_id, media_type, bytes, digest) values ($1, $2, $3, $4)
   on conflict on constraint app_logos_pkey do update
      set media_type = excluded.media_type, bytes = excluded.bytes, digest = excluded.digest,
          updated_at = clock_timestamp()`,
)

export async function writeLogo(
  tx: PlatformTx,
  app: Id<'app'>,
  { mediaType, bytes, digest }: Picture & { digest: Buffer },
) {
  await tx.run(WRITE, [app, mediaType, bytes, digest])
}

const DELETE = platformStatement('apps.delete_logo', 'delete from platform.app_logos where app_id = $1')

/** False where there was none. */
export async function deleteLogo(tx: PlatformTx, app: Id<'app'>): Promise<boolean> {
  return (await tx.run(DELETE, [app])) === 1
}
