import { type Static, type TSchema, Type } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { ActionName } from '#access/scopes/index.ts'
import { type Id, idPattern } from '#kernel/ids.ts'
import { SEEN_PARAGRAPHS_PATTERN } from '#kernel/text.ts'
import { DISCLOSURE_KEYS, type DisclosureKey } from '#market/companies/index.ts'

const exactly = { additionalProperties: false }

const Nothing = Type.Object({}, exactly)

const Deal = Type.Object(
  { fundraise_id: Type.Unsafe<Id<'offering'>>(Type.String({ pattern: idPattern('offering') })) },
  exactly,
)

const Member = Type.Object(
  { member_id: Type.Unsafe<Id<'membership'>>(Type.String({ pattern: idPattern('membership') })) },
  exactly,
)

const Comment = Type.Object(
  {
    target_type: Type.Union([Type.Literal('company'), Type.Literal('comment')]),
    target: Type.String({ maxLength: 40 }),
    body: Type.String({ minLength: 1, maxLength: 10_000, pattern: SEEN_PARAGRAPHS_PATTERN }),
    disclosure_key: Type.Optional(Type.Unsafe<DisclosureKey>(Type.Enum([...DISCLOSURE_KEYS], { type: 'string' }))),
  },
  exactly,
)

/** The params of each action. They have their own file, because the workers carry out actions without loading schemas. */
const PARAMS = {
  'syndicates.close_deal': Deal,
  'syndicates.finalize_deal': Deal,
  'syndicates.publish': Nothing,
  'syndicates.remove_member': Member,
  'syndicates.delete_draft': Nothing,
  'comments.create': Comment,
} as const satisfies Readonly<Record<ActionName, TSchema>>

export type ActionParams<N extends ActionName> = Static<(typeof PARAMS)[N]>

const validators = Object.entries(PARAMS).map(([name, schema]) => [name, Compile(schema)])

export const PARAM_VALIDATORS: Readonly<Record<ActionName, Validator>> = Object.fromEntries(validators)
