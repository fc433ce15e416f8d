export {
  APP_NOTICES,
  APP_STATES,
  type App,
  type AppNotice,
  type AppProgram,
  type AppState,
  CLIENT_TYPES,
  type Client,
  type ClientType,
  CONDITIONS_PATH,
  CONDITIONS_VERSION,
  conditionsUrl,
  KEY_STATES,
  type KeyState,
  type NotifyAppTeam,
  PROGRAM_NAMES,
  type ProgramAt,
  type ProgramName,
  type ProgramTier,
  programScopes,
  REQUEST_KINDS,
  type RequestKind,
  requestedProgram,
  type Stopped,
} from './app.ts'
export { approveApp, approvePii, withdrawPii } from './approvals.ts'
export { changeLogo } from './change-logo.ts'
export { disableApp, enableApp, liftSuspension, suspendApp } from './change-state.ts'
export {
  type AppDescription,
  appByAnyId,
  describeApp,
  describeFormerApp,
  findClient,
  findClientAgain,
  findTeamRole,
  lockClient,
  noteInstalled,
  noteInstalledIn,
  noteLiveToken,
  type Presented,
  readClient,
} from './client-store.ts'
export {
  type Acceptance,
  appsWithout,
  conditionsInForce,
  countAcceptances,
  findConditionsText,
  insertConditions,
  listAcceptances,
  listConditions,
} from './conditions-store.ts'
export { createApp, type NewApp } from './create-app.ts'
export { deleteApp, endOrganization, type OnEnded } from './delete-app.ts'
export { listKeys } from './key-store.ts'
export {
  createKey,
  type KeyWithSecret,
  type NewAppKey,
  NOTICE_HOURS_BEFORE_EXPIRY,
  noticeExpiringSecrets,
  OVERLAP_SECONDS_DEFAULT,
  revokeKey,
  rotateSecret,
} from './keys.ts'
export {
  ADMINS,
  EDITORS,
  lockAppForChange,
  lockLiveApp,
  rejectStopped,
  requireRunning,
  requireTeam,
  type Seat,
} from './lock-app.ts'
export { appIdsOf, recordWaiting, type WaitingPoint, waitingSeries } from './partner-store.ts'
export { redirectUriProblem } from './redirect-uri.ts'
export { deleteProgram, findProgram, programsOf } from './state-store.ts'
export {
  enterGate,
  findApp,
  listApps,
  listOfTeam,
  tryGate,
  writeScopes,
} from './store.ts'
