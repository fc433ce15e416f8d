-- schema: platform
-- Module accounts. deleted_at: when the account was deleted. The row keeps its id, because the audit, apps and
-- organizations refer to it. It contains no personal data: the address and the name are placeholders. The account
-- stays disabled, so that every check of whether it may sign in fails.
alter table accounts add column deleted_at timestamptz;
alter table accounts add constraint accounts_deleted_is_empty
  check (deleted_at is null or (disabled_at is not null and password_hash is null and email like '%@deleted.invalid'));
