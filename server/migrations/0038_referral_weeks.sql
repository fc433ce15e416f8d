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

-- Module referrals. What was released of one code, one company and one week, as text ready to be sent: `ranges`, null
-- where there were too few people, and `rows`, which only those read whose installation on the company lets them.
-- `counts_people`: whether the ranges tell of newly credited people, and not of corrections alone.
-- `investments` names what the rows are of, in their order: the new ones and then the corrected ones. No row is kept
-- where neither says anything.
create table referral_cohorts (
  code_id text collate "C" not null,
  week iso_week not null,
  company_id text collate "C" not null,
  ranges text,
  counts_people boolean not null default false,
  rows text,
  investments text[] collate "C" not null,
  constraint referral_cohorts_pkey primary key (code_id, week, company_id),
  constraint referral_cohorts_says_something check (num_nonnulls(ranges, rows) > 0),
  constraint referral_cohorts_counts_in_ranges check (not counts_people or ranges is not null),
  constraint referral_cohorts_investments_of_rows check ((rows is null) = (cardinality(investments) = 0)),
  constraint referral_cohorts_code_fkey foreign key (code_id) references referral_codes (id),
  constraint referral_cohorts_week_fkey foreign key (week) references referral_weeks (week),
  constraint referral_cohorts_company_fkey foreign key (company_id) references companies (id)
);

create index referral_cohorts_week on referral_cohorts (week);
create index referral_cohorts_company on referral_cohorts (company_id);

create trigger referral_cohorts_immutable before update or delete or truncate on referral_cohorts
  for each statement execute function refuse_change();

-- Module referrals. What has been told of a credited investment. `seen_…` is its state when a week was last released, as
-- the rows have it; `told_…` is what the ranges were made with, null while it waits for more people. Not personal: a state
-- and an amount, which the investment has too. No foreign key to the credit: its check would lock and write the credit's
-- row for each of them, in the middle of a large transaction, and no credit is ever deleted.
create table referral_tellings (
  investment_id text collate "C" not null,
  seen_status investment_status not null,
  seen_amount_cents positive_cents not null,
  seen_tier text collate "C" not null,
  told_status investment_status,
  told_tier text collate "C",
  constraint referral_tellings_pkey primary key (investment_id),
  constraint referral_tellings_tiers_known check (
    seen_tier in ('small', 'medium', 'large') and told_tier in ('small', 'medium', 'large')),
  constraint referral_tellings_told_whole check ((told_status is null) = (told_tier is null))
);

-- Module referrals. What the ranges released of a code add up to, over all weeks and companies.
create table referral_code_counts (
  code_id text collate "C" not null,
  investors_min bigint not null,
  investors_max bigint,
  constraint referral_code_counts_pkey primary key (code_id),
  constraint referral_code_counts_order check (investors_min > 0 and investors_max >= investors_min),
  constraint referral_code_counts_code_fkey foreign key (code_id) references referral_codes (id)
);
