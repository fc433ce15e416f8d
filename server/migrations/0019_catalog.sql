-- schema: worlds
-- Module catalog. An offering's entry in the catalogue: who sees the offering, and all values for filters and
-- sorting. They are in one row, so that a page is read along one index. The triggers below write the row in the
-- transaction that changes the offering or its company. So an offering that is no longer listed leaves the catalogue
-- at once. Only raised_cents and investor_count are computed later (see catalog_changes).
create table catalog_entries (
  offering_id text collate "C" not null,
  company_id text collate "C" not null,
  status text not null,
  shown_to text,
  explored_by text,
  exemption text not null,
  testing_the_waters boolean not null,
  security_type text,
  min_investment_cents bigint,
  industries text[] not null,
  business_models text[] not null,
  opened_at timestamptz not null,
  closes_at timestamptz not null,
  raised_cents bigint not null default 0,
  investor_count integer not null default 0,
  constraint catalog_entries_pkey primary key (offering_id),
  constraint catalog_entries_shown_to_known check (shown_to in ('public', 'accredited')),
  constraint catalog_entries_explored_by_known check (explored_by in ('public', 'accredited')),
  constraint catalog_entries_explored_is_open_and_shown check (
    explored_by is null or (status = 'open' and shown_to = explored_by)),
  constraint catalog_entries_words_length check (char_length(exemption) <= 20 and char_length(security_type) <= 20),
  constraint catalog_entries_tags_size check (cardinality(industries) <= 10 and cardinality(business_models) <= 8),
  constraint catalog_entries_min_investment_whole_units check (
    min_investment_cents between 100 and 9007199254740991 and min_investment_cents % 100 = 0),
  constraint catalog_entries_raised_whole_units check (
    raised_cents between 0 and 9007199254740991 and raised_cents % 100 = 0),
  constraint catalog_entries_investor_count_not_negative check (investor_count >= 0),
  constraint catalog_entries_offering_fkey foreign key (offering_id) references offerings (id),
  constraint catalog_entries_company_fkey foreign key (company_id) references companies (id)
) with (fillfactor = 80);

create index catalog_entries_company on catalog_entries (company_id, offering_id);
create index catalog_entries_most_raised on catalog_entries (raised_cents, offering_id) where explored_by is not null;
create index catalog_entries_most_investors on catalog_entries (investor_count, offering_id) where explored_by is not null;
create index catalog_entries_newest on catalog_entries (opened_at, offering_id) where explored_by is not null;
create index catalog_entries_closing_soon on catalog_entries (closes_at, offering_id) where explored_by is not null;

-- Writes all entries of a company, because they depend on each other.
-- shown_to: which readers see the offering. It is null for upcoming and canceled rounds, because they are not public.
-- explored_by: which readers have the offering in their list of open offerings. Of the public rounds of a company,
-- that list has only one: a live round before a round that tests the waters, then the round that opened last.
-- Accredited investors also get every round that is for accredited investors only.
create function place_in_catalog(company text) returns void
  language sql
begin atomic
  -- Locks the company first. Otherwise two concurrent changes would each choose a round without the other change.
  select from companies where id = company for no key update;
  insert into catalog_entries as held (offering_id, company_id, status, shown_to, explored_by, exemption,
                                       testing_the_waters, security_type, min_investment_cents, industries,
                                       business_models, opened_at, closes_at)
  select o.id, o.company_id, o.status, o.shown_to,
         case when o.status = 'open' and (o.shown_to = 'accredited' or o.id = first_value(o.id) over (
           partition by o.status = 'open' and o.shown_to = 'public'
           order by o.testing_the_waters, o.opens_at desc, o.id desc)) then o.shown_to end,
         o.exemption, o.testing_the_waters, o.security_type, o.min_investment_cents, c.industries, c.business_models,
         coalesce(o.opens_at, '-infinity'), coalesce(o.closes_at, 'infinity')
    from (select id, company_id, status, exemption, testing_the_waters, security_type, min_investment_cents, opens_at,
                 closes_at,
                 case when listed and status in ('open', 'closing', 'closed')
                      then case when accredited_only then 'accredited' else 'public' end end as shown_to
            from offerings where company_id = company) o
    join companies c on c.id = o.company_id
   order by o.id
  on conflict (offering_id) do update
     set status = excluded.status, shown_to = excluded.shown_to, explored_by = excluded.explored_by,
         exemption = excluded.exemption, testing_the_waters = excluded.testing_the_waters,
         security_type = excluded.security_type, min_investment_cents = excluded.min_investment_cents,
         industries = excluded.industries, business_models = excluded.business_models,
         opened_at = excluded.opened_at, closes_at = excluded.closes_at
   where (held.status, held.shown_to, held.explored_by, held.exemption, held.testing_the_waters, held.security_type,
          held.min_investment_cents, held.industries, held.business_models, held.opened_at, held.closes_at)
         is distinct from
         (excluded.status, excluded.shown_to, excluded.explored_by, excluded.exemption, excluded.testing_the_waters,
          excluded.security_type, excluded.min_investment_cents, excluded.industries, excluded.business_models,
          excluded.opened_at, excluded.closes_at);
end;

-- These functions name the schema, so that a trigger does not depend on the search_path of the session that writes
-- the row.
do $outside$
begin
  execute format($inside$
    create function catalog_follows_offering() returns trigger language plpgsql as $body$
    begin
      perform %1$I.place_in_catalog(new.company_id);
      return null;
    end $body$;
    create function catalog_follows_company() returns trigger language plpgsql as $body$
    begin
      perform %1$I.place_in_catalog(new.id);
      return null;
    end $body$
  $inside$, current_schema());
end $outside$;

create trigger offerings_in_catalog
  after insert or update of status, exemption, testing_the_waters, security_type, min_investment_cents, opens_at,
                            closes_at, listed, accredited_only on offerings
  for each row execute function catalog_follows_offering();
create trigger companies_in_catalog after update of industries, business_models on companies
  for each row when (old.industries <> new.industries or old.business_models <> new.business_models)
  execute function catalog_follows_company();

-- Module catalog. The queue for raised_cents and investor_count: the offerings whose values must be computed again.
-- If each transaction computed them itself, all investors of an offering would wait for each other. Rows are only
-- inserted, as in investment_changes. A worker deletes the rows that it takes, and computes the values in a later
-- statement.
create table catalog_changes (
  seq bigint generated always as identity,
  offering_id changed_id not null,
  constraint catalog_changes_pkey primary key (seq)
);

do $outside$
begin
  execute format($inside$
    create function catalog_counts() returns trigger language plpgsql as $body$
    begin
      insert into %1$I.catalog_changes (offering_id) values (new.offering_id);
      if tg_op = 'UPDATE' and old.offering_id <> new.offering_id then
        insert into %1$I.catalog_changes (offering_id) values (old.offering_id);
      end if;
      return null;
    end $body$;
    create function catalog_counts_offering() returns trigger language plpgsql as $body$
    begin
      insert into %1$I.catalog_changes (offering_id) values (new.id);
      return null;
    end $body$
  $inside$, current_schema());
end $outside$;

-- testing_the_waters decides with which other legs of its raise an offering is counted (see catalog_raise_investors).
create trigger offerings_counted_again after update of testing_the_waters on offerings
  for each row when (old.testing_the_waters <> new.testing_the_waters) execute function catalog_counts_offering();

-- Most changes of an investment happen before it counts, or change no value that is counted. For such a change,
-- PostgreSQL only evaluates the conditions of these triggers. The conditions must match COUNTS in
-- server/src/views/catalog/store.ts, which computes the values.
create trigger investments_counted_new after insert on investments
  for each row when (
    not new.hidden and (new.status in ('reserved', 'executed') or new.status = 'active' and new.confirmed_at is not null))
  execute function catalog_counts();
create trigger investments_counted_changed
  after update of status, amount_cents, confirmed_at, hidden, offering_id on investments
  for each row when (
    (not old.hidden and (old.status in ('reserved', 'executed') or old.status = 'active' and old.confirmed_at is not null))
    <> (not new.hidden and (new.status in ('reserved', 'executed') or new.status = 'active' and new.confirmed_at is not null))
    or not new.hidden and new.status in ('active', 'reserved', 'executed')
       and (old.amount_cents is distinct from new.amount_cents and (new.status <> 'active' or new.confirmed_at is not null)
            or old.offering_id <> new.offering_id))
  execute function catalog_counts();

-- Module catalog. How many investors of a raise have invested in exactly these legs. A reader who sees several legs
-- gets the number of different people in them; adding the legs' own counts would count some people twice. Live legs
-- are counted together, and legs that test the waters are counted together. Written together with raised_cents and
-- investor_count.
create table catalog_raise_investors (
  raise_id text collate "C" not null,
  ordinal integer not null,
  legs text[] not null,
  investor_count integer not null,
  constraint catalog_raise_investors_pkey primary key (raise_id, ordinal),
  constraint catalog_raise_investors_legs_size check (cardinality(legs) between 1 and 100),
  constraint catalog_raise_investors_count_positive check (investor_count > 0),
  constraint catalog_raise_investors_raise_fkey foreign key (raise_id) references raises (id)
);

-- Module catalog. revision changes with every change of the public catalogue. So a response that was cached under the
-- current revision is still correct. The triggers below set it just before a transaction commits, so that changes of
-- different offerings wait only briefly for each other. The new value is the id of the transaction, so each
-- transaction sets it only once.
create table catalog_revision (
  only_row boolean not null default true,
  revision bigint not null default 0,
  constraint catalog_revision_pkey primary key (only_row),
  constraint catalog_revision_only_row check (only_row)
);

insert into catalog_revision default values;

do $outside$
begin
  execute format($inside$
    create function catalog_revised() returns trigger language plpgsql as $body$
    declare
      mine bigint := pg_current_xact_id()::text::bigint;
    begin
      update %1$I.catalog_revision set revision = mine where revision <> mine;
      return null;
    end $body$
  $inside$, current_schema());
end $outside$;

create constraint trigger companies_revise_catalog after update on companies
  deferrable initially deferred for each row execute function catalog_revised();
create constraint trigger offerings_revise_catalog after update on offerings
  deferrable initially deferred for each row execute function catalog_revised();
create constraint trigger catalog_entries_revise_catalog after insert or update on catalog_entries
  deferrable initially deferred for each row execute function catalog_revised();

-- Writes the entries of the offerings that exist already, and queues them in catalog_changes.
select place_in_catalog(company_id) from (select distinct company_id from offerings) c;
insert into catalog_changes (offering_id) select id from offerings;
