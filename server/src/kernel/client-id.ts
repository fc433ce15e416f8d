import { newIdBody } from './ids.ts'
import { WORLDS, type World } from './world.ts'

/**
 * The id of an app's key: OAuth's client id and the publishable key are one and the same public word. Its prefix names
 * the world, so that everything obtained with it stays there.
 */
declare const clientId: unique symbol
export type ClientId = string & { readonly [clientId]: true }

const prefix = (world: World) => `pk_${world}_`
const BODY = /^[0-9A-Za-z]{24}$/

export function newClientId(world: World): ClientId {
  return (prefix(world) + newIdBody()) as ClientId
}

/** Null for what cannot be a key: it is not worth a look into the database. */
export function parseClientId(text: string): { readonly id: ClientId; readonly world: World } | null {
  const world = WORLDS.find((name) => text.startsWith(prefix(name)))
  if (world === undefined || !BODY.test(text.slice(prefix(world).length))) return null
  return { id: text as ClientId, world }
}
