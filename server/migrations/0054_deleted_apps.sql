-- schema: platform
-- Module apps. An app that was never approved, never installed and never got a live token can be deleted. A consent
-- in the test world does not count as an installation here. deleted_at: when the app was deleted (real time). The row
-- stays, because revoked connections, events and the audit refer to it. The server no longer treats it as an app.
alter table platform.apps add column deleted_at timestamptz;
alter table platform.apps
  add constraint apps_deleted_is_disabled check (deleted_at is null or disabled_at is not null);
