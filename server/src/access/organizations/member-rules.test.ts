import { describe, expect, test } from 'vitest'
import { ApiError } from '#kernel/errors.ts'
import { rejectLastOwner, rejectRole, rejectToManage } from './membership.ts'
import { ORGANIZATION_ROLES, type OrganizationRole } from './store.ts'

function rejected(rule: () => void): string | null {
  try {
    rule()
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.type
  }
}

describe('roles and the members they manage', () => {
  const managed: Record<OrganizationRole, readonly OrganizationRole[]> = {
    owner: ['owner', 'admin', 'developer'],
    admin: ['admin', 'developer'],
    developer: [],
  }
  describe.each(ORGANIZATION_ROLES)('%s', (actor) => {
    test.each(ORGANIZATION_ROLES)('%s', (concerned) => {
      const expected = managed[actor].includes(concerned) ? null : 'forbidden'
      expect(rejected(() => rejectToManage(actor, concerned))).toBe(expected)
    })
  })

  test('the old and the new role count, so an admin cannot demote or appoint an owner', () => {
    expect(rejected(() => rejectToManage('admin', 'owner', 'developer'))).toBe('forbidden')
    expect(rejected(() => rejectToManage('admin', 'developer', 'owner'))).toBe('forbidden')
    expect(rejected(() => rejectToManage('admin', 'developer', 'admin'))).toBeNull()
  })
})

test('an organization always keeps an owner', () => {
  const team = (...roles: OrganizationRole[]) => roles.map((role) => ({ role }))
  expect(rejected(() => rejectLastOwner(team('owner', 'admin', 'developer'), 'remove_member'))).toBe(
    'illegal_transition',
  )
  expect(rejected(() => rejectLastOwner(team('owner', 'owner'), 'remove_member'))).toBeNull()
})

test('a role that is too low is forbidden, and the error names this role', () => {
  expect(rejected(() => rejectRole('admin', ['owner', 'admin']))).toBeNull()
  expect(() => rejectRole('developer', ['owner', 'admin'])).toThrow(/developer/)
})
