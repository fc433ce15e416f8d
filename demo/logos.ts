import { crc32, deflateSync } from 'node:zlib'
import { demoCompanies } from './companies.ts'

/** These colors are dark enough for white letters with AA contrast (4.5 to 1). */
const COLOURS = [
  ...['#1f5f4a', '#174f78', '#7a3e1d', '#5b3a7d', '#8a2f3c', '#2d5a27', '#3b4a9c', '#6b4a12'],
  ...['#0f5c63', '#85305f', '#4a5a1c', '#9a3b1f', '#2f4f4f', '#5c2d91', '#7d4600', '#1c5d8c'],
]

/** Shapes behind the letters, in white with 10 % opacity. The logo clips them to its square of 96 by 96. */
const MOTIFS = [
  '<circle cx="78" cy="20" r="34"/>',
  '<path d="M0 96 96 0v96z"/>',
  '<path d="M0 60q24-22 48 0t48 0v36H0z"/>',
  '<circle cx="48" cy="96" r="52"/>',
  '<path d="M0 0h32v96H0zM64 0h32v96H64z"/>',
  '<path d="M48-8 104 48 48 104-8 48z"/>',
]

let names: ReadonlyMap<string, string> | undefined

/** Returns the logo of a company of the demo, or undefined for any other id. Reads no database. */
export function demoLogo(id: string): string | undefined {
  names ??= new Map(demoCompanies().map((company) => [company.id, company.story.name]))
  const name = names.get(id)
  return name === undefined ? undefined : companyLogo(name, id)
}

/**
 * Returns a company's logo: its initials on a color. Both depend only on its name and id, so that the logo is the same everywhere.
 * It does not contain the name, because every person with the address can read a private company's logo.
 */
export function companyLogo(name: string, id: string): string {
  const number = digest(id)
  const letters = initials(name)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">`,
    `<clipPath id="edge"><rect width="96" height="96" rx="18"/></clipPath>`,
    `<g clip-path="url(#edge)"><path fill="${pick(COLOURS, number)}" d="M0 0h96v96H0z"/>`,
    `<g fill="#fff" fill-opacity=".1">${pick(MOTIFS, number >>> 8)}</g></g>`,
    `<text x="48" y="49" fill="#fff" font-family="system-ui,sans-serif" font-weight="600" `,
    `font-size="${letters.length > 1 ? 38 : 46}" text-anchor="middle" dominant-baseline="central">`,
    `${escapeMarkup(letters)}</text></svg>`,
  ].join('')
}

/** Returns `MR` for `Marrow & Rye`, `NW` for `The Ninth Ward Cinema`, `B` for `Brightkiln`. */
export function initials(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && !/^(the|and|of)$/i.test(word))
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('')
}

/** An FNV-1a hash. Every character changes the whole hash, so that similar ids get different logos. */
function digest(text: string): number {
  let hash = 0x811c_9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x0100_0193) >>> 0
  return hash
}

function pick(from: readonly string[], number: number): string {
  return from[number % from.length] ?? ''
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** The letter F, eight by eight points. */
const LETTER = ['........', '.#####..', '.#......', '.####...', '.#......', '.#......', '.#......', '........']
/** The pixels per point of the letter, in width and height. */
const SCALE = 8
const SIDE = LETTER.length * SCALE
/** Dark green and white. */
const PALETTE = '1f5f4affffff'

/**
 * Returns the logo of the demo's first app: a letter on a color, as a PNG with two colors and one bit per pixel. It is generated
 * instead of stored as a file. It is not compressed, so that its bytes are always the same.
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

/** A row begins with the byte of its filter, 0 for none. Each point is eight pixels, which are one byte. */
function pixels(row: string): Buffer {
  return Buffer.from([0, ...[...row].map((point) => (point === '#' ? 0xff : 0x00))])
}

function chunk(type: string, data: Buffer): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(typeAndData))
  return Buffer.concat([length, typeAndData, sum])
}
