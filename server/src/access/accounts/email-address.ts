import { domainToUnicode } from 'node:url'
import { validationError } from '#kernel/errors.ts'
import { UNSEEN } from '#kernel/text.ts'

export const EMAIL_CHARS_MAX = 254
/**
 * Mail software reads these characters as punctuation around an address: a mail to `<ada@example.org>` goes to ada@example.org. We would
 * then store another address than the proven one, and each spelling would get its own rate limits.
 */
export const MARKS = '<>()\\[\\],;:"\\\\'
export const EMAIL_PATTERN = `^[^@${MARKS}${UNSEEN}]+@[^@${MARKS}${UNSEEN}]+$`

/**
 * Two addresses that look alike to a person must not be two accounts: the second could pass for the first on every page
 * that shows an address. The rules follow Unicode Technical Standard 39 at its "highly restrictive" level.
 *
 * ASCII addresses pass, except for a domain that is a lookalike once its punycode (`xn--…`) is decoded.
 */
export function isLookalikeAddress(email: string): boolean {
  const at = email.lastIndexOf('@')
  const [local, domain] = [email.slice(0, Math.max(at, 0)), email.slice(at + 1)]
  return [local, ...domain.split('.'), ...decodedLabels(domain)].some(isLookalike)
}

export function rejectLookalikeAddress(email: string): void {
  if (!isLookalikeAddress(email)) return
  const message = 'contains invisible characters, or letters that look like others'
  throw validationError([{ field: 'email', code: 'lookalike', message }])
}

/** The labels as mail programs show them, with punycode decoded; empty for a domain that cannot be decoded. */
function decodedLabels(domain: string): readonly string[] {
  return /(^|\.)xn--/i.test(domain) ? domainToUnicode(domain).split('.') : []
}

const ASCII = /^[\x21-\x7e]*$/
/** Outside ASCII, only letters and their marks are allowed: no digits, signs, dots, spaces or characters without a visible shape. */
const LETTERS = /^[\x21-\x7e\p{L}\p{M}]*$/u
const SHAPELESS = /\p{Default_Ignorable_Code_Point}|\p{Lm}/u
/** Normalization turns a letter and its accent into one letter. A mark that remains is rejected: it may disguise the letter. */
const MARK_ON_ALPHABET = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]\p{M}/u
/** Latin letters that pass for others: dotless i and j, the phonetic alphabet, small capitals and clicks. */
const LATIN_DOUBLES = /[\u0131\u0237\u01c0-\u01c3\u0250-\u02af\u1d00-\u1dbf\ua730-\ua7ff]/u

/** Scripts that one language writes together; every other mixture is rejected. */
const WRITTEN_TOGETHER: readonly RegExp[] = [
  /^\p{Script=Latin}*$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]*$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Bopomofo}]*$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hangul}]*$/u,
]

/** Cyrillic, Greek and Armenian letters that look like Latin ones. A word of only such letters reads as Latin: "сосо", "раура". */
const LATIN_IN_ANOTHER_SCRIPT = [
  /^[\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u04bb\u04cf\u0501\u051b\u051d\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0405\u0406\u0408\u04c0]+$/u,
  /^[\u03b1\u03b3\u03b9\u03ba\u03bd\u03bf\u03c1\u03c3\u03c5\u03c7\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7]+$/u,
  /^[\u0561\u0563\u0566\u0570\u0578\u057d\u0581\u0582\u0584\u0585\u054f\u0555\u054d]+$/u,
]

function isLookalike(part: string): boolean {
  if (ASCII.test(part)) return false
  if (!LETTERS.test(part) || part.normalize('NFKC') !== part) return true
  if (SHAPELESS.test(part) || MARK_ON_ALPHABET.test(part) || LATIN_DOUBLES.test(part)) return true
  const letters = part.replace(/[^\p{L}]/gu, '')
  return !isOfOneScript(letters) || LATIN_IN_ANOTHER_SCRIPT.some((script) => script.test(letters))
}

function isOfOneScript(letters: string): boolean {
  return WRITTEN_TOGETHER.some((scripts) => scripts.test(letters)) || OTHER_SCRIPTS.some((one) => one.test(letters))
}

const OTHER_SCRIPTS = [
  'Arabic',
  'Armenian',
  'Bengali',
  'Cyrillic',
  'Devanagari',
  'Ethiopic',
  'Georgian',
  'Greek',
  'Gujarati',
  'Gurmukhi',
  'Hebrew',
  'Kannada',
  'Khmer',
  'Lao',
  'Malayalam',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thaana',
  'Thai',
  'Tibetan',
].map((script) => new RegExp(`^\\p{Script=${script}}*$`, 'u'))

/**
 * An address as the database compares it: only ASCII letters are lowercased, as `lower` does under collation "C". The space that
 * a phone's keyboard adds at the end is removed.
 */
export function foldedEmail(email: string): string {
  return email.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
