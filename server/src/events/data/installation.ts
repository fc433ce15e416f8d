import { type Static, Type } from 'typebox'
import { exactly, oneOf } from '#http/schema-fields.ts'
import { worldTime } from '#kernel/clock.ts'
import { fakeId, idOrExample, Microseconds, Timestamp } from './fields.ts'

/** "target.name (null for a user)" */
const Target = Type.Union([
  exactly({ type: oneOf(['company']), id: idOrExample('company'), name: Type.String() }),
  exactly({ type: oneOf(['syndicate']), id: idOrExample('syndicate'), name: Type.String() }),
  exactly({ type: oneOf(['user']), id: idOrExample('user'), name: Type.Null() }),
])

/** "Roles say who acted, never names or emails." Not an enum, because staff appear under the platform's name, a setting. */
const ActedBy = exactly({
  role: Type.String({
    pattern: '^[a-z][a-z0-9]{1,30}$',
    description: 'founder, manager, user, partner, or the platform’s own name for its staff.',
  }),
})

const every = {
  id: idOrExample('installation'),
  target: Target,
  tier: oneOf(['founder', 'admin', 'editor', 'manager', 'user']),
  scopes: Type.Array(Type.String()),
  installed_at: Timestamp,
  installed_by: ActedBy,
  occurred_at: Microseconds,
}

export const INSTALLATION_DATA = {
  'installation.created': exactly({ ...every, status: oneOf(['active']) }),
  /** "The created fields with status revoked, plus revoked_at and revoked_by.role." */
  'installation.revoked': exactly({ ...every, status: oneOf(['revoked']), revoked_at: Timestamp, revoked_by: ActedBy }),
}

type Data = { [N in keyof typeof INSTALLATION_DATA]: Static<(typeof INSTALLATION_DATA)[N]> }

const occurred_at = worldTime('2026-01-15T12:00:00.123456Z')
const record = {
  id: fakeId('installation'),
  target: { type: 'company' as const, id: fakeId('company'), name: 'Example Company' },
  tier: 'admin' as const,
  scopes: ['read:companies', 'read:investments'],
  installed_at: '2026-01-10T12:00:00Z',
  installed_by: { role: 'founder' },
}

export const INSTALLATION_EXAMPLES: Data = {
  'installation.created': { ...record, status: 'active', installed_at: occurred_at, occurred_at },
  'installation.revoked': {
    ...record,
    status: 'revoked',
    revoked_at: occurred_at,
    revoked_by: { role: 'partner' },
    occurred_at,
  },
}
