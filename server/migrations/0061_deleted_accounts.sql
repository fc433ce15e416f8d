-- schema: platform
-- Module accounts. A deleted account keeps its id, to which the audit, apps and organizations refer, and nothing of the
-- person: its address and name are placeholders. It stays disabled, so that whatever asks whether an account may sign in finds
-- that it may not.
alter table accounts add column deleted_at timestamptz;
alter table accounts add constraint accounts_deleted_is_empty
  check (deleted_at is null or (disabled_at is not null and password_hash is null and email like '%@deleted.invalid'));
