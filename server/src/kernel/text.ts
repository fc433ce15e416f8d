import { validationError } from './errors.ts'

/**
 * These rules are for text that people write and other people read. Control characters can break terminals and CSV files, and
 * direction marks can make one name look like another, so both are rejected. Half surrogate pairs are not valid text.
 */
const CONTROL = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f'
const DIRECTION = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'
const BREAKS = '\\t\\n\\r\\u2028\\u2029'

/** Spaces, control characters, invisible characters, and characters that change the direction of writing: for addresses and links. */
export const UNSEEN =
  '\\s\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff\\ud800-\\udfff'

/** Characters that Unicode calls letters or symbols but that show nothing: Korean fillers and the empty Braille cell. */
const UNSEEN_LETTERS = '\\u115f\\u1160\\u2800\\u3164\\uffa0'
const SEEN = `(?![${UNSEEN_LETTERS}])[\\p{L}\\p{N}\\p{P}\\p{S}]`

/**
 * JSON Schema patterns, for `u` mode. A line starts with a visible character, does not end with a space, and has no line break.
 */
export const LINE_PATTERN = `^(?=${SEEN})[^\\s${CONTROL}${DIRECTION}\\ud800-\\udfff]([^${BREAKS}${CONTROL}${DIRECTION}\\ud800-\\udfff]*[^\\s${CONTROL}${DIRECTION}\\ud800-\\udfff])?$`
/** Text with at least one visible character. */
export const SEEN_PARAGRAPHS_PATTERN = `^(?=[\\s\\S]*?${SEEN})[^${CONTROL}${DIRECTION}\\ud800-\\udfff]*$`
export const PARAGRAPHS_PATTERN = `^[^${CONTROL}${DIRECTION}\\ud800-\\udfff]*$`

/**
 * Text that mail programs turn into a link: an address with its scheme, `www.`, or a domain with a path. A domain alone
 * ("Acme.io") is allowed, because companies have such names.
 */
const LINK = /:\/\/|(?<![\p{L}\p{N}])www\.|[\p{L}\p{N}-]\.\p{L}[\p{L}\p{N}-]+(:\d+)?\//iu

/** For names in mail to people who do not know the sender. */
export function holdsLink(name: string): boolean {
  return LINK.test(name.normalize('NFKC'))
}

/**
 * A domain alone, as mail programs recognise it: two words joined by a dot, or a single letter before a usual ending (`t.co`). In
 * a person's name a space follows the dot ("Dr. Grace Hopper"), or only a single letter does ("Ph.D").
 */
const DOMAIN =
  /[\p{L}\p{N}-]{2}\.\p{L}{2}|(?<![\p{L}\p{N}])[\p{L}\p{N}]\.(?:app|co|com|info|io|me|net|org|ru|tv|xyz)(?![\p{L}\p{N}])/iu

/** For names of people: mails use them in the greeting, so a name must not be a web address. */
export function holdsDomain(name: string): boolean {
  return holdsLink(name) || DOMAIN.test(name.normalize('NFKC'))
}

export function rejectLinkIn(name: string, holds: (name: string) => boolean = holdsLink): void {
  if (!holds(name)) return
  throw validationError([{ field: 'name', code: 'link', message: 'must not contain a web address' }])
}

const UNSTORABLE = new RegExp(`[${CONTROL}${DIRECTION}]`, 'gu')

/** Text that was decoded from another form (HTML entities), without the characters that the patterns above reject. */
export function withoutUnstorable(text: string): string {
  return text.toWellFormed().replace(UNSTORABLE, '')
}
