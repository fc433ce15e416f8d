import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressGroup } from './address-group.ts'

describe('the group of an address', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['64:ff9b::192.0.2.1', '192.0.2.1'],
    ['64:ff9b::c000:201', '192.0.2.1'],
    ['64:ff9b:1::c000:201', '64:ff9b:1:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s is %s', (address, group) => {
    expect(addressGroup(address)).toBe(group)
  })

  test('the addresses of one /64 are one group, and an address outside it is not in the group', () => {
    const words = (count: number) =>
      fc.array(fc.integer({ min: 1, max: 0xffff }), { minLength: count, maxLength: count })
    const text = (parts: readonly number[]) => parts.map((part) => part.toString(16)).join(':')
    fc.assert(
      fc.property(words(4), words(4), words(4), (network, one, other) => {
        expect(addressGroup(text([...network, ...one]))).toBe(addressGroup(text([...network, ...other])))
        const [first = 0, ...rest] = network
        const beside = [first === 1 ? 2 : first - 1, ...rest]
        expect(addressGroup(text([...beside, ...one]))).not.toBe(addressGroup(text([...network, ...one])))
      }),
    )
  })

  test.each(['x'.repeat(9_000), `:${'x'.repeat(9_000)}`, `::ffff:${'x'.repeat(9_000)}`])(
    'a text that is not an address is cut to the length of the longest address',
    (made) => expect(addressGroup(made).length).toBeLessThanOrEqual(45),
  )
})
