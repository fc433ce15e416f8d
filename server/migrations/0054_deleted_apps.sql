-- schema: platform
-- Module apps. An app that only the sandbox knew can be deleted. Its row stays, because revoked connections, events and the
-- audit history refer to it; nothing reads it as an app any more. Real time.
alter table platform.apps add column deleted_at timestamptz;
alter table platform.apps
  add constraint apps_deleted_is_disabled check (deleted_at is null or disabled_at is not null);
