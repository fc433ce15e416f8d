import { validationError } from './errors.ts'

/**
 * Text that people wrote and other people read. Control characters can break terminals and CSV files, and the
 * characters that turn the direction of writing can make one name look like another: neither is ever stored. Lone
 * halves of surrogate pairs are no text at all.
 */
const CONTROL = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f'
const DIRECTION = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'
const BREAKS = '\\t\\n\\r\\u2028\\u2029'

/** Letters by name that show nothing: fillers of the Korean script and the empty Braille cell. */
const UNSEEN_LETTERS = '\\u115f\\u1160\\u2800\\u3164\\uffa0'
const SEEN = `(?![${UNSEEN_LETTERS}])[\\p{L}\\p{N}\\p{P}\\p{S}]`

/** JSON Schema patterns, for `u` mode. A line: begins with something visible, ends in no space, and is one line. */
export const LINE_PATTERN = `^(?=${SEEN})[^\\s${CONTROL}${DIRECTION}\\ud800-\\udfff]([^${BREAKS}${CONTROL}${DIRECTION}\\ud800-\\udfff]*[^\\s${CONTROL}${DIRECTION}\\ud800-\\udfff])?$`
/** Text with something in it to see. */
export const SEEN_PARAGRAPHS_PATTERN = `^(?=[\\s\\S]*?${SEEN})[^${CONTROL}${DIRECTION}\\ud800-\\udfff]*$`
export const PARAGRAPHS_PATTERN = `^[^${CONTROL}${DIRECTION}\\ud800-\\udfff]*$`

/**
 * What mail programs make a link of: an address with its scheme, `www.`, or a domain with a path. A domain alone ("Acme.io") is a
 * name that companies have.
 */
const LINK = /:\/\/|(?<![\p{L}\p{N}])www\.|[\p{L}\p{N}-]\.\p{L}[\p{L}\p{N}-]+(:\d+)?\//iu

/** For names that we mail to people who do not know their bearer. */
export function holdsLink(name: string): boolean {
  return LINK.test(name.normalize('NFKC'))
}

export function rejectLinkIn(name: string): void {
  if (!holdsLink(name)) return
  throw validationError([{ field: 'name', code: 'link', message: 'must not hold a web address' }])
}

const UNSTORABLE = new RegExp(`[${CONTROL}${DIRECTION}]`, 'gu')

/** Text that was decoded from another form (HTML entities), without the characters that the patterns above reject. */
export function withoutUnstorable(text: string): string {
  return text.toWellFormed().replace(UNSTORABLE, '')
}
