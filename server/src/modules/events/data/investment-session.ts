import { type Static, Type } from 'typebox'
import { exactly, fakeId, idOf, oneOf, orNull, Timestamp } from './fields.ts'

const every = {
  id: idOf('investmentSession'),
  offering: idOf('offering'),
  /** Null when the recipient was named by account: an account's address is never given away. */
  email: orNull(Type.String()),
  /** Null: the recipient chooses. */
  allocation_cents: orNull(Type.Integer({ minimum: 100, multipleOf: 100 })),
  expires_at: Timestamp,
}

export const INVESTMENT_SESSION_DATA = {
  'investment_session.created': exactly({ ...every, status: oneOf('pending') }),
  'investment_session.started': exactly({ ...every, status: oneOf('in_progress') }),
  /** "Recipient's investment created and confirmed": only here there is one to name. */
  'investment_session.completed': exactly({ ...every, status: oneOf('completed'), investment: idOf('investment') }),
  'investment_session.expired': exactly({ ...every, status: oneOf('expired') }),
  'investment_session.canceled': exactly({ ...every, status: oneOf('canceled') }),
}

type Data = { [N in keyof typeof INVESTMENT_SESSION_DATA]: Static<(typeof INVESTMENT_SESSION_DATA)[N]> }

const record = {
  id: fakeId('investmentSession'),
  offering: fakeId('offering'),
  email: 'investor@example.com',
  allocation_cents: 25_000,
  expires_at: '2026-02-14T12:00:00Z',
}

export const INVESTMENT_SESSION_EXAMPLES: Data = {
  'investment_session.created': { ...record, status: 'pending' },
  'investment_session.started': { ...record, status: 'in_progress' },
  'investment_session.completed': { ...record, status: 'completed', investment: fakeId('investment') },
  'investment_session.expired': { ...record, status: 'expired' },
  'investment_session.canceled': { ...record, status: 'canceled' },
}
