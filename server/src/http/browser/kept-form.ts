import { digestOf } from '#system/crypto/secret.ts'
import type { Edge } from '../edge.ts'

/** Carries a kept form through the pages on which its sender confirms who they are. */
export const KEPT_FORM_FIELD = 'kept_form'

/** The person has this long to confirm. */
const KEPT_MS = 600_000
const SEALED_CHARS_MAX = 100_000

/** Passwords, codes and the answers of passkeys: a form that needs one of them asks for it again. */
const NEVER_KEPT: ReadonlySet<string> = new Set(['password', 'current', 'repeated', 'code', 'credential', 'ticket'])

type Fields = Readonly<Record<string, unknown>>
type Kept = { readonly fields: Fields; readonly untilMs: number }
type Ports = Pick<Edge['ports'], 'answers' | 'clock'>
/** The browser that sent the form, by its cookie, and the path that the form was sent to. */
type Sender = { readonly cookieValue: string; readonly path: string }

/**
 * Seals a form that has to wait until its sender has confirmed who they are. The confirmation pages carry it in a hidden field; it
 * can be opened only by the same session and for the same path. Null if the form is too long for that.
 */
export function keepForm({ answers, clock }: Ports, sender: Sender, fields: Fields): string | null {
  const kept = Object.fromEntries(Object.entries(fields).filter(([name]) => !NEVER_KEPT.has(name)))
  const content: Kept = { fields: kept, untilMs: clock.now() + KEPT_MS }
  const sealed = answers.seal(Buffer.from(JSON.stringify(content)), contextOf(sender)).toString('base64url')
  return sealed.length > SEALED_CHARS_MAX ? null : sealed
}

/** Null after ten minutes, and for a text that was not sealed for this session and path. */
export function openForm({ answers, clock }: Ports, sender: Sender, sealed: string): Fields | null {
  if (sealed.length > SEALED_CHARS_MAX) return null
  const plain = answers.open(Buffer.from(sealed, 'base64url'), contextOf(sender))
  if (plain === null) return null
  const { fields, untilMs } = JSON.parse(plain.toString()) as Kept
  return untilMs > clock.now() ? fields : null
}

const contextOf = ({ cookieValue, path }: Sender) => `kept form v1 ${digestOf(cookieValue).toString('hex')} ${path}`
