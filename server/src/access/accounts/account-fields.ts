import { holdsDomain, LINE_PATTERN } from '#kernel/text.ts'
import { notice } from '#pages/blocks.ts'
import { field } from '#pages/elements.ts'
import { type HtmlValue, html } from '#pages/html.ts'
import { EMAIL_CHARS_MAX, EMAIL_PATTERN, foldedEmail, isLookalikeAddress } from './email-address.ts'
import { PASSWORD_CHARS_MIN, passwordSentence } from './passwords.ts'

/** The fields of the account forms. */
export type AccountField = 'email' | 'name' | 'password'
export type FieldMistake = { readonly field?: AccountField; readonly message: string }

const NAME_CHARS_MAX = 200
const LINE = new RegExp(LINE_PATTERN, 'u')
const ADDRESS = new RegExp(EMAIL_PATTERN, 'u')

/** Trims the text, because a phone's autocompletion adds a space at the end. */
export const typed = (text: string | undefined): string => (text ?? '').trim()

export function emailMistake(email: string): FieldMistake[] {
  const message = emailSentence(email)
  return message === null ? [] : [{ field: 'email', message }]
}

function emailSentence(email: string): string | null {
  if (email === '') return 'Enter your email address.'
  if (email.length > EMAIL_CHARS_MAX || !ADDRESS.test(email)) return 'Enter an email address, such as ada@example.org.'
  return isLookalikeAddress(foldedEmail(email))
    ? 'This address contains invisible characters, or letters that look like others. Type it again.'
    : null
}

export function nameMistake(name: string): FieldMistake[] {
  if (name === '') return [{ field: 'name', message: 'Enter your name.' }]
  if ([...name].length > NAME_CHARS_MAX || !LINE.test(name)) {
    return [{ field: 'name', message: `Enter a name of one line and at most ${NAME_CHARS_MAX} characters.` }]
  }
  return holdsDomain(name) ? [{ field: 'name', message: 'Enter a name without a web address.' }] : []
}

/** `about`: words that are easy to guess, such as the name and the address of the account. */
export function passwordMistake(password: string, about: readonly string[]): FieldMistake[] {
  const message = passwordSentence(password, about)
  return message === null ? [] : [{ field: 'password', message }]
}

type Shown = { readonly value?: string; readonly mistakes?: readonly FieldMistake[] }

const errorOf = (name: AccountField, mistakes: readonly FieldMistake[]) =>
  mistakes.find(({ field: at }) => at === name)?.message

export function nameField({ value = '', mistakes = [] }: Shown) {
  return field({
    ...{ name: 'name', label: 'Name', value, error: errorOf('name', mistakes) },
    ...{ autocomplete: 'name', required: true, maxLength: NAME_CHARS_MAX },
  })
}

export function emailField({ value = '', mistakes = [], label = 'Email' }: Shown & { readonly label?: string }) {
  return field({
    ...{ name: 'email', label, type: 'email', value, error: errorOf('email', mistakes) },
    ...{ autocomplete: 'username', required: true, maxLength: EMAIL_CHARS_MAX },
  })
}

export function newPasswordField({ mistakes = [], label = 'Password', hint }: Shown & PasswordWords) {
  return field({
    ...{ name: 'password', label, type: 'password', error: errorOf('password', mistakes) },
    ...{ hint: hint ?? PASSWORD_HINT, autocomplete: 'new-password', required: true },
  })
}

type PasswordWords = { readonly label?: string; readonly hint?: string }

export const PASSWORD_HINT = `At least ${PASSWORD_CHARS_MIN} characters. Several words in a row are easy to keep in mind and hard to guess.`

type Asking = { readonly address: string; readonly header: (name: string) => string | undefined }

/** Whether this request may read the demo's mailbox: a demo stores its mails instead of sending them. */
export type ReadsSentMail = (request: Asking) => Promise<boolean>

/** A link to the demo's mailbox, for pages that tell a person to look for a mail. Empty if this request may not read that mailbox. */
export function demoMailNotice(readsSentMail: boolean): HtmlValue {
  return readsSentMail && notice(html`No mail leaves this demo. <a href="/demo/mail">Read it here</a>.`)
}
