import type { Scope } from '#kernel/scope.ts'
import type { ScopeRow } from '../scope-entry.ts'

const INVESTMENTS_SHOWN =
  'What you invested or reserved, where and when; for a company you help run, the same of its investors, unnamed.'

/** The deal catalogue, and what a person has as an investor. */
export const INVESTOR_ROWS = {
  'read:public': {
    group: 'public',
    concerns: 'offerings',
    consent: 'See the offerings and companies that everybody can see.',
  },
  'read:explore': {
    group: 'self_serve',
    concerns: 'offerings',
    consent:
      'See offerings as you see them, including those you were invited to and those for accredited investors only.',
  },
  'read:profile': {
    group: 'self_serve',
    concerns: 'profile',
    consent:
      'See your name, email address, account status, companies you follow publicly, activity and connected apps.',
    implies: ['read:profile:follows'],
  },
  'write:profile': {
    group: 'self_serve',
    concerns: 'profile',
    consent: 'See and change your profile, and disconnect apps you have connected.',
    implies: ['read:profile'],
  },
  'read:profile:follows': {
    group: 'available_not_selectable',
    concerns: 'profile',
    consent: 'See the companies you follow publicly.',
    obtained: 'implied',
  },
  'write:follows': {
    group: 'self_serve',
    concerns: 'profile',
    consent: 'Follow and unfollow companies for you, and see every company you follow.',
    implies: ['read:profile:follows'],
  },
  'write:comments': {
    group: 'self_serve',
    concerns: 'profile',
    consent: 'Draft questions, answers and comments for you. Nothing is posted until you approve it.',
  },
  'read:investments': {
    group: 'self_serve',
    concerns: 'investments',
    consent: 'See your investments, reservations and portfolio, and the investments in a company you help run.',
    sensitive: INVESTMENTS_SHOWN,
  },
  'write:investments': {
    group: 'declared_not_selectable',
    concerns: 'investments',
    consent: 'See your investments and change their details, and make and cancel reservations, which do not bind you.',
    sensitive: INVESTMENTS_SHOWN,
    implies: ['read:investments'],
    idle: true,
  },
  'read:tax_documents': {
    group: 'declared_not_selectable',
    concerns: 'investments',
    consent: 'See your tax forms.',
    sensitive: 'Everything on these forms, such as your name, address, tax number and income.',
    idle: true,
  },
} as const satisfies Readonly<Record<Scope, ScopeRow<Scope>>>
