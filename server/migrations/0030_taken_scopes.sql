-- schema: worlds
-- Module installations. What was granted at first and taken away since, by a scope that was removed from the app: the app
-- may have read it meanwhile, and has to delete it when the installation ends.
alter table installations add column taken_scopes text[] collate "C" not null default '{}';
alter table installations add constraint installations_taken_scopes_bounded
  check (cardinality(taken_scopes) <= 100 and array_position(taken_scopes, null) is null);
