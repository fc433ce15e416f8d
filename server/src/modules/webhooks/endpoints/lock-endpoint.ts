import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { requireActive } from './bound-installation.ts'
import type { Endpoint } from './endpoint.ts'
import type { Manager } from './manager.ts'
import { findEndpoint, lockEndpointRow } from './store.ts'

type EndpointId = Id<'webhookEndpoint'>

/** Somebody else's, another mode's, removed: all as unknown as what never was. */
export async function requireEndpoint(queries: PlatformQueries, manager: Manager, id: EndpointId): Promise<Endpoint> {
  const endpoint = await findEndpoint(queries, manager, id)
  if (endpoint === null) throw notFound(`${id} is not to be seen`)
  return endpoint
}

/** Changes of an endpoint come one after the other, and no delivery for it is made meanwhile. */
export async function lockEndpoint(tx: PlatformTx, manager: Manager, id: EndpointId): Promise<Endpoint> {
  if (!(await lockEndpointRow(tx, manager, id))) throw notFound(`${id} is not to be seen`)
  return requireEndpoint(tx, manager, id)
}

/**
 * For what is to be sent again: not where the endpoint stopped with its installation, since nothing would ever come of it.
 * The installation is held first, as everybody does, so that it is not revoked meanwhile.
 */
export async function lockForSending(tx: PlatformTx, manager: Manager, id: EndpointId): Promise<Endpoint> {
  const { installation_id: installation, app_id: app, world } = await requireEndpoint(tx, manager, id)
  if (installation !== null) await requireActive(tx, { app, world, installation })
  return lockEndpoint(tx, manager, id)
}
