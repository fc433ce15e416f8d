import { join } from 'node:path'
import { Type } from 'typebox'
import { open } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { type Asset, asset, KEEP_ASSET } from '#pages/assets.ts'
import { actions, button, hidden } from '#pages/elements.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import type { PasskeyOffer } from './passkeys.ts'

let script: Asset | undefined

/** The script of pages that use passkeys, read from disk once. */
export function passkeyScript(): Asset {
  script ??= asset('/assets', join(import.meta.dirname, 'passkeys.js'))
  return script
}

export function passkeyScriptRoute(): Route {
  const { path, text } = passkeyScript()
  return route({
    operation: 'readPasskeyScript',
    method: 'GET',
    path,
    alias: false,
    summary: 'Get the passkey script',
    description: 'Returns the script by which pages ask the browser for a passkey.',
    tag: 'Pages',
    access: open('A script contains no personal data.'),
    schema: { response: { 200: Type.String() } },
    contentType: 'text/javascript; charset=utf-8',
    handler: async () => ({ status: 200, body: text, headers: { 'Cache-Control': KEEP_ASSET } }),
  })
}

type PasskeyFormParts = {
  readonly action: string
  readonly csrf: string
  readonly offer: PasskeyOffer
  readonly use: 'create' | 'get'
  readonly label: string
  readonly kind?: 'primary' | 'secondary'
  /** Fields above the button. */
  readonly fields?: HtmlValue
  /**
   * The id of another form on the page. The inputs `name` and `email` that both forms have are validated there and copied
   * into this form, which sends them with the passkey.
   */
  readonly fieldsFrom?: string
  readonly returnTo?: string
  /** Whether the autofill of a field with `autocomplete="… webauthn"` offers passkeys too. */
  readonly autofill?: boolean
  /** A sentence that tells a person without passkeys or JavaScript what to do instead. */
  readonly instead: string
}

/** The button is hidden until the script has run, because it does nothing without the script. */
export function passkeyForm(parts: PasskeyFormParts): Html {
  const {
    action,
    csrf,
    offer,
    use,
    label,
    kind = 'secondary',
    fields,
    returnTo,
    autofill = false,
    fieldsFrom,
    instead,
  } = parts
  return html`<form method="post" action="${action}" data-passkey="${use}" data-options="${JSON.stringify(offer.options)}"${autofill && html` data-autofill`}${fieldsFrom !== undefined && html` data-fields-from="${fieldsFrom}"`} novalidate>${hidden('csrf', csrf)}${hidden('ticket', offer.ticket)}${hidden('credential', '')}${returnTo !== undefined && hidden('return_to', returnTo)}
<div class="stack" data-passkey-shown hidden>${fields}${actions(button({ label, kind }))}<p class="error" role="alert" data-passkey-message hidden></p></div>
<p class="muted" data-passkey-missing hidden>This browser cannot use passkeys. ${instead}</p>
<noscript><p class="muted">Passkeys need JavaScript. ${instead}</p></noscript></form>`
}
