import type { Scope } from '#kernel/caller.ts'
import { COMPANY_ROWS } from './catalogue-company-rows.ts'
import type { ScopeRow } from './scope-entry.ts'

const CONTRACTS_SHOWN = 'The terms of the contracts and the details of the people named in them.'
const FILES_SHOWN = 'The names and contents of these files.'
const {
  'read:companies': READ_COMPANIES,
  'write:companies': WRITE_COMPANIES,
  'read:syndicates': READ_SYNDICATES,
} = COMPANY_ROWS

/** What the picker never shows: planned, on request, by program, retired, reserved, internal. */
export const UNSELECTABLE_ROWS = {
  'read:contracts': {
    group: 'declared_not_selectable',
    concerns: 'companies',
    consent: 'See contract packages and contract templates.',
    sensitive: CONTRACTS_SHOWN,
    idle: true,
  },
  'write:contracts': {
    group: 'declared_not_selectable',
    concerns: 'companies',
    consent: 'See and change contract packages and contract templates. It cannot sign for you.',
    sensitive: CONTRACTS_SHOWN,
    implies: ['read:contracts'],
    idle: true,
  },
  'read:perks': {
    group: 'declared_not_selectable',
    concerns: 'companies',
    consent: 'See the perks that come with your offerings.',
    idle: true,
  },
  'write:perks': {
    group: 'declared_not_selectable',
    concerns: 'companies',
    consent: 'See and change the perks that come with your offerings.',
    implies: ['read:perks'],
    idle: true,
  },
  'read:files': {
    group: 'available_not_selectable',
    concerns: 'companies',
    consent: 'See the files you have access to.',
    sensitive: FILES_SHOWN,
    idle: true,
  },
  'write:files': {
    group: 'available_not_selectable',
    concerns: 'companies',
    consent: 'See, add and change the files you have access to.',
    sensitive: FILES_SHOWN,
    implies: ['read:files'],
    idle: true,
  },
  'read:attribution:aggregate': {
    group: 'program_gated',
    concerns: 'companies',
    consent: 'See in total what its referrals brought to your company.',
    program: { name: 'marketing_partner', tier: 0 },
    idle: true,
  },
  'read:attribution:anonymized': {
    group: 'program_gated',
    concerns: 'companies',
    consent:
      'See each investment its referrals brought to your company, as a week, a size and a status, without names.',
    implies: ['read:attribution:aggregate'],
    program: { name: 'marketing_partner', tier: 1 },
  },
  'read:attribution:full': {
    group: 'program_gated',
    concerns: 'companies',
    consent: 'See each investment its referrals brought to your company, and who made it.',
    sensitive: 'Who each of these investors is, and what they invested.',
    implies: ['read:attribution:anonymized', 'read:attribution:aggregate'],
    program: { name: 'founder' },
  },
  'write:attribution': {
    group: 'program_gated',
    concerns: 'companies',
    consent: 'Do nothing more today. This is set aside for reporting referrals.',
    program: { name: 'marketing_partner' },
    idle: true,
  },
  'read:offerings': {
    group: 'retired',
    concerns: 'companies',
    consent: READ_COMPANIES.consent,
    sensitive: READ_COMPANIES.sensitive,
    replacedBy: 'read:companies',
    alias: true,
  },
  'write:offerings': {
    group: 'retired',
    concerns: 'companies',
    consent: WRITE_COMPANIES.consent,
    sensitive: WRITE_COMPANIES.sensitive,
    replacedBy: 'write:companies',
    alias: true,
  },
  'read:follows': {
    group: 'retired',
    concerns: 'profile',
    consent: 'See every company you follow.',
    replacedBy: 'read:profile:follows',
  },
  'read:campaigns': {
    group: 'retired',
    concerns: 'companies',
    consent: 'See the fundraising campaigns of the companies you help run.',
    sensitive: 'How much each campaign has raised and from how many investors, private rounds included.',
    beforeVersion: '2026-11-01',
  },
  'read:mcp': {
    group: 'reserved',
    concerns: 'platform',
    consent:
      'Answer your questions from offerings, your profile, companies you follow, your companies and your syndicates.',
    sensitive: `${READ_COMPANIES.sensitive} ${READ_SYNDICATES.sensitive}`,
    implies: ['read:explore', 'read:profile', 'read:syndicates', 'read:companies'],
  },
  'admin:read': {
    group: 'internal',
    concerns: 'platform',
    consent: 'Read the platform’s own records.',
    sensitive: 'Everything the platform’s staff can see.',
  },
  'admin:write': {
    group: 'internal',
    concerns: 'platform',
    consent: 'Change the platform’s own records.',
    sensitive: 'Everything the platform’s staff can see.',
  },
  'admin:attribution': {
    group: 'internal',
    concerns: 'platform',
    consent: 'Read and change the platform’s referral records.',
    sensitive: 'Who referred whom, on every company.',
  },
} as const satisfies Readonly<Record<Scope, ScopeRow<Scope>>>
