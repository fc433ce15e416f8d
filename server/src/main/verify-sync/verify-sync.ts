import { setTimeout as wait } from 'node:timers/promises'
import type { Api } from './ask.ts'
import { bringUpToDate, type Copy, differing, emptyCopy } from './copy.ts'

export type VerifySettings = Api & { readonly seconds: number }

const SYNC_EVERY_MS = 1_000
/** Both copies move on while they are compared: what differs only now and then is on its way. */
const COMPARISONS = 5

/** Says whether a copy kept by sync is what a new listing gives, and what is not. */
export async function verifySync({ seconds, ...api }: VerifySettings, say: (line: string) => void): Promise<boolean> {
  const kept = emptyCopy()
  await bringUpToDate(api, kept)
  say(`Listed ${kept.records.size} investments. Syncing for ${seconds} s.`)
  const until = performance.now() + seconds * 1_000
  while (performance.now() < until) {
    await wait(Math.min(SYNC_EVERY_MS, Math.max(0, until - performance.now())))
    await bringUpToDate(api, kept)
  }
  const { pages, changes, tombstones, listings } = kept.seen
  say(`${changes} changes (${tombstones} of them tombstones) on ${pages} pages; listed ${listings} time(s).`)
  const fresh = emptyCopy()
  const wrong = await compareRepeatedly(api, kept, fresh)
  for (const id of wrong) tell(say, id, { kept, fresh })
  const agrees = wrong.size === 0
  say(agrees ? `The copy agrees with a new listing of ${fresh.records.size}.` : `${wrong.size} records differ.`)
  return agrees
}

async function compareRepeatedly(api: Api, kept: Copy, fresh: Copy): Promise<Set<string>> {
  const once = async () => {
    await bringUpToDate(api, fresh)
    await bringUpToDate(api, kept)
    await bringUpToDate(api, fresh)
    return differing(kept, fresh)
  }
  let wrong = await once()
  for (let times = 1; times < COMPARISONS && wrong.size > 0; times++) {
    const now = await once()
    wrong = new Set([...wrong].filter((id) => now.has(id)))
  }
  return wrong
}

function tell(say: (line: string) => void, id: string, { kept, fresh }: { kept: Copy; fresh: Copy }): void {
  say(
    `${id}\n  kept by sync:  ${kept.records.get(id) ?? 'nothing'}\n  newly listed:  ${fresh.records.get(id) ?? 'nothing'}`,
  )
}
