import { crc32, deflateSync } from 'node:zlib'
import { demoCompanies } from './companies.ts'

/** Dark enough for white letters with AA contrast (4.5 to 1). */
const COLOURS = [
  ...['#1f5f4a', '#174f78', '#7a3e1d', '#5b3a7d', '#8a2f3c', '#2d5a27', '#3b4a9c', '#6b4a12'],
  ...['#0f5c63', '#85305f', '#4a5a1c', '#9a3b1f', '#2f4f4f', '#5c2d91', '#7d4600', '#1c5d8c'],
]

/** The shape behind the letters, in white with an opacity of a tenth; 96 by 96. */
const MOTIFS = [
  '<circle cx="78" cy="20" r="34"/>',
  '<path d="M0 96 96 0v96z"/>',
  '<path d="M0 60q24-22 48 0t48 0v36H0z"/>',
  '<circle cx="48" cy="96" r="52"/>',
  '<path d="M0 0h32v96H0zM64 0h32v96H64z"/>',
  '<path d="M48-8 104 48 48 104-8 48z"/>',
]

let names: ReadonlyMap<string, string> | undefined

/** The logo of a company of the demo; undefined for any other id. No database is read. */
export function demoLogo(id: string): string | undefined {
  names ??= new Map(demoCompanies().map((company) => [company.id, company.story.name]))
  const name = names.get(id)
  return name === undefined ? undefined : companyLogo(name, id)
}

/**
 * A company's logo: its initials on a colour. Both depend only on its name and id, so that the logo is the same everywhere. It
 * does not contain the name, because every holder of the address can read a private company's logo.
 */
export function companyLogo(name: string, id: string): string {
  const drawn = digest(id)
  const letters = initials(name)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">`,
    `<clipPath id="edge"><rect width="96" height="96" rx="18"/></clipPath>`,
    `<g clip-path="url(#edge)"><path fill="${pick(COLOURS, drawn)}" d="M0 0h96v96H0z"/>`,
    `<g fill="#fff" fill-opacity=".1">${pick(MOTIFS, drawn >>> 8)}</g></g>`,
    `<text x="48" y="49" fill="#fff" font-family="system-ui,sans-serif" font-weight="600" `,
    `font-size="${letters.length > 1 ? 38 : 46}" text-anchor="middle" dominant-baseline="central">`,
    `${escaped(letters)}</text></svg>`,
  ].join('')
}

/** `MR` for `Marrow & Rye`, `NW` for `The Ninth Ward Cinema`, `B` for `Brightkiln`. */
export function initials(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && !/^(the|and|of)$/i.test(word))
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('')
}

/** FNV-1a: the last character counts as much as the first, so that similar ids get different logos. */
function digest(text: string): number {
  let hash = 0x811c_9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x0100_0193) >>> 0
  return hash
}

function pick(from: readonly string[], drawn: number): string {
  return from[drawn % from.length] ?? ''
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** An F, eight by eight. */
const LETTER = ['........', '.#####..', '.#......', '.####...', '.#......', '.#......', '.#......', '........']
/** The pixels per point of the letter, in width and height. */
const SCALE = 8
const SIDE = LETTER.length * SCALE
/** Deep green and white. */
const PALETTE = '1f5f4affffff'

/**
 * The logo of the demo's first app: a letter on a colour, as a PNG with two colours, one bit per pixel. Generated here instead
 * of stored as a file, and not compressed, so that its bytes are always the same.
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

/** A row begins with its filter (none); eight pixels of one point are one byte. */
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
