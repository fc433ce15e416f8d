import type { Fields } from '../version-step.ts'

/** How older versions take an exemption apart: its family, within Regulation D its kind, and what people call it. */
const TAKEN_APART: Readonly<Record<string, Fields>> = {
  reg_cf: { family: 'reg_cf', subtype: null, label: 'Reg CF' },
  reg_d: { family: 'reg_d', subtype: null, label: 'Reg D' },
  reg_d_506b: { family: 'reg_d', subtype: '506b', label: 'Reg D 506(b)' },
  reg_d_506c: { family: 'reg_d', subtype: '506c', label: 'Reg D 506(c)' },
  reg_a: { family: 'reg_a', subtype: null, label: 'Reg A' },
  reg_s: { family: 'reg_s', subtype: null, label: 'Reg S' },
  ecsp: { family: 'ecsp', subtype: null, label: 'ECSP' },
  other: { family: 'other', subtype: null, label: 'Other' },
}

export function exemptionBefore(exemption: unknown): unknown {
  return typeof exemption === 'string' ? (TAKEN_APART[exemption] ?? exemption) : exemption
}
