export {
  changeStaffRole,
  disableAccount,
  enableAccount,
  issueLink,
  openAccount,
  showAccount,
} from './administration/administer.ts'
export {
  createAccount,
  ensureUserOf,
  eraseAccount,
  linkAccount,
  NAME_CHARS_MAX,
  type NewAccount,
  renameAccount,
} from './change-account.ts'
export { resetFactors } from './factors/change-factors.ts'
export { type Passkeys, passkeysOf, passkeysWorkAt } from './factors/passkeys.ts'
export { lockOwnAccount } from './own-account/store.ts'
export type { PasswordHash } from './passwords.ts'
export {
  PASSWORD_CHARS_MAX,
  PASSWORD_CHARS_MIN,
  type PasswordHasher,
  passwordHasher,
  rejectBadPassword,
} from './passwords.ts'
export { type OpenIdSettings, offersSignUp, type SignInSettings } from './settings.ts'
export { type DeviceCookies, deviceCookies, deviceLabel, purgeSignIns, signIns } from './sign-in/sign-ins.ts'
export { isRecentlyProven } from './sign-in/store.ts'
export { teamMailCounter } from './sign-in/throttle.ts'
export { inviteToPlatform, offerFirstAdministrator, openVerifiedAccount } from './sign-up/sign-up.ts'
export { listStaff } from './staff/store.ts'
export {
  type Account,
  type AccountLink,
  type AccountRow,
  findAccount,
  findAccountByEmail,
  findUserOf,
  listAccounts,
  signUpSeries,
} from './store.ts'
