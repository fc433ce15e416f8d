import type { PictureType } from '#http/response-bodies.ts'
import type { PictureSize } from '../change-logo.ts'

/** Picture files with a correct header and no image data, because the code under test reads only the header. */

export function pngOf({ width, height }: PictureSize): Buffer {
  const bytes = Buffer.alloc(33)
  bytes.write('89504e470d0a1a0a0000000d49484452', 'hex')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

/** Has a comment before the frame, like the files of many programs. */
export function jpegOf({ width, height }: PictureSize, frame = 0xc0): Buffer {
  const bytes = Buffer.from('ffd8fffe0006abcdabcdffff0011080000000003', 'hex')
  bytes[11] = frame
  bytes.writeUInt16BE(height, 15)
  bytes.writeUInt16BE(width, 17)
  return bytes
}

export function webpOf(kind: 'VP8 ' | 'VP8L' | 'VP8X', { width, height }: PictureSize): Buffer {
  const bytes = Buffer.alloc(40)
  bytes.write(`RIFF....WEBP${kind}`, 'latin1')
  bytes.writeUInt32LE(bytes.length - 8, 4)
  if (kind === 'VP8 ') {
    bytes.writeUIntBE(0x9d012a, 23, 3)
    bytes.writeUInt16LE(width, 26)
    bytes.writeUInt16LE(height, 28)
  } else if (kind === 'VP8L') {
    bytes[20] = 0x2f
    bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21)
  } else {
    bytes.writeUIntLE(width - 1, 24, 3)
    bytes.writeUIntLE(height - 1, 27, 3)
  }
  return bytes
}

export const sentAs = (media_type: PictureType, bytes: Buffer) => ({ media_type, data: bytes.toString('base64') })
