-- schema: worlds
create domain ledger_reason as text
  constraint ledger_reason_known check (value in ('changed', 'recomputed', 'investor_deactivated'));
-- ledger_id is a copy of an id, and ledger_text is made of parts; both were checked in the tables they come from. So
-- only the lengths are checked here.
create domain ledger_id as text collate "C" constraint ledger_id_length check (char_length(value) <= 28);
create domain ledger_text as text constraint ledger_text_length check (octet_length(value) between 1 and 100000);
create domain ledger_position as bigint constraint ledger_position_positive check (value > 0);

-- Module ledger. The end of the ledger. A publisher locks this row `for update`, so positions are in the order of
-- commits. A reader who has read up to `position` has seen everything at or below it.
-- published_at: world time; it never decreases.
-- publisher_at: the real time at which a publisher last wrote this row.
-- derivation_version: the version of the derivation that the newest publisher uses.
-- republish_after: while records of an older version are published again, the last investment that is done; an empty
-- text before the first. It is null when all are done.
-- server_identity: the PostgreSQL server and its timeline on which this epoch runs. On another server or timeline,
-- the publisher starts a new epoch.
create table ledger (
  only_row boolean not null default true,
  position bigint not null default 0,
  epoch bigint not null,
  published_at timestamptz not null default world_now(),
  publisher_at timestamptz not null default clock_timestamp(),
  derivation_version integer not null default 0,
  republish_after ledger_id,
  server_identity text collate "C" not null default '',
  constraint ledger_pkey primary key (only_row),
  constraint ledger_only_row check (only_row),
  constraint ledger_position_not_negative check (position >= 0),
  constraint ledger_derivation_version_not_negative check (derivation_version >= 0),
  constraint ledger_server_identity_length check (char_length(server_identity) <= 100)
) with (fillfactor = 10);

-- The identity of this PostgreSQL server and its timeline. A promoted replica and a recovered backup have another
-- value; a copy of the disks has the same one. Without the right to read pg_control_system() the value is always
-- 'unknown'. If the value does not change, an operator has to start the new epoch by command.
create function ledger_server() returns text
  language plpgsql
  as $$
begin
  return (select s.system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) from pg_control_system() s);
exception when insufficient_privilege then
  return 'unknown';
end
$$;

-- Module ledger. The epochs: spans in which positions are comparable. After a restore or a failover, the ledger
-- assigns some positions again, which a reader may have stored from the lost data.
-- epoch: the real time at which the epoch began, in microseconds. So a lost epoch still has its place in the order.
-- A cursor of epoch e and position p continues from
--   least(p, (select min(start_position) from ledger_epochs where epoch > e))
create table ledger_epochs (
  epoch bigint not null,
  start_position bigint not null,
  constraint ledger_epochs_pkey primary key (epoch),
  constraint ledger_epochs_start_not_negative check (start_position >= 0)
);

insert into ledger (epoch) values ((extract(epoch from clock_timestamp()) * 1000000)::bigint);
insert into ledger_epochs (epoch, start_position) select epoch, 0 from ledger;

-- Module ledger. The published state of every investment, one row for each. No row is ever deleted.
--
-- There are two positions. `position` changes whenever the full record changes, which is what the investor sees.
-- company_position changes only when the company's view of the record changes. While `visible`, the two are equal. A
-- change while the company does not see the record changes only `position`. company_position is null until the
-- company first sees the record, so that the company gets no tombstone for a record that it never saw.
-- reason and observed_at belong to `position`; company_reason and company_observed_at belong to company_position.
-- company_offering_id: the offering in which the company last saw the record. For a hidden record, it is the offering
-- in which the record was hidden, even if the record has moved since. A sync with the filter of that offering returns
-- the tombstone; a sync with the filter of another offering does not.
--
-- `body` and `identity` contain the record as text, so that a page is put together without parsing:
--   body      {"id":…,"visible":…,"observed_at":…,"status":…, … ,"investor":{"id":…,"deactivated":…,"via_entity":…
--   identity  ,"name":…,"email":…},"external_username":…,"message":…
-- With identity:  body || identity || '}'        without:  body || '}' || '}'
-- and before the last brace, on sync pages:  ,"cursor":"…","reason":"…"
-- A tombstone for the company:
--   {"id":…,"visible":false,"observed_at":company_observed_at,"cursor":…,"reason":company_reason}
--
-- There are no foreign keys, as in `events`: the ids are copies from the same transaction, of rows that are never
-- deleted.
create table ledger_heads (
  investment_id ledger_id not null,
  company_id ledger_id not null,
  offering_id ledger_id not null,
  investor_id ledger_id not null,
  position ledger_position not null,
  company_position ledger_position,
  company_offering_id ledger_id,
  status investment_status not null,
  visible boolean not null,
  deactivated boolean not null,
  reason ledger_reason not null,
  company_reason ledger_reason,
  observed_at timestamptz not null,
  company_observed_at timestamptz,
  committed_cents cents not null,
  raised_cents cents not null,
  body ledger_text not null,
  identity ledger_text not null,
  constraint ledger_heads_pkey primary key (investment_id),
  constraint ledger_heads_company_side_whole check (
    num_nulls(company_position, company_offering_id, company_reason, company_observed_at) in (0, 4)
    and (not visible or company_position = position and company_offering_id = offering_id)
    and company_position <= position)
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.05);

-- For a sync: the changes of a company, of an offering, and of an investor's own records.
create index ledger_heads_company_changes on ledger_heads (company_id, company_position)
  include (investment_id, investor_id) where company_position is not null;
create index ledger_heads_offering_changes on ledger_heads (company_offering_id, company_position)
  include (investment_id, investor_id) where company_position is not null;
create index ledger_heads_own_changes on ledger_heads (investor_id, position) include (investment_id);
-- For lists, in the order of investment ids.
create index ledger_heads_company_list on ledger_heads (company_id, investment_id)
  include (investor_id, status) where visible;
create index ledger_heads_offering_list on ledger_heads (offering_id, investment_id)
  include (investor_id, status) where visible;
-- For lists filtered by status, because a status may be rare among many records.
create index ledger_heads_company_status on ledger_heads (company_id, status, investment_id)
  include (investor_id) where visible;
create index ledger_heads_own_list on ledger_heads (investor_id, investment_id) include (status);

-- Module ledger. A record that moved to another offering. A reader who syncs with the filter of the old offering gets
-- a tombstone for it.
-- own: true for the investor's view, false for the company's view. The company may have seen the record leave at
-- another time, or not at all. If the record was hidden in one offering and became visible in another, the company's
-- row has the position at which it was hidden.
-- There is one row for each offering, investment and view. When the investment returns to the offering, the row is
-- deleted.
create table ledger_departures (
  offering_id ledger_id not null,
  investment_id ledger_id not null,
  own boolean not null,
  position ledger_position not null,
  company_id ledger_id not null,
  investor_id ledger_id not null,
  reason ledger_reason not null,
  observed_at timestamptz not null,
  constraint ledger_departures_pkey primary key (offering_id, investment_id, own)
);

create index ledger_departures_changes on ledger_departures (offering_id, position) include (investment_id, investor_id, own);
-- Only the company's rows are deleted by age. The investor's rows stay, because they prove that the investor once had
-- a record in that offering.
create index ledger_departures_age on ledger_departures (observed_at) where not own;

-- Module ledger. Which positions were published when. The position of a time t is the last_position of the newest row
-- with published_at <= t, or 0 without such a row. There is about one row in 5 seconds, so a position may be a little
-- too low. Then a reader reads some records again, which is harmless. Old rows are deleted, except the newest of the
-- old ones, which covers the time after it.
create table ledger_batches (
  last_position ledger_position not null,
  published_at timestamptz not null,
  constraint ledger_batches_pkey primary key (last_position)
);

create index ledger_batches_time on ledger_batches (published_at, last_position);

-- Module ledger. The sums of what the company sees of an offering: one row for each status, over published records
-- that are visible. The publisher updates them in the transaction that publishes the records, so they always agree
-- with a list at that moment. A status that has no records any more stays with a count of 0. The sums are numeric,
-- because they may be too large for a bigint.
create table offering_stats (
  offering_id ledger_id not null,
  status investment_status not null,
  count integer not null,
  committed_cents numeric not null,
  raised_cents numeric not null,
  constraint offering_stats_pkey primary key (offering_id, status),
  constraint offering_stats_not_negative check (count >= 0 and committed_cents >= 0 and raised_cents >= 0)
) with (fillfactor = 50);

-- A change that concerns many investments (for example of an offering's terms) is processed in batches.
-- after_id: the last investment that was processed.
-- company_id: the company at which a user's access changed.
-- Waiting changes of access are deleted: before the ledger existed, no reader had a cursor that they could make
-- invalid.
-- retry_at: the real time of the next attempt for a change that cannot be published. Such a change is set aside, so
-- that it does not block the others.
delete from investment_changes where kind = 'access';
alter table investment_changes
  add column after_id ledger_id,
  add column company_id ledger_id,
  add column retry_at timestamptz,
  add constraint investment_changes_company_of_access check ((kind = 'access') = (company_id is not null));
create index investment_changes_set_aside on investment_changes (retry_at) where retry_at is not null;
-- This table is a queue: each round begins to read where the last rounds deleted rows. So autovacuum removes dead
-- rows early.
alter table investment_changes set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- For every page of a sync, which checks whether the caller's access has changed since the cursor was issued.
create index company_people_changed on company_people (user_id, changed_position) where changed_position is not null;

-- The investments that exist already, unless they are in the queue.
insert into investment_changes (kind, id)
select 'investment', i.id from investments i
 where not exists (select from investment_changes c where c.kind = 'investment' and c.id = i.id)
 order by i.id;
