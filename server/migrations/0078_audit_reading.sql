-- schema: platform
-- no transaction
-- Module audit. Operators list entries by time. An erasure of a person also erases the reasons of reads that showed
-- the person among others (`details.shown`).
create index concurrently if not exists audit_entries_at on audit_entries (at, id);
create index concurrently if not exists audit_entries_shown on audit_entries using gin ((details -> 'shown'))
  where action = 'operator.read' and reason is not null;
