-- schema: worlds
-- Module investments. An investor's commitment to an offering, or a reservation where the offering tests the waters.
-- Group and blockers are derived from the states below and stored nowhere.
-- The key over (offering, company, currency) lets an investment move between offerings of one company and one currency
-- and nowhere else; it also vouches for the company. What an investment was converted from is whoever's converted_to
-- names it: kept once, so the two ends cannot disagree.
create table investments (
  id text collate "C" not null,
  company_id text collate "C" not null,
  offering_id text collate "C" not null,
  currency text not null,
  investor_id text collate "C" not null,
  status text not null,
  amount_cents bigint,
  last_amount_cents bigint not null,
  applied_at timestamptz not null,
  confirmed_at timestamptz,
  executed_at timestamptz,
  canceled_at timestamptz,
  status_before_cancel text,
  converted_at timestamptz,
  converted_to text collate "C",
  payment_state text not null default 'none',
  in_escrow_cents bigint not null default 0,
  identity_state text not null default 'required',
  accreditation_state text not null default 'not_required',
  signature_state text not null default 'required',
  review_state text not null default 'not_required',
  hidden boolean not null default false,
  entity_name text,
  message text,
  external_username text,
  contracts jsonb not null default '[]',
  shares numeric,
  average_share_price numeric,
  constraint investments_pkey primary key (id),
  constraint investments_id_form check (id ~ '^inv_[0-9A-Za-z]{24}$'),
  constraint investments_status_known check (status in ('active', 'reserved', 'executed', 'canceled', 'converted')),
  constraint investments_amount_whole_units check (
    last_amount_cents between 100 and 9007199254740991 and last_amount_cents % 100 = 0),
  constraint investments_amount_null_only_canceled check (
    case when amount_cents is null then status = 'canceled' else amount_cents = last_amount_cents end),
  constraint investments_executed_dated check ((status = 'executed') = (executed_at is not null)),
  constraint investments_canceled_dated check ((status = 'canceled') = (canceled_at is not null)),
  constraint investments_canceled_returnable check ((status = 'canceled') = (status_before_cancel is not null)),
  constraint investments_status_before_cancel_known check (status_before_cancel in ('active', 'reserved')),
  constraint investments_converted_dated check ((status = 'converted') = (converted_at is not null)),
  constraint investments_successor_only_converted check (converted_to is null or status = 'converted'),
  constraint investments_successor_other check (converted_to <> id),
  constraint investments_payment_state_known check (
    payment_state in ('none', 'pending', 'received', 'failed', 'refunded')),
  constraint investments_in_escrow_whole_units check (
    in_escrow_cents between 0 and 9007199254740991 and in_escrow_cents % 100 = 0),
  constraint investments_identity_state_known check (
    identity_state in ('not_required', 'required', 'pending', 'passed', 'failed')),
  constraint investments_accreditation_state_known check (
    accreditation_state in ('not_required', 'required', 'pending', 'passed', 'failed')),
  constraint investments_signature_state_known check (
    signature_state in ('not_required', 'required', 'pending', 'passed', 'failed')),
  constraint investments_review_state_known check (
    review_state in ('not_required', 'required', 'pending', 'passed', 'failed')),
  constraint investments_entity_name_length check (char_length(entity_name) between 1 and 200),
  constraint investments_message_length check (char_length(message) between 1 and 5000),
  constraint investments_external_username_length check (char_length(external_username) between 1 and 100),
  constraint investments_contracts_array check (
    jsonb_typeof(contracts) = 'array' and octet_length(contracts::text) <= 10000),
  constraint investments_shares_range check (shares > 0 and shares < 1e18 and scale(shares) <= 10),
  constraint investments_average_share_price_range check (
    average_share_price > 0 and average_share_price < 1e18 and scale(average_share_price) <= 10),
  constraint investments_shares_priced check ((shares is null) = (average_share_price is null)),
  constraint investments_offering_fkey foreign key (offering_id, company_id, currency)
    references offerings (id, company_id, currency),
  constraint investments_investor_fkey foreign key (investor_id) references users (id),
  constraint investments_converted_to_fkey foreign key (converted_to) references investments (id)
) with (fillfactor = 90);

create index investments_company on investments (company_id, id);
create index investments_offering on investments (offering_id, company_id, currency, id);
create index investments_investor on investments (investor_id, id);
create unique index investments_converted_to_key on investments (converted_to) where converted_to is not null;

create trigger investments_investor_immutable before update of investor_id on investments
  for each row when (old.investor_id is distinct from new.investor_id) execute function refuse_change();
create trigger investments_company_immutable before update of company_id on investments
  for each row when (old.company_id is distinct from new.company_id) execute function refuse_change();

-- Module investments. What an investor has in a raise, over all its offerings. Its row is the lock under which the
-- events of that raise and investor are made, and last_occurred_at is what keeps their times rising.
create table investor_totals (
  raise_id text collate "C" not null,
  investor_id text collate "C" not null,
  active_count integer not null default 0,
  total_cents bigint not null default 0,
  latest_applied_at timestamptz,
  last_occurred_at timestamptz not null,
  constraint investor_totals_pkey primary key (raise_id, investor_id),
  constraint investor_totals_active_count_not_negative check (active_count >= 0),
  constraint investor_totals_total_whole_units check (
    total_cents between 0 and 9007199254740991 and total_cents % 100 = 0),
  constraint investor_totals_zero_when_none_active check ((active_count = 0) = (total_cents = 0)),
  constraint investor_totals_raise_fkey foreign key (raise_id) references raises (id),
  constraint investor_totals_investor_fkey foreign key (investor_id) references users (id)
) with (fillfactor = 80);

create index investor_totals_investor on investor_totals (investor_id);

-- Module investments. The ledger's to-do list: whatever changes a published record adds its own row, the publisher
-- deletes what it takes. Never merged: a change committed during a publish would be lost. `kind` says what `id` names.
create table investment_changes (
  seq bigint generated always as identity,
  kind text not null,
  id text collate "C" not null,
  constraint investment_changes_pkey primary key (seq),
  constraint investment_changes_kind_known check (
    kind in ('investment', 'investor', 'investor_deactivated', 'offering', 'company', 'access')),
  constraint investment_changes_id_form check (id ~ case kind
    when 'investment' then '^inv_[0-9A-Za-z]{24}$'
    when 'offering' then '^ofr_[0-9A-Za-z]{24}$'
    when 'company' then '^co_[0-9A-Za-z]{24}$'
    else '^usr_[0-9A-Za-z]{24}$' end)
);
