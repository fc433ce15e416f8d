import { Type } from 'typebox'
import { open } from '#http/access.ts'
import { isLocalRequest } from '#http/browser/own-form.ts'
import { type Route, route } from '#http/route.ts'
import { PAGE_HEADERS, pagePolicy } from '#http/security-headers.ts'
import { notFound } from '#kernel/errors.ts'
import { emptyState, facts, notice } from '#pages/blocks.ts'
import { moment } from '#pages/elements.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import { page } from '#pages/layout.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'

export type Mailbox = {
  list(): Promise<readonly MailHead[]>
  /** Null if there is no such mail. */
  read(file: string): Promise<SentMail | null>
}

export type SentMailDeps = {
  readonly brand: ShownBrand
  /** Null if the service is not a demo, if it really sends mail, or if other machines can reach it. */
  readonly mailbox: () => Promise<Mailbox | null>
}

const File = Type.Object({ file: Type.String() })
const Page = { 200: Type.String() }

/**
 * The document of a mail runs no script, sends no form and loads nothing, also outside its frame. Its links open in new windows.
 * Only our own page may show it in a frame.
 */
const MAIL_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-popups allow-popups-to-escape-sandbox',
  ].join('; '),
  'X-Frame-Options': 'SAMEORIGIN',
}

type Asking = Parameters<typeof isLocalRequest>[0]

/** Whether the sender of this request may read the demo's mails. */
export const readsSentMail =
  (mailbox: SentMailDeps['mailbox']) =>
  async (request: Asking): Promise<boolean> =>
    isLocalRequest(request) && (await mailbox()) !== null

/** The demo's mails. Mails contain links that sign people in, so only the person at this machine sees them; other people get 404. */
export function sentMailRoutes({ brand, mailbox }: SentMailDeps): Route[] {
  const mails = async (request: Asking): Promise<Mailbox> => {
    const found = isLocalRequest(request) ? await mailbox() : null
    if (found === null) throw notFound('no mailbox for this request')
    return found
  }
  const mailOf = async (request: Asking, file: string): Promise<SentMail> => {
    const mail = await (await mails(request)).read(file)
    if (mail === null) throw notFound('no such mail')
    return mail
  }
  const common = {
    method: 'GET',
    alias: false,
    tag: 'Pages',
    errorsAs: 'page',
    contentType: 'text/html; charset=utf-8',
    access: open('The routes exist only for the person at the machine of a demo. Every other request gets 404.'),
  } as const
  return [
    route({
      ...common,
      operation: 'showSentMails',
      path: '/demo/mail',
      summary: 'Show the demo’s mails',
      description: 'Shows the mails of the embedded demo, which writes them to files instead of sending them.',
      schema: { response: Page },
      handler: async (request) => ({
        status: 200,
        body: mailListPage(await (await mails(request)).list(), brand),
        headers: PAGE_HEADERS,
      }),
    }),
    route({
      ...common,
      operation: 'showSentMail',
      path: '/demo/mail/:file',
      summary: 'Show one of the demo’s mails',
      description: 'Shows the page with one mail, as HTML and as text.',
      schema: { params: File, response: Page },
      handler: async (request) => ({
        status: 200,
        body: mailPage(await mailOf(request, request.params.file), brand),
        headers: { ...PAGE_HEADERS, 'Content-Security-Policy': pagePolicy({ frames: ["'self'"] }) },
      }),
    }),
    route({
      ...common,
      operation: 'showSentMailBody',
      path: '/demo/mail/:file/body',
      summary: 'Show a mail’s own HTML',
      description:
        'The HTML of a mail, for the frame on its page. It runs no scripts, sends no forms and loads nothing from other servers.',
      schema: { params: File, response: Page },
      handler: async (request) => ({
        status: 200,
        body: framedMail(await mailOf(request, request.params.file)),
        headers: MAIL_HEADERS,
      }),
    }),
  ]
}

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

function mailListPage(mails: readonly MailHead[], brand: ShownBrand): string {
  const main = html`<h1>Sent mail</h1>
<p class="lead">This demo sends no mail. The mails that it would have sent are here, newest first, and only you see them.</p>
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

function mailPage(mail: SentMail, brand: ShownBrand): string {
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

/** Turns the addresses in the text into links. */
function linked(text: string): readonly HtmlValue[] {
  return text
    .split(ADDRESS)
    .map((part, at) => (at % 2 === 1 ? html`<a href="${part}" target="_blank" rel="noopener">${part}</a>` : part))
}

/** The mail's own document. Its links open in new windows, because the frame may not navigate. */
function framedMail({ html: markup }: SentMail): string {
  const target = '<base target="_blank">'
  const text = markup ?? ''
  return /<head[^>]*>/i.test(text) ? text.replace(/<head[^>]*>/i, (head) => head + target) : target + text
}
