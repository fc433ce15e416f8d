import { Value } from 'typebox/value'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { WholeUnits } from '#kernel/money.ts'
import { EVENT_NAMES } from './catalogue.ts'
import { EVENT_DATA, EVENT_EXAMPLES, type EventData, type EventName } from './event-data.ts'

/** The specification's tables: the fields of `data`, `?` where it may be absent, `|null` where it may be null. */
const INVESTMENT =
  'id status offering investor.id investor.name investor.email? investor_totals?.active_investment_count ' +
  'investor_totals?.total_committed investor_totals?.latest_applied_at|null investor_totals?.investor_status'
const SESSION = 'id status offering email|null allocation_cents|null expires_at'
const INVITATION = 'syndicate occurred_at email name user|null invited_by.id invited_by.name'
const MEMBER = 'syndicate occurred_at id status user.id user.name user.email'
const APPROVER = 'approved_by|null.id approved_by|null.name'
const JOIN = 'id syndicate status occurred_at theme.id|null theme.version|null theme.override_fingerprint|null'
const SIGNED_IN = 'user.id user.name'
const MAYBE_SIGNED_IN = 'user|null.id user|null.name'
const INSTALLATION =
  'id status target.type target.id target.name|null tier scopes installed_at installed_by.role occurred_at'

const INTENT = 'id action status resource.type resource.id occurred_at'

const FIELDS: Readonly<Record<EventName, string>> = {
  'investment.created': `${INVESTMENT} amounts.committed occurred_at`,
  'investment.reinstated': `${INVESTMENT} amounts.committed occurred_at`,
  'investment.canceled': `${INVESTMENT} amounts.committed|null occurred_at canceled_at`,
  'investment.converted': `${INVESTMENT} amounts.committed occurred_at converted_to|null`,
  'investment.amount_changed': `${INVESTMENT} amounts.committed occurred_at previous_amounts.committed`,
  'investment.executed': `${INVESTMENT} amounts.committed`,
  'investment.changed': 'id visible reason company observed_at first fields',
  'offering.opened': 'offering status company.name company.url',
  'offering.closing': 'offering status company.name company.url expected_disbursement_at?',
  'offering.closed': 'offering status company.name company.url',
  'offering.canceled': 'offering status company.name company.url',
  'investment_session.created': SESSION,
  'investment_session.started': SESSION,
  'investment_session.completed': `${SESSION} investment`,
  'investment_session.expired': SESSION,
  'investment_session.canceled': SESSION,
  'syndicate_member.invited': INVITATION,
  'syndicate_member.reinvited': INVITATION,
  'syndicate_member.applied': `${MEMBER} approved_by|null`,
  'syndicate_member.approved': `${MEMBER} approved_by.id approved_by.name`,
  'syndicate_member.joined': `${MEMBER} ${APPROVER}`,
  'syndicate_member.left': `${MEMBER} ${APPROVER}`,
  'syndicate_member.declined': `${MEMBER} ${APPROVER}`,
  'join_session.pending_approval': `${JOIN} ${SIGNED_IN} ineligible_reason|null`,
  'join_session.completed': `${JOIN} ${SIGNED_IN} ineligible_reason|null`,
  'join_session.rejected': `${JOIN} ${SIGNED_IN} ineligible_reason|null`,
  'join_session.ineligible': `${JOIN} ${MAYBE_SIGNED_IN} ineligible_reason`,
  'join_session.canceled': `${JOIN} ${MAYBE_SIGNED_IN} ineligible_reason|null`,
  'join_session.expired': `${JOIN} ${MAYBE_SIGNED_IN} ineligible_reason|null`,
  'installation.created': INSTALLATION,
  'installation.revoked': `${INSTALLATION} revoked_at revoked_by.role`,
  'investment.referred': 'referral_code company investment_token investor_token week amount_tier status time_to_invest',
  'referral_cohorts.published': 'week published_at',
  'intent.approved': INTENT,
  'intent.rejected': INTENT,
  'intent.expired': INTENT,
  'intent.executed': INTENT,
  'intent.failed': INTENT,
}

/** The specification's tables: data.status of each event. An event that is not listed has no status. */
const STATUS: { readonly [N in EventName]?: readonly string[] } = {
  'investment.created': ['active', 'reserved'],
  'investment.reinstated': ['active', 'reserved'],
  'investment.canceled': ['canceled'],
  'investment.converted': ['converted'],
  'investment.amount_changed': ['active', 'reserved', 'executed'],
  'investment.executed': ['executed'],
  'offering.opened': ['open'],
  'offering.closing': ['closing'],
  'offering.closed': ['closed'],
  'offering.canceled': ['canceled'],
  'investment_session.created': ['pending'],
  'investment_session.started': ['in_progress'],
  'investment_session.completed': ['completed'],
  'investment_session.expired': ['expired'],
  'investment_session.canceled': ['canceled'],
  'syndicate_member.applied': ['pending'],
  'syndicate_member.approved': ['approved'],
  'syndicate_member.joined': ['member'],
  'syndicate_member.left': ['left', 'removed', 'payment_failed'],
  'syndicate_member.declined': ['declined', 'withdrawn'],
  'join_session.pending_approval': ['pending_approval'],
  'join_session.completed': ['joined'],
  'join_session.rejected': ['rejected'],
  'join_session.ineligible': ['ineligible'],
  'join_session.canceled': ['canceled'],
  'join_session.expired': ['expired'],
  'installation.created': ['active'],
  'installation.revoked': ['revoked'],
  'investment.referred': ['active', 'reserved', 'executed', 'canceled', 'converted'],
  'intent.approved': ['approved'],
  'intent.rejected': ['rejected'],
  'intent.expired': ['expired'],
  'intent.executed': ['executed'],
  'intent.failed': ['failed'],
}

type Json = { readonly [keyword: string]: unknown }

describe.each(EVENT_NAMES)('%s', (name) => {
  const schema = EVENT_DATA[name] as object as Json
  const example: Json = EVENT_EXAMPLES[name]

  test('data has exactly the fields of the specification’s table', () => {
    expect(fieldsOf(schema).sort()).toEqual(FIELDS[name].split(' ').sort())
  })

  test('data.status allows exactly the values of the specification’s table', () => {
    const properties = schema['properties'] as { readonly status?: Json }
    expect(properties.status?.['enum']).toEqual(STATUS[name])
  })

  test('the example is valid; without one of its required fields, or with an additional field, it is invalid', () => {
    expect(Value.Errors(EVENT_DATA[name], example)).toEqual([])
    for (const field of schema['required'] as string[]) {
      const { [field]: _, ...rest } = example
      expect(Value.Check(EVENT_DATA[name], rest), `without ${field}`).toBe(false)
    }
    expect(Value.Check(EVENT_DATA[name], { ...example, currency: 'usd' })).toBe(false)
  })
})

test('the types of data are as strict as the schemas: a wrong status, kind of id or unit does not compile', () => {
  type Canceled = EventData<'investment.canceled'>
  expectTypeOf<Canceled['status']>().toEqualTypeOf<'canceled'>()
  expectTypeOf<Canceled['id']>().toEqualTypeOf<Id<'investment'> | 'inv_example'>()
  expectTypeOf<Canceled['amounts']['committed']>().toEqualTypeOf<WholeUnits | null>()
  expectTypeOf<Canceled['occurred_at']>().toEqualTypeOf<WorldTime>()
  expectTypeOf<Canceled['investor']['email']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<EventData<'investment.executed'>>().not.toHaveProperty('occurred_at')
  expectTypeOf<EventData<'syndicate_member.applied'>['approved_by']>().toEqualTypeOf<null>()
  expectTypeOf<EventData<'join_session.expired'>['ineligible_reason']>().toEqualTypeOf<null>()
  const canceled = EVENT_EXAMPLES['investment.canceled']
  expect(Value.Check(EVENT_DATA['investment.canceled'], { ...canceled, status: 'active' })).toBe(false)
})

/** The names of all leaves of a schema, such as `investor_totals?.total_committed` and `approved_by|null.id`. */
function fieldsOf(schema: Json): string[] {
  const required = schema['required'] as readonly string[]
  return Object.entries(schema['properties'] as Record<string, Json>).flatMap(([name, property]) => {
    const forms = (property['anyOf'] as readonly Json[] | undefined) ?? [property]
    const objects = forms.filter(({ type }) => type === 'object')
    const nullable = forms.some(({ type }) => type === 'null')
    const path = `${name}${required.includes(name) ? '' : '?'}${nullable ? '|null' : ''}`
    return objects.length === 0 ? [path] : merged(objects.map(fieldsOf)).map((rest) => `${path}.${rest}`)
  })
}

/**
 * Merges the fields of an object with several forms (a target, a theme). A field that is null in one form may be null.
 */
function merged(forms: readonly string[][]): string[] {
  const all = new Set(forms.flat())
  return [...all].filter((field) => !all.has(`${field}|null`))
}
