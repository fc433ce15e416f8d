import type { WallClock } from '#kernel/clock.ts'
import { digestOf } from '#system/crypto/secret.ts'

/** Two presses of one button are moments apart. */
const KEPT_MS = 60_000
const KEPT_MAX = 1_000

type Kept<Answer> = { readonly answer: Promise<Answer>; readonly untilMs: number }

/**
 * When a person presses a button twice, the browser shows the response to the second press. For a link that works once, that
 * response would say that the link no longer works. So a repeated request (same link, cookie and fields) gets the first response
 * again, for a minute, in this process. Only responses that sign the browser in are cached.
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
