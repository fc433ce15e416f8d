export {
  askQuestion,
  type NewComment,
  type NewQuestion,
  postComment,
  removeComment,
  updateComment,
} from './comments.ts'
export type { Company, CompanyPage } from './company.ts'
export {
  BUSINESS_MODELS,
  type BusinessModel,
  COMPANY_KINDS,
  COMPANY_ROLES,
  type CompanyKind,
  type CompanyRole,
  DISCLOSURE_KEYS,
  type DisclosureKey,
  editingRole,
  INDUSTRIES,
  INDUSTRIES_MAX,
  type Industry,
  mayEdit,
  PAST_ROUND_EXEMPTIONS,
  PAST_ROUNDS_MAX,
  type PastRound,
  type PastRoundExemption,
} from './company.ts'
export {
  type CompanyChanges,
  createCompany,
  endRole,
  type FollowState,
  followCompany,
  type NewCompany,
  type PastRounds,
  type RoleOfPerson,
  reportPastRounds,
  requireCompany,
  setRole,
  unfollowCompany,
  updateCompany,
} from './company-changes.ts'
export { type AccessChange, type CommentChanges, type Follow, placeAccessChanges } from './store.ts'
