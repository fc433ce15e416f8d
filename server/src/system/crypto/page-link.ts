import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Id, type IdKind, parseId } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { KEY_ID_BYTES, type Key, type PurposeKeys } from './keyring.ts'

/**
 * Makes a page's address unguessable although ids are not secret: the address contains the id and a MAC over the world
 * and the id. The MAC is computed again whenever the address is shown, so nothing is stored, and a reader of the
 * database cannot open a page. The address does not name the world: `open` returns the world for which the MAC is
 * right. A link from a previous sealing secret works while that secret is configured.
 */
export type PageLinks = {
  make(world: World, id: string): string
  /** Null unless this server made the link for this kind. */
  open<K extends IdKind>(kind: K, link: string): { readonly world: World; readonly id: Id<K> } | null
}

const TOKEN = /^[A-Za-z0-9_-]{48}$/

export function pageLinks(keys: PurposeKeys): PageLinks {
  return {
    make: (world, id) =>
      `${id}.${Buffer.concat([keys.current.id, macOf(keys.current, world, id)]).toString('base64url')}`,
    open: (kind, link) => {
      const [idText = '', token = '', ...more] = link.split('.')
      const id = parseId(kind, idText)
      if (id === null || more.length > 0 || !TOKEN.test(token)) return null
      const bytes = Buffer.from(token, 'base64url')
      const key = keys.byId(bytes.subarray(0, KEY_ID_BYTES))
      if (key === null) return null
      const mac = bytes.subarray(KEY_ID_BYTES)
      const world = WORLDS.find((each) => timingSafeEqual(mac, macOf(key, each, id)))
      return world === undefined ? null : { world, id }
    },
  }
}

function macOf({ secret }: Key, world: World, id: string): Buffer {
  return createHmac('sha256', secret).update(`${world}/${id}`).digest()
}
