import { STAND_IN } from '#http/openapi-examples.ts'

/**
 * What the reference may say of the demo to everybody who opens it: keys that are public by their nature and ids of the
 * test world. Whatever is a secret stays in the demo's own file.
 */
export type OpenDemo = {
  readonly publishableKey: string
  /** A key without a secret, so that the page itself can ask a person to connect its app. */
  readonly clientId: string
  /** What the page asks a person for. */
  readonly scopes: readonly string[]
  /** Ids that exist there, by their prefix: `co_`. */
  readonly ids: Readonly<Record<string, string>>
}

/** Examples are made of stand-ins that no record has; in the demo, records take their places and the examples work. */
export function withDemo(text: string, { ids, publishableKey }: OpenDemo): string {
  const replaced = Object.entries(ids).reduce((made, [prefix, id]) => made.replaceAll(prefix + STAND_IN, id), text)
  return replaced.replaceAll('pk_test_your_key', publishableKey)
}
