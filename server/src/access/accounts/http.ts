/** The fields that describe an account, for the forms of other modules in which one is made. */
export {
  emailMistake,
  type FieldMistake,
  nameField,
  nameMistake,
  newPasswordField,
  passwordMistake,
  typed,
} from './account-fields.ts'
export { passkeyScript } from './factors/passkey-form.ts'
export { type AccountDeps, accountRoutes } from './routes.ts'
export { firstRecoveryCodesPage } from './sign-up/sign-up-pages.ts'
/** The parts of a page on which an account is made with a passkey. */
export {
  firstPasskey,
  type MadePasskey,
  offerSignUpPasskey,
  PASSKEY_NOT_VERIFIED,
  type SignUpPasskey,
  signUpPasskeyForm,
  verifySignUpPasskey,
} from './sign-up/sign-up-passkey.ts'
