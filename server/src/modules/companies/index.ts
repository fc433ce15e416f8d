export { askQuestion, type NewQuestion } from './ask-question.ts'
export type { Company, CompanyPage } from './company.ts'
export { createCompany, type NewCompany } from './create-company.ts'
export { endRole } from './end-role.ts'
export { type FollowState, followCompany, unfollowCompany } from './follow-company.ts'
export { INDUSTRIES, INDUSTRIES_MAX, type Industry } from './industries.ts'
export { requireCompany } from './known-company.ts'
export { PAST_ROUNDS_MAX, type PastRound } from './past-round.ts'
export { type NewComment, postComment } from './post-comment.ts'
export { type PastRounds, reportPastRounds } from './report-past-rounds.ts'
export { type RoleOfPerson, setRole } from './set-role.ts'
export type { CommentChanges, Follow } from './store.ts'
export { removeComment, updateComment } from './update-comment.ts'
export { type CompanyChanges, updateCompany } from './update-company.ts'
export {
  BUSINESS_MODELS,
  type BusinessModel,
  COMPANY_KINDS,
  COMPANY_ROLES,
  type CompanyKind,
  type CompanyRole,
  DISCLOSURE_KEYS,
  type DisclosureKey,
  PAST_ROUND_EXEMPTIONS,
  type PastRoundExemption,
} from './vocabulary.ts'
