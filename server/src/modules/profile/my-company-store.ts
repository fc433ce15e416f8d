import type { Id } from '#kernel/ids.ts'
import type { CompanyRole } from '#modules/companies/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

export type MyCompany = {
  readonly id: Id<'company'>
  readonly name: string
  readonly tagline: string | null
  readonly page_url: string
  readonly roles: readonly CompanyRole[]
  readonly raising: boolean
}

/**
 * Who is one of the team sees every round of it, whether others do or not. The roles stand highest first. Company by
 * company, by its keys: as a join, or by `exists`, the planner reads every company and every round there is, because it
 * cannot know how few are one person's.
 */
const LIST = statement<MyCompany>(
  'profile.my_companies',
  `select c.id, c.name, c.tagline, c.page_url, held.roles, rounds.raising
     from (select company_id,
                  array_agg(role order by array_position(array['founder', 'admin', 'editor', 'employee'], role)) as roles
             from company_people where user_id = $1 and ended_at is null
            group by company_id) held
     cross join lateral (select id, name, tagline, page_url from companies where id = held.company_id offset 0) c
     cross join lateral (select coalesce(bool_or(status = 'open'), false) as raising
                           from offerings where company_id = held.company_id) rounds`,
)

/** A person's companies are few. */
export async function companiesOf(queries: WorldQueries, user: Id<'user'>): Promise<MyCompany[]> {
  return queries.many(LIST, [user])
}
