-- schema: worlds
-- A week as `2026-W07`, of which the database itself can tell when it begins.
create domain iso_week as text collate "C"
  constraint iso_week_form check (char_length(value) = 8 and value ~ '^[0-9][0-9][0-9][0-9]-W([0-4][0-9]|5[0-3])$');

-- Module referrals. Where the weeks stand: one row, held by whoever releases one. The first is the one in which this
-- table was made: nothing was credited before.
create table referral_calendar (
  only_row boolean not null default true,
  next_begins_at timestamptz not null default (date_trunc('week', world_now() at time zone 'UTC') at time zone 'UTC'),
  constraint referral_calendar_pkey primary key (only_row),
  constraint referral_calendar_only_row check (only_row),
  constraint referral_calendar_monday check (
    next_begins_at = date_trunc('week', next_begins_at at time zone 'UTC') at time zone 'UTC')
);

insert into referral_calendar default values;

-- Module referrals. A week that was released, once and for good. `people_min`: the k of that week.
create table referral_weeks (
  week iso_week not null,
  begins_at timestamptz not null,
  people_min integer not null,
  released_at timestamptz not null,
  constraint referral_weeks_pkey primary key (week),
  constraint referral_weeks_begins_key unique (begins_at),
  constraint referral_weeks_over check (released_at >= begins_at + interval '168 hours'),
  constraint referral_weeks_people_min_some check (people_min >= 2)
);

create trigger referral_weeks_immutable before update or delete or truncate on referral_weeks
  for each statement execute function refuse_change();

-- Module referrals. What the ranges of a week say of one code and one company, as text ready to be sent; no row where
-- there were too few people. `counts_people`: whether they tell of newly credited people, and not of corrections alone.
create table referral_cohorts (
  code_id text collate "C" not null,
  week iso_week not null,
  company_id text collate "C" not null,
  ranges text not null,
  counts_people boolean not null default false,
  constraint referral_cohorts_pkey primary key (code_id, week, company_id),
  constraint referral_cohorts_ranges_length check (char_length(ranges) <= 10000),
  constraint referral_cohorts_code_fkey foreign key (code_id) references referral_codes (id),
  constraint referral_cohorts_week_fkey foreign key (week) references referral_weeks (week),
  constraint referral_cohorts_company_fkey foreign key (company_id) references companies (id)
);

create index referral_cohorts_week on referral_cohorts (week);
create index referral_cohorts_company on referral_cohorts (company_id);
-- Since when nothing was told of new people.
create index referral_cohorts_counted on referral_cohorts (code_id, company_id, week) where counts_people;

create trigger referral_cohorts_immutable before update or delete or truncate on referral_cohorts
  for each statement execute function refuse_change();

-- Module referrals. A row of a week, as text ready to be sent, which only those read whose installation on the company
-- lets them; in the order of its token. `corrected`: among the corrections of the week. `investment_id` is what it is of.
-- No foreign keys: a week writes many, all in one transaction, and what they would lead to is never deleted.
create table referral_rows (
  code_id text collate "C" not null,
  week iso_week not null,
  company_id text collate "C" not null,
  corrected boolean not null,
  token text collate "C" not null,
  investment_id text collate "C" not null,
  said text not null,
  constraint referral_rows_pkey primary key (code_id, week, company_id, corrected, token),
  constraint referral_rows_code_length check (char_length(code_id) = 27),
  constraint referral_rows_company_length check (char_length(company_id) = 27),
  constraint referral_rows_token_length check (char_length(token) = 24),
  constraint referral_rows_investment_length check (char_length(investment_id) = 28),
  constraint referral_rows_said_length check (char_length(said) <= 1000)
);

create trigger referral_rows_immutable before update or delete or truncate on referral_rows
  for each statement execute function refuse_change();

-- Module referrals. What has been told of a credited investment. `now_…` is its state when a week last looked at it;
-- `seen_…` what the rows have had, null while they had none; `told_…` what the ranges were made with, null while it waits
-- for more people. Not personal: a state and a tier. No foreign keys: their checks would lock and write the rows they lead
-- to for each of many, in the middle of a large transaction, and none of those is ever deleted.
create table referral_tellings (
  investment_id text collate "C" not null,
  code_id text collate "C" not null,
  company_id text collate "C" not null,
  now_status investment_status not null,
  now_tier text collate "C" not null,
  seen_status investment_status,
  seen_tier text collate "C",
  told_status investment_status,
  told_tier text collate "C",
  waiting boolean not null generated always as (
    told_status is null or told_tier is null or told_status <> now_status or told_tier <> now_tier) stored,
  constraint referral_tellings_pkey primary key (investment_id),
  constraint referral_tellings_investment_length check (char_length(investment_id) = 28),
  constraint referral_tellings_code_length check (char_length(code_id) = 27),
  constraint referral_tellings_company_length check (char_length(company_id) = 27),
  constraint referral_tellings_tiers_known check (
    now_tier in ('small', 'medium', 'large') and seen_tier in ('small', 'medium', 'large')
    and told_tier in ('small', 'medium', 'large')),
  constraint referral_tellings_seen_whole check ((seen_status is null) = (seen_tier is null)),
  constraint referral_tellings_told_whole check ((told_status is null) = (told_tier is null))
);

-- Of each code and company fewer than k people, however many were told.
create index referral_tellings_waiting on referral_tellings (code_id, company_id, investment_id) where waiting;

-- Module referrals. A to-do list: credited investments that the next week has to look at, because they are new or because
-- they have changed. Written with the change itself and only ever added to, so that nobody who changes an investment
-- waits for a week that is being released; the release takes away what it has looked at. An investment may be in it twice.
create table referral_changes (
  id bigint generated always as identity,
  code_id text collate "C" not null,
  company_id text collate "C" not null,
  investment_id text collate "C" not null,
  applied_at timestamptz not null,
  constraint referral_changes_pkey primary key (id),
  constraint referral_changes_code_length check (char_length(code_id) = 27),
  constraint referral_changes_company_length check (char_length(company_id) = 27),
  constraint referral_changes_investment_length check (char_length(investment_id) = 28)
);

create index referral_changes_pair on referral_changes (code_id, company_id, investment_id);

do $outside$
begin
  execute format($inside$
    create function referral_credit_noted() returns trigger language plpgsql as $body$
    begin
      insert into %1$I.referral_changes (code_id, company_id, investment_id, applied_at)
      values (new.code_id, new.company_id, new.investment_id, new.applied_at);
      return null;
    end $body$;
    create function referral_change_noted() returns trigger language plpgsql as $body$
    begin
      insert into %1$I.referral_changes (code_id, company_id, investment_id, applied_at)
      select code_id, company_id, investment_id, applied_at
        from %1$I.referral_credits where investment_id = new.id;
      return null;
    end $body$
  $inside$, current_schema());
end $outside$;

create trigger referral_credits_noted after insert on referral_credits
  for each row execute function referral_credit_noted();
create trigger investments_noted_for_referrals after update of status, last_amount_cents, hidden on investments
  for each row when (old.status <> new.status or old.last_amount_cents <> new.last_amount_cents or old.hidden <> new.hidden)
  execute function referral_change_noted();

-- Module referrals. What the ranges released of a code add up to, over all weeks and companies.
create table referral_code_counts (
  code_id text collate "C" not null,
  investors_min bigint not null,
  investors_max bigint,
  constraint referral_code_counts_pkey primary key (code_id),
  constraint referral_code_counts_order check (investors_min > 0 and investors_max >= investors_min),
  constraint referral_code_counts_code_fkey foreign key (code_id) references referral_codes (id)
);
