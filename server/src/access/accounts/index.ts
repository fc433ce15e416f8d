export { eraseAccount, NAME_CHARS_MAX, renameAccount } from './account-person.ts'
export { lockOwnAccount, type OwnAccount } from './account-person-store.ts'
export {
  changeStaffRole,
  disableAccount,
  enableAccount,
  issueLink,
  openAccount,
  showAccount,
} from './administration/administer.ts'
export { createAccount, linkAccount, type NewAccount } from './create-account.ts'
export { countMailRequest } from './mail-throttle.ts'
export type { PasswordHash } from './passwords.ts'
export {
  PASSWORD_CHARS_MAX,
  PASSWORD_CHARS_MIN,
  type PasswordHasher,
  passwordHasher,
  rejectBadPassword,
} from './passwords.ts'
export { type OpenIdSettings, offersSignUp, type SignInSettings } from './settings.ts'
export { type DeviceCookies, deviceCookies, purgeSignIns, signIns } from './sign-in/sign-ins.ts'
export { isRecentlyProven } from './sign-in/store.ts'
export { inviteToPlatform, offerFirstAdministrator } from './sign-up/invite.ts'
export { openVerifiedAccount } from './sign-up/sign-up.ts'
export {
  type Account,
  type AccountLink,
  type AccountRow,
  findAccount,
  findAccountByEmail,
  findUserOf,
  listAccounts,
} from './store.ts'
