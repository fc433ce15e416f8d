-- schema: worlds
-- Module facts. A fact that was refused, as it was sent, for 30 days of real time after its last refusal. There is one row for each id of
-- a fact; `key` is the SHA-256 of the id or, without one, of the fact. `subjects` are the ids and the addresses (in lower case) that it
-- names: by them it is found, and erased with a person. `body` is null if it was not stored: too large, or about an erased person.
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

-- Module facts. How much of a day (UTC, real time) was stored, and how many refused facts were left out because the day was full.
create table refused_fact_days (
  day date not null,
  facts integer not null default 0,
  bytes bigint not null default 0,
  left_out bigint not null default 0,
  constraint refused_fact_days_pkey primary key (day),
  constraint refused_fact_days_counts_not_negative check (facts >= 0 and bytes >= 0 and left_out >= 0)
);
