import { createHash } from 'node:crypto'
import { type AccountCaller, type Caller, callerIdentity } from '#kernel/caller.ts'
import { ApiError } from '#kernel/errors.ts'
import type { KeyOwner, KeyStore } from './idempotency-store.ts'
import type { Input } from './input/read-input.ts'
import type { Ports } from './ports.ts'
import type { Route } from './route.ts'
import type { NewestResponse } from './send-response.ts'
import { NEWEST, type Version } from './versions.ts'

type AnyCaller = Caller | AccountCaller
export type Claim = KeyOwner & { readonly fingerprint: Buffer }

const KEY = /^[\x21-\x7e]{1,255}$/

/** Null if no key was sent. Null also for all methods except POST, because a client can repeat them without a key. */
export function claimFor(route: Route, caller: AnyCaller, key: string | undefined, input: Input): Claim | null {
  if (route.method !== 'POST' || key === undefined) return null
  if (!KEY.test(key)) {
    throw new ApiError('invalid_request', {
      public: 'Idempotency-Key must be 1 to 255 visible ASCII characters without spaces.',
      remediation: 'Use a random value such as a UUID, and the same one when you repeat the request.',
    })
  }
  const { operation, method } = route
  return { caller: ownerOf(route, caller), operation, key, fingerprint: fingerprint(method, input) }
}

/** An app has the same identity in both worlds, so in the platform's table the world is part of the owner. */
function ownerOf({ work }: Route, caller: AnyCaller): string {
  const identity = callerIdentity(caller)
  return work === 'platform' && caller.kind !== 'account' ? `${caller.world}/${identity}` : identity
}

/** The limit of the column (`idempotency_keys_answer_length`). */
const STORED_BYTES_MAX = 8_388_608

/**
 * Runs the work once per key, in the transaction of the work. The key is claimed first. Of two concurrent requests the
 * second waits at the unique index: if the first commits, the second replays its response; if the first rolls back, the
 * second does the work. An error rolls back the claim with everything else.
 */
export async function once(
  { clock, answers }: Pick<Ports, 'clock' | 'answers'>,
  keys: KeyStore,
  claim: Claim | null,
  work: () => Promise<NewestResponse>,
): Promise<NewestResponse> {
  if (claim === null) return work()
  if (!(await keys.claim(claim, claim.fingerprint, clock.now()))) return replay(answers, keys, claim)
  const answer = await work()
  // Every response that the work returns is committed, because a rejection is thrown and not returned. The server does not start
  // with a route that declares a returned rejection.
  const sealed = answers.seal(Buffer.from(JSON.stringify(answer)), context(claim))
  // A longer response is sent but not stored. The key stays claimed, so that a repeat does not do the work again.
  if (sealed.length <= STORED_BYTES_MAX) await keys.store(claim, sealed)
  return answer
}

async function replay(answers: Ports['answers'], keys: KeyStore, claim: Claim): Promise<NewestResponse> {
  // This is a separate statement, because the statement that failed to claim the key started before the other request committed
  // and cannot see that request's response.
  const stored = await keys.find(claim)
  if (!stored.fingerprint.equals(claim.fingerprint)) throw conflict()
  if (stored.answer === null) throw tooLongToRepeat()
  const plain = answers.open(stored.answer, context(claim))
  if (plain === null) throw new Error('the response stored for an idempotency key cannot be opened')
  const answer = JSON.parse(plain.toString()) as NewestResponse
  return { ...answer, headers: { ...answer.headers, 'Idempotent-Replayed': 'true' } }
}

/**
 * Changes the status of a replay to 200 on routes that declare this, because older client libraries recognize a replay by 200.
 */
export function withReplayStatus(answer: NewestResponse, { replayedAs }: Route, version: Version): NewestResponse {
  if (answer.headers['Idempotent-Replayed'] === undefined || answer.status !== 201) return answer
  const isOk = replayedAs === 'ok' || (replayedAs === 'ok_before_newest' && version < NEWEST)
  return isOk ? { ...answer, status: 200 } : answer
}

function tooLongToRepeat(): ApiError {
  return new ApiError('idempotency_conflict', {
    public:
      'The request with this Idempotency-Key was carried out, and its response was too long to be stored for a repeat.',
    remediation: 'Read what that request created or changed. Use a new key for a new request.',
  })
}

function conflict(): ApiError {
  return new ApiError('idempotency_conflict', {
    public: 'This Idempotency-Key was used within the last 24 hours for a different request.',
    remediation: 'Use a new key for a new request, or repeat the first request exactly.',
  })
}

/** Binds a sealed response to its row, so that it does not open in the row of another caller or key. */
function context({ caller, operation, key }: KeyOwner): string {
  return JSON.stringify([caller, operation, key])
}

/**
 * Requests with equal fingerprints count as the same request. The order of the fields does not change the fingerprint. A key
 * that was used with another fingerprint is rejected with 409.
 */
export function fingerprint(method: string, { params, query, body }: Input): Buffer {
  return createHash('sha256')
    .update(canonicalJson([method, params ?? null, query ?? null, body ?? null]))
    .digest()
}

/**
 * JSON with sorted keys and no spaces, so that equal values give equal text. The recursion is safe, because the depth was
 * limited when the body was read.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  // The map of a raw query, which the route parses itself.
  if (value instanceof Map) return canonicalJson([...value])
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const fields = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`)
  return `{${fields.join(',')}}`
}
