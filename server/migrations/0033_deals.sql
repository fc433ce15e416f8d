-- schema: worlds
-- no transaction
-- What has happened in a syndicate lately, for its statistics. Few events are of one: those of investments, of which there
-- are most, are not in this index and cost nothing. Concurrent: facts come in meanwhile.
drop index concurrently if exists events_syndicate;
create index concurrently events_syndicate on events (syndicate_id, occurred_at) where syndicate_id is not null;
