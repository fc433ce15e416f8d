import { type Static, Type } from 'typebox'
import { exactly, fakeId, idOf, oneOf, Timestamp } from './fields.ts'

const every = {
  offering: idOf('offering'),
  company: exactly({
    name: Type.String(),
    url: Type.String({ description: 'The company’s name in addresses, `example-company`.' }),
  }),
}

/** The specification names the events and what they mean; the fields are those of the published signature vector. */
export const OFFERING_DATA = {
  'offering.opened': exactly({ ...every, status: oneOf('open') }),
  'offering.closing': exactly({
    ...every,
    status: oneOf('closing'),
    /** Absent while nobody can say; never null. */
    expected_disbursement_at: Type.Optional(Timestamp),
  }),
  'offering.closed': exactly({ ...every, status: oneOf('closed') }),
  'offering.canceled': exactly({ ...every, status: oneOf('canceled') }),
}

type Data = { [N in keyof typeof OFFERING_DATA]: Static<(typeof OFFERING_DATA)[N]> }

const record = { offering: fakeId('offering'), company: { name: 'Example Company', url: 'example-company' } }

export const OFFERING_EXAMPLES: Data = {
  'offering.opened': { ...record, status: 'open' },
  'offering.closing': { ...record, status: 'closing', expected_disbursement_at: '2026-01-20T12:00:00Z' },
  'offering.closed': { ...record, status: 'closed' },
  'offering.canceled': { ...record, status: 'canceled' },
}
