export {
  deactivateUser,
  lockActiveUser,
  lockUser,
  type NewUser,
  registerUser,
  type UserChanges,
  updateUser,
} from './change-user.ts'
export { addressesOf } from './store.ts'
export { ACCREDITATIONS, type Accreditation, type Address, type Moment, type User, type UserProfile } from './user.ts'
