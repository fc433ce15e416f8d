export {
  EXEMPTIONS,
  type Exemption,
  INTENDED_SECURITIES,
  type IntendedSecurity,
  type Offering,
  type OfferingTerms,
} from './offering.ts'
export {
  cancelOfferingAlone,
  closeOffering,
  createOffering,
  type Invitation,
  inviteUser,
  type NewOffering,
  type OfferingChanges,
  openOffering,
  startClosing,
  updateOffering,
} from './offering-changes.ts'
export {
  OFFERING_MACHINE,
  OFFERING_STATES,
  type OfferingAlso,
  type OfferingMove,
  type OfferingState,
} from './offering-states.ts'
export type { SecurityType } from './security.ts'
export { type OfferingView, readOffering } from './store.ts'
