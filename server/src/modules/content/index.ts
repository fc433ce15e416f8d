export {
  DISCLOSURE_SECTIONS,
  type DisclosureSection,
  FISCAL_FIGURES,
  type NewDisclosures,
  POSITION_FIGURES,
} from './disclosures.ts'
export { fileDisclosures } from './file-disclosures.ts'
export { type NewPerks, type NewPitch, PERK_TIERS_MAX, PITCH_AUTHORS, publishPitch, setPerks } from './publish-pitch.ts'
export { VISIBILITIES, type Visibility } from './store.ts'
export { changeUpdate, type NewUpdate, publishUpdate, removeUpdate } from './updates.ts'
