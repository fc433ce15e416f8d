-- schema: worlds
-- Module syndicates. A group of people who invest together. If syndicate_type is null, they invest deal by deal.
-- Otherwise they invest through a fund, and fund_terms contains the fund's own settings.
create table syndicates (
  id text collate "C" not null,
  name text not null,
  slug text collate "C" not null,
  tagline text,
  description text,
  avatar_url text,
  published boolean not null default false,
  launched boolean not null default false,
  membership_open boolean not null default true,
  auto_approval boolean not null default false,
  auto_accept_accredited_members boolean not null default false,
  requires_accreditation boolean not null default false,
  fund_required boolean not null default false,
  syndicate_type text,
  fund_terms jsonb,
  primary_fund_company_id text collate "C",
  created_by text collate "C",
  created_at timestamptz not null default world_now(),
  updated_at timestamptz not null default world_now(),
  constraint syndicates_pkey primary key (id),
  constraint syndicates_id_form check (id ~ '^syn_[0-9A-Za-z]{24}$'),
  constraint syndicates_name_length check (char_length(name) between 1 and 200),
  constraint syndicates_slug_form check (slug ~ '^[0-9a-z._-]{1,100}$'),
  constraint syndicates_slug_key unique (slug),
  constraint syndicates_tagline_length check (char_length(tagline) between 1 and 500),
  constraint syndicates_description_length check (char_length(description) between 1 and 10000),
  constraint syndicates_avatar_url_form check (char_length(avatar_url) <= 2000 and avatar_url ~ '^(https?://|/[^/])'),
  constraint syndicates_type_known check (syndicate_type in ('annual_subscription', 'traditional_fund')),
  constraint syndicates_fund_terms_object check (
    jsonb_typeof(fund_terms) = 'object' and octet_length(fund_terms::text) <= 2000),
  constraint syndicates_fund_whole check ((syndicate_type is null) = (fund_terms is null)),
  constraint syndicates_primary_fund_company_fkey foreign key (primary_fund_company_id) references companies (id),
  constraint syndicates_created_by_fkey foreign key (created_by) references users (id)
);

create index syndicates_primary_fund_company on syndicates (primary_fund_company_id)
  where primary_fund_company_id is not null;
create index syndicates_created_by on syndicates (created_by) where created_by is not null;

-- Module syndicates. The managers of a syndicate and their permissions. When a manager is demoted or dismissed, the
-- row is deleted, so this table has no history.
create table syndicate_managers (
  syndicate_id text collate "C" not null,
  user_id text collate "C" not null,
  permission text not null,
  started_at timestamptz not null default world_now(),
  constraint syndicate_managers_pkey primary key (syndicate_id, user_id),
  constraint syndicate_managers_permission_known check (permission in ('full_access', 'operator')),
  constraint syndicate_managers_syndicate_fkey foreign key (syndicate_id) references syndicates (id),
  constraint syndicate_managers_user_fkey foreign key (user_id) references users (id)
);

create index syndicate_managers_user on syndicate_managers (user_id, syndicate_id);

-- Module syndicates. The offerings that a syndicate runs as deals.
create table syndicate_deals (
  syndicate_id text collate "C" not null,
  offering_id text collate "C" not null,
  added_at timestamptz not null default world_now(),
  constraint syndicate_deals_pkey primary key (syndicate_id, offering_id),
  constraint syndicate_deals_syndicate_fkey foreign key (syndicate_id) references syndicates (id),
  constraint syndicate_deals_offering_fkey foreign key (offering_id) references offerings (id)
);

create index syndicate_deals_offering on syndicate_deals (offering_id, syndicate_id);

-- Module syndicates. One person in one syndicate. The id stays the same when the person leaves and joins again. The
-- columns from `title` on are the person's entry in the directory.
-- last_occurred_at: the time of the membership's last event, so that the next event gets a later time.
create table memberships (
  id text collate "C" not null,
  syndicate_id text collate "C" not null,
  user_id text collate "C" not null,
  status text not null,
  approved_by text collate "C",
  invited_email text collate "C",
  joined_at timestamptz,
  last_occurred_at timestamptz not null,
  created_at timestamptz not null default world_now(),
  updated_at timestamptz not null default world_now(),
  title text,
  sort_order integer,
  directory_hidden boolean not null default false,
  public_on_syndicate_profile boolean not null default false,
  carry_percentage_override integer,
  carry_discount_percentage numeric(5, 2),
  management_fee_discount_percentage numeric(5, 2),
  profile jsonb not null default '{}',
  private_tags text[] not null default '{}',
  constraint memberships_pkey primary key (id),
  constraint memberships_id_form check (id ~ '^mem_[0-9A-Za-z]{24}$'),
  constraint memberships_syndicate_user_key unique (syndicate_id, user_id),
  constraint memberships_status_known check (
    status in ('pending', 'approved', 'member', 'left', 'removed', 'payment_failed', 'declined', 'withdrawn')),
  constraint memberships_pending_unapproved check (status <> 'pending' or approved_by is null),
  constraint memberships_approved_by_somebody check (status <> 'approved' or approved_by is not null),
  constraint memberships_member_joined check (status <> 'member' or joined_at is not null),
  constraint memberships_invited_email_form check (
    char_length(invited_email) <= 254 and invited_email ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  constraint memberships_title_length check (char_length(title) between 1 and 200),
  constraint memberships_carry_percentage_override_range check (carry_percentage_override between 1 and 100),
  constraint memberships_carry_discount_range check (carry_discount_percentage between 0 and 100),
  constraint memberships_fee_discount_range check (management_fee_discount_percentage between 0 and 100),
  constraint memberships_profile_object check (
    jsonb_typeof(profile) = 'object' and octet_length(profile::text) <= 20000),
  constraint memberships_private_tags_size check (
    cardinality(private_tags) <= 50 and octet_length(array_to_string(private_tags, '')) <= 5000),
  constraint memberships_syndicate_fkey foreign key (syndicate_id) references syndicates (id),
  constraint memberships_user_fkey foreign key (user_id) references users (id),
  constraint memberships_approved_by_fkey foreign key (approved_by) references users (id)
);

create index memberships_syndicate on memberships (syndicate_id, id);
create index memberships_user on memberships (user_id, id);
create index memberships_approved_by on memberships (approved_by) where approved_by is not null;

create trigger memberships_person_immutable before update of syndicate_id, user_id on memberships
  for each row when (old.syndicate_id is distinct from new.syndicate_id or old.user_id is distinct from new.user_id)
  execute function refuse_change();

-- Module syndicates. An invitation to an email address; it is not a membership. Another invitation to the same
-- address increases `times` in the same row.
create table syndicate_invitations (
  syndicate_id text collate "C" not null,
  email_key text collate "C" generated always as (lower(email)) stored not null,
  email text collate "C" not null,
  name text,
  user_id text collate "C",
  permission text,
  invited_by text collate "C" not null,
  invited_at timestamptz not null,
  last_invited_at timestamptz not null,
  times integer not null default 1,
  constraint syndicate_invitations_pkey primary key (syndicate_id, email_key),
  constraint syndicate_invitations_email_form check (
    char_length(email) <= 254 and email ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  constraint syndicate_invitations_name_length check (char_length(name) between 1 and 200),
  constraint syndicate_invitations_permission_known check (permission in ('full_access', 'operator')),
  constraint syndicate_invitations_times_positive check (times > 0),
  constraint syndicate_invitations_last_not_before_first check (last_invited_at >= invited_at),
  constraint syndicate_invitations_syndicate_fkey foreign key (syndicate_id) references syndicates (id),
  constraint syndicate_invitations_user_fkey foreign key (user_id) references users (id),
  constraint syndicate_invitations_invited_by_fkey foreign key (invited_by) references users (id)
);

create index syndicate_invitations_email on syndicate_invitations (email_key);
create index syndicate_invitations_user on syndicate_invitations (user_id) where user_id is not null;
create index syndicate_invitations_invited_by on syndicate_invitations (invited_by);
