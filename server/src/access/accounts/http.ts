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
export { type AccountDeps, accountRoutes } from './routes.ts'
