-- schema: worlds
-- no transaction
-- Module facts. Operators list applied facts by time. applied_at grows with time, so a new fact is added at the end
-- of the index.
create index concurrently if not exists facts_applied_at on facts (applied_at, id);
