import type { WorldTime } from '#kernel/clock.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { gatheredStatement, type SqlValue, statement, withCallers, withLookups } from '#system/postgres/statement.ts'

export const ACCREDITATIONS = ['none', 'self_attested', 'verified'] as const
export type Accreditation = (typeof ACCREDITATIONS)[number]

/** A person's postal address. Companies that they invested in see it, together with the other identity fields. */
export type Address = {
  readonly line1?: string
  readonly line2?: string
  readonly city?: string
  readonly state?: string
  readonly postal_code?: string
  readonly country?: string
}

/**
 * The profile of an active user. Its fields have the names of the table's columns and of the fields in facts, where `city`, `state`
 * and `country` are in `location`.
 */
export type UserProfile = {
  readonly name: string
  readonly first_name: string | null
  readonly legal_name: string | null
  readonly email: string
  readonly username: string | null
  readonly bio: string | null
  readonly avatar_url: string | null
  readonly city: string | null
  readonly state: string | null
  readonly country: string | null
  readonly location_hidden: boolean
  readonly address: Address | null
  readonly accreditation: Accreditation
  readonly certified_at: WorldTime | null
}

export type User = UserProfile & { readonly id: Id<'user'> }

/** The time at which something happened outside this service. */
export type Moment = { readonly occurredAt: WorldTime }

type UserRow = Omit<User, 'name' | 'email' | 'address'> & {
  readonly name: string | null
  readonly email: string | null
  /** JSON text. */
  readonly address: string | null
  readonly deactivated_at: WorldTime | null
}

const COLUMNS = `id, name, first_name, legal_name, email, username, bio, avatar_url, city, state, country,
                 location_hidden, address, accreditation, certified_at, created_at`

/** An id is never used again. Emails and usernames are unique among active users; the case of ASCII letters does not matter. */
const INSERT = gatheredStatement(
  'people.insert',
  `insert into users (${COLUMNS})
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
  `${withCallers(
    'id text',
    'name text',
    'first_name text',
    'legal_name text',
    'email text',
    'username text',
    'bio text',
    'avatar_url text',
    'city text',
    'state text',
    'country text',
    'location_hidden boolean',
    'address jsonb',
    'accreditation text',
    'certified_at timestamptz',
    'created_at timestamptz',
  )},
   new as (insert into users (${COLUMNS}) select ${COLUMNS} from caller order by id)
   select at::int from caller`,
)

export async function insertUser(tx: Tx, user: User, createdAt: WorldTime): Promise<void> {
  await tx.run(INSERT, [user.id, ...columnsOf(user), createdAt])
}

const LOCKED = `u.id, name, first_name, legal_name, email, username, bio, avatar_url, city, state, country,
          location_hidden, address, accreditation, certified_at, deactivated_at`

const LOCK = gatheredStatement<UserRow>(
  'people.lock',
  `select ${LOCKED} from users u where id = $1 for no key update`,
  `${withLookups('id text')}
   select ${LOCKED}, caller.at::int from caller join users u on u.id = caller.id
    order by u.id for no key update of u`,
)

type LockedUser =
  | { readonly deactivated: false; readonly user: User }
  | { readonly deactivated: true; readonly user: null }

async function lockRow(tx: Tx, id: Id<'user'>): Promise<LockedUser | null> {
  const row = await tx.maybeOne(LOCK, [id])
  if (row === null) return null
  const { deactivated_at, name, email, address, ...rest } = row
  if (deactivated_at !== null || name === null || email === null) return { deactivated: true, user: null }
  const user = { ...rest, name, email, address: address === null ? null : (JSON.parse(address) as Address) }
  return { deactivated: false, user }
}

/**
 * `field`: the field in which the request names the user. Lock order: after accounts, before apps, and before every row that refers to
 * the user, such as an investment or a connection.
 */
export async function lockUser(tx: Tx, field: string, id: Id<'user'>): Promise<LockedUser> {
  const locked = await lockRow(tx, id)
  if (locked === null) throw new UnknownReference(field, id)
  return locked
}

/** For changes that need an active user. The lock prevents a deactivation of the user before the commit. */
export async function lockActiveUser(tx: Tx, field: string, id: Id<'user'>): Promise<User> {
  const locked = await lockUser(tx, field, id)
  if (!locked.deactivated) return locked.user
  throw validationError([{ field, code: 'deactivated', message: 'was deactivated, which is final' }])
}

const OWNERS = statement<{ id: Id<'user'> }>(
  'people.owners_of_address',
  `select id from users where lower(email) = lower($1::text collate "C")
    union select user_id from former_addresses where lower(address) = lower($1::text collate "C") order by 1`,
)

/**
 * For a record that names a person only by an address: locks the users who have or had the address, so that a later erasure of
 * such a user finds the record. If a concurrent erasure of such a user commits first, the record is rejected: that erasure has
 * not seen the record, and it has removed every link between the address and the user.
 */
export async function lockOwnersOf(tx: Tx, field: string, address: string): Promise<void> {
  for (const { id } of await tx.many(OWNERS, [address])) await lockActiveUser(tx, field, id)
}

const LOCK_MANY = statement(
  'people.lock_many',
  `select id from users where id in (
     select unnest($1::text[])
     union select id from users where lower(email) in (select lower(each collate "C") from unnest($2::text[]) each)
     union select user_id from former_addresses
            where lower(address) in (select lower(each collate "C") from unnest($2::text[]) each))
    order by id for no key update`,
)

type Named = { readonly ids: readonly Id<'user'>[]; readonly addresses: readonly string[] }

/**
 * For a transaction that later locks each of these users, by id or by an address that they have or had: locks all of them in the
 * order of their ids, so that two such transactions never deadlock. Unknown ids and addresses are ignored.
 */
export async function lockPeople(tx: Tx, { ids, addresses }: Named): Promise<void> {
  await tx.run(LOCK_MANY, [ids, addresses])
}

const UPDATE = statement(
  'people.update',
  `update users set name = $2, first_name = $3, legal_name = $4, email = $5, username = $6, bio = $7, avatar_url = $8,
          city = $9, state = $10, country = $11, location_hidden = $12, address = $13, accreditation = $14,
          certified_at = $15
   where id = $1`,
)

export async function updateUserRow(tx: Tx, user: User): Promise<void> {
  await tx.run(UPDATE, [user.id, ...columnsOf(user)])
}

const LOCK_ERASED = statement<{ id: Id<'user'>; erased: boolean }>(
  'people.lock_erased',
  'select id, deactivated_at is not null as erased from users where id = any($1) order by id for share',
)

/** Returns the erased ones among these users. The lock prevents an erasure of the other users before the commit. */
export async function lockErased(tx: Tx, ids: readonly Id<'user'>[]): Promise<Id<'user'>[]> {
  return (await tx.many(LOCK_ERASED, [ids])).filter(({ erased }) => erased).map(({ id }) => id)
}

const ERASE = statement(
  'people.erase',
  `update users set deactivated_at = $2, name = null, first_name = null, legal_name = null, email = null,
          username = null, bio = null, avatar_url = null, city = null, state = null, country = null, address = null
   where id = $1`,
)

const ERASE_ADDRESSES = statement('people.erase_addresses', 'delete from former_addresses where user_id = $1')

export async function eraseUser(tx: Tx, id: Id<'user'>, deactivatedAt: WorldTime): Promise<void> {
  await tx.run(ERASE, [id, deactivatedAt])
  await tx.run(ERASE_ADDRESSES, [id])
}

const REMEMBER_ADDRESS = statement(
  'people.remember_address',
  'insert into former_addresses (user_id, address) values ($1, $2) on conflict do nothing',
)

export async function rememberAddress(tx: Tx, id: Id<'user'>, address: string): Promise<void> {
  await tx.run(REMEMBER_ADDRESS, [id, address])
}

const ADDRESSES = statement<{ address: string }>(
  'people.addresses',
  `select email as address from users where id = $1 and email is not null
   union select address from former_addresses where user_id = $1 order by 1`,
)

/** The person's current and former addresses. */
export async function addressesOf(tx: Tx, id: Id<'user'>): Promise<string[]> {
  return (await tx.many(ADDRESSES, [id])).map(({ address }) => address)
}

function columnsOf(profile: UserProfile): SqlValue[] {
  return [
    profile.name,
    profile.first_name,
    profile.legal_name,
    profile.email,
    profile.username,
    profile.bio,
    profile.avatar_url,
    profile.city,
    profile.state,
    profile.country,
    profile.location_hidden,
    profile.address === null ? null : JSON.stringify(profile.address),
    profile.accreditation,
    profile.certified_at,
  ]
}
