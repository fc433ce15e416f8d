-- schema: worlds
-- Module facts. A row is a refused fact, in the form in which it was sent. The row is deleted 30 days after the last
-- refusal (real time). There is one row for each fact id. key: the SHA-256 of the id, or of the fact if it has no
-- readable id.
-- subjects: the ids and the addresses (in lower case) in the fact. Operators search by them, and an erasure of a
-- person deletes the rows that name the person. body: null if the fact is too large, has too many subjects, is nested
-- too deeply, or may be about an erased person.
create table refused_facts (
  id bigint generated always as identity,
  key bytea not null,
  fact_id text collate "C",
  type text collate "C",
  subjects text[] collate "C" not null default '{}',
  body text,
  error text not null,
  times integer not null default 1,
  refused_at timestamptz not null default clock_timestamp(),
  constraint refused_facts_pkey primary key (id),
  constraint refused_facts_key_unique unique (key),
  constraint refused_facts_key_is_sha256 check (octet_length(key) = 32),
  constraint refused_facts_fact_id_length check (char_length(fact_id) between 1 and 100),
  constraint refused_facts_type_length check (char_length(type) between 1 and 122),
  constraint refused_facts_subjects_bounded check (cardinality(subjects) <= 50),
  constraint refused_facts_body_length check (octet_length(body) <= 65536),
  constraint refused_facts_error_length check (octet_length(error) <= 65536),
  constraint refused_facts_times_positive check (times >= 1)
);

create index refused_facts_refused_at on refused_facts (refused_at, id);
create index refused_facts_subjects on refused_facts using gin (subjects);

-- Module facts. A row counts the facts and bytes that were stored on a day (UTC, real time). left_out: the refused
-- facts that were not stored, because the day had reached its maximum.
create table refused_fact_days (
  day date not null,
  facts integer not null default 0,
  bytes bigint not null default 0,
  left_out bigint not null default 0,
  constraint refused_fact_days_pkey primary key (day),
  constraint refused_fact_days_counts_not_negative check (facts >= 0 and bytes >= 0 and left_out >= 0)
);
