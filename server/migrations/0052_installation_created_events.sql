-- schema: worlds
-- no transaction
-- Module events. A new webhook endpoint for one installation receives the event installation.created of that
-- installation.
-- This index finds the event among all events of 90 days.
drop index concurrently if exists events_installation_created;
create index concurrently events_installation_created on events (installation_id)
  where name = 'installation.created';
