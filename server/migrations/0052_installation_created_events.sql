-- schema: worlds
-- no transaction
-- Module events. A webhook endpoint created for one installation receives that installation's own installation.created,
-- which lies among all events of 90 days.
drop index concurrently if exists events_installation_created;
create index concurrently events_installation_created on events (installation_id)
  where name = 'installation.created';
