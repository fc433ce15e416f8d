import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Route } from './route.ts'

const HEALTH: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Whether a route serves pages, documents or pictures without a credential. Such routes have a rate limit. Health checks are not
 * included, because load balancers may call them without a limit.
 */
export function isOpenDocument({ access, method, path }: Pick<Route, 'access' | 'method' | 'path'>): boolean {
  return access.kind === 'open' && method === 'GET' && !HEALTH.has(path)
}

export type Encoding = 'br' | 'gzip' | 'identity'

/** Compressing smaller documents saves less than the extra headers cost. */
const COMPRESSED_FROM_BYTES = 1_024

/** A document in every encoding that was requested so far. Each encoding is computed once, outside the event loop. */
export class OpenDocument {
  readonly etag: string
  readonly #plain: Buffer
  readonly #compressed = new Map<Encoding, Promise<Buffer>>()

  constructor(text: string | Buffer) {
    this.#plain = Buffer.from(text)
    // The tag is weak, because all encodings of the document have the same tag.
    this.etag = `W/"${createHash('sha256').update(this.#plain).digest('base64url').slice(0, 22)}"`
  }

  /** The best encoding that the client accepts. */
  encodingFor(acceptEncoding: string | undefined): Encoding {
    return this.#plain.length < COMPRESSED_FROM_BYTES ? 'identity' : acceptedEncoding(acceptEncoding)
  }

  async bytes(encoding: Encoding): Promise<Buffer> {
    if (encoding === 'identity') return this.#plain
    const made = this.#compressed.get(encoding) ?? COMPRESS[encoding](this.#plain)
    this.#compressed.set(encoding, made)
    return made
  }
}

const COMPRESS: Readonly<Record<Exclude<Encoding, 'identity'>, (plain: Buffer) => Promise<Buffer>>> = {
  // Level 6 of 11: the result is a tenth larger than with level 11, and compressing takes a thirtieth of the time.
  br: (plain) => promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (plain) => promisify<Buffer, Buffer>(gzip)(plain),
}

/** RFC 9110, 12.5.3: an encoding with q=0 is not acceptable, and `*` means every encoding that is not named. */
export function acceptedEncoding(header: string | undefined): Encoding {
  if (header === undefined) return 'identity'
  const weights = new Map<string, number>()
  for (const entry of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name === 'x-gzip' ? 'gzip' : name, q === undefined ? 1 : Number(q.slice(2)))
  }
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0
  const [br, gz] = [weightOf('br'), weightOf('gzip')]
  if (br > 0 && br >= gz) return 'br'
  return gz > 0 ? 'gzip' : 'identity'
}

/** Compares the tag with each tag of If-None-Match, by the weak comparison of RFC 9110, 13.1.2. */
export function isUnchanged(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const bare = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || bare(tag) === bare(etag))
}

/**
 * The maximum number of cached contents, more than there are documents. A document whose content changes is added again, and the
 * oldest entry is dropped if there are too many.
 */
const DOCUMENTS_MAX = 256

/** Caches text documents by their content and others by their Buffer object, so that each is hashed and compressed once. */
export function openDocuments(): (text: string | Buffer) => OpenDocument {
  const documents = new Map<string | Buffer, OpenDocument>()
  return (text) => {
    const found = documents.get(text)
    if (found !== undefined) return found
    const [oldest] = documents.keys()
    if (documents.size >= DOCUMENTS_MAX && oldest !== undefined) documents.delete(oldest)
    const made = new OpenDocument(text)
    documents.set(text, made)
    return made
  }
}
