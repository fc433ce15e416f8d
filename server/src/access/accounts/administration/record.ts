import { type Static, Type } from 'typebox'
import { type Id, idPattern } from '#kernel/ids.ts'
import { LINE_PATTERN } from '#kernel/text.ts'
import type { AccountRow } from './account-store.ts'

export const AccountId = Type.Unsafe<Id<'account'>>(Type.String({ pattern: idPattern('account') }))
export const UserId = Type.Unsafe<Id<'user'>>(Type.String({ pattern: idPattern('user') }))

const Exactly = { additionalProperties: false } as const
const OrNull = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) => Type.Union([schema, Type.Null()])
const Time = Type.String({ format: 'date-time', description: 'UTC, with microseconds; real time.' })

/** No spaces, nothing invisible, and nothing that turns the direction of writing. */
const UNSEEN =
  '\\s\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff\\ud800-\\udfff'
const Email = Type.String({ maxLength: 254, pattern: `^[^@${UNSEEN}]+@[^@${UNSEEN}]+$` })
const Name = Type.String({ minLength: 1, maxLength: 200, pattern: LINE_PATTERN })

export const NewAccountBody = Type.Object(
  {
    email: Email,
    name: Name,
    password: Type.Optional(
      Type.String({ description: 'Left out for somebody who signs in through the OpenID Connect provider.' }),
    ),
    users: Type.Optional(
      Type.Object(
        { test: Type.Optional(UserId), live: Type.Optional(UserId) },
        { ...Exactly, description: 'Which user of each world the account is.' },
      ),
    ),
  },
  { ...Exactly, title: 'NewAccount' },
)

export const AccountRecord = Type.Object(
  {
    id: AccountId,
    type: Type.Literal('account'),
    attributes: Type.Object(
      {
        email: Type.String(),
        name: Type.String(),
        has_password: Type.Boolean(),
        issuers: Type.Array(Type.String(), { description: 'The OpenID Connect providers it is known to.' }),
        users: Type.Object({ test: OrNull(UserId), live: OrNull(UserId) }, Exactly),
        created_at: Time,
        disabled_at: OrNull(Time),
      },
      Exactly,
    ),
  },
  { ...Exactly, title: 'Account' },
)

export const AccountEnvelope = Type.Object({ data: AccountRecord }, { ...Exactly, title: 'AccountEnvelope' })
export type AccountEnvelope = Static<typeof AccountEnvelope>

export const PasswordBody = Type.Object({ password: Type.String() }, { ...Exactly, title: 'AccountPassword' })

export const AccountLinkEnvelope = Type.Object(
  {
    data: Type.Object(
      {
        type: Type.Literal('account_link'),
        attributes: Type.Object(
          {
            account: AccountId,
            purpose: Type.Unsafe<'sign_in' | 'set_password'>(
              Type.Enum(['sign_in', 'set_password'], { type: 'string' }),
            ),
            url: Type.String({ description: 'Works once, for anyone who has it. It is shown only in this response.' }),
            expires_at: Time,
          },
          Exactly,
        ),
      },
      Exactly,
    ),
  },
  { ...Exactly, title: 'AccountLinkEnvelope' },
)

export function envelopeOf(account: AccountRow): AccountEnvelope {
  const { id, test_user: test, live_user: live, issuers, ...attributes } = account
  return { data: { id, type: 'account', attributes: { ...attributes, issuers: [...issuers], users: { test, live } } } }
}
