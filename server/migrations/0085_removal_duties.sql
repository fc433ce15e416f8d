-- schema: platform
-- no transaction
-- Modules audit and installations. Operators list the removal duties of apps, and see which of them are confirmed.
create index concurrently if not exists audit_entries_removal_due on audit_entries (id)
  where action = 'installation.removal_due';
create index concurrently if not exists audit_entries_removal_confirmed on audit_entries ((details ->> 'duty'))
  where action = 'installation.removal_confirmed';
