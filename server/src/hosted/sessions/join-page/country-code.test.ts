import { describe, expect, test } from 'vitest'
import { countryCode } from './eligibility.ts'

describe('the country of an address, as people write it', () => {
  test.each([
    ['US', 'US'],
    ['us', 'US'],
    [' U.S. ', 'US'],
    ['USA', 'US'],
    ['U.S.A.', 'US'],
    ['United States', 'US'],
    ['the United States of America', 'US'],
    ['UNITED KINGDOM', 'GB'],
    ['UK', 'GB'],
    ['England', 'GB'],
    ['Germany', 'DE'],
    ['Côte d’Ivoire', 'CI'],
    ["Cote d'Ivoire", 'CI'],
    ['Ivory Coast', 'CI'],
    ['Türkiye', 'TR'],
    ['Turkey', 'TR'],
    ['Czech Republic', 'CZ'],
    ['The Netherlands', 'NL'],
    ['Trinidad & Tobago', 'TT'],
  ])('%s is %s', (written, code) => {
    expect(countryCode(written)).toBe(code)
  })

  test.each([null, '', ' ', 'Atlantis', 'XX', 'ZZ', 'EU', 'United', 'US or GB', 'Georgia, USA'])(
    '%s is not a known country',
    (written) => {
      expect(countryCode(written)).toBeNull()
    },
  )
})
