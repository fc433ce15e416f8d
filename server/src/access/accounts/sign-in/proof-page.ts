import { SEALED_FORM_FIELD } from '#http/browser/return-to.ts'
import { card } from '#pages/blocks.ts'
import { actions, button, errorSummary, field, form, hidden } from '#pages/elements.ts'
import { type HtmlValue, html } from '#pages/html.ts'
import { page } from '#pages/layout.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'
import { passkeyForm, passkeyScript } from '../factors/passkey-form.ts'
import type { PasskeyOffer } from '../factors/passkeys.ts'
import { worldOfReturnTo } from './return-to.ts'

export type ProofMistake = { readonly field?: 'code' | 'password'; readonly message: string }

/** A form that a person sent without a recent proof. After the person has confirmed their identity, the browser sends it to `path` again. */
export type SealedForm = { readonly path: string; readonly sealed: string }

/** Where the browser continues after the proof: a page, or the sealed form. */
const onward = ({ returnTo, sealedForm }: Pick<ProofPageParts, 'returnTo' | 'sealedForm'>): HtmlValue => [
  hidden('return_to', returnTo),
  sealedForm && [hidden('for', sealedForm.path), hidden(SEALED_FORM_FIELD, sealedForm.sealed)],
]

export type ProofPageParts = {
  readonly title: string
  readonly lead: HtmlValue
  /** The address to which the page's forms are sent. */
  readonly action: string
  readonly brand: ShownBrand
  readonly csrf: string
  readonly returnTo: string
  /** The form that waits for the confirmation. */
  readonly sealedForm?: SealedForm | null
  readonly mistakes?: readonly ProofMistake[]
  readonly asksPassword?: boolean
  readonly asksCode: 'app' | 'recovery' | null
  /** Null if the account has no passkey, or if passkeys do not work at this address. */
  readonly passkey: PasskeyOffer | null
  /** Other ways to prove the identity, shown below the forms. */
  readonly instead?: HtmlValue
}

/** A page on which a person proves their identity with the password, a code or a passkey: at the second step, or for a recent proof. */
export function proofPage(parts: ProofPageParts): string {
  const { title, lead, brand, csrf, returnTo, mistakes = [], asksCode, passkey } = parts
  const code = asksCode !== null && codeForm(parts)
  // Without an authenticator app, the only codes are recovery codes, which replace the passkey. So the page shows the passkey first.
  const ways = asksCode === 'recovery' ? [usePasskey(parts), code] : [passwordForm(parts), code, usePasskey(parts)]
  const main = card(
    html`<h1>${title}</h1>`,
    errorSummary(mistakes, 'This did not work'),
    mistakes.length === 0 && html`<p class="lead">${lead}</p>`,
    ways,
    parts.instead,
  )
  const script = passkey === null ? {} : { script: passkeyScript().address }
  return page({ title, brand, csrf, world: worldOfReturnTo(returnTo), main, ...script })
}

function passwordForm({ action, csrf, mistakes = [], asksPassword, ...after }: ProofPageParts): HtmlValue {
  if (asksPassword !== true) return undefined
  const content = [
    onward(after),
    field({
      name: 'password',
      label: 'Password',
      type: 'password',
      error: mistakes.find((each) => each.field === 'password')?.message,
      autocomplete: 'current-password',
      required: true,
    }),
    actions(button({ label: 'Confirm with the password' })),
  ]
  return form({ action, csrf, content })
}

const CODE_CHARS_MAX = 40

function codeForm(parts: ProofPageParts) {
  const { action, csrf, mistakes = [], asksCode, passkey, asksPassword = false } = parts
  const fromApp = asksCode === 'app'
  const content = [
    onward(parts),
    field({
      name: 'code',
      label: fromApp ? 'Code' : 'Recovery code',
      hint: fromApp
        ? 'Six digits from your authenticator app, or one of your recovery codes.'
        : 'One of the codes that you were shown when you set up your passkey.',
      error: mistakes.find((each) => each.field === 'code')?.message,
      autocomplete: 'one-time-code',
      required: true,
      maxLength: CODE_CHARS_MAX,
    }),
    actions(
      button({
        label: 'Confirm with the code',
        kind: asksPassword || (!fromApp && passkey !== null) ? 'secondary' : 'primary',
      }),
    ),
  ]
  return form({ action, csrf, content })
}

function usePasskey(parts: ProofPageParts): HtmlValue {
  const { action, csrf, passkey, asksCode, asksPassword = false } = parts
  if (passkey === null) return undefined
  const hasOther = asksPassword || asksCode !== null
  return passkeyForm({
    action,
    csrf,
    offer: passkey,
    use: 'get',
    label: 'Use a passkey',
    kind: hasOther && asksCode !== 'recovery' ? 'secondary' : 'primary',
    fields: onward(parts),
    instead: hasOther ? 'Use one of the other ways.' : 'Turn it on, then load this page again.',
  })
}

export const WRONG_CODE: ProofMistake = {
  field: 'code',
  message: 'This code is wrong, or was used before. Enter the newest code of your app, or a recovery code.',
}

export const WRONG_PASSKEY: ProofMistake = {
  message: 'This passkey could not be verified. Try again, or choose another way.',
}
