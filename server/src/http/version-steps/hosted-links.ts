import type { Fields, VersionStep } from '../version-step.ts'

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

function olderRecord(record: unknown): unknown {
  return isFields(record) ? { ...record, attributes: renamed(record['attributes'], IS, WAS) } : record
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const HOSTED_LINK_STEPS: readonly VersionStep[] = [
  {
    name: 'whom a session is for',
    before: '2026-11-01',
    operations: ['createInvestmentSession', 'createInvestmentSessionOfOffering'],
    request: renamedIn('investment_session'),
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
    operations: ['listInviteLinks', 'getInviteLink', 'updateInviteLink', 'cancelInviteLink', 'resendInviteLink'],
    response: olderAnswer,
  },
]
