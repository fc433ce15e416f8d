import { REMOVED_TAG } from '#access/removed/http.ts'
import { servesBrowsers } from '#http/access.ts'
import { isOpenDocument } from '#http/open-document.ts'
import type { LimitPort } from '#http/ports.ts'
import type { Counted, Sent } from '#http/rate-limit.ts'
import type { Route } from '#http/route.ts'
import { addressGroup } from '#system/counting/address-group.ts'
import type { Count, Hit, Refused, WindowLimit } from '#system/counting/local-counter.ts'
import { hexDigestOf } from '#system/crypto/secret.ts'
import type { Guessing, WebhookTests } from './counted-limits.ts'
import { type Counting, count, type LimitName, refuse } from './limit-table.ts'
import type { LimitUsage } from './limit-usage.ts'

/** Whether a digest belongs to an operator key. Needs no lookup per request. */
export type OperatorKeys = (digest: string) => Promise<boolean>

export type RequestLimitParts = {
  readonly counting: Counting
  readonly uses: LimitUsage
  readonly guard: Guessing | null
  readonly webhookTests: WebhookTests
  readonly operatorKeys: OperatorKeys
}

/** Implements the edge's port: the limits of every route, and the guard against guessing. */
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
  /** Whether the route sends a test to the endpoint in its path. */
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

/**
 * A guess over its limit is rejected before the other limits are counted, so that it does not use up the limits of
 * its address.
 */
function admit(parts: RequestLimitParts, rules: Rules, sent: Sent): Counted {
  const group = addressGroup(sent.address)
  const guess = sent.credential === null ? null : (rules.guard?.countGuess(group, sent.credential.digest) ?? null)
  if (guess === null || guess.answered === null) return admitKnown(parts, rules, { sent, group, guess })
  return new CountedAfter(sent, guess.answered, () => admitKnown(parts, rules, { sent, group, guess }))
}

/** The guess has been counted, and its verdict is available. */
type Guessed = { readonly sent: Sent; readonly group: string; readonly guess: Count | null }

function admitKnown(parts: RequestLimitParts, rules: Rules, { sent, group, guess }: Guessed): Counted {
  const { counting, uses, webhookTests, guard } = parts
  if (guess !== null && guess.refused !== null) return refusedGuess({ ...parts, rules }, sent, guess.refused)
  const hits = hitsOf(rules, sent, group)
  if (rules.isTest && sent.credential !== null) {
    const test = webhookTests.look(sent.params['id'] ?? '', sent.credential)
    if (test !== null) hits.push(test)
  }
  const counted = hits.length === 0 ? null : counting.counter.count(hits)
  return new CountedRequest({ counting, uses, sent, guard, guess, count: counted })
}

/** The most specific limit comes last, because system/redis/count-batch.ts finds requests with the same limits by the last limit. */
function hitsOf(rules: Rules, { credential }: Sent, group: string): Hit[] {
  const hits: Hit[] = []
  for (const limit of rules.address) hits.push({ limit, key: group })
  if (credential === null) return hits
  const credentialLimit = credential.publishable ? rules.publishableKey : rules.token
  if (credentialLimit !== null) hits.push({ limit: credentialLimit, key: credential.digest })
  return hits
}

type Refusing = RequestLimitParts & { readonly rules: Rules }

/**
 * Rejects a guess over its limit. On the routes that have no limit by address, operator keys are exempt, so that
 * guesses from the same address cannot lock them out.
 */
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

/** The limits that a request of a route counts toward: by its address, and by its bearer credential. */
type RouteLimits = {
  readonly address: readonly LimitName[]
  readonly token: LimitName | null
  readonly publishableKey: LimitName | null
  /** The limit for the webhook endpoint in the path. */
  readonly webhookTest: LimitName | null
  /** Whether the route looks up a bearer. A guess costs a query only on such a route. */
  readonly looksUp: boolean
}

const NONE: RouteLimits = { address: [], token: null, publishableKey: null, webhookTest: null, looksUp: false }

/** "The public-catalogue limit covers exactly the three routes the specification names." */
const PUBLIC_CATALOG: ReadonlySet<string> = new Set(['GET /explore', 'GET /offerings/:id', 'GET /companies/search'])

const WEBHOOK_TEST = 'POST /webhook_endpoints/:id/test'

const OUTSIDE = ['/platform/', '/sandbox/'] as const

/**
 * "/platform, /sandbox, people's pages and health are outside these limits." Public documents and pictures are not API
 * endpoints and have their own limit. OAuth endpoints and removed endpoints count by address. "A publishable key counts
 * against its own limit and the address limits, not the per-token one"; its own limit applies to public reads.
 */
export function limitsOf(route: Route): RouteLimits {
  const { access, method, path } = route
  const name = `${method} ${path}`
  if (access.kind === 'session') return NONE
  if (access.kind === 'open') return { ...NONE, address: limitsOfOpen(route) }
  if (OUTSIDE.some((start) => path.startsWith(start))) return { ...NONE, looksUp: true }
  return {
    address: PUBLIC_CATALOG.has(name) ? ['address', 'public_catalog'] : ['address'],
    token: 'access_token',
    publishableKey: servesBrowsers(access) ? 'publishable_key' : null,
    webhookTest: name === WEBHOOK_TEST ? 'webhook_test' : null,
    looksUp: true,
  }
}

function limitsOfOpen(route: Route): readonly LimitName[] {
  if (route.tag === REMOVED_TAG) return ['address']
  const own: readonly LimitName[] = isOpenDocument(route) ? ['document'] : []
  if (route.errorsAs !== 'oauth') return own
  return ['address', ...(route.path === '/oauth/token' ? (['token_address'] as const) : own)]
}

type CountedParts = {
  readonly counting: Counting
  readonly uses: LimitUsage
  readonly sent: Sent
  /** Null if guesses are not counted. */
  readonly guard: Guessing | null
  /** Null if the request has no credential or a cached one, or if guesses are not counted. */
  readonly guess: Count | null
  /** Null if no limit applies. */
  readonly count: Count | null
}

/** A request with all its counts, from its arrival until its credential and its target are known. */
class CountedRequest implements Counted {
  readonly answered: Promise<unknown> | null
  readonly #parts: CountedParts

  constructor(parts: CountedParts) {
    this.#parts = parts
    this.answered = parts.count?.answered ?? null
  }

  get sent(): Sent {
    return this.#parts.sent
  }

  /** A rejected request's credential is not looked up, and does not count as a guess. */
  requireAllowed(): void {
    const { counting, uses, guess, sent, count: counted } = this.#parts
    const refused = counted?.refused ?? null
    if (refused === null) return
    guess?.giveBack()
    if (sent.credential !== null) uses.rejected(refused.limit.name as LimitName, sent.credential.digest)
    refuse(counting, refused)
  }

  lookedUp(isHeld: boolean | null): void {
    const { guess, guard, sent } = this.#parts
    if (guess === null || isHeld === false) return
    guess.giveBack()
    if (isHeld === true && sent.credential !== null) guard?.isHeld(sent.credential.digest)
  }

  issued(accessToken: string): void {
    this.#parts.guard?.isHeld(hexDigestOf(accessToken))
  }

  async countOn(hits: readonly Hit[]): Promise<Count> {
    try {
      return await count(this.#parts.counting, hits)
    } catch (error) {
      this.#parts.count?.giveBack()
      throw error
    }
  }
}

/** A request whose limits are counted only after the verdict on its guess, which may come from Redis. */
class CountedAfter implements Counted {
  readonly answered: Promise<unknown>
  readonly sent: Sent
  #counted: Counted | null = null

  constructor(sent: Sent, first: Promise<void>, next: () => Counted) {
    this.sent = sent
    this.answered = first.then(() => {
      this.#counted = next()
      return this.#counted.answered
    })
  }

  get #known(): Counted {
    if (this.#counted === null) throw new Error('the verdict was read before it was known')
    return this.#counted
  }

  requireAllowed(): void {
    this.#known.requireAllowed()
  }

  lookedUp(isHeld: boolean | null): void {
    this.#known.lookedUp(isHeld)
  }

  issued(accessToken: string): void {
    this.#known.issued(accessToken)
  }

  countOn(hits: readonly Hit[]): Promise<Pick<Count, 'giveBack'>> {
    return this.#known.countOn(hits)
  }
}
