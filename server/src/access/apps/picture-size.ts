import type { PictureType } from '#http/response-bodies.ts'

export type PictureSize = { readonly width: number; readonly height: number }

/**
 * How large a picture says it is, read from its header alone; null for bytes that do not begin as this kind does. A person who
 * shows it decodes it, so nothing is decoded here: these are the numbers a browser makes room by.
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

/** JPEG, annex B: segments one after the other, until the one that begins a frame and says its size. */
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
    // A length counts itself; standing alone, or the picture's data already, means that no frame was begun.
    if (length < 2 || marker < 0xc0 || (marker >= 0xd0 && marker <= 0xda)) return null
    at += 2 + length
  }
  return null
}

/** C0 to CF, without the three among them that are tables. */
function beginsFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

/** WebP: a RIFF container as long as it says, whose first chunk is one of three that say the size, each in its way. */
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

/** Null for what is none of these. */
export function pictureTypeOf(bytes: Buffer): PictureType | null {
  const types = Object.keys(SIZE_OF) as PictureType[]
  return types.find((type) => pictureSize(type, bytes) !== null) ?? null
}

function startsWith(bytes: Buffer, head: Buffer): boolean {
  return bytes.subarray(0, head.length).equals(head)
}
