declare const passwordHash: unique symbol
/** `$argon2id$v=19$m=…,t=…,p=…$salt$tag`: the PHC string format, which says by itself how to verify it. */
export type PasswordHash = string & { readonly [passwordHash]: true }

export type PhcParts = {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly nonce: Buffer
  readonly tag: Buffer
}

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([0-9A-Za-z+/]+)\$([0-9A-Za-z+/]+)$/

export function encodePhc({ memory, passes, parallelism, nonce, tag }: PhcParts): PasswordHash {
  const cost = `m=${memory},t=${passes},p=${parallelism}`
  return `$argon2id$v=19$${cost}$${unpadded(nonce)}$${unpadded(tag)}` as PasswordHash
}

export function decodePhc(hash: PasswordHash): PhcParts {
  const [whole, memory, passes, parallelism, nonce = '', tag = ''] = PHC.exec(hash) ?? []
  // Not the hash itself: this text may end up in a log.
  if (whole === undefined) throw new TypeError('a stored password hash is not in the argon2id form')
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(nonce, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
