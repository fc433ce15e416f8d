import { type Static, Type } from 'typebox'
import { listOf, pageQuery } from '#http/pagination.ts'
import type { Id } from '#kernel/ids.ts'
import { LINE_PATTERN } from '#kernel/text.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { exactly, idOf, nullable, oneOf, RangeSchema, time } from '../fields.ts'
import { CODE_CHARS, CODE_PATTERN, CODE_STATES, type ReferralCode } from './code.ts'

const NAME_CHARS_MAX = 100

const CODE = 'What stands in links as ?ref=…: letters, digits and hyphens between them. Case does not count.'
const code = (description: string) =>
  Type.String({ minLength: CODE_CHARS.min, maxLength: CODE_CHARS.max, pattern: CODE_PATTERN, description })

const NAME = 'What the app calls it; nobody else sees it.'
const name = (description: string) =>
  Type.String({ minLength: 1, maxLength: NAME_CHARS_MAX, pattern: LINE_PATTERN, description })

const Status = oneOf(CODE_STATES, 'A paused code credits nothing new.')

/** "Counts on a code are as of the last published week, never live." */
export const CodeCounts = exactly(
  {
    through_week: Type.String({ description: 'The last week that was published.' }),
    investors: nullable(RangeSchema, 'What the ranges published so far add up to; null while there are none.'),
  },
  'ReferralCodeCounts',
)
type CodeCounts = Static<typeof CodeCounts>

const CodeSchema = exactly(
  {
    id: idOf('referralCode'),
    type: Type.Literal('referral_code'),
    attributes: exactly({
      code: code(CODE),
      name: name(NAME),
      status: Status,
      counts: nullable(CodeCounts, 'As of the last published week, never live; null before there is one.'),
      created_at: time('UTC, in the time of the world.'),
      updated_at: time('UTC, in the time of the world: when it was renamed, paused or resumed.'),
    }),
  },
  'ReferralCode',
)

export const OneCode = exactly(
  { data: CodeSchema, meta: exactly({ request_id: Type.String() }) },
  'ReferralCodeEnvelope',
)
export const CodeList = listOf(CodeSchema, {
  quota: Type.Integer({ description: 'How many codes an app can have in each mode.' }),
  request_id: Type.String(),
})

export const CodeParam = Type.Object({ id: idOf('referralCode') })
export const CodeQuery = Type.Object(pageQuery())

export const NewCode = exactly(
  {
    code: Type.Optional(code(`${CODE} Made by us where it is left out.`)),
    name: Type.Optional(name(`${NAME} The code itself where it is left out.`)),
  },
  'NewReferralCode',
)

export const CodeChange = exactly(
  { name: Type.Optional(name(NAME)), status: Type.Optional(Status) },
  'ReferralCodeChange',
)

export function codeRecord(row: ReferralCode, counts: CodeCounts | null): Static<typeof CodeSchema> {
  const { id, code, name, state: status, created_at, updated_at } = row
  return { id, type: 'referral_code', attributes: { code, name, status, counts, created_at, updated_at } }
}

/** Returns the counts of an app's codes. A code without an entry has none yet. */
export type CountsOf = (
  queries: WorldQueries,
  app: Id<'app'>,
  codes: readonly Id<'referralCode'>[],
) => Promise<ReadonlyMap<Id<'referralCode'>, CodeCounts>>
