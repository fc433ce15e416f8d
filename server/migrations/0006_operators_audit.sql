-- schema: platform
-- Module operator. A key of the host platform's own systems, for one world. Only the SHA-256 of the secret is stored.
create table operator_keys (
  id text collate "C" not null,
  world text collate "C" not null,
  name text not null,
  secret_hash bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz,
  last_used_at timestamptz,
  constraint operator_keys_pkey primary key (id),
  constraint operator_keys_id_form check (id ~ '^opk_[0-9A-Za-z]{24}$'),
  constraint operator_keys_world_known check (world in ('test', 'live')),
  constraint operator_keys_name_length check (char_length(name) between 1 and 80),
  constraint operator_keys_secret_hash_length check (octet_length(secret_hash) = 32),
  constraint operator_keys_secret_hash_key unique (secret_hash)
);

-- Module audit. Which actor did what to which subject, in real time. Rows are only inserted: a trigger rejects every
-- update and delete. Since migration 0073 it allows one kind of update, the erasure of a reason.
create table audit_entries (
  id bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  actor text collate "C" not null,
  action text collate "C" not null,
  subject text collate "C" not null,
  details jsonb not null default '{}',
  constraint audit_entries_pkey primary key (id),
  constraint audit_entries_actor_length check (char_length(actor) between 1 and 100),
  constraint audit_entries_action_length check (char_length(action) between 1 and 100),
  constraint audit_entries_subject_length check (char_length(subject) between 1 and 100),
  constraint audit_entries_details_object check (
    jsonb_typeof(details) = 'object' and octet_length(details::text) <= 20000)
);

create index audit_entries_subject on audit_entries (subject, id);
create index audit_entries_actor on audit_entries (actor, id);

create function refuse_change() returns trigger
  language plpgsql
  as $$
begin
  raise exception '% refuses this change', tg_name
    using errcode = 'check_violation', constraint = tg_name, table = tg_table_name, schema = tg_table_schema;
end
$$;

create trigger audit_entries_append_only before update or delete or truncate on audit_entries
  for each statement execute function refuse_change();
