-- schema: worlds
-- Module installations. taken_scopes: scopes that were granted first, and lost when they were removed from the app.
-- The app may have read data with them, and has to delete that data when the installation ends.
alter table installations add column taken_scopes text[] collate "C" not null default '{}';
alter table installations add constraint installations_taken_scopes_bounded
  check (cardinality(taken_scopes) <= 100 and array_position(taken_scopes, null) is null);
