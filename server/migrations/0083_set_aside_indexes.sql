-- schema: worlds
-- no transaction
-- Module invites. Operators list the invitations whose mail the server no longer retries.
create index concurrently if not exists invite_links_mail_failed on invite_links (id) where mail_failed_at is not null;
