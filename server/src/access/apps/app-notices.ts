import type { ClientId, Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { takeExpiringSecrets } from './key-store.ts'

export const APP_NOTICES = [
  'app.suspended',
  'app.suspension_lifted',
  'app.scopes_removed',
  'app.pii_withdrawn',
  'app_key.secret_expiring',
] as const

/** What ended when the app lost a scope or an approval. */
export type Stopped = {
  readonly installs_narrowed?: number
  readonly installs_disconnected: number
  readonly tokens_revoked?: number
  readonly refresh_tokens_revoked?: number
  readonly endpoints_disabled?: number
}

/** A notice to an app's team about the app or one of its keys. */
export type AppNotice = { readonly app: Id<'app'> } & (
  | { readonly kind: 'app.suspended'; readonly reason: string }
  | { readonly kind: 'app.suspension_lifted' }
  | {
      readonly kind: 'app.scopes_removed'
      readonly by: 'team' | 'platform'
      readonly scopes: readonly string[]
      readonly stopped: Stopped
    }
  | { readonly kind: 'app.pii_withdrawn'; readonly stopped: Stopped }
  | {
      readonly kind: 'app_key.secret_expiring'
      readonly world: World
      readonly key: ClientId
      /** As the team named the key. */
      readonly name: string
      /** Real time. */
      readonly expiresAt: string
    }
)

/** Runs in the transaction of the change. `main` passes the function of the notices module, which depends on this one. */
export type NotifyAppTeam = (tx: PlatformTx, notice: AppNotice) => Promise<void>

/** Long enough for a person to roll out the new secret within a working day. */
export const NOTICE_HOURS_BEFORE_EXPIRY = 12

/** Notifies the teams whose replaced client secrets will end soon, once for each secret. Returns the number of secrets. */
export async function noticeExpiringSecrets(tx: PlatformTx, limit: number, notify: NotifyAppTeam): Promise<number> {
  const secrets = await takeExpiringSecrets(tx, NOTICE_HOURS_BEFORE_EXPIRY, limit)
  for (const { app, world, key, name, expires_at: expiresAt } of secrets) {
    await notify(tx, { kind: 'app_key.secret_expiring', app, world, key, name, expiresAt })
  }
  return secrets.length
}
