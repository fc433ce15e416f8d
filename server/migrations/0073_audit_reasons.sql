-- schema: platform
-- few rows: operator_keys
-- Module audit. by_operator: a person or a key of the platform acted as an operator. request_id: the request. reason:
-- why the operator acted. The edge sets the request and the reason at the beginning of a transaction. The trigger
-- copies both into every entry of that transaction.
-- A reason may name a person, so it can be erased. Therefore the chain of digests covers only the salted digest of
-- the reason. Migration 0074 validates the constraints.
alter table audit_entries
  add column by_operator boolean not null default false,
  add column request_id text collate "C",
  add column reason text,
  add column reason_salt bytea,
  add column reason_digest bytea,
  add constraint audit_entries_request_id_form check (request_id ~ '^req_[0-9A-Za-z]{24}$') not valid,
  add constraint audit_entries_reason_length check (char_length(reason) between 1 and 500) not valid,
  add constraint audit_entries_reason_whole check ((reason is null) = (reason_salt is null)
    and (reason is null or reason_digest is not null)) not valid;

create function take_over_reason() returns trigger
  language plpgsql
  as $$
declare
  request text := nullif(current_setting('portico.operator_request', true), '');
begin
  if request is not null then
    new.by_operator := true;
    new.request_id := request;
    new.reason := nullif(current_setting('portico.operator_reason', true), '');
  end if;
  if new.reason is not null then
    new.reason_salt := uuid_send(gen_random_uuid());
    new.reason_digest := sha256(new.reason_salt || convert_to(new.reason, 'UTF8'));
  end if;
  return new;
end
$$;

create trigger audit_entries_reason before insert on audit_entries
  for each row execute function take_over_reason();

-- The entries stay append-only, with one exception: an update may erase a reason together with its salt, and nothing
-- else.
create function refuse_all_but_erasure() returns trigger
  language plpgsql
  as $$
begin
  if new.reason is null and new.reason_salt is null
    and to_jsonb(new) - 'reason' - 'reason_salt' = to_jsonb(old) - 'reason' - 'reason_salt' then
    return new;
  end if;
  raise exception 'audit_entries_append_only refuses this change'
    using errcode = 'check_violation', constraint = 'audit_entries_append_only', table = tg_table_name,
      schema = tg_table_schema;
end
$$;

drop trigger audit_entries_append_only on audit_entries;
create trigger audit_entries_append_only before delete or truncate on audit_entries
  for each statement execute function refuse_change();
create trigger audit_entries_erasure_only before update on audit_entries
  for each row execute function refuse_all_but_erasure();

-- A row is the digest of one entry. It covers the entry and the digest before it. Only one worker at a time adds
-- digests, in the order of `position`.
create table audit_digests (
  position bigint not null,
  entry_id bigint not null,
  digest bytea not null,
  chained_at timestamptz not null default now(),
  constraint audit_digests_pkey primary key (position),
  constraint audit_digests_entry_key unique (entry_id),
  constraint audit_digests_position_positive check (position > 0),
  constraint audit_digests_digest_length check (octet_length(digest) = 32)
);

create trigger audit_digests_append_only before update or delete or truncate on audit_digests
  for each statement execute function refuse_change();

-- Module operator. reason: the reason that is recorded for requests with this key that send none. Keys from before
-- this migration have none, so the update gives them a text.
alter table operator_keys
  add column reason text,
  add constraint operator_keys_reason_length check (char_length(reason) between 3 and 500);
update operator_keys set reason = 'A key from before reasons were asked for.';
