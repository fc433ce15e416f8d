import { Compile } from 'typebox/compile'
import { fieldErrors } from '#http/input/field-errors.ts'
import { inspect } from '#http/input/plain-text.ts'
import type { Behaviour } from '#http/versions.ts'
import { validationError } from '#kernel/errors.ts'
import type { WantedLink } from '../new-link.ts'
import { NewLink } from './schemas.ts'

const item = Compile(NewLink)

/** One of a batch, judged as the edge would have judged it alone; and "each needs email or platform_user_id". */
export function itemReader({ unknownBodyFields }: Behaviour): (sent: unknown) => WantedLink {
  return (sent) => {
    if (inspect(sent).problem !== null) throw refuse('invite_link', 'unstorable', 'holds text that cannot be kept')
    const said = unknownBodyFields === 'ignored' ? knownFields(sent) : sent
    if (!item.Check(said)) throw validationError(fieldErrors(item.Errors(said), 'invite_link'))
    if (said.email != null || said.platform_user_id != null) return said
    throw refuse('email', 'required', 'must be given, or platform_user_id: a batch is of links to persons')
  }
}

/** "A body's unknown fields are refused (422); before, ignored." */
function knownFields(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent
  return Object.fromEntries(Object.entries(sent).filter(([name]) => name in NewLink.properties))
}

function refuse(field: string, code: string, message: string) {
  return validationError([{ field, code, message }])
}
