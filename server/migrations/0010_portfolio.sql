-- schema: worlds
-- Module portfolio. The value of an offering's stakes at a time: a price per share if the stakes have shares,
-- otherwise a multiple of the amount paid.
create table valuations (
  offering_id text collate "C" not null,
  valued_at timestamptz not null,
  share_price numeric,
  multiple numeric,
  constraint valuations_pkey primary key (offering_id, valued_at),
  constraint valuations_share_price_range check (
    share_price >= 0 and share_price < 1e18 and scale(share_price) <= 10),
  constraint valuations_multiple_range check (multiple >= 0 and multiple < 1e9 and scale(multiple) <= 10),
  constraint valuations_one_basis check (num_nonnulls(share_price, multiple) = 1),
  constraint valuations_offering_fkey foreign key (offering_id) references offerings (id)
);

-- Module portfolio. How all stakes of an offering ended.
-- multiple: the amount that investors got back, as a multiple of the amount paid.
create table exits (
  offering_id text collate "C" not null,
  status text not null,
  reason text,
  exited_at timestamptz not null,
  multiple numeric not null default 0,
  constraint exits_pkey primary key (offering_id),
  constraint exits_status_known check (status in ('exited', 'failed')),
  constraint exits_reason_known check (reason in ('ipo', 'acquisition', 'buyback', 'failed', 'winding_down')),
  constraint exits_multiple_range check (multiple >= 0 and multiple < 1e9 and scale(multiple) <= 10),
  constraint exits_offering_fkey foreign key (offering_id) references offerings (id)
);

-- Module portfolio. A single investment that its investor sold to another person.
create table secondary_sales (
  investment_id text collate "C" not null,
  sold_at timestamptz not null,
  multiple numeric not null,
  constraint secondary_sales_pkey primary key (investment_id),
  constraint secondary_sales_multiple_range check (multiple >= 0 and multiple < 1e9 and scale(multiple) <= 10),
  constraint secondary_sales_investment_fkey foreign key (investment_id) references investments (id)
);

-- Module portfolio. The companies that a fund owns a part of.
create table fund_holdings (
  fund_id text collate "C" not null,
  company_id text collate "C" not null,
  status text not null default 'active',
  constraint fund_holdings_pkey primary key (fund_id, company_id),
  constraint fund_holdings_status_known check (status in ('active', 'failed', 'exited')),
  constraint fund_holdings_not_itself check (fund_id <> company_id),
  constraint fund_holdings_fund_fkey foreign key (fund_id) references companies (id),
  constraint fund_holdings_company_fkey foreign key (company_id) references companies (id)
);

create index fund_holdings_company on fund_holdings (company_id);
