-- schema: worlds
-- Module offerings. A raise of a company has one or more offerings (legs). Examples are a Reg CF leg and a Reg D leg,
-- or a reservation round and the live round after it. All offerings of a raise have the same currency, because an
-- investor's totals are sums over the raise.
create table raises (
  id text collate "C" not null,
  company_id text collate "C" not null,
  currency text not null,
  created_at timestamptz not null default world_now(),
  constraint raises_pkey primary key (id),
  constraint raises_id_form check (id ~ '^rse_[0-9A-Za-z]{24}$'),
  constraint raises_currency_form check (currency ~ '^[a-z]{3}$'),
  constraint raises_company_currency_key unique (id, company_id, currency),
  constraint raises_company_fkey foreign key (company_id) references companies (id)
);

create index raises_company on raises (company_id, id);

-- Module offerings. One sale of securities; its status is upcoming, open, closing, closed or canceled. The state
-- machine in the code decides which changes of status are allowed. The constraints here check which columns each
-- status needs.
create table offerings (
  id text collate "C" not null,
  company_id text collate "C" not null,
  raise_id text collate "C" not null,
  currency text not null,
  name text,
  description text,
  status text not null default 'upcoming',
  exemption text not null,
  testing_the_waters boolean not null default false,
  security_type text,
  security_terms jsonb,
  intended_security_type text,
  funding_target_cents bigint,
  min_investment_cents bigint,
  max_investment_cents bigint,
  opens_at timestamptz,
  closes_at timestamptz,
  closed_at timestamptz,
  canceled_at timestamptz,
  listed boolean not null default false,
  accredited_only boolean not null default false,
  created_at timestamptz not null default world_now(),
  updated_at timestamptz not null default world_now(),
  constraint offerings_pkey primary key (id),
  constraint offerings_id_form check (id ~ '^ofr_[0-9A-Za-z]{24}$'),
  constraint offerings_currency_form check (currency ~ '^[a-z]{3}$'),
  constraint offerings_name_length check (char_length(name) between 1 and 200),
  constraint offerings_description_length check (char_length(description) between 1 and 10000),
  constraint offerings_status_known check (status in ('upcoming', 'open', 'closing', 'closed', 'canceled')),
  constraint offerings_exemption_known check (
    exemption in ('reg_cf', 'reg_d_506b', 'reg_d_506c', 'reg_a', 'reg_s', 'ecsp')),
  constraint offerings_506b_never_listed check (exemption <> 'reg_d_506b' or not listed),
  constraint offerings_506c_accredited_only check (exemption <> 'reg_d_506c' or accredited_only),
  constraint offerings_security_type_known check (
    security_type in ('safe', 'equity', 'convertible_note', 'revenue_share', 'debt', 'fund', 'other')),
  constraint offerings_security_terms_object check (
    jsonb_typeof(security_terms) = 'object' and octet_length(security_terms::text) <= 10000),
  constraint offerings_security_whole check ((security_type is null) = (security_terms is null)),
  constraint offerings_security_undecided_only_testing check (security_type is not null or testing_the_waters),
  constraint offerings_intended_security_type_known check (
    intended_security_type in ('safe', 'equity', 'convertible_note', 'revenue_share', 'debt', 'fund')),
  constraint offerings_intended_security_only_testing check (intended_security_type is null or testing_the_waters),
  constraint offerings_funding_target_whole_units check (
    funding_target_cents between 100 and 9007199254740991 and funding_target_cents % 100 = 0),
  constraint offerings_min_investment_whole_units check (
    min_investment_cents between 100 and 9007199254740991 and min_investment_cents % 100 = 0),
  constraint offerings_max_investment_whole_units check (
    max_investment_cents between 100 and 9007199254740991 and max_investment_cents % 100 = 0),
  constraint offerings_max_not_below_min check (max_investment_cents >= min_investment_cents),
  constraint offerings_opens_before_closing check (opens_at < closes_at),
  constraint offerings_opened_dated check (status in ('upcoming', 'canceled') or opens_at is not null),
  constraint offerings_closed_dated check ((status = 'closed') = (closed_at is not null)),
  constraint offerings_canceled_dated check ((status = 'canceled') = (canceled_at is not null)),
  constraint offerings_company_currency_key unique (id, company_id, currency),
  constraint offerings_company_fkey foreign key (company_id) references companies (id),
  constraint offerings_raise_fkey foreign key (raise_id, company_id, currency)
    references raises (id, company_id, currency)
);

create index offerings_company on offerings (company_id, id);
create index offerings_raise on offerings (raise_id, company_id, currency, id);

create trigger offerings_company_immutable before update of company_id on offerings
  for each row when (old.company_id is distinct from new.company_id) execute function refuse_change();
-- Totals are stored for each raise and investor. If an offering changed its raise, its amounts would stay in the
-- totals of the old raise.
create trigger offerings_raise_immutable before update of raise_id on offerings
  for each row when (old.raise_id is distinct from new.raise_id) execute function refuse_change();

-- Module offerings. The users who were invited to a private round.
create table offering_invitations (
  offering_id text collate "C" not null,
  user_id text collate "C" not null,
  invited_at timestamptz not null default world_now(),
  constraint offering_invitations_pkey primary key (offering_id, user_id),
  constraint offering_invitations_offering_fkey foreign key (offering_id) references offerings (id),
  constraint offering_invitations_user_fkey foreign key (user_id) references users (id)
);

create index offering_invitations_user on offering_invitations (user_id, offering_id);
