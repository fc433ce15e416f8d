-- schema: worlds
-- Rules for single columns of the tables that nearly every fact writes (in this file, in 0013 and in 0014). They are
-- domains, because checks of a table cost more. For every statement that writes a row, PostgreSQL parses all checks
-- of the table again, even those of unchanged columns. It caches the checks of a domain for the session, and applies
-- them only to values that the statement writes. As checks of the tables, these rules took half of the database's
-- time for a fact. Rules about several columns are still checks of the table.
-- Each domain checks the length apart from the pattern: a pattern with {1,100} or {24} takes 3 to 12 times as long at
-- every use.
create domain investment_id as text collate "C"
  constraint investment_id_form check (char_length(value) = 28 and value ~ '^inv_[0-9A-Za-z]+$');
create domain investment_status as text
  constraint investment_status_known check (value in ('active', 'reserved', 'executed', 'canceled', 'converted'));
create domain cancelable_status as text
  constraint cancelable_status_known check (value in ('active', 'reserved'));
create domain payment_state as text
  constraint payment_state_known check (value in ('none', 'pending', 'received', 'failed', 'refunded'));
create domain check_state as text
  constraint check_state_known check (value in ('not_required', 'required', 'pending', 'passed', 'failed'));
create domain cents as bigint
  constraint cents_whole_units check (value between 0 and 9007199254740991 and value % 100 = 0);
create domain positive_cents as bigint
  constraint positive_cents_whole_units check (value between 100 and 9007199254740991 and value % 100 = 0);
-- The same rule as `cents`, with its own name. A correct request can violate this rule, and then gets its own error
-- message.
create domain investor_total as bigint
  constraint investor_total_whole_units check (value between 0 and 9007199254740991 and value % 100 = 0);
create domain share_number as numeric
  constraint share_number_range check (value > 0 and value < 1e18 and scale(value) <= 10);
create domain text_100 as text constraint text_100_length check (char_length(value) between 1 and 100);
create domain text_200 as text constraint text_200_length check (char_length(value) between 1 and 200);
create domain text_5000 as text constraint text_5000_length check (char_length(value) between 1 and 5000);
create domain contract_list as jsonb
  constraint contract_list_array check (jsonb_typeof(value) = 'array' and octet_length(value::text) <= 10000);
create domain change_kind as text constraint change_kind_known check (
  value in ('investment', 'investor', 'investor_deactivated', 'offering', 'company', 'access'));
create domain changed_id as text collate "C" constraint changed_id_form check (
  char_length(value) - strpos(value, '_') = 24 and value ~ '^(inv|ofr|co|usr)_[0-9A-Za-z]+$');

-- Module investments. An investor's commitment to an offering, or a reservation if the offering tests the waters. The
-- group and the blockers of an investment are derived from the states below and not stored.
-- The foreign key over offering, company and currency lets an investment move only between offerings of one company
-- and one currency. It also guarantees that company_id is the company of the offering.
-- converted_to: the successor of a converted investment. The successor does not store its predecessor, so the two
-- rows cannot contradict each other.
create table investments (
  id investment_id not null,
  company_id text collate "C" not null,
  offering_id text collate "C" not null,
  currency text not null,
  investor_id text collate "C" not null,
  status investment_status not null,
  amount_cents bigint,
  last_amount_cents positive_cents not null,
  applied_at timestamptz not null,
  confirmed_at timestamptz,
  executed_at timestamptz,
  canceled_at timestamptz,
  status_before_cancel cancelable_status,
  converted_at timestamptz,
  converted_to text collate "C",
  payment_state payment_state not null default 'none',
  in_escrow_cents cents not null default 0,
  identity_state check_state not null default 'required',
  accreditation_state check_state not null default 'not_required',
  signature_state check_state not null default 'required',
  review_state check_state not null default 'not_required',
  hidden boolean not null default false,
  entity_name text_200,
  message text_5000,
  external_username text_100,
  contracts contract_list not null default '[]',
  shares share_number,
  average_share_price share_number,
  constraint investments_pkey primary key (id),
  constraint investments_amount_null_only_canceled check (
    case when amount_cents is null then status = 'canceled' else amount_cents = last_amount_cents end),
  constraint investments_state_dated check (
    (status = 'executed') = (executed_at is not null)
    and (status = 'canceled') = (canceled_at is not null)
    and (status = 'converted') = (converted_at is not null)),
  constraint investments_canceled_returnable check ((status = 'canceled') = (status_before_cancel is not null)),
  constraint investments_successor_only_converted check (
    converted_to is null or (status = 'converted' and converted_to <> id)),
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

-- Module investments. The sums of an investor's investments in a raise, over all its offerings. A transaction locks
-- this row before it records events of this raise and investor.
-- last_occurred_at: the time of the last such event, so that the next event gets a later time.
create table investor_totals (
  raise_id text collate "C" not null,
  investor_id text collate "C" not null,
  active_count integer not null default 0,
  total_cents investor_total not null default 0,
  latest_applied_at timestamptz,
  last_occurred_at timestamptz not null,
  constraint investor_totals_pkey primary key (raise_id, investor_id),
  constraint investor_totals_zero_when_none_active check (
    active_count >= 0 and (active_count = 0) = (total_cents = 0)),
  constraint investor_totals_raise_fkey foreign key (raise_id) references raises (id),
  constraint investor_totals_investor_fkey foreign key (investor_id) references users (id)
) with (fillfactor = 80);

create index investor_totals_investor on investor_totals (investor_id);

-- Module investments. The ledger's queue. Every change of a published record inserts its own row, and the publisher
-- deletes the rows that it takes. Rows for the same record are never merged: otherwise a change that is committed
-- during publishing would be lost.
-- kind: which type of record `id` refers to.
create table investment_changes (
  seq bigint generated always as identity,
  kind change_kind not null,
  id changed_id not null,
  constraint investment_changes_pkey primary key (seq),
  constraint investment_changes_id_of_kind check (left(id, 3) = case kind
    when 'investment' then 'inv' when 'offering' then 'ofr' when 'company' then 'co_' else 'usr' end)
);
