import { describe, expect, test } from 'vitest'
import { ApiError, notFound, validationError } from '#kernel/errors.ts'
import { ConstraintViolation, DatabaseUnavailable } from '#system/postgres/errors.ts'
import { renderError } from './render-error.ts'

const bodyOf = (thrown: unknown) => JSON.parse(renderError(thrown, 'req_1').body)

describe('an `ApiError`', () => {
  test('has type, message and request id, and no empty fields', () => {
    expect(bodyOf(new ApiError('forbidden', { public: 'No.', internal: 'because' }))).toEqual({
      error: { type: 'forbidden', message: 'No.', request_id: 'req_1' },
    })
  })

  test('has details and remediation if there are any', () => {
    const { error } = bodyOf(validationError([{ field: 'a', code: 'required', message: 'is required' }]))
    expect(error.details).toEqual({ fields: [{ field: 'a', code: 'required', message: 'is required' }] })
    expect(error.remediation).toEqual(expect.any(String))
  })

  test('is the same for a missing record and for a hidden one', () => {
    expect(renderError(notFound('hidden'), 'req_1').body).toBe(renderError(notFound('missing'), 'req_1').body)
  })

  test('has its headers, and every 401 has a challenge', () => {
    const { headers } = renderError(new ApiError('invalid_token', { public: 'No.', headers: { 'X-A': '1' } }), 'req_1')
    expect(headers).toEqual({ 'WWW-Authenticate': 'Bearer error="invalid_token"', 'X-A': '1' })
  })
})

describe('the database', () => {
  test('that cannot answer gives 503 unavailable', () => {
    const rendered = renderError(new DatabaseUnavailable('connection refused', new Error('ECONNREFUSED')), 'req_1')
    expect(rendered.status).toBe(503)
    expect(rendered.body).not.toContain('refused')
    expect(rendered.failure).toMatchObject({ type: 'unavailable', error: { message: 'connection refused' } })
  })

  test('with a violated constraint that is not listed gives 500, with the constraint’s name in the log', () => {
    const rendered = renderError(new ConstraintViolation('things_check', 'things', new Error('x')), 'req_1')
    expect(rendered.status).toBe(500)
    expect(rendered.body).not.toContain('things')
    expect(rendered.failure.error).toMatchObject({ constraint: 'things_check', table: 'things' })
  })

  test('whose error contains row values: the log does not contain them', () => {
    // An error as the driver throws it.
    const error = Object.assign(new Error('invalid input syntax for type integer: "ada@example.com"'), {
      code: '22P02',
      detail: 'Key (email)=(ada@example.com) already exists.',
    })
    const failure = JSON.stringify(renderError(error, 'req_1').failure)
    expect(failure).toContain('22P02')
    expect(failure).not.toContain('ada@')
  })
})

describe('a thrown value that is neither an `ApiError` nor an error of the database', () => {
  test.each([new TypeError('x is undefined'), 'a string', undefined, null, { statusCode: 200 }])(
    '%s is 500',
    (thrown) => {
      const rendered = renderError(thrown, 'req_1')
      expect(rendered.status).toBe(500)
      expect(JSON.parse(rendered.body).error.type).toBe('internal_error')
      expect(rendered.body).not.toContain('undefined')
      expect(rendered.failure.type).toBe('internal_error')
    },
  )
})
