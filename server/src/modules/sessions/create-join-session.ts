import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import { lockActiveUser } from '#modules/people/index.ts'
import { syndicateExists } from '#modules/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Appearance, Theme } from './join-session.ts'
import { insertJoinSession } from './join-session-store.ts'
import { refuseUnkeepable } from './metadata.ts'

export type JoinSessionInput = {
  readonly id: Id<'joinSession'>
  readonly syndicateId: Id<'syndicate'>
  /** Who is at it, where that is known from the start. */
  readonly userId?: Id<'user'>
  /** The installation that made it. */
  readonly installationId?: Id<'installation'>
  /** The app that made it: it alone reads and cancels it, and its session has a page of ours. */
  readonly appId?: Id<'app'>
  /** For an embedded session; without it, a hosted one. */
  readonly theme?: Theme
  /** Who may show the first step of an embedded one in a frame, and how it looks: as our own pages do, if null. */
  readonly frame?: { readonly origins: readonly string[]; readonly appearance: Appearance | null }
  readonly successUrl?: string
  /** Where the page sends the person afterwards, however it ended. */
  readonly returnUrl?: string
  readonly metadata?: { readonly [key: string]: unknown }
  readonly expiresAt: string
}

/** "Open until the person finishes (no event)." */
export async function createJoinSession(tx: Tx, input: JoinSessionInput, occasion: Occasion): Promise<void> {
  if (input.userId !== undefined) await lockActiveUser(tx, 'user', input.userId)
  if (!(await syndicateExists(tx, input.syndicateId))) throw new UnknownReference('syndicate', input.syndicateId)
  if (input.metadata !== undefined) await refuseUnkeepable(tx, input.metadata)
  await insertJoinSession(tx, {
    id: input.id,
    syndicateId: input.syndicateId,
    userId: input.userId ?? null,
    installationId: input.installationId ?? null,
    appId: input.appId ?? null,
    theme: input.theme ?? null,
    frameOrigins: input.frame?.origins ?? null,
    appearance: input.frame?.appearance ?? null,
    successUrl: input.successUrl ?? null,
    returnUrl: input.returnUrl ?? null,
    metadata: input.metadata ?? {},
    createdAt: occasion.occurredAt,
    expiresAt: input.expiresAt,
  })
}
