import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { carriesInstallation, EVENT_NAMES } from './catalogue.ts'
import { type Envelope, envelopeSchema, type TestEnvelope, testEnvelopeSchema } from './envelope.ts'
import { EVENT_EXAMPLES, type EventName } from './event-data.ts'

const real = { id: newId('installation'), target: { type: 'company', id: newId('company') } } as const
const synthetic = { id: 'inst_test_1', target: null, test: true } as const

function envelope(name: EventName, parts: object = {}): object {
  const installation = carriesInstallation(name) ? { installation: real } : {}
  const common = { event: name, created_at: '2026-01-15T12:00:00Z', mode: 'live', data: EVENT_EXAMPLES[name] }
  return { id: newId('event'), ...common, ...installation, ...parts }
}

const isDelivery = (name: EventName, body: object) => Value.Check(envelopeSchema(name), body)
const isTest = (name: EventName, body: object) => Value.Check(testEnvelopeSchema(name), body)

describe('Envelope (every delivery)', () => {
  test.each(EVENT_NAMES)('%s', (name) => {
    expect(Value.Errors(envelopeSchema(name), envelope(name))).toEqual([])
    for (const mode of ['test', 'live']) expect(isDelivery(name, envelope(name, { mode }))).toBe(true)
    expect(isDelivery(name, envelope(name, { mode: 'sandbox' }))).toBe(false)
    expect(isDelivery(name, envelope(name, { event: 'investment.unknown' }))).toBe(false)
    expect(isDelivery(name, envelope(name, { data: {} }))).toBe(false)
  })

  test('referral_cohorts.published has no installation block; every other event must have one', () => {
    for (const name of EVENT_NAMES) {
      const { installation: _, ...without } = envelope(name, { installation: real }) as { installation: unknown }
      expect(isDelivery(name, without)).toBe(name === 'referral_cohorts.published')
      expect(isDelivery(name, { ...without, installation: real })).toBe(name !== 'referral_cohorts.published')
    }
  })

  test('installation.target has a type (company, syndicate or user) and an id of that type', () => {
    const targeting = (type: string, id: string) =>
      isDelivery('offering.opened', envelope('offering.opened', { installation: { ...real, target: { type, id } } }))
    expect(targeting('syndicate', newId('syndicate'))).toBe(true)
    expect(targeting('user', newId('user'))).toBe(true)
    expect(targeting('user', newId('company'))).toBe(false)
    expect(targeting('offering', newId('offering'))).toBe(false)
  })
})

describe('Test envelopes', () => {
  const id = 'evt_test_1'

  test.each(EVENT_NAMES)(
    '%s has an id that starts with evt_test_, and does not fit the schema of deliveries',
    (name) => {
      expect(Value.Errors(testEnvelopeSchema(name), envelope(name, { id }))).toEqual([])
      expect(isTest(name, envelope(name))).toBe(false)
      expect(isDelivery(name, envelope(name, { id }))).toBe(false)
    },
  )

  test('for an app-wide endpoint installation is {id: inst_test_..., target: null, test: true}', () => {
    const name = 'offering.opened'
    expect(isTest(name, envelope(name, { id, installation: synthetic }))).toBe(true)
    expect(isTest(name, envelope(name, { id, installation: { ...synthetic, test: false } }))).toBe(false)
    expect(isTest(name, envelope(name, { id, installation: { ...synthetic, id: real.id } }))).toBe(false)
    expect(isDelivery(name, envelope(name, { installation: synthetic }))).toBe(false)
  })

  test('for an installation-bound endpoint installation is the real block of that installation, without the key test', () => {
    const name = 'offering.opened'
    expect(isTest(name, envelope(name, { id, installation: real }))).toBe(true)
    expect(isTest(name, envelope(name, { id, installation: { ...real, test: true } }))).toBe(false)
  })

  test('the types have the same fields as the schemas', () => {
    const common = { created_at: '2026-01-15T12:00:00Z', mode: 'test' } as const
    const opened = { ...common, event: 'offering.opened', data: EVENT_EXAMPLES['offering.opened'] } as const
    const published = {
      ...common,
      event: 'referral_cohorts.published',
      data: EVENT_EXAMPLES['referral_cohorts.published'],
    } as const
    const bodies: [Envelope<'offering.opened'>, TestEnvelope<'offering.opened'>] = [
      { ...opened, id: newId('event'), installation: real },
      { ...opened, id, installation: synthetic },
    ]
    const without: Envelope<'referral_cohorts.published'> = { ...published, id: newId('event') }
    // @ts-expect-error every event except referral_cohorts.published has an installation block
    const wrong: Envelope<'offering.opened'> = { ...opened, id: newId('event') }
    expect(bodies.map((body, i) => (i === 0 ? isDelivery : isTest)('offering.opened', body))).toEqual([true, true])
    expect(isDelivery('referral_cohorts.published', without)).toBe(true)
    expect(isDelivery('offering.opened', wrong)).toBe(false)
  })
})
