import { notFound } from '#kernel/errors.ts'
import { parseId } from '#kernel/ids.ts'
import type { InstallTarget } from '../installing/standing-store.ts'

/** An id of another form, or of the other kind, names nothing: it answers as an unknown one does. */
export function targetOf(type: InstallTarget['type'], text: string): InstallTarget {
  if (type === 'company') {
    const id = parseId('company', text)
    if (id !== null) return { type, id }
  } else {
    const id = parseId('syndicate', text)
    if (id !== null) return { type, id }
  }
  throw notFound(`${text} is no id of a ${type}`)
}
