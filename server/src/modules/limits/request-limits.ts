import type { Counted, Sent } from '#http/counted.ts'
import type { LimitPort } from '#http/limit-port.ts'
import { addressGroup } from '#system/counting/address-group.ts'
import type { Count, Hit, Refused, WindowLimit } from '#system/counting/window-counter.ts'
import { CountedAfter, CountedRequest } from './counted-request.ts'
import { type Counting, count, refuse } from './counting.ts'
import type { Guessing } from './guessing.ts'
import type { LimitName } from './limit-table.ts'
import { limitsOf, type RouteLimits } from './limits-of-route.ts'
import type { WebhookTests } from './webhook-tests.ts'

/** Whether a digest is that of a key of the host platform's, without a look for each that asks. */
export type OperatorKeys = (digest: string) => Promise<boolean>

export type RequestLimitParts = {
  readonly counting: Counting
  readonly guard: Guessing | null
  readonly webhookTests: WebhookTests
  readonly operatorKeys: OperatorKeys
}

/** Fills the edge's port: the limits of every route, and the guard against guessing. */
export function requestLimits(parts: RequestLimitParts): LimitPort {
  return {
    of(route) {
      const rules = rulesOf(parts, limitsOf(route))
      return isEmpty(rules) ? null : (sent) => admit(parts, rules, sent)
    },
  }
}

type Rules = {
  readonly address: readonly WindowLimit[]
  readonly token: WindowLimit | null
  readonly publishableKey: WindowLimit | null
  /** Whether it sends a test to the endpoint that its path names. */
  readonly isTest: boolean
  readonly guard: Guessing | null
}

function rulesOf({ counting: { table }, guard }: RequestLimitParts, limits: RouteLimits): Rules {
  const inForce = (name: LimitName | null) => (name === null ? null : table[name])
  return {
    address: limits.address.map(inForce).filter((limit) => limit !== null),
    token: inForce(limits.token),
    publishableKey: inForce(limits.publishableKey),
    isTest: inForce(limits.webhookTest) !== null,
    guard: limits.looksUp ? guard : null,
  }
}

function isEmpty({ address, token, publishableKey, isTest, guard }: Rules): boolean {
  return address.length === 0 && token === null && publishableKey === null && !isTest && guard === null
}

/** A guess is refused before anything is counted, lest it use up the limits of those who share its address. */
function admit(parts: RequestLimitParts, rules: Rules, sent: Sent): Counted {
  const group = addressGroup(sent.address)
  const guess = sent.credential === null ? null : (rules.guard?.tries(group, sent.credential.digest) ?? null)
  if (guess === null || guess.answered === null) return admitKnown(parts, rules, { sent, group, guess })
  return new CountedAfter(sent, guess.answered, () => admitKnown(parts, rules, { sent, group, guess }))
}

/** Whether the credential is one guess too many is known by now. */
type Guessed = { readonly sent: Sent; readonly group: string; readonly guess: Count | null }

function admitKnown(parts: RequestLimitParts, rules: Rules, { sent, group, guess }: Guessed): Counted {
  const { counting, webhookTests, guard } = parts
  if (guess !== null && guess.refused !== null) return refusedGuess({ ...parts, rules }, sent, guess.refused)
  const hits = hitsOf(rules, sent, group)
  if (rules.isTest && sent.credential !== null) {
    const test = webhookTests.look(sent.params['id'] ?? '', sent.credential)
    if (test !== null) hits.push(test)
  }
  const counted = hits.length === 0 ? null : counting.counter.count(hits)
  return new CountedRequest({ counting, sent, guard, guess, count: counted })
}

/** The most particular last (system/redis/count-batch.ts). */
function hitsOf(rules: Rules, { credential }: Sent, group: string): Hit[] {
  const hits: Hit[] = []
  for (const limit of rules.address) hits.push({ limit, key: group })
  if (credential === null) return hits
  const held = credential.publishable ? rules.publishableKey : rules.token
  if (held !== null) hits.push({ limit: held, key: credential.digest })
  return hits
}

type Refusing = RequestLimitParts & { readonly rules: Rules }

/** One more that nobody may hold. Where the host platform calls, its own keys cannot be locked out by a neighbour. */
function refusedGuess({ counting, rules, operatorKeys }: Refusing, sent: Sent, refused: Refused): Counted {
  let isOperators = false
  const isPlatforms = rules.address.length === 0 && sent.credential !== null
  const looking = async () => {
    isOperators = await operatorKeys(sent.credential?.digest ?? '').catch(() => false)
  }
  return {
    sent,
    answered: isPlatforms ? looking() : null,
    requireAllowed: () => refuse(counting, isOperators ? null : refused),
    issued() {},
    lookedUp: (isHeld) => {
      if (isHeld === true && sent.credential !== null) rules.guard?.isHeld(sent.credential.digest)
    },
    countOn: (hits) => count(counting, hits),
  }
}
