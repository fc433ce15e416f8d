import type { Hit, Refused, WindowLimit } from '#system/counting/window-counter.ts'

/** What Redis is asked for many requests at once, and how its answer is read (count-script.ts). */
export type CountBatch = {
  readonly keys: readonly string[]
  readonly args: readonly number[]
  /** One for each request, in their order. */
  verdicts(answer: unknown): readonly (Refused | null)[]
}

type Named = Hit & { readonly name: string }

/** Requests of one moment mostly share an address or a token: every key is named, read and written once. */
export function countBatch(requests: readonly (readonly Named[])[]): CountBatch {
  const numbers = new Map<string, number>()
  const limits: WindowLimit[] = []
  const [perKey, perRequest]: [number[], number[]] = [[], []]
  for (const hits of requests) {
    perRequest.push(hits.length)
    for (const { limit, name } of hits) {
      let number = numbers.get(name)
      if (number === undefined) {
        number = numbers.size + 1
        numbers.set(name, number)
        limits.push(limit)
        perKey.push(limit.max, limit.periodSeconds * 1_000)
      }
      perRequest.push(number)
    }
  }
  return {
    keys: [...numbers.keys()],
    args: perKey.concat(perRequest),
    verdicts: (answer) => readVerdicts(answer, requests.length, limits),
  }
}

function readVerdicts(answer: unknown, requests: number, limits: readonly WindowLimit[]): readonly (Refused | null)[] {
  const verdicts = Array<Refused | null>(requests).fill(null)
  if (!Array.isArray(answer)) return verdicts
  const [nowMs = 0, ...refusals] = answer.map(Number)
  for (let at = 0; at < refusals.length; at += 3) {
    const [request = 0, key = 0, leftMs = 0] = refusals.slice(at, at + 3)
    const limit = limits[key - 1]
    if (limit === undefined) throw new Error(`Redis counted something else: ${JSON.stringify(answer)}`)
    const resetAt = Math.round((nowMs + leftMs) / 1_000)
    verdicts[request - 1] = { limit, resetAt, retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1_000)) }
  }
  return verdicts
}
