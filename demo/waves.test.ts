import { describe, expect, test } from 'vitest'
import { wavesOf } from './apply-demo.ts'
import { demoWorld } from './demo-world.ts'
import type { About, DemoFact } from './timeline.ts'

const id = (prefix: string, letter: string) => `${prefix}_${letter.repeat(24)}`
const [ADA, BEN] = [id('usr', 'a'), id('usr', 'b')]
const COMPANY = id('co', 'c')

function fact(type: string, data: object, about: Partial<About> = {}): DemoFact {
  const content = { id: `${type} ${Object.values(data)}`, type, occurred_at: '2026-01-01T00:00:00.000Z', data }
  return { fact: content, about: { changed: [], referred: [], ...about } }
}

const numbersOf = (facts: readonly DemoFact[]) => {
  const waves = wavesOf(facts)
  return facts.map((each) => waves.findIndex((wave) => wave.includes(each)))
}

describe('facts in waves', () => {
  test('no two facts of a wave use the same record if one of them may change it', () => {
    const registered = [fact('user.registered', { id: ADA }), fact('user.registered', { id: BEN })]
    const created = fact('company.created', { id: COMPANY })
    const role = fact('company.person_set', { company: COMPANY, user: ADA, role: 'founder' })
    const left = fact('user.deactivated', { id: ADA })
    expect(numbersOf([...registered, created, role, left])).toEqual([0, 0, 0, 1, 2])
  })

  test('facts that only refer to the same record may be in one wave, but not with a fact that changes it', () => {
    const registered = [fact('user.registered', { id: ADA }), fact('user.registered', { id: BEN })]
    const created = fact('company.created', { id: COMPANY })
    const followed = [ADA, BEN].map((user) => fact('company.followed', { company: COMPANY, user }))
    const unfollowed = fact('company.unfollowed', { company: COMPANY, user: ADA })
    const renamed = fact('company.updated', { id: COMPANY })
    expect(numbersOf([...registered, created, ...followed, unfollowed, renamed])).toEqual([0, 0, 0, 1, 1, 2, 3])
  })

  test('the records in `about` count in the same way as the ids in the data', () => {
    const about = { changed: ['a raise and an investor'] }
    const investments = ['i', 'j'].map((letter) => fact('investment.confirmed', { id: id('inv', letter) }, about))
    expect(numbersOf(investments)).toEqual([0, 1])
  })

  test('all facts of the demo are in fewer than 100 waves', () => {
    const { facts } = demoWorld(Date.parse('2026-11-15T09:30:00Z'))
    const waves = wavesOf(facts)
    expect(new Set(waves.flat())).toEqual(new Set(facts))
    expect(waves.length).toBeLessThan(100)
  })
})
