import type { Counted, LimitPort } from '#http/limit-port.ts'
import type { WallClock } from '#kernel/clock.ts'
import { addressGroup } from '#system/counting/address-group.ts'
import type { Hit, WindowLimit } from '#system/counting/window-counter.ts'
import { type Counting, count, refuse } from './counting.ts'
import { type Guessing, guessing } from './guessing.ts'
import type { LimitName, LimitTable } from './limit-table.ts'
import { limitsOf, type RouteLimits } from './limits-of-route.ts'

/** Fills the edge's port: the limits of every route, and the guard against guessing. */
export function requestLimits(counting: Counting, clock: WallClock): LimitPort {
  const { unknown_token: unknown } = counting.table
  const guard = unknown === null ? null : guessing(unknown, clock)
  return {
    of(route) {
      const rules = rulesOf(counting.table, limitsOf(route), guard)
      return isEmpty(rules) ? null : (counted) => admit(counting, rules, counted)
    },
    unknownCredential: (address) => guard?.missed(addressGroup(address)),
  }
}

type Rules = {
  readonly address: readonly WindowLimit[]
  readonly token: WindowLimit | null
  readonly publishableKey: WindowLimit | null
  readonly guard: Guessing | null
}

function rulesOf(table: LimitTable, limits: RouteLimits, guard: Guessing | null): Rules {
  const inForce = (name: LimitName | null) => (name === null ? null : table[name])
  return {
    address: limits.address.map(inForce).filter((limit) => limit !== null),
    token: inForce(limits.token),
    publishableKey: inForce(limits.publishableKey),
    guard: limits.looksUp ? guard : null,
  }
}

function isEmpty({ address, token, publishableKey, guard }: Rules): boolean {
  return address.length === 0 && token === null && publishableKey === null && guard === null
}

/** A guess is refused before anything is counted, lest it use up the limits of those who share its address. */
function admit(counting: Counting, rules: Rules, { address, credential }: Counted): void | Promise<void> {
  const group = addressGroup(address)
  if (credential !== null && rules.guard !== null) refuse(counting, rules.guard.refuses(group, credential.digest))
  const hits: Hit[] = []
  for (const limit of rules.address) hits.push({ limit, key: group })
  const held = credential === null ? null : credential.publishable ? rules.publishableKey : rules.token
  if (held !== null && credential !== null) hits.push({ limit: held, key: credential.digest })
  if (hits.length > 0) return count(counting, hits)
}
