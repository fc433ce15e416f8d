import type { Fields, VersionStep } from '../version-step.ts'
import { withCountedCursor } from './counted-cursor.ts'
import { isFields, without, withoutNull } from './fields.ts'

/** An account was named after the platform: `wefunder_user_id`. */
const WAS = 'wefunder_user_id'
const IS = 'platform_user_id'

/** What is asked for stands one level below the body, alone or in a list. */
function renamedIn(name: string): (body: Fields) => Fields {
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

function olderAnswer(body: unknown): unknown {
  if (!isFields(body)) return body
  const { data } = body
  return { ...body, data: Array.isArray(data) ? data.map(olderRecord) : olderRecord(data) }
}

/** Cursors of these lists counted rows. */
const olderPage = (body: unknown) => withCountedCursor(olderAnswer(body))

function olderRecord(record: unknown): unknown {
  if (!isFields(record) || !isFields(record['attributes'])) return record
  // The currency came with the newest version. Strict clients do not read null where their schema has an enum.
  const attributes = withoutNull(without(record['attributes'], 'currency'), 'kyc_status', 'funding_status')
  return { ...record, attributes: renamed(attributes, IS, WAS) }
}

export const HOSTED_LINK_STEPS: readonly VersionStep[] = [
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
    name: 'sealed cursors of sessions and invite links',
    before: '2026-11-01',
    operations: ['listInvestmentSessions', 'listInviteLinks'],
    response: olderPage,
  },
  {
    name: 'whom an invite link is for',
    before: '2026-11-01',
    operations: ['createInviteLink'],
    request: renamedIn('invite_link'),
    response: olderAnswer,
  },
  {
    name: 'whom invite links are for',
    before: '2026-11-01',
    operations: ['createInviteLinks'],
    request: renamedIn('invite_links'),
    response: olderAnswer,
  },
  {
    name: 'whom an invite link was for',
    before: '2026-11-01',
    operations: ['getInviteLink', 'updateInviteLink', 'cancelInviteLink', 'resendInviteLink'],
    response: olderAnswer,
  },
]
