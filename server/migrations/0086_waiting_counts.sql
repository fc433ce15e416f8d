-- schema: platform
-- Module apps. A row counts the requests of partners' teams that waited for a decision at the end of an hour or a day
-- (UTC, real time). A worker writes the current hour and day once a minute.
create table waiting_counts (
  unit text collate "C" not null,
  begins_at timestamptz not null,
  approvals integer not null,
  pii integer not null,
  programs integer not null,
  constraint waiting_counts_pkey primary key (unit, begins_at),
  constraint waiting_counts_unit_known check (unit in ('hour', 'day')),
  constraint waiting_counts_positive check (approvals >= 0 and pii >= 0 and programs >= 0)
);
