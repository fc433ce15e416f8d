import { withCountedCursor, without, withoutNull } from '#http/older-shapes.ts'
import { type Fields, isFields, type VersionStep } from '#http/version-steps.ts'

/** An account was named after the platform: `wefunder_user_id`. */
const WAS = 'wefunder_user_id'
const IS = 'platform_user_id'

/** What is asked for stands one level below the body, alone or in a list. */
export function renamedIn(name: string): (body: Fields) => Fields {
  return (body) => {
    const asked = body[name]
    if (Array.isArray(asked)) return { ...body, [name]: asked.map((each) => renamed(each, WAS, IS)) }
    return name in body ? { ...body, [name]: renamed(asked, WAS, IS) } : body
  }
}

function renamed(fields: unknown, from: string, to: string): unknown {
  if (!isFields(fields) || !(from in fields)) return fields
  const { [from]: value, ...rest } = fields
  return { ...rest, [to]: value }
}

export function olderAnswer(body: unknown): unknown {
  if (!isFields(body)) return body
  const { data } = body
  return { ...body, data: Array.isArray(data) ? data.map(olderRecord) : olderRecord(data) }
}

/** Cursors of these lists counted rows. */
export const olderPage = (body: unknown) => withCountedCursor(olderAnswer(body))

function olderRecord(record: unknown): unknown {
  if (!isFields(record) || !isFields(record['attributes'])) return record
  // The currency came with the newest version. Strict clients do not read null where their schema has an enum.
  const attributes = withoutNull(without(record['attributes'], 'currency'), 'kyc_status', 'funding_status')
  return { ...record, attributes: renamed(attributes, IS, WAS) }
}

export const INVESTMENT_SESSION_STEPS: readonly VersionStep[] = [
  {
    name: 'whom a session is for',
    before: '2026-11-01',
    operations: ['createInvestmentSession', 'createInvestmentSessionOfOffering'],
    request: renamedIn('investment_session'),
    response: olderAnswer,
  },
  {
    name: 'currencies of sessions',
    before: '2026-11-01',
    operations: ['getInvestmentSession', 'cancelInvestmentSession'],
    response: olderAnswer,
  },
  {
    name: 'sealed cursors of sessions',
    before: '2026-11-01',
    operations: ['listInvestmentSessions'],
    response: olderPage,
  },
]
