const NAME_CHARS_MAX = 253
/** As DNS has them. Underscores are not for hosts, yet receivers exist that have one. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/**
 * Endings that the public DNS does not answer for: special-use names (RFC 6761 and IANA's registry of them), and what
 * private networks call themselves. `.example` is not among them: it resolves nowhere, and documentation is full of it.
 */
const NOT_PUBLIC: ReadonlySet<string> = new Set([
  ...['localhost', 'local', 'internal', 'test', 'invalid', 'onion', 'alt', 'arpa'],
  ...['localdomain', 'intranet', 'private', 'corp', 'home', 'lan'],
])

/** "localhost" and all names below it are this machine (RFC 6761, 6.3), and nobody has to be asked about it. */
export function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost')
}

/** A name that could belong to a host on the internet. Takes the form a URL has it in: lower case, punycode. */
export function isPublicName(name: string): boolean {
  const labels = name.split('.')
  const ending = labels.at(-1) ?? ''
  if (name.length > NAME_CHARS_MAX || labels.length < 2 || NOT_PUBLIC.has(ending)) return false
  return labels.every((label) => LABEL.test(label))
}
