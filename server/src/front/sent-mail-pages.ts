import { emptyState, facts, notice } from '#pages/blocks.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import { page } from '#pages/layout.ts'
import { moment } from '#pages/moment.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'

export type MailHead = {
  /** The name of its file. */
  readonly file: string
  /** Null for a file that cannot be read, or is too large to be one of our mails. */
  readonly subject: string | null
  readonly to: string
  readonly sentAt: string
}

export type SentMail = MailHead & {
  readonly from: string
  readonly text: string | null
  readonly html: string | null
}

const UNREADABLE = 'A file that cannot be read as a mail'
const addressOf = (file: string) => `/demo/mail/${encodeURIComponent(file)}`

export function mailListPage(mails: readonly MailHead[], brand: ShownBrand): string {
  const main = html`<h1>Sent mail</h1>
<p class="lead">This demo sends no mail. What it would have sent is here, newest first, for you alone.</p>
${mails.length === 0 ? NOTHING : html`<ul>${mails.map(row)}</ul>`}
<p><a href="/">Go to the front page</a></p>`
  return page({ title: 'Sent mail', brand, world: 'test', wide: true, main })
}

const NOTHING = emptyState({
  title: 'No mail yet',
  text: 'Create an account, reset a password, or invite a person: the mail appears here within seconds.',
})

function row({ file, subject, to, sentAt }: MailHead): Html {
  return html`<li class="row split"><div><a href="${addressOf(file)}">${subject ?? UNREADABLE}</a><span class="hint">${to === '' ? file : html`To <bdi>${to}</bdi>`}</span></div>
<span class="hint">${moment(sentAt, Date.now())}</span></li>`
}

export function mailPage(mail: SentMail, brand: ShownBrand): string {
  const { file, subject, from, to, sentAt, text, html: markup } = mail
  const isReadable = text !== null || markup !== null
  const main = html`<p><a href="/demo/mail">All sent mail</a></p>
<h1>${subject ?? UNREADABLE}</h1>
${facts([
  ['To', to],
  ['From', from],
  ['Sent', moment(sentAt, Date.now())],
])}
${!isReadable && notice(html`The file <code>${file}</code> is too large, or not in the format of mail.`, 'warning')}
${markup !== null && html`<iframe class="mail" src="${addressOf(file)}/body" title="The mail" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`}
${text !== null && html`<section class="stack"><h2>As text</h2><pre class="mail-text" tabindex="0">${linked(text)}</pre></section>`}`
  return page({ title: subject ?? UNREADABLE, brand, world: 'test', wide: true, main })
}

const ADDRESS = /(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/

/** Addresses in the text can be followed; the rest stays text. */
function linked(text: string): readonly HtmlValue[] {
  return text
    .split(ADDRESS)
    .map((part, at) => (at % 2 === 1 ? html`<a href="${part}" target="_blank" rel="noopener">${part}</a>` : part))
}

/** The mail's own document. Its links open in a window of their own, because the frame around it may not be left. */
export function framedMail({ html: markup }: SentMail): string {
  const target = '<base target="_blank">'
  const text = markup ?? ''
  return /<head[^>]*>/i.test(text) ? text.replace(/<head[^>]*>/i, (head) => head + target) : target + text
}
