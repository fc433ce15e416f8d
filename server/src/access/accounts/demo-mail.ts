import { notice } from '#pages/blocks.ts'
import { type HtmlValue, html } from '#pages/html.ts'

type Asking = { readonly address: string; readonly header: (name: string) => string | undefined }

/** Whether the sender of this request is at the machine of a demo, and so may read the mails that it does not send. */
export type ReadsSentMail = (request: Asking) => Promise<boolean>

/** On a page that tells a person to look for a mail; nothing where mail is sent. */
export function demoMailNotice(readsSentMail: boolean): HtmlValue {
  return readsSentMail && notice(html`This demo sends no mail. <a href="/demo/mail">Read the mail here</a>.`)
}
