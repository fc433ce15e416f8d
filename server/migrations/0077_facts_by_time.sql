-- schema: worlds
-- no transaction
-- Module facts. Operators list applied facts by time. The column only rises, so that a new fact adds to the end of the index.
create index concurrently if not exists facts_applied_at on facts (applied_at, id);
