import { crc32, deflateSync } from 'node:zlib'

/** An F, eight by eight. */
const LETTER = ['........', '.#####..', '.#......', '.####...', '.#......', '.#......', '.#......', '........']
/** Each point of the letter is so many pixels wide and high. */
const SCALE = 8
const SIDE = LETTER.length * SCALE
/** Deep green and white. */
const PALETTE = '1f5f4affffff'

/**
 * The logo of the demo's first app: a letter on a colour, as a PNG of two colours, one bit a pixel. Written out here
 * instead of kept as a file, and not compressed, so that it is the same bytes wherever it is made.
 */
export function letterLogo(): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIDE, 0)
  header.writeUInt32BE(SIDE, 4)
  header.set([1, 3, 0, 0, 0], 8)
  const rows = LETTER.flatMap((row) => Array<Buffer>(SCALE).fill(pixels(row)))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(PALETTE, 'hex')),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A row begins with how it is filtered, which is not at all; eight pixels of one point are one byte. */
function pixels(row: string): Buffer {
  return Buffer.from([0, ...[...row].map((point) => (point === '#' ? 0xff : 0x00))])
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
