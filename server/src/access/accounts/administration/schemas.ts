import { type Static, Type } from 'typebox'
import { pageQuery } from '#http/pagination.ts'
import { oneOf, time } from '#http/schema-fields.ts'
import { PLATFORM_ROLES } from '#kernel/caller.ts'
import { type Id, idPattern } from '#kernel/ids.ts'
import { LINE_PATTERN } from '#kernel/text.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { EMAIL_CHARS_MAX, EMAIL_PATTERN } from '../email-address.ts'
import type { AccountRow } from '../store.ts'

const AccountId = Type.Unsafe<Id<'account'>>(Type.String({ pattern: idPattern('account') }))
const UserId = Type.Unsafe<Id<'user'>>(Type.String({ pattern: idPattern('user') }))

const Exactly = { additionalProperties: false } as const
const OrNull = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) => Type.Union([schema, Type.Null()])
const Time = time('UTC, with microseconds; real time.')

const Email = Type.String({ maxLength: EMAIL_CHARS_MAX, pattern: EMAIL_PATTERN })
const Name = Type.String({ minLength: 1, maxLength: 200, pattern: LINE_PATTERN })

export const NewAccountBody = Type.Object(
  {
    email: Email,
    name: Name,
    password: Type.Optional(
      Type.String({ description: 'Leave it out for a person who signs in through the OpenID Connect provider.' }),
    ),
    users: Type.Optional(
      Type.Object(
        { test: Type.Optional(UserId), live: Type.Optional(UserId) },
        { ...Exactly, description: 'In each world, the user to whom the account is linked.' },
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
        issuers: Type.Array(Type.String(), {
          description: 'The OpenID Connect providers that the account is linked to.',
        }),
        users: Type.Object({ test: OrNull(UserId), live: OrNull(UserId) }, Exactly),
        email_verified_at: Time,
        staff_role: OrNull(
          oneOf(PLATFORM_ROLES, 'The role of a person who runs the platform; null for everyone else.'),
        ),
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

export const InvitationBody = Type.Object({ email: Email }, { ...Exactly, title: 'NewAccountInvitation' })
export const UserBody = Type.Object({ user: UserId }, { ...Exactly, title: 'AccountUser' })
export const StaffRoleBody = Type.Object({ role: oneOf(PLATFORM_ROLES) }, { ...Exactly, title: 'StaffRole' })
export const PasswordBody = Type.Object({ password: Type.String() }, { ...Exactly, title: 'AccountPassword' })

export const AccountInvitationEnvelope = Type.Object(
  {
    data: Type.Object(
      {
        type: Type.Literal('account_invitation'),
        attributes: Type.Object(
          {
            email: Type.String(),
            url: Type.String({
              description:
                'Works once, for any person who has it: treat it as a secret. It is shown only in this response.',
            }),
            expires_at: Time,
          },
          Exactly,
        ),
      },
      Exactly,
    ),
  },
  { ...Exactly, title: 'AccountInvitationEnvelope' },
)

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
            url: Type.String({
              description:
                'Works once, for any person who has it: treat it as a secret. It is shown only in this response.',
            }),
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

export const Params = Type.Object({ id: AccountId })
export const UserParams = Type.Object({
  id: AccountId,
  mode: Type.Unsafe<World>(Type.Enum([...WORLDS], { type: 'string', description: 'The world: test or live.' })),
})

const SEARCH_CHARS_MAX = 254
export const ListQuery = Type.Object({
  ...pageQuery(),
  query: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: SEARCH_CHARS_MAX,
      pattern: LINE_PATTERN,
      description:
        'Accounts whose email address or name starts with this text. An id of an account or of its user finds that account. The case of A to Z does not matter.',
    }),
  ),
})

export const SessionParams = Type.Object({ id: AccountId, session_id: Type.String({ maxLength: 40 }) })

/** A browser in which the person signed in, or a command line that they allowed. */
const SessionRecord = Type.Object(
  {
    id: Type.String(),
    type: Type.Literal('sign_in_session'),
    attributes: Type.Object(
      {
        kind: oneOf(['browser', 'command_line']),
        device: OrNull(
          Type.String({
            description: 'The names of the browser and its system, or the name of the computer of a command line.',
          }),
        ),
        created_at: Time,
        seen_at: Time,
      },
      Exactly,
    ),
  },
  { ...Exactly, title: 'SignInSession' },
)

export const SessionList = Type.Object(
  { data: Type.Array(SessionRecord, { description: 'At most 100 sessions.' }) },
  { ...Exactly, title: 'SignInSessions' },
)

export const EndedSessions = Type.Object(
  {
    data: Type.Object(
      {
        type: Type.Literal('ended_sessions'),
        attributes: Type.Object({ ended: Type.Integer({ minimum: 0 }) }, Exactly),
      },
      Exactly,
    ),
  },
  { ...Exactly, title: 'EndedSessions' },
)
