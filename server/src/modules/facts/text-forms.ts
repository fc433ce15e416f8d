import { ID_PREFIX, type IdKind, idPattern } from '#kernel/ids.ts'
import { LINE_PATTERN, PARAGRAPHS_PATTERN } from '#kernel/text.ts'
import { CURRENCY_PATTERN, EMAIL_PATTERN, TIME_PATTERN, URL_PATTERN } from './fields.ts'
import { Link } from './profile-fields.ts'

/** A form that texts take: its name in the documentation, and what it asks for, completing "must be …". */
export type TextForm = { readonly name: string; readonly words: string }

/** Refusals say what is meant; a regular expression tells the person who sent the fact nothing. */
const FORMS: ReadonlyMap<string, TextForm> = new Map([
  [
    LINE_PATTERN,
    {
      name: 'line',
      words: 'one line of text, without control or direction characters and without blanks at its ends',
    },
  ],
  [PARAGRAPHS_PATTERN, { name: 'text', words: 'text without control or direction characters' }],
  [CURRENCY_PATTERN, { name: 'currency', words: 'a currency code of three lower-case letters' }],
  [TIME_PATTERN, { name: 'time', words: 'an ISO 8601 time with its zone, such as 2026-01-15T12:00:00.123456Z' }],
  [EMAIL_PATTERN, { name: 'email', words: 'an email address' }],
  [URL_PATTERN, { name: 'link', words: 'an address that begins with http:// or https://' }],
  [patternOf(Link), { name: 'link', words: 'an address that begins with http://, https:// or a single /' }],
  ...Object.keys(ID_PREFIX).map((kind): [string, TextForm] => {
    const prefix = ID_PREFIX[kind as IdKind]
    return [idPattern(kind as IdKind), { name: `\`${prefix}\` id`, words: `${prefix} and 24 letters or digits` }]
  }),
])

/** Undefined for a pattern that is nobody's but its own field's. */
export function textForm(pattern: unknown): TextForm | undefined {
  return FORMS.get(String(pattern))
}

function patternOf(schema: object): string {
  return String(Reflect.get(schema, 'pattern'))
}
