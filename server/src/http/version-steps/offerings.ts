import type { Fields, VersionStep } from '../version-step.ts'
import { exemptionBefore } from './exemption.ts'

const OFFERINGS = ['listOfferings', 'getOffering']

/**
 * Offerings had their money as decimals in strings, the exemption taken apart, no security at all while it was undecided
 * and no word for a round that has stopped taking investments and not paid out.
 */
export const OFFERING_STEPS: readonly VersionStep[] = [
  {
    name: 'offerings in whole units',
    before: '2026-11-01',
    operations: OFFERINGS,
    response: (body) =>
      inData(body, ({ attributes, ...offering }) => ({ ...offering, attributes: before(attributes) })),
  },
  {
    name: 'sealed cursors of the catalogue',
    before: '2026-11-01',
    operations: ['listOfferings'],
    response: (body) => (isFields(body) ? { ...body, meta: counting(body['meta']) } : body),
  },
]

function before(attributes: unknown): unknown {
  if (!isFields(attributes)) return attributes
  const { funding_target, min_investment, amount_raised, security, exemption, status, ...rest } = attributes
  return {
    ...rest,
    funding_target: decimal(funding_target),
    min_investment: decimal(min_investment),
    amount_raised: decimal(amount_raised),
    exemption: exemptionBefore(exemption),
    security: isFields(security) && security['type'] !== null ? security : null,
    status: status === 'closing' ? 'closed' : status,
  }
}

function decimal(units: unknown): unknown {
  return typeof units === 'number' ? `${units}.00` : units
}

/** The cursor was the number of rows so far, and a number. */
function counting(meta: unknown): unknown {
  if (!isFields(meta)) return meta
  const { next_cursor: next } = meta
  return { ...meta, next_cursor: typeof next === 'string' ? Number(next) : next }
}

/** Whether `data` is a record or a list of them. */
function inData(body: unknown, change: (record: Fields) => Fields): unknown {
  if (!isFields(body)) return body
  const { data } = body
  if (Array.isArray(data)) return { ...body, data: data.map((record) => (isFields(record) ? change(record) : record)) }
  return isFields(data) ? { ...body, data: change(data) } : body
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
