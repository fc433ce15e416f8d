/** Deep enough that white letters on them pass AA (4.5 to 1). */
const COLOURS = [
  ...['#1f5f4a', '#174f78', '#7a3e1d', '#5b3a7d', '#8a2f3c', '#2d5a27', '#3b4a9c', '#6b4a12'],
  ...['#0f5c63', '#85305f', '#4a5a1c', '#9a3b1f', '#2f4f4f', '#5c2d91', '#7d4600', '#1c5d8c'],
]

/** What lies behind the letters, in white at a tenth of its strength; 96 by 96. */
const MOTIFS = [
  '<circle cx="78" cy="20" r="34"/>',
  '<path d="M0 96 96 0v96z"/>',
  '<path d="M0 60q24-22 48 0t48 0v36H0z"/>',
  '<circle cx="48" cy="96" r="52"/>',
  '<path d="M0 0h32v96H0zM64 0h32v96H64z"/>',
  '<path d="M48-8 104 48 48 104-8 48z"/>',
]

/**
 * A company's logo: its initials on a colour, both told by its name and id alone, so the same wherever it is drawn. It does
 * not tell the name, because a private company's picture is there for everybody who has the address.
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

/** `Marrow & Rye` to `MR`, `The Ninth Ward Cinema` to `NW`, `Brightkiln` to `B`. */
export function initials(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && !/^(the|and|of)$/i.test(word))
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('')
}

/** FNV-1a: the last character counts as much as the first, so that ids made together look different. */
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
