export type Target = {
  /** Where the target is a whole address, as RFC 9112 allows; it then goes before the header of that name. */
  readonly host: string | null
  readonly path: string
  readonly queryText: string
}

const ORIGIN = /^https?:\/\/([^/?#]*)/i
const PATH_END = /[?#]/

/** What stands in the first line of a request, taken apart and not decoded. */
export function targetOf(url: string): Target {
  if (url.startsWith('/')) return splitTarget(null, url)
  const [origin, host] = ORIGIN.exec(url) ?? []
  if (origin === undefined || host === undefined) return splitTarget(null, url)
  const rest = url.slice(origin.length)
  return splitTarget(host, rest.startsWith('/') ? rest : `/${rest}`)
}

function splitTarget(host: string | null, text: string): Target {
  const end = text.search(PATH_END)
  return end === -1
    ? { host, path: text, queryText: '' }
    : { host, path: text.slice(0, end), queryText: text.slice(end + 1) }
}
