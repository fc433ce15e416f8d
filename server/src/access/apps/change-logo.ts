import { createHash } from 'node:crypto'
import { recordAudit } from '#access/audit/index.ts'
import type { Picture, PictureType } from '#http/response-bodies.ts'
import { type FieldError, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { EDITORS, lockLiveApp, requireTeam, type Seat } from './lock-app.ts'
import { pictureSize } from './picture-size.ts'
import { deleteLogo, writeLogo } from './store.ts'

/** Sending the same picture again changes nothing and leaves no entry in the history. */
export async function changeLogo(tx: PlatformTx, seat: Seat, sent: SentPicture): Promise<void> {
  await requireTeam(tx, seat, EDITORS)
  const picture = readLogo(sent)
  const digest = logoDigest(picture)
  const app = await lockLiveApp(tx, seat.app, 'change_logo')
  if (app.logo_digest?.equals(digest) === true) return
  await writeLogo(tx, app.id, { ...picture, digest })
  const details = { media_type: picture.mediaType, bytes: picture.bytes.length, version: logoVersion(digest) }
  await recordAudit(tx, { actor: seat.account, action: 'app.logo_changed', subject: app.id, details })
}

/** Removing a missing logo is not an error. */
export async function removeLogo(tx: PlatformTx, seat: Seat): Promise<void> {
  await requireTeam(tx, seat, EDITORS)
  const app = await lockLiveApp(tx, seat.app, 'remove_logo')
  if (!(await deleteLogo(tx, app.id))) return
  await recordAudit(tx, { actor: seat.account, action: 'app.logo_removed', subject: app.id })
}

export const LOGO_BYTES_MAX = 65_536
/** Shown some 56 pixels wide, on screens with several pixels for each. */
const SIDE_MIN = 16
const SIDE_MAX = 1_024

type SentPicture = { readonly media_type: PictureType; readonly data: string }

/** A logo as it was sent, in base64: 422 unless it is a picture of the kind it says and of a size that can be shown. */
function readLogo({ media_type: mediaType, data }: SentPicture): Picture {
  const bytes = Buffer.from(data, 'base64')
  // Node skips characters that are not base64; a text that survives the round trip had none.
  if (bytes.toString('base64') !== data) throw refused('invalid_format', 'must be base64, with its padding')
  if (bytes.length > LOGO_BYTES_MAX) throw refused('too_large', `must be at most ${LOGO_BYTES_MAX} bytes`)
  const size = pictureSize(mediaType, bytes)
  if (size === null) throw refused('invalid_format', `must be a picture of the kind ${mediaType}`)
  const sides = [size.width, size.height]
  if (sides.some((side) => side < SIDE_MIN || side > SIDE_MAX)) {
    throw refused('invalid_size', `must be ${SIDE_MIN} to ${SIDE_MAX} pixels wide and high`)
  }
  return { mediaType, bytes }
}

function refused(code: string, message: string) {
  return validationError([{ field: 'data', code, message } satisfies FieldError])
}

function logoDigest({ bytes }: Picture): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** The version of the picture: its ETag, and the part of its URL that changes with it. */
export function logoVersion(digest: Buffer): string {
  return digest.toString('base64url').slice(0, 16)
}

/** On our own host; null for an app that has none. */
export function logoUrl(app: Id<'app'>, digest: Buffer | null): string | null {
  return digest === null ? null : `/assets/apps/${app}/logo?v=${logoVersion(digest)}`
}
