import type { Scope } from '#kernel/caller.ts'
import type { ScopeRow } from './scope-entry.ts'

const COMPANIES_SHOWN =
  'What each investor of a company you help run committed, and when. Installed there, it also receives their names.'
const MEMBERS_SHOWN =
  'For a syndicate you manage: each member’s name and email address, and what they invested through it.'

/** Scopes for companies and syndicates that a person runs, and for the app's own data. */
export const COMPANY_ROWS = {
  'read:companies': {
    group: 'self_serve',
    concerns: 'companies',
    consent:
      'See the companies you have access to, their offerings and funds (SPVs), and the investors of any you help run.',
    sensitive: COMPANIES_SHOWN,
  },
  'write:companies': {
    group: 'available_not_selectable',
    concerns: 'companies',
    consent: 'See and manage the companies you have access to, their offerings, funds (SPVs) and investors.',
    sensitive: COMPANIES_SHOWN,
    implies: ['read:companies'],
    idle: true,
  },
  'read:webhooks': {
    group: 'self_serve',
    concerns: 'app',
    consent: 'See which of its own addresses are notified when something happens.',
  },
  'write:webhooks': {
    group: 'self_serve',
    concerns: 'app',
    consent: 'See and choose which of its own addresses are notified when something happens.',
    implies: ['read:webhooks'],
  },
  'read:referral_codes': {
    group: 'self_serve',
    concerns: 'app',
    consent: 'See its own referral codes and how much they are used.',
    holders: ['client'],
  },
  'write:referral_codes': {
    group: 'self_serve',
    concerns: 'app',
    consent: 'Create, rename and pause its own referral codes, and see how much they are used.',
    implies: ['read:referral_codes'],
    holders: ['client'],
  },
  'read:installations': {
    group: 'self_serve',
    concerns: 'app',
    consent: 'See where it is installed.',
  },
  'write:installations': {
    group: 'self_serve',
    concerns: 'app',
    consent: 'See where it is installed, and install or remove it on companies and syndicates you can edit.',
    implies: ['read:installations'],
  },
  'read:investors:pii': {
    group: 'self_serve',
    concerns: 'companies',
    consent: 'See who the investors of a company you help run are.',
    sensitive: 'Each investor’s name, legal name, email address, postal address, username, bio and message.',
  },
  'read:investors:contacts': {
    group: 'available_not_selectable',
    concerns: 'companies',
    consent: 'See how to reach the investors of a company you help run.',
    sensitive: 'Each investor’s name and contact details.',
    obtained: 'assistant',
    holders: ['user'],
  },
  'read:syndicates': {
    group: 'self_serve',
    concerns: 'syndicates',
    consent: 'See the syndicates you manage, with their members, deals, statistics and portfolio.',
    sensitive: MEMBERS_SHOWN,
  },
  'write:syndicates': {
    group: 'self_serve',
    concerns: 'syndicates',
    consent:
      'See and run your syndicates: members, deals and settings. What cannot be undone still needs your approval.',
    sensitive: MEMBERS_SHOWN,
    implies: ['read:syndicates', 'write:syndicate_members'],
  },
  'read:invite_links': {
    group: 'self_serve',
    concerns: 'companies',
    consent: 'See the links and personal invitations that lead people to your offerings.',
  },
  'write:invite_links': {
    group: 'self_serve',
    concerns: 'companies',
    consent: 'See, make and change the links and personal invitations that lead people to your offerings.',
    implies: ['read:invite_links'],
  },
  'read:investment_sessions': {
    group: 'self_serve',
    concerns: 'companies',
    consent: 'See the checkouts it opened for people at your offerings, and how they ended.',
    beta: true,
  },
  'write:investment_sessions': {
    group: 'self_serve',
    concerns: 'companies',
    consent:
      'Send people it knows to a checkout for your offerings, and see how it ended. They decide there for themselves.',
    implies: ['read:investment_sessions'],
    beta: true,
  },
  'write:syndicate_members': {
    group: 'self_serve',
    concerns: 'syndicates',
    consent: 'Let people sign up to a syndicate you manage from the app’s own site.',
    beta: true,
  },
} as const satisfies Readonly<Record<Scope, ScopeRow<Scope>>>

const CONTRACTS_SHOWN = 'The terms of the contracts and the details of the people named in them.'
const FILES_SHOWN = 'The names and contents of these files.'
const {
  'read:companies': READ_COMPANIES,
  'write:companies': WRITE_COMPANIES,
  'read:syndicates': READ_SYNDICATES,
} = COMPANY_ROWS

/** Scopes that the picker never shows: planned, on request, by program, retired, reserved, internal. */
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
