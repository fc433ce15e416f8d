-- schema: worlds
-- Module referrals. A row says until when an app could see rows of referral_rows about a company. The app knows all
-- investors who were credited to one of its codes there by that time. So later ranges of that company for this app
-- exclude these investors.
-- While the app can see these rows, the scopes of its active installation show it. This table shows it after the
-- access has ended for any reason.
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

-- world_now() is the current time of the clock, not the start of the transaction. The update has locked the
-- installation's row, so no release of a week can rely on the ended access after this time.
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

-- passed_over: the ranges exclude the investment, because it is hidden from the company or because the app knows the
-- investor.
drop index referral_tellings_waiting;
alter table referral_tellings drop column waiting;
alter table referral_tellings add column passed_over boolean not null default false;
alter table referral_tellings add column waiting boolean not null generated always as (
  not passed_over
  and (told_status is null or told_tier is null or told_status <> now_status or told_tier <> now_tier)) stored;
-- This index stays small. Usually fewer than k people of a code and a company wait, no matter how many were published
-- before.
create index referral_tellings_waiting on referral_tellings (code_id, company_id, investment_id) where waiting;
