/** What of the investments `s` is a stake: "one holds what was executed". What is hidden from who runs the deal is none. */
const STAKE = `s.status = 'executed' and not s.hidden`

const OF_DEAL = `from investments s where s.offering_id = d.offering_id and ${STAKE}`

/** A stake that was not sold before its offering's exit: "sold once all of it is". */
const UNSOLD = `
  select ${OF_DEAL} and not exists (
    select from secondary_sales sale
     where sale.investment_id = s.id and sale.sold_at <= coalesce(x.exited_at, 'infinity'))`

/**
 * "Funded deals" of syndicate $1 below $2, of company $3 if one is named, of status $4 if one is asked for, each with its
 * latest valuation and its exit. The conditions stand in a `case`, of which the planner thinks that it leaves half.
 */
export const FUNDED_DEALS = `
  select d.offering_id, val.valued_at, val.share_price, val.multiple, x.status as exit_status, x.reason as exit_reason,
         x.exited_at, x.multiple as exit_multiple
    from syndicate_deals d
    cross join lateral (select company_id from offerings where id = d.offering_id offset 0) o
    left join lateral (select valued_at, share_price, multiple from valuations where offering_id = d.offering_id
                        order by valued_at desc limit 1) val on true
    left join lateral (select status, reason, exited_at, multiple from exits where offering_id = d.offering_id
                       offset 0) x on true
   where d.syndicate_id = $1 and d.offering_id < $2::text collate "C"
     and case when ($3::text is null or o.company_id = $3) and exists (select ${OF_DEAL})
               and ($4::text is null
                    or $4 = case when exists (${UNSOLD}) then coalesce(x.status, 'active') else 'sold' end)
              then true else false end`

/** Each stake of each `deal`, with what decides what it is worth. */
const STAKES = `
  select s.offering_id, s.currency, s.investor_id, s.applied_at, s.amount_cents::numeric as cost, s.shares,
         s.average_share_price, trim_scale(s.average_share_price) as price_paid,
         s.contracts::jsonb @> '[{"early_bird": true}]' as early_bird, deal.exit_status, deal.exit_multiple,
         deal.share_price as valued_price, deal.multiple as valued_multiple, sale.multiple as sale_multiple,
         coalesce(deal.valued_at >= s.applied_at, false) as newer,
         coalesce(sale.sold_at <= coalesce(deal.exited_at, 'infinity'), false) as sold
    from deal
    cross join lateral (
      select id, offering_id, currency, investor_id, applied_at, amount_cents, shares, average_share_price, contracts
        from investments s where s.offering_id = deal.offering_id and ${STAKE} offset 0) s
    left join lateral (select sold_at, multiple from secondary_sales where investment_id = s.id offset 0) sale on true`

/**
 * What each stake is worth, in SQL: a deal can have a hundred thousand, which are added up where they are. The rules are
 * those of worth/, each stake rounded by itself and half a cent up; a test compares the two.
 */
export const VALUED_STAKES = `
  select offering_id, currency, investor_id, applied_at, early_bird, price_paid, cost, sold, exit_status, not ended as held,
         case when ended then 0 else estimate end as value,
         case when ended then 0 else estimate - cost end as unrealized,
         case when ended then round(cost * case when sold then sale_multiple else exit_multiple end) - cost else 0 end
           as realized,
         case when shares is null or by_multiple and not ended then null when ended then 0 else shares end as shares_held,
         case when ended or by_multiple or shares is null then null when newer then valued_price
              else average_share_price end as share_price
    from (${STAKES}) stake
    cross join lateral (
      select sold or exit_status is not null as ended, newer and valued_multiple is not null as by_multiple) how
    cross join lateral (
      select case when by_multiple then round(cost * valued_multiple)
                  when newer and valued_price is not null and shares is not null then round(100 * shares * valued_price)
                  else cost end as estimate) worth`

/** "shares_held: of all of them, or of none"; "current_share_price: null if they differ". */
export const PART_SUMS = `
  sum(cost) as cost, sum(value) as value, sum(unrealized) as unrealized, sum(realized) as realized,
  case when count(shares_held) = count(*) then trim_scale(sum(shares_held)) end as shares_held,
  case when bool_or(held) and count(*) filter (where held) = count(share_price) and min(share_price) = max(share_price)
       then min(share_price) end as share_price,
  min(applied_at) as invested_at, count(distinct investor_id)::int as investor_count, bool_and(sold) as all_sold`
