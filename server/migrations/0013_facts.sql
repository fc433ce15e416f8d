-- schema: worlds
-- Module facts. What the host platform told us, once per id of its own. The fingerprint tells a repeat from another
-- fact under a used id; the outcome is what a repeat is answered with.
create table facts (
  id text collate "C" not null,
  type text collate "C" not null,
  occurred_at timestamptz not null,
  applied_at timestamptz not null default clock_timestamp(),
  fingerprint bytea not null,
  outcome text not null,
  refusal jsonb,
  event_ids text[] collate "C" not null default '{}',
  constraint facts_pkey primary key (id),
  constraint facts_id_form check (id ~ '^[!-~]{1,100}$'),
  constraint facts_type_form check (type ~ '^[a-z_]{1,40}(\.[a-z_]{1,40}){1,2}$'),
  constraint facts_fingerprint_length check (octet_length(fingerprint) = 32),
  constraint facts_outcome_known check (outcome in ('applied', 'refused')),
  constraint facts_refusal_object check (jsonb_typeof(refusal) = 'object' and octet_length(refusal::text) <= 5000),
  constraint facts_refusal_said check ((outcome = 'refused') = (refusal is not null)),
  constraint facts_refused_caused_nothing check (outcome = 'applied' or event_ids = '{}')
);

-- Module facts. How far an import of a file has come, so that it goes on where it was killed.
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
