import { recordAudit } from '#modules/audit/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { holdApp } from './lock-app.ts'
import { logoDigest, logoVersion, readLogo, type SentPicture } from './logo.ts'
import { deleteLogo, writeLogo } from './store.ts'
import { EDITORS, requireTeam, type Seat } from './team.ts'

/** Sending the same picture again changes nothing and leaves no entry in the history. */
export async function changeLogo(tx: PlatformTx, seat: Seat, sent: SentPicture): Promise<void> {
  await requireTeam(tx, seat, EDITORS)
  const picture = readLogo(sent)
  const digest = logoDigest(picture)
  const app = await holdApp(tx, seat.app, 'change_logo')
  if (app.logo_digest?.equals(digest) === true) return
  await writeLogo(tx, app.id, { ...picture, digest })
  const details = { media_type: picture.mediaType, bytes: picture.bytes.length, version: logoVersion(digest) }
  await recordAudit(tx, { actor: seat.account, action: 'app.logo_changed', subject: app.id, details })
}

/** Taking away what is not there is no mistake either. */
export async function removeLogo(tx: PlatformTx, seat: Seat): Promise<void> {
  await requireTeam(tx, seat, EDITORS)
  const app = await holdApp(tx, seat.app, 'remove_logo')
  if (!(await deleteLogo(tx, app.id))) return
  await recordAudit(tx, { actor: seat.account, action: 'app.logo_removed', subject: app.id })
}
