-- schema: worlds
-- Module referrals. A credited investment that moves to another offering of its company continues as a new
-- investment, its successor. standing_id: the successor, whose state now counts for the credit. standing_id is null
-- for an investment that did not move. The credit, its week and its tokens stay with the credited investment.
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
