import type { World } from '#kernel/world.ts'
import type { EventName } from '#modules/events/index.ts'

export type EnvelopeParts = {
  readonly id: string
  readonly event: EventName
  readonly createdAt: string
  readonly mode: World
  /** Null for what concerns the app as such: then the envelope has no such block. */
  readonly installation: object | null
  /** JSON text. */
  readonly data: string
}

/** The body of a delivery. None of the texts outside `data` can hold a character that JSON would have to escape. */
export function envelopeText({ id, event, createdAt, mode, installation, data }: EnvelopeParts): string {
  const block = installation === null ? '' : `"installation":${JSON.stringify(installation)},`
  return `{"id":"${id}","event":"${event}","created_at":"${createdAt}","mode":"${mode}",${block}"data":${data}}`
}
