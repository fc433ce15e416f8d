import { isLookalikeAddress } from '../email-address.ts'
import { foldedEmail } from './folded-email.ts'
import type { Mistake } from './sign-in-page.ts'
import type { PasswordRefusal } from './sign-in-with-password.ts'

export function missingFields({ email, password }: { readonly email: string; readonly password: string }): Mistake[] {
  return [
    ...(email.trim() === '' ? [{ field: 'email' as const, message: 'Enter your email address.' }] : []),
    ...(isLookalikeAddress(foldedEmail(email)) ? [LOOKALIKE] : []),
    ...(password === '' ? [{ field: 'password' as const, message: 'Enter your password.' }] : []),
  ]
}

const LOOKALIKE: Mistake = {
  field: 'email',
  message: 'This address holds invisible characters, or letters that look like others. Type it again.',
}

/** One message for an unknown address and a wrong password: it must not tell who has an account here. */
export function mistakeOf(refusal: PasswordRefusal): Mistake {
  switch (refusal.kind) {
    case 'wrong':
      return { field: 'password', message: 'Email or password is wrong. Check both and try again.' }
    case 'disabled':
      return { message: 'This account has been switched off. Ask whoever runs this service to switch it on again.' }
    case 'too_many':
      return { message: `There were too many tries. Try again ${inMinutes(refusal.retryAfterSeconds)}.` }
  }
}

export function statusOf({ kind }: PasswordRefusal): 403 | 422 | 429 {
  return ({ wrong: 422, disabled: 403, too_many: 429 } as const)[kind]
}

function inMinutes(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`
}
