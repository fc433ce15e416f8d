import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressRanges, judgeAddress, LOOPBACK } from './address.ts'

const PUBLIC = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.1', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...['128.0.0.1', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.1', '191.255.255.255', '192.0.1.0'],
  ...['192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '203.0.112.255', '203.0.114.0'],
  ...['223.255.255.255', '2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001::1', '2400:cb00::1'],
  // Each of these maps to a public IPv4 address.
  ...['::ffff:8.8.8.8', '::ffff:808:808', '64:ff9b::8.8.8.8', '64:ff9b::808:808'],
]

const NOT_PUBLIC: readonly (readonly [address: string, range: string])[] = [
  ['0.0.0.0', 'unspecified'],
  ['0.255.255.255', 'unspecified'],
  ['10.0.0.1', 'private'],
  ['10.255.255.255', 'private'],
  ['100.64.0.0', 'carrierGradeNat'],
  ['100.100.100.200', 'carrierGradeNat'], // Alibaba's metadata
  ['100.127.255.255', 'carrierGradeNat'],
  ['127.0.0.0', 'loopback'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['168.63.129.16', 'cloud'], // Azure's wire server
  ['169.254.0.1', 'linkLocal'],
  ['169.254.169.254', 'linkLocal'], // metadata of most clouds
  ['169.254.170.2', 'linkLocal'], // credentials of AWS containers
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.1', 'reserved'],
  ['192.0.0.192', 'reserved'], // Oracle's metadata
  ['192.0.2.1', 'reserved'],
  ['192.31.196.1', 'as112'],
  ['192.52.193.1', 'amt'],
  ['192.88.99.1', 'reserved'],
  ['192.168.0.1', 'private'],
  ['192.168.255.255', 'private'],
  ['192.175.48.1', 'as112'],
  ['198.18.0.1', 'reserved'],
  ['198.19.255.255', 'reserved'],
  ['198.51.100.1', 'reserved'],
  ['203.0.113.255', 'reserved'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['0:0:0:0:0:0:0:1', 'loopback'],
  ['::7f00:1', 'reserved'], // IPv4-compatible 127.0.0.1
  ['::127.0.0.1', 'reserved'],
  ['::8.8.8.8', 'reserved'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:7f00:1', 'loopback'],
  ['0:0:0:0:0:ffff:10.0.0.1', 'private'],
  ['::ffff:169.254.169.254', 'linkLocal'],
  ['::ffff:0:127.0.0.1', 'rfc6145'],
  ['64:ff9b::127.0.0.1', 'loopback'],
  ['64:ff9b::a9fe:a9fe', 'linkLocal'],
  ['64:ff9b::10.0.0.1', 'private'],
  ['64:ff9b:1::8.8.8.8', 'rfc6052'], // NAT64 for local use
  ['100::1', 'discard'],
  ['2001::1', 'teredo'],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'teredo'],
  ['2001:2::1', 'benchmarking'],
  ['2001:3::1', 'amt'],
  ['2001:4:112::1', 'as112v6'],
  ['2001:10::1', 'deprecatedOrchid'],
  ['2001:20::1', 'orchid2'],
  ['2001:1ff::1', 'reserved'],
  ['2001:db8::1', 'reserved'],
  ['2002:7f00:1::', '6to4'],
  ['2002:a00:1::1', '6to4'],
  ['2002:808:808::1', '6to4'],
  ['2620:4f:8000::1', 'as112v6'],
  ['3fff::1', 'reserved'],
  ['4000::1', 'reserved'],
  ['5f00::1', 'segmentRouting'],
  ['fc00::1', 'uniqueLocal'],
  ['fd00:ec2::254', 'uniqueLocal'], // metadata of AWS over IPv6
  ['fd20:ce::254', 'uniqueLocal'], // metadata of Google over IPv6
  ['fe80::1', 'linkLocal'],
  ['fe80::1%eth0', 'notAnAddress'],
  ['fec0::1', 'deprecatedSiteLocal'],
  ['ff02::1', 'multicast'],
  ['ffff::1', 'multicast'],
]

const OTHER_SPELLINGS = [
  ...[
    '2130706433',
    '017700000001',
    '0x7f000001',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '127.1',
    '127.0.1',
    '8.8.2056',
    '8.8.8.8.',
  ],
  ...[
    '08.8.8.8',
    '256.1.1.1',
    ' 8.8.8.8',
    '8.8.8.8 ',
    '[::1]',
    '::ffff:0x7f.1',
    'localhost',
    '',
    '8.8.8.8/32',
    '①.1.1.1',
  ],
]

describe('judgeAddress: public addresses only', () => {
  test.each(PUBLIC)('%s is public', (address) => {
    expect(judgeAddress(address)).toEqual({ allowed: true })
  })

  test.each(NOT_PUBLIC)('%s is not public (%s)', (address, range) => {
    expect(judgeAddress(address)).toEqual({ allowed: false, range })
  })

  test.each(OTHER_SPELLINGS)('"%s" is not the plain spelling of an address, and is rejected', (text) => {
    expect(judgeAddress(text)).toEqual({ allowed: false, range: 'notAnAddress' })
  })

  test('every IPv6 address gets the same verdict with its last groups in dots or in hex', () => {
    fc.assert(
      fc.property(
        fc.ipV6().filter((address) => !address.includes('%')),
        (address) => {
          const plain = new URL(`http://[${address}]`).hostname.slice(1, -1)
          expect(judgeAddress(address)).toEqual(judgeAddress(plain))
        },
      ),
    )
  })

  test('an IPv4 address and its mapped form get the same verdict', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(judgeAddress(`::ffff:${address}`).allowed).toBe(judgeAddress(address).allowed)
        expect(judgeAddress(`64:ff9b::${address}`).allowed).toBe(judgeAddress(address).allowed)
      }),
    )
  })

  test('an address that does not map to an IPv4 address is public if it is in 2000::/3, and otherwise not', () => {
    const group = fc.integer({ min: 0, max: 0xffff })
    // Reserved ranges inside 2000::/3, and the prefix of NAT64, begin with these groups.
    const mixed = [0x64, 0x2001, 0x2002, 0x2620, 0x3fff]
    const inside = fc.integer({ min: 0x2000, max: 0x3fff }).filter((first) => !mixed.includes(first))
    // At least 1: an address that begins with 0 can be a mapped one.
    const outside = fc
      .oneof(fc.integer({ min: 1, max: 0x1fff }), fc.integer({ min: 0x4000, max: 0xffff }))
      .filter((first) => !mixed.includes(first))
    const starting = (first: fc.Arbitrary<number>) =>
      fc
        .tuple(first, ...Array.from({ length: 7 }, () => group))
        .map((groups) => groups.map((value) => value.toString(16)).join(':'))
    fc.assert(
      fc.property(starting(inside), starting(outside), (one, other) => {
        expect([judgeAddress(one).allowed, judgeAddress(other).allowed]).toEqual([true, false])
      }),
    )
    // The borders of 2000::/3.
    expect(
      ['1fff:ffff::1', '2000::', '3ffe:ffff::1', '4000::'].map((address) => judgeAddress(address).allowed),
    ).toEqual([false, true, true, false])
  })
})

describe('ranges that count as public', () => {
  test('are allowed, also in mapped form, and other private addresses stay rejected', () => {
    const also = addressRanges('127.0.0.2/32', 'fd00:1::/32')
    expect(judgeAddress('127.0.0.2', also).allowed).toBe(true)
    expect(judgeAddress('::ffff:127.0.0.2', also).allowed).toBe(true)
    expect(judgeAddress('fd00:1::5', also).allowed).toBe(true)
    expect(judgeAddress('127.0.0.1', also).allowed).toBe(false)
    expect(judgeAddress('fd00:2::5', also).allowed).toBe(false)
  })

  test('loopback is 127.0.0.0/8 and ::1', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'].every((a) => judgeAddress(a, LOOPBACK).allowed)).toBe(
      true,
    )
    expect(['0.0.0.0', '::', '10.0.0.1', '::2'].some((a) => judgeAddress(a, LOOPBACK).allowed)).toBe(false)
  })
})
