import { describe, expect, test } from 'vitest'
import { ApiError, ERROR_STATUS, type ErrorType, notFound, validationError } from './errors.ts'

describe('ApiError', () => {
  test.each(Object.entries(ERROR_STATUS))('%s has the status %i', (type, status) => {
    expect(new ApiError(type as ErrorType, { public: 'x' }).status).toBe(status)
  })

  test('separates the public message from the internal message', () => {
    const error = new ApiError('forbidden', { public: 'No.', internal: 'user 7 is not an editor' })
    expect(error.public).toBe('No.')
    expect(error.message).toBe('user 7 is not an editor')
  })

  test('a hidden and a missing record give the same response', () => {
    const [hidden, missing] = [notFound('hidden from this user'), notFound()]
    expect([hidden.public, hidden.remediation, hidden.details]).toEqual([
      missing.public,
      missing.remediation,
      missing.details,
    ])
  })

  test('validation errors name the fields in the message and in details', () => {
    const fields = [{ field: 'name', code: 'too_long', message: 'at most 80 characters' }]
    const error = validationError(fields)
    expect(error.public).toContain('name')
    expect(error.details).toEqual({ fields })
  })
})

test('a field with two errors is named once, with two messages', () => {
  const fields = [
    { field: 'amount_cents', code: 'too_small', message: 'must be at least 0' },
    { field: 'amount_cents', code: 'not_a_multiple', message: 'must be a multiple of 100' },
  ] as const
  const error = validationError(fields)
  expect(error.public).toBe('Some fields are not acceptable: amount_cents.')
  expect(error.details).toEqual({ fields })
})
