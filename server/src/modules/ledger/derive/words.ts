import type { Exemption, SecurityType } from '#modules/offerings/index.ts'
import type { Facts } from './facts.ts'

const INVESTMENT_TYPES: Readonly<Record<SecurityType, string>> = {
  safe: 'SAFE',
  equity: 'Equity',
  convertible_note: 'Convertible Note',
  revenue_share: 'Revenue Share',
  debt: 'Debt',
  fund: 'Fund',
  other: 'Other',
}

const OFFERING_TYPES: Readonly<Record<Exemption, string>> = {
  reg_cf: 'Reg CF',
  reg_d_506b: 'Reg D 506(b)',
  reg_d_506c: 'Reg D 506(c)',
  reg_a: 'Reg A',
  reg_s: 'Reg S',
  ecsp: 'ECSP',
}

/** What is sold, or while a round tests the waters what it says it will sell; undefined while it does not say. */
export function investmentType({ security_type, intended_security_type }: Facts): string | undefined {
  const type = security_type ?? intended_security_type
  return type === null ? undefined : INVESTMENT_TYPES[type]
}

export function offeringType({ exemption }: Facts): string {
  return OFFERING_TYPES[exemption]
}
