import { COMMON_WORDS } from './common-words.ts'

/**
 * "Verifiers SHALL compare the prospective secret against a blocklist that contains known commonly used, expected, or compromised
 * passwords" (NIST SP 800-63B-4, 3.1.1.2). A password is refused if it is made of at most two common words, of words from the account (its name,
 * its address, the platform), and of digits, repetitions and rows of the keyboard. Longer phrases pass, whatever their words are.
 */
export function isCommonPassword(password: string, about: readonly string[] = []): boolean {
  const text = plain(password)
  if (FAMOUS.has(text.replace(/[^a-z0-9]/g, ''))) return true
  const own = new Set(about.flatMap(wordsOf))
  const words = (part: string) => wordsNeeded(part, own)
  // Every reading of it: as typed, and with the digits that stand for letters.
  return [text, unleeted(text)].some((reading) => {
    const parts = reading.split(/[^a-z\p{L}]+/u).filter((part) => part !== '')
    const stray = parts.filter((part) => part.length <= STRAY_CHARS).join('')
    if (isLongNumber(reading) || hasManySigns(reading) || stray.length > STRAY_LETTERS_MAX) return false
    return parts.reduce((sum, part) => sum + words(part), 0) <= COMMON_WORDS_MAX
  })
}

const COMMON_WORDS_MAX = 2
/** Single letters between digits and signs count as nothing, as long as there are few of them. */
const STRAY_CHARS = 2
const STRAY_LETTERS_MAX = 4
/** Famous as examples of good ones. */
const FAMOUS = new Set(['correcthorsebatterystaple', 'tobeornottobe', 'maytheforcebewithyou', 'threelittlepigs'])

const plain = (text: string) => text.normalize('NFKC').toLowerCase()

const LEET: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '9': 'g' },
  ...{ '@': 'a', $: 's', '!': 'i', '+': 't', '€': 'e', '|': 'l' },
}
const unleeted = (text: string) => text.replace(/[^\p{L}\s]/gu, (sign) => LEET[sign] ?? sign)

/** Digits that nobody lists: too many, and not a run or a date with padding. */
function isLongNumber(text: string): boolean {
  const digits = text.replace(/\D/g, '')
  return digits.length > 12 && new Set(digits).size > 4 && !isRun(digits)
}

/** Signs that are neither letters nor digits, and not a few of them over and over. */
const hasManySigns = (text: string) => new Set(text.replace(/[\p{L}\p{N}\s]/gu, '')).size > 6

const NEVER = Number.POSITIVE_INFINITY

/** How many common words make up these letters; infinite where something else is needed too. */
function wordsNeeded(letters: string, own: ReadonlySet<string>): number {
  if (letters.length <= STRAY_CHARS || isRun(letters)) return 0
  const chars = [...letters]
  // The cheapest way to reach each place, from left to right.
  const costs = [0]
  for (let end = 1; end <= chars.length; end++) {
    const ways = costs.map((cost, start) => cost + costOf(chars.slice(start, end).join(''), own))
    costs.push(Math.min(...ways))
  }
  return costs.at(-1) ?? NEVER
}

/** Of one word, or of a run of letters. */
function costOf(piece: string, own: ReadonlySet<string>): number {
  if (own.has(piece) || (piece.length >= 3 && isRun(piece))) return 0
  return COMMON_WORDS.has(piece) ? 1 : NEVER
}

const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
  '01234567890',
]

/** One sign over and over, a short piece repeated, or neighbours in the alphabet or on a keyboard. */
function isRun(text: string): boolean {
  if (/^(.{1,12})\1+$/u.test(text)) return true
  const turned = [...text].reverse().join('')
  return text.length >= 3 && ROWS.some((row) => (row + row).includes(text) || (row + row).includes(turned))
}

/** "ada.lovelace@fieldbook.example" is ada, lovelace, fieldbook and example. */
function wordsOf(text: string): readonly string[] {
  const whole = plain(text)
  const parts = whole.split(/[^\p{L}]+/u)
  return [...parts, whole.replace(/[^\p{L}]/gu, '')].filter((word) => word.length >= 2)
}
