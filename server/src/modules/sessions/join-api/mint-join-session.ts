import type { Static } from 'typebox'
import { ApiError, notFound } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { findConnection } from '#modules/installations/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { createJoinSession, type JoinSessionInput } from '../create-join-session.ts'
import { overridden, refuseUnreadable } from '../join-themes/appearance.ts'
import { findTheme, type Owner } from '../join-themes/theme-store.ts'
import { acceptedReturnUrl } from '../return-url.ts'
import { nowAndLater } from '../times-store.ts'
import { acceptedOrigins } from './frame-origins.ts'
import { findSessionRecord, type SessionRecord } from './record-store.ts'
import { HOURS_DEFAULT, type NewJoinSession } from './schemas.ts'
import type { MintingCaller } from './who-may.ts'

type Wanted = Static<typeof NewJoinSession>

export type Minting = { readonly owner: Owner; readonly caller: MintingCaller; readonly wanted: Wanted }

const RETURN_URL = { field: 'return_url', answered: ['join_session_id', 'status'] } as const

/** A session of this app for this syndicate, that nobody is at yet. */
export async function mintJoinSession(tx: Tx, minting: Minting, cause: string): Promise<SessionRecord> {
  const { owner, caller, wanted } = minting
  const { return_url, metadata } = wanted
  const id = newId('joinSession')
  const returnUrl =
    return_url == null ? {} : { returnUrl: acceptedReturnUrl(return_url, { ...RETURN_URL, world: tx.world }) }
  const embedded = await embeddedAs(tx, owner, wanted.embed)
  const { now, later } = await nowAndLater(tx, wanted.expires_in_hours ?? HOURS_DEFAULT)
  const session: JoinSessionInput = {
    id,
    syndicateId: owner.syndicate,
    appId: owner.app,
    installationId: await installationOf(tx, caller),
    ...returnUrl,
    ...embedded,
    ...(metadata == null ? {} : { metadata }),
    expiresAt: later,
  }
  await createJoinSession(tx, session, { cause, occurredAt: now, caused: [] })
  const made = await findSessionRecord(tx, { id, ...owner })
  if (made === null) throw new Error(`${id} was made a moment ago`)
  return made
}

/** By whose leave it is made: the syndicate's, or the connection of the manager whose token it is. */
async function installationOf(tx: Tx, caller: MintingCaller): Promise<Id<'installation'>> {
  if (caller.kind === 'installation') return caller.installationId
  const connection = await findConnection(tx, caller.userId, caller.appId)
  if (connection === null) throw new ApiError('invalid_token', { public: 'The user has disconnected the app.' })
  return connection.id
}

type Embedded = Pick<JoinSessionInput, 'theme' | 'frame'>

/** "Populated for embedded sessions pinning a partner theme"; one that pins none looks as our own pages do. */
async function embeddedAs(tx: Tx, owner: Owner, embed: Wanted['embed']): Promise<Embedded> {
  if (embed == null) return {}
  const origins = acceptedOrigins(embed.origins, tx.world)
  if (embed.theme == null) return { frame: { origins, appearance: null } }
  const { id, version, overrides } = embed.theme
  const theme = await findTheme(tx, owner, { id, version: version ?? undefined })
  if (theme === null) throw notFound(`${id} is no theme of this app on this syndicate, or not in that version`)
  const { appearance, fingerprint } = overridden(theme, overrides ?? {})
  refuseUnreadable(appearance, 'embed.theme.overrides.')
  return { theme: { id, version: theme.version, override_fingerprint: fingerprint }, frame: { origins, appearance } }
}
