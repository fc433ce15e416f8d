import { type Cipheriv, createCipheriv, hkdfSync, timingSafeEqual } from 'node:crypto'
import { endianness } from 'node:os'
import { KEY_ID_BYTES, type Key, type PurposeKeys } from './keyring.ts'

/**
 * Seals many small messages of one length at once: a page of the ledger carries up to a hundred cursors, and a sealed
 * box (`sealed-box.ts`) for each of them would cost many times the rest of the page.
 *
 * The construction is a synthetic IV (SIV): the tag is a CBC-MAC over the message, and the message is encrypted in counter
 * mode from the tag. There is no nonce to get wrong, the same message gives the same text, and a changed bit anywhere
 * opens nothing. A plain CBC-MAC is sound for messages of which none begins another. Those of one form are of one length;
 * and each form begins with a secret block of its own (HKDF of its length and context), so that the blocks of two forms
 * have no beginning in common. Of a tag 96 bits are kept: a forgery succeeds once in 2^96 tries, and after about 2^48
 * messages under one key two may share a tag, which shows how those two differ and nothing else.
 */
export type FixedSealer = {
  /** `plain`: messages of the form's length, one after the other. */
  seal(plain: Uint32Array, form: SealedForm): string[]
  /** Null for everything this server did not seal in this form. */
  open(sealed: string, form: SealedForm): Uint32Array | null
}

export type SealedForm = {
  /** How long a message is, in words of 32 bits. With the four that are added, a multiple of 3: see `charsOf`. */
  readonly words: number
  /** What was sealed for one thing does not open as another. */
  readonly context: string
}

// In words of 32 bits, which go through JavaScript four times as fast as bytes; the lowest byte first on every machine.
const BLOCK = 4
const TAG = 3
const KEY_ID = KEY_ID_BYTES / 4
/** So many forms are remembered; then it begins anew. */
const STARTS_MAX = 10_000
const HEAD = KEY_ID + TAG

export function fixedSealer(keys: PurposeKeys): FixedSealer {
  const ciphersOf = new WeakMap<Key, Ciphers>()
  const ciphers = (key: Key) => {
    const known = ciphersOf.get(key) ?? makeCiphers(key)
    ciphersOf.set(key, known)
    return known
  }
  return {
    seal(plain, form) {
      const key = ciphers(keys.current)
      const { words } = form
      const count = plain.length / words
      const tags = tagsOf(key, plain, form)
      const hidden = masked(key, plain, { tags, words })
      const sealed = new Uint32Array(count * (HEAD + words))
      for (let at = 0; at < count; at++) {
        const begin = at * (HEAD + words)
        sealed[begin] = key.id
        for (let i = 0; i < TAG; i++) sealed[begin + KEY_ID + i] = tags[at * BLOCK + i] ?? 0
        for (let i = 0; i < words; i++) sealed[begin + HEAD + i] = hidden[at * words + i] ?? 0
      }
      return inPieces(bytesOf(sealed).toString('base64url'), charsOf(form))
    },
    open(text, form) {
      if (text.length !== charsOf(form)) return null
      const bytes = Buffer.from(text, 'base64url')
      // Node skips foreign characters: only the one spelling we wrote is accepted.
      if (bytes.toString('base64url') !== text) return null
      const known = keys.byId(bytes.subarray(0, KEY_ID_BYTES))
      if (known === null) return null
      const key = ciphers(known)
      const sealed = wordsOf(bytes)
      const tags = sealed.slice(KEY_ID, KEY_ID + BLOCK)
      const plain = masked(key, sealed.slice(HEAD), { tags, words: form.words })
      const right = tagsOf(key, plain, form)
      return timingSafeEqual(right.subarray(0, TAG), tags.subarray(0, TAG)) ? plain : null
    },
  }
}

/** Each of many must end where its base64 does, or they could not be cut apart. */
function charsOf({ words, context }: SealedForm): number {
  if ((HEAD + words) % 3 !== 0) throw new Error(`${context}: ${words} words do not fill whole groups of base64`)
  return ((HEAD + words) / 3) * 16
}

type Ciphers = {
  readonly id: number
  readonly tag: Cipheriv
  readonly mask: Cipheriv
  /** Where the tags of a form begin. */
  start(form: SealedForm): Uint32Array
}

function makeCiphers({ id, bytes }: Key): Ciphers {
  const derived = (use: string) => Buffer.from(hkdfSync('sha256', bytes, '', `fixed sealer ${use}`, 32))
  const starts = new Map<string, Uint32Array>()
  const start = ({ words, context }: SealedForm) => {
    const name = `${words}/${context}`
    const known = starts.get(name) ?? wordsOf(derived(`start ${name}`).subarray(0, BLOCK * 4))
    if (starts.size >= STARTS_MAX) starts.clear()
    starts.set(name, known)
    return known
  }
  return { id: wordsOf(id)[0] ?? 0, tag: blocks(derived('tag')), mask: blocks(derived('mask')), start }
}

/** Block by block and nothing else: without padding this cipher has no state, so one serves for ever. Making one is slow. */
function blocks(key: Buffer): Cipheriv {
  return createCipheriv('aes-256-ecb', key, null).setAutoPadding(false)
}

/** A block for each message, of which the first three words are its tag. All messages go through the cipher together. */
function tagsOf({ tag, start }: Ciphers, plain: Uint32Array, form: SealedForm): Uint32Array {
  const { words } = form
  const begin = start(form)
  let state: Uint32Array = new Uint32Array((plain.length / words) * BLOCK)
  for (let i = 0; i < state.length; i++) state[i] = begin[i % BLOCK] ?? 0
  for (let from = 0; from < words; from += BLOCK) {
    const length = Math.min(BLOCK, words - from)
    for (let block = 0, message = from; block < state.length; block += BLOCK, message += words) {
      for (let i = 0; i < length; i++) state[block + i] = (state[block + i] ?? 0) ^ (plain[message + i] ?? 0)
    }
    state = wordsOf(tag.update(bytesOf(state)))
  }
  return state
}

type Masking = { readonly tags: Uint32Array; readonly words: number }

/** The messages, or what they were hidden as: it is the same step in both directions. */
function masked({ mask }: Ciphers, messages: Uint32Array, { tags, words }: Masking): Uint32Array {
  const perMessage = Math.ceil(words / BLOCK)
  const counters = new Uint32Array((messages.length / words) * perMessage * BLOCK)
  for (let block = 0; block * BLOCK < counters.length; block++) {
    const tag = Math.floor(block / perMessage) * BLOCK
    for (let i = 0; i < TAG; i++) counters[block * BLOCK + i] = tags[tag + i] ?? 0
    counters[block * BLOCK + TAG] = block % perMessage
  }
  const stream = wordsOf(mask.update(bytesOf(counters)))
  const out = new Uint32Array(messages.length)
  for (let at = 0, message = 0; message < out.length; at += perMessage * BLOCK, message += words) {
    for (let i = 0; i < words; i++) out[message + i] = (messages[message + i] ?? 0) ^ (stream[at + i] ?? 0)
  }
  return out
}

const IS_BIG_ENDIAN = endianness() === 'BE'

function bytesOf(words: Uint32Array): Buffer {
  const bytes = Buffer.from(words.buffer, words.byteOffset, words.byteLength)
  return IS_BIG_ENDIAN ? Buffer.from(bytes).swap32() : bytes
}

/** A copy where the bytes do not begin at a whole word, as those of a pool may, or where they must be turned. */
function wordsOf(bytes: Buffer): Uint32Array {
  const mustCopy = IS_BIG_ENDIAN || bytes.byteOffset % 4 !== 0
  const { buffer, byteOffset, byteLength } = mustCopy ? turned(Uint8Array.from(bytes)) : bytes
  return new Uint32Array(buffer, byteOffset, byteLength / 4)
}

function turned(bytes: Uint8Array): Uint8Array {
  if (IS_BIG_ENDIAN) Buffer.from(bytes.buffer).swap32()
  return bytes
}

function inPieces(text: string, length: number): string[] {
  return Array.from({ length: text.length / length }, (_, at) => text.slice(at * length, (at + 1) * length))
}
