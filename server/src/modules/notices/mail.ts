/** A mail in plain text. */
export type Mail = { readonly to: string; readonly subject: string; readonly text: string }

/** However mail leaves this service. Sending may happen twice for one mail, when nobody learned that it had worked. */
export type MailSender = {
  send(mail: Mail): Promise<void>
}
