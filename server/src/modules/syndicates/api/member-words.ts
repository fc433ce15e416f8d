/** What somebody is in the directory: "creator, manager, member, invitee, applicant, exiled, resigned, …". */
export const MEMBER_ROLES = [
  'creator',
  'manager',
  'member',
  'invitee',
  'applicant',
  'approved',
  'payment_failed',
  'exiled',
  'resigned',
  'removed',
  'declined',
  'withdrawn',
] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

/** The first is the order that managers give the directory, and what an unknown word means. */
export const MEMBER_SORTS = [
  'directory',
  'newest',
  'oldest',
  'alphabetical',
  'last_activity',
  'investment_amount',
] as const
export type MemberSort = (typeof MEMBER_SORTS)[number]

/** "Unknown value → default, no error." */
export function sortOf(asked: string | undefined): MemberSort {
  return MEMBER_SORTS.find((sort) => sort === asked) ?? 'directory'
}
