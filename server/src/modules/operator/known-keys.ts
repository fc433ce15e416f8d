import type { PlatformDatabase } from '#system/postgres/database.ts'
import { listDigests } from './store.ts'

const LOOK_AGAIN_MS = 1_000

/**
 * Whether a digest (SHA-256, hex) is that of an operator key, in force or revoked. There are few, so all are
 * remembered, and looked at again at most once a second: however many are guessed, it costs no more.
 */
export function knownOperatorKeys({ reads }: Pick<PlatformDatabase, 'reads'>): (digest: string) => Promise<boolean> {
  let digests: ReadonlySet<string> = new Set()
  let reading: Promise<void> = Promise.resolve()
  let readAtMs = Number.NEGATIVE_INFINITY

  async function read(): Promise<void> {
    digests = new Set((await listDigests(reads)).map((digest) => digest.toString('hex')))
  }

  return async (digest) => {
    if (digests.has(digest)) return true
    if (performance.now() - readAtMs >= LOOK_AGAIN_MS) {
      readAtMs = performance.now()
      reading = read()
    }
    await reading
    return digests.has(digest)
  }
}
