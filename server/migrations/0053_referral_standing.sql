-- schema: worlds
-- Module referrals. A credited investment that moved to another offering of its company goes on as a successor: standing_id is
-- the investment whose state counts for the credit now, null while it is the credited one itself. The credit, its week and its
-- token stay with the investment that was credited.
alter table referral_credits add column standing_id text collate "C",
  add constraint referral_credits_standing_fkey foreign key (standing_id) references investments (id);
create index referral_credits_standing on referral_credits (standing_id) where standing_id is not null;

do $outside$
begin
  execute format($inside$
    create or replace function referral_change_noted() returns trigger language plpgsql as $body$
    begin
      insert into %1$I.referral_changes (code_id, company_id, investment_id, applied_at)
      select code_id, company_id, investment_id, applied_at
        from %1$I.referral_credits where investment_id = new.id
      union all
      select code_id, company_id, investment_id, applied_at
        from %1$I.referral_credits where standing_id = new.id;
      return null;
    end $body$
  $inside$, current_schema());
end $outside$;
