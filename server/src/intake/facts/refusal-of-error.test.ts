import { describe, expect, test } from 'vitest'
import { ApiError } from '#kernel/errors.ts'
import { ConstraintViolation, DatabaseUnavailable } from '#system/postgres/errors.ts'
import { refusalOf } from './fact-type.ts'

describe('refusalOf', () => {
  test.each([
    ['users_pkey', 'users', 'id is unique', 'already_exists'],
    ['users_email_key', 'users', 'email is unique', 'already_exists'],
    ['investments_investor_fkey', 'investments', 'investor exists', 'rule_broken'],
    ['offerings_506b_never_listed', 'offerings', '506b never listed', 'rule_broken'],
    ['elsewhere', 'offerings', 'elsewhere', 'rule_broken'],
  ])(
    'a violation of constraint %s of %s becomes invalid_fact with the words “%s”',
    (constraint, table, words, code) => {
      expect(refusalOf(new ConstraintViolation(constraint, table, null))).toEqual({
        type: 'invalid_fact',
        message: `data breaks the rule “${words}” of ${table}.`,
        field: 'data',
        code,
        details: { constraint },
      })
    },
  )

  test('a violation of a domain’s constraint, which has no table, becomes invalid_fact with the words of its full name', () => {
    expect(refusalOf(new ConstraintViolation('check_state_known', null, null))).toEqual({
      type: 'invalid_fact',
      message: 'data breaks the rule “check state known”.',
      field: 'data',
      code: 'rule_broken',
      details: { constraint: 'check_state_known' },
    })
  })

  test('a value that PostgreSQL cannot store becomes invalid_fact, and the message does not quote it', () => {
    const error = Object.assign(new Error('invalid input syntax: "ada@example.com"'), { code: '22P02' })
    const refusal = refusalOf(error)
    expect(refusal).toMatchObject({ type: 'invalid_fact', field: 'data', code: 'unacceptable_value' })
    expect(JSON.stringify(refusal)).not.toContain('ada@')
  })

  test('an ApiError of a use case, such as forbidden, becomes invalid_fact with the message of the error', () => {
    const error = new ApiError('forbidden', { public: 'Not this way.', internal: 'secret' })
    expect(refusalOf(error)).toEqual({ type: 'invalid_fact', message: 'Not this way.', code: 'forbidden' })
  })

  test.each([
    ['the database cannot be reached', new DatabaseUnavailable('gone', null)],
    ['an unexpected error of our code', new TypeError('ours')],
    ['a 503', new ApiError('unavailable', { public: 'Later.' })],
    ['a thrown string', 'thrown'],
  ])('for an error that is not a rejection, refusalOf returns null, so that the request fails: %s', (_what, error) => {
    expect(refusalOf(error)).toBeNull()
  })
})
