import type { Scope } from '#kernel/caller.ts'
import type { ScopeRow } from './scope-entry.ts'

const COMPANIES_SHOWN =
  'What each investor of a company you help run committed, and when. Installed there, it is also told their names.'
const MEMBERS_SHOWN =
  'For a syndicate you manage: each member’s name and email address, and what they invested through it.'

/** Scopes on companies and syndicates that a person runs, and on the app's own data. */
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
