export { createOffering, type NewOffering } from './create-offering.ts'
export { INTENDED_SECURITIES, type IntendedSecurity } from './intended-security.ts'
export { type Invitation, inviteUser } from './invite-user.ts'
export { cancelOfferingAlone, closeOffering, openOffering, startClosing } from './move-offering.ts'
export { EXEMPTIONS, type Exemption, type Offering, type OfferingTerms } from './offering.ts'
export {
  OFFERING_MACHINE,
  OFFERING_STATES,
  type OfferingAlso,
  type OfferingMove,
  type OfferingState,
} from './offering-states.ts'
export type { SecurityType } from './security.ts'
export { type OfferingView, readOffering } from './store.ts'
export { type OfferingChanges, updateOffering } from './update-offering.ts'
