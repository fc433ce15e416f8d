-- schema: worlds
-- no transaction
-- Module sessions. The indexes list the sessions of an app at one offering, newest first: all sessions, and the
-- sessions with one status.
drop index concurrently if exists investment_sessions_app;
create index concurrently investment_sessions_app on investment_sessions (app_id, offering_id, id)
  where app_id is not null;
drop index concurrently if exists investment_sessions_app_status;
create index concurrently investment_sessions_app_status on investment_sessions (app_id, offering_id, status, id)
  where app_id is not null;
