-- schema: worlds
-- Module referrals. Until when an app could see rows of a company. Whoever was credited to one of its codes there by then
-- is known to it, and its ranges of that company count them no longer. While it can see rows, the installation says so;
-- this says it afterwards, whichever way it ended.
create table referral_rows_shown (
  app_id text collate "C" not null,
  company_id text collate "C" not null,
  until timestamptz not null,
  constraint referral_rows_shown_pkey primary key (app_id, company_id),
  constraint referral_rows_shown_app_form check (app_id ~ '^app_[0-9A-Za-z]{24}$'),
  constraint referral_rows_shown_company_fkey foreign key (company_id) references companies (id)
);

create index referral_rows_shown_company on referral_rows_shown (company_id);

insert into referral_rows_shown (app_id, company_id, until)
select app_id, company_id, max(coalesce(revoked_at, world_now()))
  from installations
 where company_id is not null
   and (taken_scopes && array['read:attribution:anonymized', 'read:attribution:full']
        or state = 'revoked' and scopes && array['read:attribution:anonymized', 'read:attribution:full'])
 group by app_id, company_id;

-- By the clock of the moment, at which nobody else can be told through the installation any more: its row is locked.
do $outside$
begin
  execute format($inside$
    create function referral_rows_ended() returns trigger language plpgsql as $body$
    begin
      insert into %1$I.referral_rows_shown as known (app_id, company_id, until)
      values (old.app_id, old.company_id, %1$I.world_now())
      on conflict (app_id, company_id) do update set until = greatest(known.until, excluded.until);
      return null;
    end $body$
  $inside$, current_schema());
end $outside$;

create trigger installations_noted_for_referrals after update of state, scopes or delete on installations
  for each row when (old.state = 'active' and old.company_id is not null
                     and old.scopes && array['read:attribution:anonymized', 'read:attribution:full'])
  execute function referral_rows_ended();

-- `passed_over`: the ranges do not tell of it, because it is hidden from the company or of somebody whom the app knows.
drop index referral_tellings_waiting;
alter table referral_tellings drop column waiting;
alter table referral_tellings add column passed_over boolean not null default false;
alter table referral_tellings add column waiting boolean not null generated always as (
  not passed_over
  and (told_status is null or told_tier is null or told_status <> now_status or told_tier <> now_tier)) stored;
-- Of each code and company fewer than k people, however many were told.
create index referral_tellings_waiting on referral_tellings (code_id, company_id, investment_id) where waiting;
