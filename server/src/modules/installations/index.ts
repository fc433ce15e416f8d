export {
  INSTALLATION_MACHINE,
  INSTALLATION_STATES,
  type InstallationAlso,
  type InstallationMove,
  type InstallationState,
} from './installation-states.ts'
