export { deactivateUser, type NewUser, registerUser, type UserChanges, updateUser } from './change-user.ts'
export {
  ACCREDITATIONS,
  type Accreditation,
  type Address,
  addressesOf,
  lockActiveUser,
  lockUser,
  type Moment,
  type User,
  type UserProfile,
} from './store.ts'
