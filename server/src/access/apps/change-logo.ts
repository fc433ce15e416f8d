import { createHash } from 'node:crypto'
import { recordAudit } from '#access/audit/index.ts'
import type { Picture, PictureType } from '#http/response-bodies.ts'
import { type FieldError, validationError } from '#kernel/errors.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { logoVersion } from './client-store.ts'
import { EDITORS, lockLiveApp, requireTeam, type Seat } from './lock-app.ts'
import { deleteLogo, writeLogo } from './store.ts'

/** Sending the same picture again changes nothing and records nothing in the audit. */
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
/** Pages show a logo about 56 CSS pixels wide; a screen with a high resolution has several pixels for each CSS pixel. */
const SIDE_MIN = 16
const SIDE_MAX = 1_024

type SentPicture = { readonly media_type: PictureType; readonly data: string }

/** Decodes a logo sent in base64. Responds 422 unless it is a picture of the stated type and of an allowed size. */
function readLogo({ media_type: mediaType, data }: SentPicture): Picture {
  const bytes = Buffer.from(data, 'base64')
  // Node skips characters that are not base64. Encoding the bytes gives the same text only if no character was skipped.
  if (bytes.toString('base64') !== data) throw logoError('invalid_format', 'must be base64, with its padding')
  if (bytes.length > LOGO_BYTES_MAX) throw logoError('too_large', `must be at most ${LOGO_BYTES_MAX} bytes`)
  const size = pictureSize(mediaType, bytes)
  if (size === null) throw logoError('invalid_format', `must be a picture of the kind ${mediaType}`)
  const sides = [size.width, size.height]
  if (sides.some((side) => side < SIDE_MIN || side > SIDE_MAX)) {
    throw logoError('invalid_size', `must be ${SIDE_MIN} to ${SIDE_MAX} pixels wide and high`)
  }
  return { mediaType, bytes }
}

function logoError(code: string, message: string) {
  return validationError([{ field: 'data', code, message } satisfies FieldError])
}

function logoDigest({ bytes }: Picture): Buffer {
  return createHash('sha256').update(bytes).digest()
}

export type PictureSize = { readonly width: number; readonly height: number }

/**
 * The size in a picture's header; null for bytes that do not begin like a picture of this type. We do not decode the picture: browsers do that,
 * and they use the same numbers for the layout.
 */
export function pictureSize(type: PictureType, bytes: Buffer): PictureSize | null {
  return SIZE_OF[type](bytes)
}

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

/** PNG, 5.2 and 11.2.1: the signature, then IHDR, which is 13 bytes long and begins with width and height. */
function sizeOfPng(bytes: Buffer): PictureSize | null {
  if (bytes.length < 33 || !startsWith(bytes, PNG)) return null
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

const JPEG = Buffer.from('ffd8ff', 'hex')

/** JPEG, annex B: reads the segments one by one, up to the segment that begins a frame, because that one contains the size. */
function sizeOfJpeg(bytes: Buffer): PictureSize | null {
  if (!startsWith(bytes, JPEG)) return null
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (beginsFrame(marker)) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    const length = bytes.readUInt16BE(at + 2)
    // A length includes its own two bytes. We cannot read the size if a marker without a length, or the picture's data, comes before the
    // first frame.
    if (length < 2 || marker < 0xc0 || (marker >= 0xd0 && marker <= 0xda)) return null
    at += 2 + length
  }
  return null
}

/** C0 to CF, except for two that are tables (C4, CC) and one that is reserved (C8). */
function beginsFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

/** WebP: a RIFF container of the stated length. Its first chunk is one of three kinds, each with its own encoding of the size. */
function sizeOfWebp(bytes: Buffer): PictureSize | null {
  const whole = bytes.length >= 30 && bytes.readUInt32LE(4) + 8 === bytes.length
  if (!whole || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return null
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return null
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21)
      if (bytes[20] !== 0x2f) return null
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return null
  }
}

const SIZE_OF: Readonly<Record<PictureType, (bytes: Buffer) => PictureSize | null>> = {
  'image/png': sizeOfPng,
  'image/jpeg': sizeOfJpeg,
  'image/webp': sizeOfWebp,
}

/** Returns null if the bytes are neither PNG nor JPEG nor WebP. */
export function pictureTypeOf(bytes: Buffer): PictureType | null {
  const types = Object.keys(SIZE_OF) as PictureType[]
  return types.find((type) => pictureSize(type, bytes) !== null) ?? null
}

function startsWith(bytes: Buffer, head: Buffer): boolean {
  return bytes.subarray(0, head.length).equals(head)
}
