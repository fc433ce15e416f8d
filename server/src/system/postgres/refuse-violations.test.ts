import { expect, test } from 'vitest'
import { ConstraintViolation } from './errors.ts'
import { refuseViolations } from './refuse-violations.ts'

const TAKEN = { field: 'email', code: 'taken', message: 'is the address of another user' }
const violation = (constraint: string) => new ConstraintViolation(constraint, 'users', null)

test('a constraint that guards a field refuses in the words of that field', async () => {
  await expect(
    refuseViolations(Promise.reject(violation('users_email_key')), { users_email_key: TAKEN }),
  ).rejects.toMatchObject({ type: 'validation_error', details: { fields: [TAKEN] } })
})

test('any other violation and any other error stay what they are, and so does success', async () => {
  const [other, bug] = [violation('users_pkey'), new TypeError('a bug')]
  await expect(refuseViolations(Promise.reject(other), { users_email_key: TAKEN })).rejects.toBe(other)
  await expect(refuseViolations(Promise.reject(violation('toString')), {})).rejects.toBeInstanceOf(ConstraintViolation)
  await expect(refuseViolations(Promise.reject(bug), {})).rejects.toBe(bug)
  await expect(refuseViolations(Promise.resolve(1), {})).resolves.toBe(1)
})
