import { createHash } from 'node:crypto'
import type { Picture, PictureType } from '#http/picture.ts'
import { type FieldError, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { pictureSize } from './picture-size.ts'

export const LOGO_BYTES_MAX = 65_536
/** Shown some 56 pixels wide, on screens with several pixels for each. */
const SIDE_MIN = 16
const SIDE_MAX = 1_024

export type SentPicture = { readonly media_type: PictureType; readonly data: string }

/** A logo as it was sent, in base64: 422 unless it is a picture of the kind it says and of a size that can be shown. */
export function readLogo({ media_type: mediaType, data }: SentPicture): Picture {
  const bytes = Buffer.from(data, 'base64')
  // Node skips what is no base64; what comes back as it was sent had nothing to skip.
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

export function logoDigest({ bytes }: Picture): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** Names the picture: what a browser may compare with what it has, and what makes its address another when it changes. */
export function logoVersion(digest: Buffer): string {
  return digest.toString('base64url').slice(0, 16)
}

/** On our own host; null for an app that has none. */
export function logoUrl(app: Id<'app'>, digest: Buffer | null): string | null {
  return digest === null ? null : `/assets/apps/${app}/logo?v=${logoVersion(digest)}`
}
