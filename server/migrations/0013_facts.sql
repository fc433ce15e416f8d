-- schema: worlds
create domain fact_id as text collate "C"
  constraint fact_id_form check (char_length(value) <= 100 and value ~ '^[!-~]+$');
create domain fact_type as text collate "C" constraint fact_type_form check (
  value ~ '^[a-z_]+(\.[a-z_]+){1,2}$' and char_length(split_part(value, '.', 1)) <= 40
  and char_length(split_part(value, '.', 2)) <= 40 and char_length(split_part(value, '.', 3)) <= 40);
create domain fact_fingerprint as bytea constraint fact_fingerprint_length check (octet_length(value) = 32);

-- Module facts. The facts that the host platform reported, one row for each of its fact ids. A rejected fact has no
-- row in this table.
-- fingerprint: distinguishes a repeated fact from a different fact with the same id.
-- The events that a fact caused are found by events.fact_id.
create table facts (
  id fact_id not null,
  type fact_type not null,
  occurred_at timestamptz not null,
  applied_at timestamptz not null default clock_timestamp(),
  fingerprint fact_fingerprint not null,
  constraint facts_pkey primary key (id)
);

-- Module facts. How much of a file an import has processed, so that an interrupted import can continue. Migration
-- 0069 drops this table.
create table import_progress (
  file_fingerprint bytea not null,
  file_name text not null,
  lines_done bigint not null default 0,
  bytes_done bigint not null default 0,
  refused_count bigint not null default 0,
  started_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  constraint import_progress_pkey primary key (file_fingerprint),
  constraint import_progress_file_fingerprint_length check (octet_length(file_fingerprint) = 32),
  constraint import_progress_file_name_length check (char_length(file_name) between 1 and 1000),
  constraint import_progress_counts_not_negative check (lines_done >= 0 and bytes_done >= 0 and refused_count >= 0)
);
