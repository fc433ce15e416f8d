-- schema: platform
-- no transaction
-- Module audit. An erasure of a person also erases the reasons of entries about changes of the person's data
-- (`details.people`).
create index concurrently if not exists audit_entries_people on audit_entries using gin ((details -> 'people'))
  where details ? 'people' and reason is not null;
