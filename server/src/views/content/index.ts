export {
  DISCLOSURE_SECTIONS,
  type DisclosureSection,
  FISCAL_FIGURES,
  type NewDisclosures,
  POSITION_FIGURES,
} from './disclosures.ts'
export {
  changeUpdate,
  fileDisclosures,
  type NewPerks,
  type NewPitch,
  type NewUpdate,
  PERK_TIERS_MAX,
  PITCH_AUTHORS,
  publishPitch,
  publishUpdate,
  removeUpdate,
  setPerks,
} from './publish-content.ts'
export { VISIBILITIES, type Visibility } from './store.ts'
