-- schema: worlds
-- Module sessions. app_id: the app that created an investment session, copied from its installation. An app reads the
-- sessions that it created at a company's offerings, through any of its installations. A trigger sets app_id, because
-- servers of the previous release insert sessions without it.
alter table investment_sessions add column app_id text collate "C";
alter table investment_sessions
  add constraint investment_sessions_app_form check (app_id ~ '^app_[0-9A-Za-z]{24}$');

do $outside$
begin
  execute format($inside$
    create function investment_session_app() returns trigger language plpgsql as $body$
    begin
      new.app_id := (select app_id from %1$I.installations where id = new.installation_id);
      return new;
    end $body$
  $inside$, current_schema());
end $outside$;

create trigger investment_sessions_app before insert on investment_sessions
  for each row when (new.installation_id is not null) execute function investment_session_app();

update investment_sessions s set app_id = i.app_id from installations i where i.id = s.installation_id;
