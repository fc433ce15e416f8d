import { StringDecoder } from 'node:string_decoder'

/**
 * The first bytes of an answer as text that a database takes: no half characters, no NUL. A compressed body is not
 * unpacked, since a few bytes of it may stand for gigabytes, and packed bytes mean nothing to a reader: it is left out.
 */
export function bodyStartText(chunks: readonly Buffer[], bytesMax: number, packed: boolean): string {
  const [first] = chunks
  if (packed || first === undefined) return ''
  const bytes = chunks.length === 1 ? first : Buffer.concat(chunks)
  return new StringDecoder('utf8').write(bytes.subarray(0, bytesMax)).replaceAll('\0', '\uFFFD')
}
