import type { OpenText } from './render.ts'

/** Fields that only those read who may see who the investor is. */
const OF_IDENTITY: ReadonlySet<string> = new Set(['external_username', 'message'])

/** Which of the fields that differ differ to nobody else: "without the scope … identity fields omitted". */
export function identityFields(
  changed: readonly string[],
  before: OpenText | null,
  after: OpenText,
): ReadonlySet<string> {
  const onlyIdentity = before !== null && openInvestor(before) === openInvestor(after)
  return new Set(changed.filter((name) => OF_IDENTITY.has(name) || (onlyIdentity && name === 'investor')))
}

/** What everybody reads of the investor: the end of the body. No value in it can hold these words, which have quotes. */
function openInvestor({ body }: OpenText): string {
  return body.slice(body.lastIndexOf('"investor":{'))
}
