-- schema: worlds
-- Module referrals. A row is a code that an app puts into links to companies' pages. The code is unique in its world,
-- without regard to upper and lower case (collation "C": only ASCII letters). It stays unique for all apps and for
-- good, because a printed link must never credit another app.
-- There is no foreign key to the app, so that a code stays taken even if the row of its app is deleted. (Since
-- migration 0054 a deleted app keeps its row.)
create table referral_codes (
  id text collate "C" not null,
  app_id text collate "C" not null,
  code text collate "C" not null,
  name text not null,
  state text collate "C" not null default 'active',
  created_at timestamptz not null default world_now(),
  updated_at timestamptz not null default world_now(),
  constraint referral_codes_pkey primary key (id),
  constraint referral_codes_id_form check (id ~ '^rc_[0-9A-Za-z]{24}$'),
  constraint referral_codes_app_form check (app_id ~ '^app_[0-9A-Za-z]{24}$'),
  constraint referral_codes_code_form check (char_length(code) between 3 and 32 and code ~ '^[0-9A-Za-z]+(-[0-9A-Za-z]+)*$'),
  constraint referral_codes_name_length check (char_length(name) between 1 and 100),
  constraint referral_codes_state_known check (state in ('active', 'paused'))
);

create unique index referral_codes_code_key on referral_codes (lower(code));
create index referral_codes_app on referral_codes (app_id, id);

-- Module referrals. The rows are the periods in which a code was active. After a week has ended, the server needs to
-- know which codes were active in it.
create table referral_code_spans (
  id bigint generated always as identity,
  code_id text collate "C" not null,
  began_at timestamptz not null default world_now(),
  ended_at timestamptz,
  constraint referral_code_spans_pkey primary key (id),
  constraint referral_code_spans_order check (ended_at >= began_at),
  constraint referral_code_spans_code_fkey foreign key (code_id) references referral_codes (id)
);

create index referral_code_spans_code on referral_code_spans (code_id, began_at);
create unique index referral_code_spans_open on referral_code_spans (code_id) where ended_at is null;

-- Module referrals. A row says that a known user followed a link with a code to a company's page. kept_until: when
-- the click can no longer be credited, and the row is deleted. An erasure deletes the rows of its user. The click of
-- an unknown visitor is stored only in a cookie of the visitor's browser.
create table referral_visits (
  user_id text collate "C" not null,
  company_id text collate "C" not null,
  clicked_at timestamptz not null,
  code_id text collate "C" not null,
  kept_until timestamptz not null,
  constraint referral_visits_pkey primary key (user_id, company_id, clicked_at),
  constraint referral_visits_kept_after_click check (kept_until > clicked_at),
  constraint referral_visits_user_fkey foreign key (user_id) references users (id),
  constraint referral_visits_company_fkey foreign key (company_id) references companies (id),
  constraint referral_visits_code_fkey foreign key (code_id) references referral_codes (id)
);

create index referral_visits_company on referral_visits (company_id);
create index referral_visits_code on referral_visits (code_id);
create index referral_visits_kept on referral_visits (kept_until);

-- Module referrals. A row names the one code that an investment is credited to. The code is chosen when the
-- investment is made, and never changes. app_id, company_id and investor_id are copies from the code and the
-- investment, and never change. With these copies, a week is computed from this table and `investments` alone.
-- clicked_at is the only personal value, so an erasure sets it to null. applied_at: when the investment was made on
-- the host platform. This time decides the week of the investment. credited_at: when Portico recorded the credit. The
-- two times differ for facts that arrive late.
create table referral_credits (
  investment_id text collate "C" not null,
  code_id text collate "C" not null,
  app_id text collate "C" not null,
  company_id text collate "C" not null,
  investor_id text collate "C" not null,
  clicked_at timestamptz,
  applied_at timestamptz not null,
  credited_at timestamptz not null default world_now(),
  time_to_invest text collate "C" not null,
  constraint referral_credits_pkey primary key (investment_id),
  constraint referral_credits_app_form check (app_id ~ '^app_[0-9A-Za-z]{24}$'),
  constraint referral_credits_time_to_invest_known check (time_to_invest in ('direct', 'assisted', 'delayed')),
  constraint referral_credits_click_before check (clicked_at <= applied_at),
  constraint referral_credits_investment_fkey foreign key (investment_id) references investments (id),
  constraint referral_credits_code_fkey foreign key (code_id) references referral_codes (id),
  constraint referral_credits_company_fkey foreign key (company_id) references companies (id),
  constraint referral_credits_investor_fkey foreign key (investor_id) references users (id)
);

create index referral_credits_code on referral_credits (code_id, company_id, applied_at);
create index referral_credits_company on referral_credits (company_id);
create index referral_credits_investor on referral_credits (investor_id);
create index referral_credits_applied on referral_credits (applied_at);
create index referral_credits_credited on referral_credits (credited_at);

create trigger referral_credits_immutable
  before update of investment_id, code_id, app_id, company_id, investor_id, applied_at, credited_at, time_to_invest
  on referral_credits for each row when (
    (old.investment_id, old.code_id, old.app_id, old.company_id, old.investor_id, old.applied_at, old.credited_at,
     old.time_to_invest)
    is distinct from
    (new.investment_id, new.code_id, new.app_id, new.company_id, new.investor_id, new.applied_at, new.credited_at,
     new.time_to_invest))
  execute function refuse_change();

-- Module referrals. A row contains the random key from which the tokens of one app for one company are made. The key
-- is stored sealed, with the app and the company as the context. After a rotation of the sealing secret, the same key
-- is sealed again. The key itself never changes, so that the tokens stay the same. sealed_by: the id of the secret
-- that sealed the key.
create table referral_token_keys (
  app_id text collate "C" not null,
  company_id text collate "C" not null,
  sealed bytea not null,
  sealed_by text collate "C" not null,
  constraint referral_token_keys_pkey primary key (app_id, company_id),
  constraint referral_token_keys_app_form check (app_id ~ '^app_[0-9A-Za-z]{24}$'),
  constraint referral_token_keys_sealed_length check (octet_length(sealed) <= 1000),
  constraint referral_token_keys_sealed_by_form check (sealed_by ~ '^[0-9a-f]{8}$'),
  constraint referral_token_keys_company_fkey foreign key (company_id) references companies (id)
);

create index referral_token_keys_company on referral_token_keys (company_id);
-- A job finds the keys that are sealed with an earlier secret, and seals them again.
create index referral_token_keys_sealed_by on referral_token_keys (sealed_by);
