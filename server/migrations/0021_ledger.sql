-- schema: worlds
create domain ledger_reason as text
  constraint ledger_reason_known check (value in ('changed', 'recomputed', 'investor_deactivated'));
-- Copies of ids that were checked where they come from, and texts made of parts that were: their lengths alone.
create domain ledger_id as text collate "C" constraint ledger_id_length check (char_length(value) <= 28);
create domain ledger_text as text constraint ledger_text_length check (octet_length(value) between 1 and 100000);
create domain ledger_position as bigint constraint ledger_position_positive check (value > 0);

-- Module ledger. Where the ledger stands. Whoever publishes holds this row for update, and that alone makes the order of
-- positions the order of commits: a reader who has seen `position` has seen everything at or below it.
-- published_at is world time and never falls. publisher_at is real time: when a publisher last wrote here.
-- derivation_version is the one the newest publisher derives by; while records of an older one are being gone through,
-- republish_after is the last investment that was, and null when all have been.
-- server_identity is the PostgreSQL server (and its timeline) that this epoch runs on; another one begins a new epoch.
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

-- Which PostgreSQL server this is and on which timeline: a promoted replica and a restored backup have another one. Where
-- asking is not allowed the answer is always the same, and a new epoch has to be begun by command.
create function ledger_server() returns text
  language plpgsql
  as $$
begin
  return (select s.system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) from pg_control_system() s);
exception when insufficient_privilege then
  return 'unknown';
end
$$;

-- Module ledger. Since when positions mean what they mean. After a restore or a failover positions are given again that
-- a reader may already hold from what was lost. An epoch's number is the (real) time it began in microseconds, so that
-- also one that was lost with the data has its place among them: a cursor of epoch e and position p continues from
--   least(p, (select min(start_position) from ledger_epochs where epoch > e))
create table ledger_epochs (
  epoch bigint not null,
  start_position bigint not null,
  constraint ledger_epochs_pkey primary key (epoch),
  constraint ledger_epochs_start_not_negative check (start_position >= 0)
);

insert into ledger (epoch) values ((extract(epoch from clock_timestamp()) * 1000000)::bigint);
insert into ledger_epochs (epoch, start_position) select epoch, 0 from ledger;

-- Module ledger. The published state of every investment, one row each, for ever.
--
-- Two positions. `position` moves whenever the full record changes: that is what the investor sees. `company_position`
-- moves only when what the company sees changes: while `visible` the two are equal; what changes while the company sees
-- nothing moves `position` alone; null until the company first saw it, so that it gets no tombstone for what it never
-- had. reason and observed_at go with position, company_reason and company_observed_at with company_position.
-- company_offering_id is the offering the company last saw it in: where it was when it was hidden, wherever it went since.
-- Under that offering's filter the company is told of its end, and under no other.
--
-- The record as open text, so that a page is put together without parsing:
--   body      {"id":…,"visible":…,"observed_at":…,"status":…, … ,"investor":{"id":…,"deactivated":…,"via_entity":…
--   identity  ,"name":…,"email":…},"external_username":…,"message":…
-- With identity:  body || identity || '}'        without:  body || '}' || '}'
-- and before the last brace, on sync pages:  ,"cursor":"…","reason":"…"
-- A tombstone for the company: {"id":…,"visible":false,"observed_at":company_observed_at,"cursor":…,"reason":company_reason}
--
-- No foreign keys, as in events: copies of ids from the same transaction, of rows that are never deleted.
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

-- Sync: a company's changes, an offering's, and one's own.
create index ledger_heads_company_changes on ledger_heads (company_id, company_position)
  include (investment_id, investor_id) where company_position is not null;
create index ledger_heads_offering_changes on ledger_heads (company_offering_id, company_position)
  include (investment_id, investor_id) where company_position is not null;
create index ledger_heads_own_changes on ledger_heads (investor_id, position) include (investment_id);
-- List: by investment.
create index ledger_heads_company_list on ledger_heads (company_id, investment_id)
  include (investor_id, status) where visible;
create index ledger_heads_offering_list on ledger_heads (offering_id, investment_id)
  include (investor_id, status) where visible;
-- By status, of which one may be rare among many.
create index ledger_heads_company_status on ledger_heads (company_id, status, investment_id)
  include (investor_id) where visible;
create index ledger_heads_own_list on ledger_heads (investor_id, investment_id) include (status);

-- Module ledger. A record that left an offering for another: who syncs under the old offering's filter gets a tombstone.
-- `own`: as its investor sees it; otherwise as the company does, which may have seen it leave at another time or not at
-- all. What the company saw hidden and next saw elsewhere left with the hiding, whose position it keeps. One row per
-- offering, investment and side, gone again when the investment comes back.
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
-- The investor's stay: that they had a record there is how an offering is known to them.
create index ledger_departures_age on ledger_departures (observed_at) where not own;

-- Module ledger. When which positions were published: the position of a time t is the last_position of the newest batch
-- with published_at <= t (0 if there is none). At most one in a few seconds; a position that is too low by as much is read
-- once more and harms nobody. Old ones are dropped, but never the newest of them.
create table ledger_batches (
  last_position ledger_position not null,
  published_at timestamptz not null,
  constraint ledger_batches_pkey primary key (last_position)
);

create index ledger_batches_time on ledger_batches (published_at, last_position);

-- Module ledger. What the company sees of an offering, added up by status over published records that are visible. Kept
-- by the publisher in the transaction that moves the records, so it always agrees with a listing of that moment. A status
-- that nothing is in any more stays with a count of 0. Sums of many amounts may pass what a bigint holds.
create table offering_stats (
  offering_id ledger_id not null,
  status investment_status not null,
  count integer not null,
  committed_cents numeric not null,
  raised_cents numeric not null,
  constraint offering_stats_pkey primary key (offering_id, status),
  constraint offering_stats_not_negative check (count >= 0 and committed_cents >= 0 and raised_cents >= 0)
) with (fillfactor = 50);

-- What concerns many investments (an offering's terms) is gone through in batches: after_id is how far that has come.
-- Whose access changed is said with the company it changed at. Before there was a ledger nobody held a cursor.
-- What cannot be published is set aside until retry_at, so that it holds up nothing else; real time.
delete from investment_changes where kind = 'access';
alter table investment_changes
  add column after_id ledger_id,
  add column company_id ledger_id,
  add column retry_at timestamptz,
  add constraint investment_changes_company_of_access check ((kind = 'access') = (company_id is not null));
create index investment_changes_set_aside on investment_changes (retry_at) where retry_at is not null;
-- A queue: its dead rows lie where the next round begins to read.
alter table investment_changes set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Whether the caller's access has changed since a cursor was given is asked with every page.
create index company_people_changed on company_people (user_id, changed_position) where changed_position is not null;

-- What is here already, unless it is on the list.
insert into investment_changes (kind, id)
select 'investment', i.id from investments i
 where not exists (select from investment_changes c where c.kind = 'investment' and c.id = i.id)
 order by i.id;
