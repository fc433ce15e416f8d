import type { Happened } from './caused-events.ts'
import type { Delivery } from './delivery.ts'
import { isAddressed, scopesNeeded } from './entitlement.ts'
import type { Endpoint, Installation } from './participants.ts'
import type { Stage } from './stage.ts'

/** One event, for one installation or for the app itself, at one endpoint. */
type Triple = Happened & { readonly installation: Installation | null; readonly endpoint: Endpoint }

type DeliveriesByTriple = ReadonlyMap<string, readonly Delivery[]>
const keyOf = (...ids: readonly (string | null)[]) => ids.join(' ')

/**
 * A receiver that was entitled the whole time from the event until deliveries were made must have exactly one delivery.
 * A receiver that was never entitled must have no delivery.
 */
export function checkCompleteness(stage: Stage, happened: readonly Happened[], deliveries: readonly Delivery[]): void {
  const made = Map.groupBy(deliveries, (each) => keyOf(each.event_id, each.installation_id, each.endpoint_id))
  const { installations, endpoints } = stage.participants
  for (const one of happened) {
    for (const installation of [null, ...installations]) {
      for (const endpoint of endpoints) checkTriple(stage, { ...one, installation, endpoint }, made)
    }
  }
}

function checkTriple({ findings }: Stage, triple: Triple, made: DeliveriesByTriple): void {
  const { event, installation, endpoint } = triple
  const has = made.get(keyOf(event.id, installation?.id ?? null, endpoint.id))?.length ?? 0
  const about = () => `${event.id} (${event.name}) for ${installation?.id ?? 'the app'} at ${endpoint.id}`
  const are = isAddressed(event, installation, endpoint) ? entitled(triple) : [false]
  if (has > 1) findings.add('duplicate', `${about()}: ${has} deliveries`)
  if (has === 0 && are.every(Boolean)) findings.add('lost', about())
  if (has > 0 && !are.some(Boolean)) findings.add('stranger', about())
}

/**
 * The possible answers to "was the receiver entitled?" from the event until deliveries were made. Both answers are
 * possible if the receiver's state or scopes changed in that time.
 */
function entitled({ event, happening, installation, endpoint }: Triple): readonly boolean[] {
  const [from, to] = [happening.between.begin, happening.fannedOutBy ?? Date.now()]
  const stands = endpoint.state.possible(from, to).map((state) => state === 'enabled' || state === 'disabled')
  if (installation === null || event.name === 'installation.revoked') return stands
  const needed = scopesNeeded(event, installation) ?? []
  const holds = installation.scopes.possible(from, to).map((all) => needed.every((scope) => all.includes(scope)))
  const each = [stands, holds, installation.active.possible(from, to)]
  return each.every((some) => some.includes(true)) ? each.flat() : [false]
}
