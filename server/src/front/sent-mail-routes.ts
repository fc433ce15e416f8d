import { Type } from 'typebox'
import { open } from '#http/access.ts'
import { isLocalRequest } from '#http/browser/own-form.ts'
import { type Route, route } from '#http/route.ts'
import { PAGE_HEADERS, pagePolicy } from '#http/security-headers.ts'
import { notFound } from '#kernel/errors.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'
import { framedMail, type MailHead, mailListPage, mailPage, type SentMail } from './sent-mail-pages.ts'

export type Mailbox = {
  list(): Promise<readonly MailHead[]>
  /** Null where there is no such mail. */
  read(file: string): Promise<SentMail | null>
}

export type SentMailDeps = {
  readonly brand: ShownBrand
  /** Null without a demo, where mail is really sent, and where others than this machine reach the service. */
  readonly mailbox: () => Promise<Mailbox | null>
}

const File = Type.Object({ file: Type.String() })
const Page = { 200: Type.String() }

/**
 * A mail runs no script, sends no form and loads nothing, wherever it is opened; its links open in windows of their own. Only
 * the page around it may frame it.
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

/** Whether the sender of this request may read what the demo "sent". */
export const readsSentMail =
  (mailbox: SentMailDeps['mailbox']) =>
  async (request: Asking): Promise<boolean> =>
    isLocalRequest(request) && (await mailbox()) !== null

/** What the demo "sent", for the person at this machine. Mails hold links that sign people in, so all others get 404. */
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
    access: open('Only the person at the machine of a demo gets anything but 404.'),
  } as const
  return [
    route({
      ...common,
      operation: 'showSentMails',
      path: '/demo/mail',
      summary: 'Show the demo’s mails',
      description: 'The page that lists the mails which the embedded demo wrote instead of sending them.',
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
      description: 'The page with one mail, as HTML and as text.',
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
      description: 'The HTML of a mail, for the frame of its page: without scripts, forms and anything remote.',
      schema: { params: File, response: Page },
      handler: async (request) => ({
        status: 200,
        body: framedMail(await mailOf(request, request.params.file)),
        headers: MAIL_HEADERS,
      }),
    }),
  ]
}
