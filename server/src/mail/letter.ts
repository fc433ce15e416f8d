import { Html, html } from '#pages/html.ts'
import { accentOnDark, DEFAULT_ACCENT, onAccentOf } from '#pages/platform-brand.ts'

/**
 * The content of a mail, without the design. It is rendered as text and as HTML, and stored as JSON until the mail is
 * sent.
 */
export type Letter = {
  readonly subject: string
  /** "Hello Ada,". Without it the letter begins with its first paragraph. */
  readonly greeting?: string
  readonly paragraphs: readonly string[]
  /** Text of a partner. It is shown as a quotation, so that a reader does not take it for the platform's text. */
  readonly quote?: { readonly from: string; readonly text: string }
  /** The next step, as a button. The mail also shows the button's address as text. */
  readonly action?: {
    readonly label: string
    readonly url: string
    /** The seed of the token that is appended to the address when the mail is sent. */
    readonly seed?: string
  }
  /** Label and value, as a small table. */
  readonly facts?: readonly (readonly [label: string, value: string])[]
  /** The small print: why the reader got this mail, and how to get no more of these mails. */
  readonly notes?: readonly string[]
}

/** The platform's name and design in mails. */
export type MailBrand = {
  readonly name: string
  /** `#rrggbb`, already checked for contrast with white. */
  readonly accent: string | null
  /** The logo, which is shown instead of the name if it is small enough for a mail. */
  readonly logo: MailLogo | null
  readonly links: { readonly support: string | null; readonly terms: string | null; readonly privacy: string | null }
}

/** Bytes and not a `Buffer`, because passing the settings to the workers' thread turns a Buffer into plain bytes. */
export type MailLogo = { readonly mediaType: string; readonly bytes: Uint8Array }

export type Rendered = {
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The logo as an attachment. The HTML refers to it by `cid:` and `LOGO_ID`. */
  readonly logo: MailLogo | null
}

/** The content id of the logo, which is attached to the mail. */
export const LOGO_ID = 'logo'
const LOGO_BYTES_MAX = 65_536

export function renderLetter(letter: Letter, brand: MailBrand): Rendered {
  const logo = brand.logo !== null && brand.logo.bytes.length <= LOGO_BYTES_MAX ? brand.logo : null
  return { subject: letter.subject, text: textOf(letter, brand), html: htmlOf(letter, { ...brand, logo }), logo }
}

const LINK_NAMES = { support: 'Support', terms: 'Terms', privacy: 'Privacy' } as const

function linksOf({ links }: MailBrand): readonly (readonly [name: string, url: string])[] {
  const kinds = ['support', 'terms', 'privacy'] as const
  return kinds.flatMap((kind) => {
    const url = links[kind]
    return url === null ? [] : [[LINK_NAMES[kind], url] as const]
  })
}

function textOf(letter: Letter, brand: MailBrand): string {
  const { greeting, paragraphs, quote, action, facts = [], notes = [] } = letter
  const blocks = [
    ...(greeting === undefined ? [] : [greeting]),
    ...paragraphs,
    ...(quote === undefined ? [] : [`${quote.from}:\n${quote.text.replaceAll(/^/gm, '> ')}`]),
    ...(action === undefined ? [] : [`${action.label}:\n${action.url}`]),
    ...(facts.length === 0 ? [] : [facts.map(([label, value]) => `${label}: ${value}`).join('\n')]),
    ...(notes.length === 0 ? [] : [notes.join('\n')]),
    // Mail programs recognise a signature by "-- ".
    ['-- ', brand.name, ...linksOf(brand).map(([name, url]) => `${name}: ${url}`)].join('\n'),
  ]
  return `${blocks.join('\n\n')}\n`
}

/**
 * Mail programs ignore much of CSS, so the HTML has tables and plain rules in one style element. Rules for the dark scheme override
 * the plain rules. A logo has a light background in the dark scheme too, because most logos are made for light backgrounds.
 */
const style = (accent: string) => `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; padding: 0; background: #f4f5f2; color: #1c2320; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
.card { max-width: 560px; margin: 0 auto; padding: 32px 28px; background: #fdfdfb; }
.brand { margin: 0 0 24px; font-weight: 600; }
.brand img { display: block; height: 36px; width: auto; max-width: 100%; border: 0; }
p { margin: 0 0 16px; }
blockquote { margin: 0 0 16px; padding: 0 0 0 16px; border-left: 3px solid #c9cfcb; color: #4c5752; white-space: pre-line; }
.action { display: inline-block; padding: 12px 20px; border-radius: 6px; background: ${accent}; color: ${onAccentOf(accent)}; font-weight: 600; text-decoration: none; }
.address { font-size: 14px; color: #4c5752; word-break: break-all; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
th, td { padding: 2px 16px 2px 0; text-align: left; vertical-align: top; font-weight: normal; overflow-wrap: anywhere; }
th { width: 34%; color: #4c5752; }
.notes { margin-top: 24px; padding-top: 16px; border-top: 1px solid #dfe3e0; font-size: 14px; color: #4c5752; }
.notes a { color: inherit; }
@media (max-width: 480px) {
  th, td { display: block; width: auto; padding-right: 0; }
  th { padding-top: 8px; font-size: 14px; }
}
@media (prefers-color-scheme: dark) {
  body { background: #101412; color: #e9ecea; }
  .card { background: #181d1b; }
  .brand img { padding: 6px 10px; border-radius: 6px; background: #fdfdfb; color: #1c2320; }
  .action { background: ${accentOnDark(accent)}; color: ${onAccentOf(accentOnDark(accent))}; }
  blockquote { border-color: #4c5752; color: #b4bdb8; }
  .address, th, .notes { color: #b4bdb8; }
  .notes { border-color: #323a36; }
}`

function htmlOf(letter: Letter, brand: MailBrand): string {
  const { subject, greeting, paragraphs, quote, action, facts = [], notes = [] } = letter
  const links = linksOf(brand).map(([name, url], at) => html`${at > 0 && ' · '}<a href="${url}">${name}</a>`)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
<style>${new Html(style(brand.accent ?? DEFAULT_ACCENT))}
</style>
</head>
<body><div class="card">
<p class="brand">${brand.logo === null ? brand.name : html`<img src="cid:${LOGO_ID}" alt="${brand.name}" height="36">`}</p>
${greeting !== undefined && html`<p>${greeting}</p>`}
${paragraphs.map((text) => html`<p>${text}</p>`)}
${quote && html`<p>${quote.from}:</p><blockquote>${quote.text}</blockquote>`}
${
  action &&
  html`<p><a class="action" href="${action.url}">${action.label}</a></p>
<p class="address">${action.url}</p>`
}
${facts.length > 0 && html`<table>${facts.map(([label, value]) => html`<tr><th scope="row">${label}</th><td>${value}</td></tr>`)}</table>`}
<div class="notes">${notes.map((text) => html`<p>${text}</p>`)}<p>${links}</p></div>
</div></body>
</html>
`.markup
}
