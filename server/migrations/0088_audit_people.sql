-- schema: platform
-- no transaction
-- Module audit. When a person is erased, reasons are erased also in entries about changes of something of theirs (`details.people`).
create index concurrently if not exists audit_entries_people on audit_entries using gin ((details -> 'people'))
  where details ? 'people' and reason is not null;
