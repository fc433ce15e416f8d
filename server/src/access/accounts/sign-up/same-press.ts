import type { WallClock } from '#kernel/clock.ts'
import { digestOf } from '#system/crypto/secret.ts'

/** A person who pressed twice looks at the second answer within moments. */
const KEPT_MS = 60_000
const KEPT_MAX = 1_000

type Kept<Answer> = { readonly answer: Promise<Answer>; readonly untilMs: number }

/**
 * A person presses a button twice, and the browser shows the answer to the second press: with a link that works once it would say
 * that the link no longer works. So the same press (link, cookie and fields) of the same browser gets the answer of the first one, in
 * this process, for a minute. Only answers by which the browser is signed in are kept.
 */
export function samePresses<Answer extends { readonly status: number }>({ now }: WallClock) {
  const kept = new Map<string, Kept<Answer>>()
  const forget = () => {
    for (const [key, { untilMs }] of kept) if (untilMs <= now() || kept.size > KEPT_MAX) kept.delete(key)
  }
  return async (press: readonly (string | null)[], work: () => Promise<Answer>): Promise<Answer> => {
    forget()
    const key = digestOf(JSON.stringify(press)).toString('base64url')
    const before = kept.get(key)
    if (before !== undefined) return before.answer
    const answer = work()
    kept.set(key, { answer, untilMs: now() + KEPT_MS })
    try {
      const { status } = await answer
      if (status >= 400) kept.delete(key)
    } catch {
      kept.delete(key)
    }
    return answer
  }
}
