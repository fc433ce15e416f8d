import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { testEnvelopeSchema } from '#events/http.ts'
import { EVENT_NAMES, type EventName } from '#events/index.ts'
import { newId } from '#kernel/ids.ts'
import { type Example, exampleOf } from './send-test.ts'

const PII = 'read:investors:pii'

const example = (event: EventName, more: Partial<Example> = {}) =>
  JSON.parse(
    exampleOf({
      event,
      world: 'live',
      installation: null,
      appScopes: [],
      version: '2026-11-01',
      nowMs: Date.parse('2026-03-01T00:00:00Z'),
      createdAt: '2027-03-01T00:00:00.000000Z',
      ...more,
    }),
  )

const boundTo = (type: 'company' | 'syndicate' | 'user', scopes: readonly string[] = []) => ({
  installation: { id: newId('installation'), target: { type, id: newId(type) }, scopes },
})

describe('a test envelope', () => {
  test.each(EVENT_NAMES)('of %s fits the schema of test events, for app-wide and for bound endpoints', (name) => {
    expect(Value.Errors(testEnvelopeSchema(name), example(name))).toEqual([])
    expect(Value.Errors(testEnvelopeSchema(name), example(name, boundTo('company')))).toEqual([])
  })

  test('has an id that starts with evt_test_, and mode live for a live endpoint', () => {
    expect(example('offering.opened')).toMatchObject({ id: expect.stringMatching(/^evt_test_\w+$/), mode: 'live' })
    expect(example('offering.opened', { world: 'test' })).toMatchObject({ mode: 'test' })
  })

  test('for an app-wide endpoint installation is {id: inst_test_..., target: null, test: true}', () => {
    const { installation } = example('offering.opened')
    expect(installation).toEqual({ id: expect.stringMatching(/^inst_test_\w+$/), target: null, test: true })
  })

  test('for a bound endpoint, `installation` is the real block of its installation, without the key `test`', () => {
    const { installation } = boundTo('company')
    const { id, target } = installation
    expect(example('offering.opened', { installation }).installation).toEqual({ id, target })
  })

  test('of referral_cohorts.published has no installation block', () => {
    expect(example('referral_cohorts.published')).not.toHaveProperty('installation')
    expect(example('referral_cohorts.published', boundTo('company'))).not.toHaveProperty('installation')
  })

  test('amounts are 250, and 500 after 250 for investment.amount_changed', () => {
    expect(example('investment.created').data).toMatchObject({
      id: 'inv_example',
      offering: 'ofr_example',
      amounts: { committed: 250 },
      investor: { id: 'usr_example' },
    })
    const { amounts, previous_amounts } = example('investment.amount_changed').data
    expect([amounts.committed, previous_amounts.committed].toSorted()).toEqual([250, 500])
  })

  test('has the investor’s email if the app (for a bound endpoint: the installation) has the PII scope, but never on a user’s connection', () => {
    const investor = (more: Partial<Example>) => example('investment.created', more).data.investor
    expect(investor({})).not.toHaveProperty('email')
    expect(investor({ appScopes: [PII] })).toHaveProperty('email')
    expect(investor({ appScopes: [PII], ...boundTo('company') })).not.toHaveProperty('email')
    expect(investor(boundTo('company', [PII]))).toHaveProperty('email')
    expect(investor(boundTo('user', [PII]))).not.toHaveProperty('email')
  })

  test('has no investor_totals for an endpoint bound to a user’s connection', () => {
    expect(example('investment.created').data).toHaveProperty('investor_totals')
    expect(example('investment.created', boundTo('user')).data).not.toHaveProperty('investor_totals')
  })
})
