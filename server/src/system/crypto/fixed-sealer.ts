import { type Cipheriv, createCipheriv, hkdfSync } from 'node:crypto'
import { endianness } from 'node:os'
import { KEY_ID_BYTES, type Key, type PurposeKeys } from './keyring.ts'

/**
 * Seals small messages of one length: what a page of the ledger gives out, for which a sealed box (`sealed-box.ts`) would
 * cost many times the rest of the page.
 *
 * The construction is a synthetic IV (SIV): the tag is a CBC-MAC over the message, and the message is encrypted in counter
 * mode from the tag. There is no nonce to get wrong, the same message gives the same text, and a changed bit anywhere
 * opens nothing. A plain CBC-MAC is sound for messages of which none begins another. Those of one form are of one length;
 * and each form begins with a secret block of its own (HKDF of its length and context), so that the blocks of two forms
 * have no beginning in common. Of a tag 96 bits are kept: a forgery succeeds once in 2^96 tries, and after about 2^48
 * messages under one key two may share a tag, which shows how those two differ and nothing else.
 */
export type FixedSealer = {
  /** `plain`: a message of the form's length. */
  seal(plain: Uint32Array, form: SealedForm): string
  /** Null for everything this server did not seal in this form. */
  open(sealed: string, form: SealedForm): Uint32Array | null
}

/** Made once and kept: what belongs to it is remembered by the object. */
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
      requireWhole(form)
      const key = ciphers(keys.current)
      const tag = key.tagOf(plain, form)
      const stream = streamOf(key, tag, form.words)
      const sealed = new Uint32Array(HEAD + form.words)
      sealed[0] = key.id
      for (let i = 0; i < TAG; i++) sealed[KEY_ID + i] = tag[i] ?? 0
      for (let i = 0; i < form.words; i++) sealed[HEAD + i] = (plain[i] ?? 0) ^ (stream[i] ?? 0)
      return bytesOf(sealed).toString('base64url')
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
      const tag = sealed.subarray(KEY_ID, KEY_ID + TAG)
      const stream = streamOf(key, tag, form.words)
      const plain = new Uint32Array(form.words)
      for (let i = 0; i < plain.length; i++) plain[i] = (sealed[HEAD + i] ?? 0) ^ (stream[i] ?? 0)
      return isSameTag(key.tagOf(plain, form), tag) ? plain : null
    },
  }
}

/** All of it is looked at, whatever the beginning says: how long it takes tells nothing. */
function isSameTag(a: Uint32Array, b: Uint32Array): boolean {
  let differing = 0
  for (let i = 0; i < TAG; i++) differing |= (a[i] ?? 0) ^ (b[i] ?? 0)
  return differing === 0
}

function charsOf({ words }: SealedForm): number {
  return ((HEAD + words) / 3) * 16
}

/** A message must end where its base64 does, or its last character would have more than one spelling. */
function requireWhole({ words, context }: SealedForm): void {
  if ((HEAD + words) % 3 !== 0) throw new Error(`${context}: ${words} words do not fill whole groups of base64`)
}

type Ciphers = {
  readonly id: number
  /** A block, of which the first three words are the message's tag. */
  tagOf(plain: Uint32Array, form: SealedForm): Uint32Array
  readonly mask: Cipheriv
}

function makeCiphers({ id, bytes }: Key): Ciphers {
  const derived = (use: string) => Buffer.from(hkdfSync('sha256', bytes, '', `fixed sealer ${use}`, 32))
  // By the form itself: whoever seals often keeps theirs, and then not even its name is put together.
  const starts = new WeakMap<SealedForm, Uint32Array>()
  const start = (form: SealedForm) => {
    const known = starts.get(form)
    if (known !== undefined) return known
    const made = wordsOf(derived(`start ${form.words}/${form.context}`).subarray(0, BLOCK * 4))
    starts.set(form, made)
    return made
  }
  const chained = chain(derived('tag'))
  return {
    id: wordsOf(id)[0] ?? 0,
    tagOf: (plain, form) => chained(start(form), plain),
    // Block by block and nothing else: without padding this cipher has no state, so one serves for ever. Making one is slow.
    mask: createCipheriv('aes-256-ecb', derived('mask'), null).setAutoPadding(false),
  }
}

/**
 * The CBC-MAC of a message from a start, in one call of a cipher that is never made anew. It chains to whatever it
 * encrypted last; that block is known, and taken out of the first one again.
 */
function chain(key: Buffer): (start: Uint32Array, plain: Uint32Array) => Uint32Array {
  const cipher = createCipheriv('aes-256-cbc', key, Buffer.alloc(BLOCK * 4)).setAutoPadding(false)
  let last = new Uint32Array(BLOCK)
  return (start, plain) => {
    const blocks = new Uint32Array(widthOf(plain.length))
    blocks.set(plain)
    for (let i = 0; i < BLOCK; i++) blocks[i] = (blocks[i] ?? 0) ^ (start[i] ?? 0) ^ (last[i] ?? 0)
    last = encrypted(cipher, blocks).slice(-BLOCK)
    return last
  }
}

/** In whole blocks. */
function widthOf(words: number): number {
  return Math.ceil(words / BLOCK) * BLOCK
}

/** What the message of this tag is hidden by, and uncovered: counters, encrypted. */
function streamOf({ mask }: Ciphers, tag: Uint32Array, words: number): Uint32Array {
  const counters = new Uint32Array(widthOf(words))
  for (let at = 0, count = 0; at < counters.length; at += BLOCK, count++) {
    for (let i = 0; i < TAG; i++) counters[at + i] = tag[i] ?? 0
    counters[at + TAG] = count
  }
  return encrypted(mask, counters)
}

const IS_BIG_ENDIAN = endianness() === 'BE'

function encrypted(cipher: Cipheriv, words: Uint32Array): Uint32Array {
  return wordsOf(cipher.update(IS_BIG_ENDIAN ? bytesOf(words) : words))
}

function bytesOf(words: Uint32Array): Buffer {
  const bytes = Buffer.from(words.buffer, words.byteOffset, words.byteLength)
  return IS_BIG_ENDIAN ? Buffer.from(bytes).swap32() : bytes
}

/** A copy where the bytes do not begin at a whole word, as those of a pool may, or where they must be turned. */
function wordsOf(bytes: Buffer): Uint32Array {
  const mustCopy = IS_BIG_ENDIAN || bytes.byteOffset % 4 !== 0
  const { buffer, byteOffset, byteLength } = mustCopy ? turned(new Uint8Array(bytes)) : bytes
  return new Uint32Array(buffer, byteOffset, byteLength / 4)
}

function turned(bytes: Uint8Array): Uint8Array {
  if (IS_BIG_ENDIAN) Buffer.from(bytes.buffer).swap32()
  return bytes
}
