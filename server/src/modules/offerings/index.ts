export {
  OFFERING_MACHINE,
  OFFERING_STATES,
  type OfferingAlso,
  type OfferingMove,
  type OfferingState,
} from './offering-states.ts'
