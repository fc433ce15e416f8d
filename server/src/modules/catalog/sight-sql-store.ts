/**
 * Who sees which offering, as pieces of SQL over `catalog_entries`. Everybody sees what is listed and neither upcoming,
 * canceled nor for accredited investors only (`shown_to`, kept by the database). A user also sees what is for accredited
 * investors while they are one, the rounds they were invited to or have invested in, the deals of syndicates they are a
 * member or manager of, and every round of a company on whose team they are. What is the viewer's own is read once, by
 * their own rows.
 */
type Parameter = `$${number}`

export type Sight = {
  /** What stands in `with` before; the parameter is the viewer. */
  readonly given: string
  /** Whether an entry, by its alias, can be seen. */
  readonly sees: (entry: string) => string
  /** Whether an entry, by its alias, stands in the list of open offerings for all whose eyes are like this viewer's. */
  readonly explores: (entry: string) => string
}

export const PUBLIC_SIGHT: Sight = {
  given: 'nobody as (select)',
  sees: (entry) => `${entry}.shown_to = 'public'`,
  explores: (entry) => `${entry}.explored_by = 'public'`,
}

export const userSight = (viewer: Parameter): Sight => ({
  given: `
  eyes as materialized (
    select case when exists (select from users where id = ${viewer} and accreditation <> 'none')
                then array['public', 'accredited'] else array['public'] end as shown),
  own_rounds as materialized (
    select offering_id from investments where investor_id = ${viewer}
    union
    select offering_id from offering_invitations where user_id = ${viewer}
    union
    select d.offering_id from syndicate_deals d
     where d.syndicate_id in (
       select syndicate_id from memberships where user_id = ${viewer} and status = 'member'
       union
       select syndicate_id from syndicate_managers where user_id = ${viewer})
    union
    select o.id from company_people p join offerings o on o.company_id = p.company_id
     where p.user_id = ${viewer} and p.ended_at is null)`,
  sees: (entry) => `(${entry}.shown_to = any((select shown from eyes)::text[])
    or ${entry}.offering_id in (select offering_id from own_rounds))`,
  explores: (entry) => `${entry}.explored_by = any((select shown from eyes)::text[])`,
})
