-- schema: worlds
-- A value is an ISO week such as `2026-W07`. From this form, PostgreSQL can compute when the week begins.
create domain iso_week as text collate "C"
  constraint iso_week_form check (char_length(value) = 8 and value ~ '^[0-9][0-9][0-9][0-9]-W([0-4][0-9]|5[0-3])$');

-- Module referrals. The only row contains the beginning of the next week to release. A worker that releases a week
-- locks the row. The first week is the week of this migration, because no investment was credited before.
create table referral_calendar (
  only_row boolean not null default true,
  next_begins_at timestamptz not null default (date_trunc('week', world_now() at time zone 'UTC') at time zone 'UTC'),
  constraint referral_calendar_pkey primary key (only_row),
  constraint referral_calendar_only_row check (only_row),
  constraint referral_calendar_monday check (
    next_begins_at = date_trunc('week', next_begins_at at time zone 'UTC') at time zone 'UTC')
);

insert into referral_calendar default values;

-- Module referrals. A row is a week that was released. A week is released only once. people_min: the minimum number
-- of people in a published group (k) in this week.
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

-- Module referrals. A row contains the ranges that a week published for one code and one company, as JSON text for
-- the response. There is no row if the group had too few people. counts_people: the ranges count newly credited
-- people, and not only corrections.
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
-- This index finds the last week whose ranges counted people. The next ranges cover the time since that week.
create index referral_cohorts_counted on referral_cohorts (code_id, company_id, week) where counts_people;

create trigger referral_cohorts_immutable before update or delete or truncate on referral_cohorts
  for each statement execute function refuse_change();

-- Module referrals. A row is an entry that a week published about one credited investment. said: the entry as JSON
-- text for the response. An app may read the entries only if the scopes of its installation on the company allow it.
-- Entries are read in the order of their tokens.
-- corrected: the entry is one of the corrections of the week. investment_id: the investment that the entry is about.
-- There are no foreign keys. A week writes many rows in one transaction, and the rows that they refer to are never
-- deleted.
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

-- Module referrals. A row contains the published states of a credited investment. now_status and now_tier: the state
-- when a release last read the investment. seen_status and seen_tier: the state in its last row in referral_rows, or
-- null without such a row. told_status and told_tier: the state in the published ranges, or null while the investment
-- waits for more people.
-- A status and a tier are not personal data. There are no foreign keys: their checks would lock and write the
-- referenced rows of many investments in the middle of a large transaction. Those rows are never deleted.
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

-- This index stays small. Usually fewer than k people of a code and a company wait, no matter how many were published
-- before.
create index referral_tellings_waiting on referral_tellings (code_id, company_id, investment_id) where waiting;

-- Module referrals. The rows name the credited investments that the next release has to read, because they are new or
-- have changed. The transaction that changes an investment only adds a row here. So the transaction does not wait
-- while a week is released. The release deletes the rows that it has processed. An investment may have two rows.
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

-- Module referrals. A row is the sum of all published ranges of a code, over all weeks and companies. investors_max
-- is null if the sum has no upper end.
create table referral_code_counts (
  code_id text collate "C" not null,
  investors_min bigint not null,
  investors_max bigint,
  constraint referral_code_counts_pkey primary key (code_id),
  constraint referral_code_counts_order check (investors_min > 0 and investors_max >= investors_min),
  constraint referral_code_counts_code_fkey foreign key (code_id) references referral_codes (id)
);
