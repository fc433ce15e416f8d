import { describe, expect, test } from 'vitest'
import { ApiError } from '#kernel/errors.ts'
import { rejectPlatformName } from './membership.ts'

function isRejected(name: string, brand: string | readonly string[] | null = 'wefunder'): boolean {
  try {
    rejectPlatformName({ brand }, name)
    return false
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    expect(error.details).toMatchObject({ fields: [{ field: 'name', code: 'reserved' }] })
    return true
  }
}

describe('the platform’s own name', () => {
  test.each([
    'Wefunder',
    'wefunder',
    'WEFUNDER Support',
    'We-Funder Support',
    'We Funder',
    'W.e.f.u.n.d.e.r',
    'Wefunders',
    '“Wefunder” Verified',
    'Ｗｅｆｕｎｄｅｒ',
    '𝐖𝐞𝐟𝐮𝐧𝐝𝐞𝐫 Team',
    'We\u00adfunder',
    'We\u200dfunder',
    'W\u0336efunder',
    '✅ Wefunder',
    'W\u0435funder Support',
    '\u051cefunder',
    'WEFUND\u0395R',
  ])('%s is rejected', (name) => {
    expect(isRejected(name)).toBe(true)
  })

  test.each(['Deal Desk', 'Deal Desk for Wefunder', 'Funder', 'We Fund', 'Вефундер', '合同会社', '!!!'])(
    '%s is accepted',
    (name) => {
      expect(isRejected(name)).toBe(false)
    },
  )

  test('is the name of the configured brand; the platform’s own organizations and apps may have it', () => {
    expect(isRejected('Fieldbook CRM', 'fieldbook')).toBe(true)
    expect(isRejected('Wefunder', 'fieldbook')).toBe(false)
    expect(isRejected('Wefunder', null)).toBe(false)
  })
})

test('both the name that people see and the name in the API are reserved', () => {
  const both = ['wefunder', 'Lantern Capital']
  expect(isRejected('Lantern-Capital Support', both)).toBe(true)
  expect(isRejected('Wefunder Support', both)).toBe(true)
  expect(isRejected('Lantern Watch', both)).toBe(false)
})
