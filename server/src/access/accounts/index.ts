export { eraseAccount, NAME_CHARS_MAX, renameAccount } from './account-person.ts'
export { lockOwnAccount, type OwnAccount } from './account-person-store.ts'
export { createAccount, linkAccount, type NewAccount } from './create-account.ts'
export type { PasswordHash } from './passwords.ts'
export {
  PASSWORD_CHARS_MAX,
  PASSWORD_CHARS_MIN,
  type PasswordHasher,
  passwordHasher,
  refuseBadPassword,
} from './passwords.ts'
export { type OpenIdSettings, offersSignUp, type SignInSettings } from './settings.ts'
export { purgeSignIns, signIns } from './sign-in/sign-ins.ts'
export {
  type Account,
  type AccountLink,
  type AccountRow,
  findAccount,
  findAccountByEmail,
  findUserOf,
} from './store.ts'
