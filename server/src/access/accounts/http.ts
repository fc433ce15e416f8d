import type { Logger } from 'pino'
import type { Route } from '#http/route.ts'
import type { WallClock } from '#kernel/clock.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { mailTokens } from '#mail/index.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import type { Databases } from '#system/postgres/database.ts'
import type { ReadsSentMail } from './account-fields.ts'
import { linkRoutes } from './administration/link-routes.ts'
import { administrationRoutes } from './administration/routes.ts'
import { commandLineRoutes } from './command-line/routes.ts'
import { totpSecrets } from './factors/codes.ts'
import { passkeysOf } from './factors/passkeys.ts'
import { securityRoutes } from './factors/security-routes.ts'
import { openIdRoutes } from './openid/routes.ts'
import { changeEmailRoutes } from './own-account/change-email-routes.ts'
import { changePasswordRoutes } from './own-account/change-password-routes.ts'
import { forgotPasswordRoutes } from './own-account/forgot-password-routes.ts'
import { type PasswordHasher, passwordHasher } from './passwords.ts'
import type { SignInSettings } from './settings.ts'
import { signInResponses } from './sign-in/complete-sign-in.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { secondStepRoutes } from './sign-in/second-step-routes.ts'
import type { DemoSignIn } from './sign-in/sign-in-page.ts'
import { deviceCookies } from './sign-in/sign-ins.ts'
import { signUpRoutes } from './sign-up/routes.ts'
import { staffRoutes } from './staff/routes.ts'
import { confirmRoutes } from './step-up/confirm-routes.ts'

/** The name, email and password fields, for the forms of other modules that create an account. */
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
export { firstRecoveryCodesPage } from './sign-up/sign-up-pages.ts'
/** The parts of a page on which a person creates an account with a passkey. */
export {
  firstPasskey,
  type MadePasskey,
  offerSignUpPasskey,
  PASSKEY_NOT_VERIFIED,
  type SignUpPasskey,
  signUpPasskeyForm,
  verifySignUpPasskey,
} from './sign-up/sign-up-passkey.ts'

export type AccountDeps = {
  readonly databases: Pick<Databases, 'platform'>
  readonly keys: Keyring
  readonly cursors: CursorSealer
  readonly clock: WallClock
  readonly log: Pick<Logger, 'warn'>
  /** Our public address, known after the server has started to listen. */
  readonly origin: () => string
  readonly brand: ShownBrand
  readonly settings: SignInSettings
  /** The registered name of the app with this client id; null if no active app has this id. */
  readonly appNameOf?: ((clientId: string) => Promise<string | null>) | undefined
  /** Whether a visitor may read sent mail, as in the demo. By default none may. */
  readonly readsSentMail?: ReadsSentMail | undefined
  readonly demoSignIn?: DemoSignIn | undefined
  /** One hasher for the whole process, because it limits how many passwords are hashed at once. Default: a new one. */
  readonly hasher?: PasswordHasher | undefined
}

/** Routes by which people sign up, sign in and out and change their accounts, and by which the operator administers accounts. */
export function accountRoutes({ databases, hasher = passwordHasher(), ...deps }: AccountDeps): Route[] {
  const { platform } = databases
  const cookies = deviceCookies(deps.keys, () => deps.origin().startsWith('https:'))
  const tokens = mailTokens(deps.keys('mail-links'))
  const platformName = brandName(deps.brand)
  const passwordNotices = { platformName, origin: deps.origin, settings: deps.settings }
  const passkeys = passkeysOf({ ...deps, platform, serviceName: platformName })
  const parts = {
    ...{ ...deps, platform, hasher, platformName, passwordNotices },
    ...{
      deviceCookies: cookies,
      signInResponses: signInResponses({ ...deps, deviceCookies: cookies }),
      mailTokens: tokens,
    },
    ...{ totp: totpSecrets(deps.keys), passkeys },
  }
  return [
    ...signInRoutes(parts),
    ...signUpRoutes(parts),
    ...secondStepRoutes(parts),
    ...confirmRoutes(parts),
    ...securityRoutes(parts),
    ...commandLineRoutes(parts),
    ...forgotPasswordRoutes(parts),
    ...changePasswordRoutes(parts),
    ...changeEmailRoutes(parts),
    ...linkRoutes(parts),
    ...openIdRoutes(parts),
    ...administrationRoutes(parts),
    ...staffRoutes(parts),
  ]
}
