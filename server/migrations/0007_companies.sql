-- schema: worlds
-- Module companies. A company that raises money, or a fund that invests.
-- page_url: the address that every link to the company leads to.
create table companies (
  id text collate "C" not null,
  kind text not null default 'company',
  name text not null,
  slug text collate "C",
  tagline text,
  page_url text not null,
  logo_url text,
  card_image_url text,
  city text,
  state text,
  country text,
  industries text[] not null default '{}',
  business_models text[] not null default '{}',
  promotion_opt_in boolean not null default true,
  created_at timestamptz not null default world_now(),
  updated_at timestamptz not null default world_now(),
  constraint companies_pkey primary key (id),
  constraint companies_id_form check (id ~ '^co_[0-9A-Za-z]{24}$'),
  constraint companies_kind_known check (kind in ('company', 'fund')),
  constraint companies_name_length check (char_length(name) between 1 and 200),
  constraint companies_slug_form check (slug ~ '^[0-9a-z._-]{1,100}$'),
  constraint companies_slug_key unique (slug),
  constraint companies_tagline_length check (char_length(tagline) between 1 and 500),
  constraint companies_page_url_form check (char_length(page_url) <= 2000 and page_url ~ '^(https?://|/[^/])'),
  constraint companies_logo_url_form check (char_length(logo_url) <= 2000 and logo_url ~ '^(https?://|/[^/])'),
  constraint companies_card_image_url_form check (
    char_length(card_image_url) <= 2000 and card_image_url ~ '^(https?://|/[^/])'),
  constraint companies_city_length check (char_length(city) between 1 and 100),
  constraint companies_state_length check (char_length(state) between 1 and 100),
  constraint companies_country_length check (char_length(country) between 1 and 100),
  constraint companies_industries_known check (cardinality(industries) <= 10 and industries <@ array[
    'ar_and_vr', 'agriculture_and_agtech', 'artificial_intelligence', 'biotech', 'blockchain_and_web3', 'edtech',
    'energy', 'fintech_and_finance', 'food_tech', 'games', 'health_and_fitness', 'healthcare', 'manufacturing',
    'mobile_apps', 'robotics', 'science_and_r_and_d', 'transportation', 'travel_and_tourism', 'bars_and_clubs',
    'brewery', 'cafe_and_food_truck', 'events_and_festivals', 'education', 'distillery_and_vineyards', 'fashion',
    'film', 'media', 'music', 'restaurant', 'sports', 'real_estate', 'pets', 'recreation',
    'infrastructure_and_construction', 'childcare', 'sustainability', 'sports_tech', 'home_tech', 'devtools',
    'clean_tech', 'beauty', 'entertainment', 'technology', 'brick_and_mortar', 'food_and_beverage', 'climate_change',
    'alcohol_and_vice', 'consumer_goods', 'hardware', 'moonshots']),
  constraint companies_business_models_known check (cardinality(business_models) <= 8 and business_models <@ array[
    'b2b', 'b2c', 'subscription', 'saas', 'service', 'marketplace', 'ecommerce', 'retail'])
);

-- Module companies. The roles of people at a company. A row stays after its role ends, so that a sync can detect a
-- change of access.
-- changed_position: the position in the ledger at which the person's access last changed. A change of access sets
-- this column to null, and publishing sets it to the position of the change. Rows with the role employee get no
-- position, because employees see no investments.
create table company_people (
  company_id text collate "C" not null,
  user_id text collate "C" not null,
  role text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  changed_position bigint,
  constraint company_people_pkey primary key (company_id, user_id, role),
  constraint company_people_role_known check (role in ('founder', 'admin', 'editor', 'employee')),
  constraint company_people_ended_after_start check (ended_at >= started_at),
  constraint company_people_changed_position_positive check (changed_position > 0),
  constraint company_people_company_fkey foreign key (company_id) references companies (id),
  constraint company_people_user_fkey foreign key (user_id) references users (id)
);

create index company_people_user on company_people (user_id, company_id);

-- Module companies. Rounds that a founder reports and that ran outside this platform. A new report replaces the whole
-- list of the company.
create table past_rounds (
  company_id text collate "C" not null,
  ordinal integer not null,
  exemption text not null,
  amount_raised_cents bigint,
  currency text,
  investor_count integer,
  opened_at timestamptz,
  closed_at timestamptz,
  constraint past_rounds_pkey primary key (company_id, ordinal),
  constraint past_rounds_ordinal_range check (ordinal between 1 and 100),
  constraint past_rounds_exemption_known check (
    exemption in ('reg_cf', 'reg_d', 'reg_d_506b', 'reg_d_506c', 'reg_a', 'reg_s', 'ecsp', 'other')),
  constraint past_rounds_amount_whole_units check (
    amount_raised_cents between 0 and 9007199254740991 and amount_raised_cents % 100 = 0),
  constraint past_rounds_currency_form check (currency ~ '^[a-z]{3}$'),
  constraint past_rounds_amount_has_currency check ((amount_raised_cents is null) = (currency is null)),
  constraint past_rounds_investor_count_not_negative check (investor_count >= 0),
  constraint past_rounds_closed_after_opening check (closed_at >= opened_at),
  constraint past_rounds_company_fkey foreign key (company_id) references companies (id)
);

-- Module companies. The companies that a user follows. When the user unfollows a company, the row is deleted.
create table follows (
  user_id text collate "C" not null,
  company_id text collate "C" not null,
  followed_at timestamptz not null default world_now(),
  constraint follows_pkey primary key (user_id, company_id),
  constraint follows_user_fkey foreign key (user_id) references users (id),
  constraint follows_company_fkey foreign key (company_id) references companies (id)
);

create index follows_newest on follows (user_id, followed_at, company_id);
create index follows_company on follows (company_id);

-- Module companies. Questions on a company's page, which have no parent_id, and the answers and comments below them.
create table comments (
  id text collate "C" not null,
  company_id text collate "C" not null,
  parent_id text collate "C",
  author_id text collate "C" not null,
  body text not null,
  disclosure_key text,
  highlighted boolean not null default false,
  likes_count integer not null default 0,
  posted_at timestamptz not null default world_now(),
  constraint comments_pkey primary key (id),
  constraint comments_id_form check (id ~ '^cmt_[0-9A-Za-z]{24}$'),
  constraint comments_body_length check (char_length(body) between 1 and 10000),
  constraint comments_disclosure_key_known check (
    disclosure_key in ('investor', 'stockholder', 'promoter', 'financial_stakeholder')),
  constraint comments_likes_count_not_negative check (likes_count >= 0),
  constraint comments_parent_other check (parent_id <> id),
  constraint comments_company_key unique (id, company_id),
  constraint comments_company_fkey foreign key (company_id) references companies (id),
  constraint comments_parent_fkey foreign key (parent_id, company_id) references comments (id, company_id),
  constraint comments_author_fkey foreign key (author_id) references users (id)
);

create index comments_questions on comments (company_id, posted_at, id) where parent_id is null;
create index comments_parent on comments (parent_id, company_id, posted_at, id) where parent_id is not null;
create index comments_author on comments (author_id);
