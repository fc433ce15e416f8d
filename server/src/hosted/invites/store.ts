import type { PartnerSide } from '#hosted/sessions/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { addCents, parseCents } from '#kernel/money.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { InviteLink, LinkEvent } from './link.ts'

/** PostgreSQL returns bigint and sums as text. */
type LinkRow = Omit<InviteLink, 'allocation' | 'claimed'> & {
  readonly allocation: string | null
  readonly claimed: string
}

/** Canceled investments do not count. A reservation counts too; a converted reservation counts until its successor is recorded. */
const isCounted = (i: string) =>
  `(${i}.status in ('active', 'executed', 'reserved') or ${i}.status = 'converted' and ${i}.converted_to is null)`

/**
 * The investments by a link that were not canceled, each once, with the investor. A converted reservation counts as its
 * successor, so the reservation is still one use.
 */
export const currentUses = (link: string) => `(
       select distinct on (i.id) i.id, i.amount_cents, first.investor_id, u.used_at
         from invite_link_uses u
         join investments first on first.id = u.investment_id
         cross join lateral (
           select first.id, first.amount_cents where ${isCounted('first')}
           union all (
             with recursive onward as (
               select o.id, o.status, o.amount_cents, o.converted_to from investments o
                where first.status = 'converted' and o.id = first.converted_to
               union all
               select o.id, o.status, o.amount_cents, o.converted_to
                 from onward join investments o on onward.status = 'converted' and o.id = onward.converted_to)
             select onward.id, onward.amount_cents from onward where ${isCounted('onward')})) i
        where u.invite_link_id = ${link}
        order by i.id, u.used_at)`

/** Columns of `invite_links l`, with its investments. */
const LINK = `select l.id, l.offering_id as offering, l.installation_id as installation, l.per_person as "perPerson",
          l.email, l.user_id as "userId", l.first_name as "firstName", l.message, l.allocation_cents as allocation,
          (select o.currency from offerings o where o.id = l.offering_id) as currency,
          l.max_uses as "maxUses", l.opened_at as "openedAt", l.opened_by_user_id as "openedBy",
          l.declined_at as "declinedAt", l.canceled_at as "canceledAt", l.created_at as "createdAt",
          used.uses, used.claimed, used.investment, used."investedAt"
     from invite_links l
     cross join lateral (
       select count(*)::integer as uses, coalesce(sum(u.amount_cents), 0)::text as claimed, min(u.used_at) as "investedAt",
              (array_agg(u.id order by u.used_at, u.id))[1] as investment
         from ${currentUses('l.id')} u) used`

function linkOf(row: LinkRow): InviteLink {
  return { ...row, allocation: parseCents(row.allocation), claimed: parseCents(row.claimed) ?? addCents([]) }
}

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
  const recipient = [email, userId, firstName, lastName, message]
  await tx.run(INSERT, [id, offering, installation, perPerson, ...recipient, link.allocation, link.maxUses])
}

/**
 * An app's links at one company or syndicate, through any of its installations there: links outlast an installation, and an app
 * that was installed again must be able to cancel its earlier links.
 */
const LINKS_OF_APP = `exists (select from installations n where n.id = l.installation_id and n.app_id = $1
                        and coalesce(n.company_id, n.syndicate_id) = $2)`

const FIND = statement<LinkRow>(
  'invite_links.find',
  `${LINK} where l.id = $4 and l.offering_id = $3 and ${LINKS_OF_APP}`,
)

export type LinkPlace = { readonly offering: Id<'offering'>; readonly id: Id<'inviteLink'> }

export async function findLink(
  queries: WorldQueries,
  { app, target }: PartnerSide,
  { offering, id }: LinkPlace,
): Promise<InviteLink | null> {
  const row = await queries.maybeOne(FIND, [app, target, offering, id])
  return row && linkOf(row)
}

const INSTALLATION = statement<{ installation_id: Id<'installation'> }>(
  'invite_links.installation',
  'select installation_id from invite_links where id = $1',
)

/** The installation that created the link, whichever app it belongs to. */
export async function findInstallationOfLink(queries: WorldQueries, id: Id<'inviteLink'>) {
  return (await queries.maybeOne(INSTALLATION, [id]))?.installation_id ?? null
}

const LIST = statement<LinkRow>(
  'invite_links.list',
  `${LINK} where l.offering_id = $3 and ${LINKS_OF_APP} and ($4::text is null or l.id < $4) order by l.id desc limit $5 offset $6`,
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

/** Finds a link of any app, for the hosted page. */
export async function readLink(queries: WorldQueries, id: Id<'inviteLink'>): Promise<InviteLink | null> {
  const row = await queries.maybeOne(READ, [id])
  return row && linkOf(row)
}

const USED_BY = statement<{ used: boolean }>(
  'invite_links.used_by',
  `select exists (select from ${currentUses('$1')} u where u.investor_id = $2) as used`,
)

/** Whether this person has an investment by the link that is not canceled. */
export async function isUsedBy(queries: WorldQueries, id: Id<'inviteLink'>, user: Id<'user'>): Promise<boolean> {
  return (await queries.one(USED_BY, [id, user])).used
}

const LOCK = statement<{ id: Id<'inviteLink'> }>(
  'invite_links.lock',
  'select id from invite_links where id = $1 for no key update',
)

/** Lock order: after users and before investments. Read the link in a new statement afterwards. */
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

/** False if the link was opened before. */
export async function setOpened(tx: Tx, id: Id<'inviteLink'>): Promise<boolean> {
  return (await tx.run(OPEN, [id])) > 0
}

const OPENED_BY = statement(
  'invite_links.opened_by',
  `update invite_links set opened_by_user_id = $2 where id = $1 and per_person and opened_by_user_id is null`,
)

/** Binds a link for one person to this user, unless it is bound already. */
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

const ERASE = statement(
  'invite_links.erase',
  `with theirs as materialized (
     select id, canceled_at from invite_links
      where user_id = $1 or opened_by_user_id = $1
         or lower(email) in (select lower(each collate "C") from unnest($2::text[]) each)
      order by id for no key update),
   noted as (
     insert into invite_link_events (invite_link_id, event) select id, 'cancel' from theirs where canceled_at is null)
   update invite_links l
      set email = null, first_name = null, last_name = null, message = null, mail_due_at = null, mail_failed_at = null,
          canceled_at = coalesce(l.canceled_at, world_now())
     from theirs where l.id = theirs.id`,
)

export async function eraseRecipient(tx: Tx, user: Id<'user'>, addresses: readonly string[]): Promise<void> {
  await tx.run(ERASE, [user, addresses])
}
