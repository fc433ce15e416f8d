import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { PartnerSide } from '#modules/sessions/index.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { InviteLink, LinkEvent } from './link.ts'
import { LINK, type LinkRow, linkOf, standingUses } from './link-sql-store.ts'

export type NewLinkRow = {
  readonly id: Id<'inviteLink'>
  readonly offering: Id<'offering'>
  readonly installation: Id<'installation'>
  readonly perPerson: boolean
  readonly email: string | null
  readonly userId: Id<'user'> | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly message: string | null
  readonly allocation: number | null
  readonly maxUses: number | null
}

const INSERT = statement(
  'invite_links.insert',
  `insert into invite_links (id, offering_id, installation_id, per_person, email, user_id, first_name, last_name, message,
                             allocation_cents, max_uses)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
)

export async function insertLink(tx: Tx, link: NewLinkRow): Promise<void> {
  const { id, offering, installation, perPerson, email, userId, firstName, lastName, message } = link
  const told = [email, userId, firstName, lastName, message]
  await tx.run(INSERT, [id, offering, installation, perPerson, ...told, link.allocation, link.maxUses])
}

/**
 * An app's links at one company or syndicate, through whichever of its installations there: links last, and an app that was
 * installed anew must be able to take back what it gave out before.
 */
const OURS = `exists (select from installations n where n.id = l.installation_id and n.app_id = $1
                        and coalesce(n.company_id, n.syndicate_id) = $2)`

const FIND = statement<LinkRow>('invite_links.find', `${LINK} where l.id = $4 and l.offering_id = $3 and ${OURS}`)

export type LinkPlace = { readonly offering: Id<'offering'>; readonly id: Id<'inviteLink'> }

export async function findLink(
  queries: WorldQueries,
  { app, target }: PartnerSide,
  { offering, id }: LinkPlace,
): Promise<InviteLink | null> {
  const row = await queries.maybeOne(FIND, [app, target, offering, id])
  return row && linkOf(row)
}

const LIST = statement<LinkRow>(
  'invite_links.list',
  `${LINK} where l.offering_id = $3 and ${OURS} and ($4::text is null or l.id < $4) order by l.id desc limit $5 offset $6`,
)

export type Listed = {
  readonly offering: Id<'offering'>
  readonly before: string | null
  readonly skip: number
  readonly limit: number
}

export async function listLinks(
  queries: WorldQueries,
  { app, target }: PartnerSide,
  { offering, before, skip, limit }: Listed,
): Promise<readonly InviteLink[]> {
  return (await queries.many(LIST, [app, target, offering, before, limit, skip])).map(linkOf)
}

const READ = statement<LinkRow>('invite_links.read', `${LINK} where l.id = $1`)

/** For whoever holds the link itself. */
export async function readLink(queries: WorldQueries, id: Id<'inviteLink'>): Promise<InviteLink | null> {
  const row = await queries.maybeOne(READ, [id])
  return row && linkOf(row)
}

const USED_BY = statement<{ used: boolean }>(
  'invite_links.used_by',
  `select exists (select from ${standingUses('$1')} u where u.investor_id = $2) as used`,
)

/** Whether this person has invested by it, and still has. */
export async function isUsedBy(queries: WorldQueries, id: Id<'inviteLink'>, user: Id<'user'>): Promise<boolean> {
  return (await queries.one(USED_BY, [id, user])).used
}

const LOCK = statement<{ id: Id<'inviteLink'> }>(
  'invite_links.lock',
  'select id from invite_links where id = $1 for no key update',
)

/** After people and before investments. What it is then, another statement says. */
export async function lockLink(tx: Tx, id: Id<'inviteLink'>): Promise<boolean> {
  return (await tx.maybeOne(LOCK, [id])) !== null
}

const SET_LIMITS = statement(
  'invite_links.set_limits',
  'update invite_links set allocation_cents = $2, max_uses = $3 where id = $1',
)

export async function setLimits(
  tx: Tx,
  id: Id<'inviteLink'>,
  { allocation, maxUses }: { readonly allocation: number | null; readonly maxUses: number | null },
): Promise<void> {
  await tx.run(SET_LIMITS, [id, allocation, maxUses])
}

const CANCEL = statement(
  'invite_links.cancel',
  'update invite_links set canceled_at = world_now(), mail_due_at = null where id = $1 and canceled_at is null',
)

export async function setCanceled(tx: Tx, id: Id<'inviteLink'>): Promise<boolean> {
  return (await tx.run(CANCEL, [id])) > 0
}

const OPEN = statement(
  'invite_links.open',
  `update invite_links set opened_at = world_now() where id = $1 and opened_at is null`,
)

/** False where it was opened before. */
export async function setOpened(tx: Tx, id: Id<'inviteLink'>): Promise<boolean> {
  return (await tx.run(OPEN, [id])) > 0
}

const OPENED_BY = statement(
  'invite_links.opened_by',
  `update invite_links set opened_by_user_id = $2 where id = $1 and per_person and opened_by_user_id is null`,
)

/** From now on a link for one person is this person's. */
export async function setOpener(tx: Tx, id: Id<'inviteLink'>, user: Id<'user'>): Promise<void> {
  await tx.run(OPENED_BY, [id, user])
}

const DECLINE = statement(
  'invite_links.decline',
  `update invite_links set declined_at = world_now(), mail_due_at = null where id = $1 and declined_at is null`,
)

export async function setDeclined(tx: Tx, id: Id<'inviteLink'>): Promise<boolean> {
  return (await tx.run(DECLINE, [id])) > 0
}

const USE = statement(
  'invite_links.use',
  'insert into invite_link_uses (investment_id, invite_link_id, used_at) values ($1, $2, $3)',
)

export async function insertUse(
  tx: Tx,
  link: Id<'inviteLink'>,
  { investment, at }: { readonly investment: Id<'investment'>; readonly at: WorldTime },
): Promise<void> {
  await tx.run(USE, [investment, link, at])
}

const NOTE = statement('invite_links.note', 'insert into invite_link_events (invite_link_id, event) values ($1, $2)')

export async function noteEvent(tx: Tx, id: Id<'inviteLink'>, event: LinkEvent): Promise<void> {
  await tx.run(NOTE, [id, event])
}

export type NotedEvent = { readonly event: LinkEvent; readonly created_at: WorldTime }

const EVENTS = statement<NotedEvent>(
  'invite_links.events',
  'select event, created_at from invite_link_events where invite_link_id = $1 order by seq',
)

export async function eventsOf(queries: WorldQueries, id: Id<'inviteLink'>): Promise<readonly NotedEvent[]> {
  return queries.many(EVENTS, [id])
}
