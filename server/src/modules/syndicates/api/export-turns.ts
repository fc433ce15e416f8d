import { ApiError } from '#kernel/errors.ts'

/** Each holds a connection for as long as its reader takes; with all of them held, nothing else would be answered. */
const AT_ONCE_MAX = 3

/** Most exports are over by then. */
const WAIT_MS = 2_000

type Turn = { readonly shares: readonly string[]; begin(): void }

/**
 * Lets so many at once, and of each share (an app, a syndicate) one, so that nobody has all of them. Others come in as
 * these finish, the longest waiting first; whoever would have to wait for long is told so.
 */
export function exportTurns(waitMs = WAIT_MS) {
  const held = new Set<string>()
  const waiting = new Set<Turn>()
  let running = 0

  const isFree = ({ shares }: Turn) => running < AT_ONCE_MAX && shares.every((share) => !held.has(share))

  function take(turn: Turn): void {
    running += 1
    for (const share of turn.shares) held.add(share)
    // Before it goes on: whoever finishes in the same moment must not wake the same one again.
    waiting.delete(turn)
    turn.begin()
  }

  function giveBack(shares: readonly string[]): void {
    running -= 1
    for (const share of shares) held.delete(share)
    for (const turn of waiting) if (isFree(turn)) take(turn)
  }

  return async <T>(shares: readonly string[], work: () => Promise<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const turn = { shares, begin: resolve }
    waiting.add(turn)
    const patience = setTimeout(() => waiting.delete(turn) && reject(tooMany()), waitMs)
    if (isFree(turn)) take(turn)
    await promise.finally(() => clearTimeout(patience))
    try {
      return await work()
    } finally {
      giveBack(shares)
    }
  }
}

function tooMany(): ApiError {
  return new ApiError('unavailable', {
    public: 'Another export of this app or this syndicate is being read at this moment, or as many as can be.',
    remediation: 'Read the other one to its end, or try again in a few seconds.',
    headers: { 'Retry-After': '5' },
  })
}
