import { type Static, type TSchema, Type } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { ActionName } from '#access/scopes/index.ts'
import { type Id, idPattern } from '#kernel/ids.ts'
import { SEEN_PARAGRAPHS_PATTERN } from '#kernel/text.ts'
import { DISCLOSURE_KEYS, type DisclosureKey } from '#market/companies/index.ts'

const NO_OTHER_FIELDS = { additionalProperties: false }

const NoParams = Type.Object({}, NO_OTHER_FIELDS)

const DealParams = Type.Object(
  { fundraise_id: Type.Unsafe<Id<'offering'>>(Type.String({ pattern: idPattern('offering') })) },
  NO_OTHER_FIELDS,
)

const MemberParams = Type.Object(
  { member_id: Type.Unsafe<Id<'membership'>>(Type.String({ pattern: idPattern('membership') })) },
  NO_OTHER_FIELDS,
)

const CommentParams = Type.Object(
  {
    target_type: Type.Union([Type.Literal('company'), Type.Literal('comment')]),
    target: Type.String({ maxLength: 40 }),
    body: Type.String({ minLength: 1, maxLength: 10_000, pattern: SEEN_PARAGRAPHS_PATTERN }),
    disclosure_key: Type.Optional(Type.Unsafe<DisclosureKey>(Type.Enum([...DISCLOSURE_KEYS], { type: 'string' }))),
  },
  NO_OTHER_FIELDS,
)

/** The params of each action. They have their own file, because the workers carry out actions without loading schemas. */
const PARAMS = {
  'syndicates.close_deal': DealParams,
  'syndicates.finalize_deal': DealParams,
  'syndicates.publish': NoParams,
  'syndicates.remove_member': MemberParams,
  'syndicates.delete_draft': NoParams,
  'comments.create': CommentParams,
} as const satisfies Readonly<Record<ActionName, TSchema>>

export type ActionParams<N extends ActionName> = Static<(typeof PARAMS)[N]>

const validators = Object.entries(PARAMS).map(([name, schema]) => [name, Compile(schema)])

export const PARAM_VALIDATORS: Readonly<Record<ActionName, Validator>> = Object.fromEntries(validators)
