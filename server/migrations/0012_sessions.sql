-- schema: worlds
-- Module sessions. A join session lets a person on a partner's site join a syndicate. It is open until the person
-- finishes it, or until it is canceled or expires.
-- installation_id: the installation that created the session.
-- theme_id, theme_version and theme_override_fingerprint: the partner's theme that an embedded session uses. The
-- version is fixed, so later changes of the theme do not affect the session.
create table join_sessions (
  id text collate "C" not null,
  syndicate_id text collate "C" not null,
  status text not null default 'open',
  ineligible_reason text,
  user_id text collate "C",
  membership_id text collate "C",
  installation_id text collate "C",
  theme_id text collate "C",
  theme_version integer,
  theme_override_fingerprint text,
  success_url text,
  metadata jsonb not null default '{}',
  created_at timestamptz not null default world_now(),
  expires_at timestamptz not null,
  last_occurred_at timestamptz,
  constraint join_sessions_pkey primary key (id),
  constraint join_sessions_id_form check (id ~ '^js_[0-9A-Za-z]{24}$'),
  constraint join_sessions_status_known check (
    status in ('open', 'pending_approval', 'joined', 'rejected', 'ineligible', 'canceled', 'expired')),
  constraint join_sessions_ineligible_reason_known check (ineligible_reason in (
    'accreditation_required', 'jurisdiction', 'blocked', 'club_unavailable', 'requires_investment')),
  constraint join_sessions_ineligible_reasoned check ((status = 'ineligible') = (ineligible_reason is not null)),
  constraint join_sessions_finished_by_somebody check (
    status not in ('pending_approval', 'joined', 'rejected') or user_id is not null),
  constraint join_sessions_installation_form check (installation_id ~ '^inst_[0-9A-Za-z]{24}$'),
  constraint join_sessions_theme_id_length check (char_length(theme_id) between 1 and 100),
  constraint join_sessions_theme_version_positive check (theme_version > 0),
  constraint join_sessions_theme_whole check ((theme_id is null) = (theme_version is null)),
  constraint join_sessions_theme_override_form check (
    theme_id is not null and char_length(theme_override_fingerprint) between 1 and 128
    or theme_override_fingerprint is null),
  constraint join_sessions_success_url_form check (char_length(success_url) <= 2000 and success_url ~ '^https?://'),
  constraint join_sessions_metadata_object check (
    jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 20000),
  constraint join_sessions_expires_after_creation check (expires_at > created_at),
  constraint join_sessions_syndicate_fkey foreign key (syndicate_id) references syndicates (id),
  constraint join_sessions_user_fkey foreign key (user_id) references users (id),
  constraint join_sessions_membership_fkey foreign key (membership_id) references memberships (id)
);

create index join_sessions_syndicate on join_sessions (syndicate_id, id);
create index join_sessions_user on join_sessions (user_id) where user_id is not null;
create index join_sessions_membership on join_sessions (membership_id) where membership_id is not null;
create index join_sessions_due on join_sessions (expires_at, id) where status in ('open', 'pending_approval');

-- Module sessions. An investment session sends a known investor, named by `email` or `user_id`, to a hosted checkout
-- for one offering.
create table investment_sessions (
  id text collate "C" not null,
  offering_id text collate "C" not null,
  status text not null default 'pending',
  email text collate "C",
  user_id text collate "C",
  allocation_cents bigint,
  success_url text,
  metadata jsonb not null default '{}',
  installation_id text collate "C",
  kyc_status text,
  funding_status text,
  investment_id text collate "C",
  created_at timestamptz not null default world_now(),
  started_at timestamptz,
  ended_at timestamptz,
  expires_at timestamptz not null,
  constraint investment_sessions_pkey primary key (id),
  constraint investment_sessions_id_form check (id ~ '^is_[0-9A-Za-z]{24}$'),
  constraint investment_sessions_status_known check (
    status in ('pending', 'in_progress', 'completed', 'abandoned', 'expired', 'canceled')),
  constraint investment_sessions_email_form check (
    char_length(email) <= 254 and email ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  constraint investment_sessions_has_recipient check (num_nonnulls(email, user_id) > 0),
  constraint investment_sessions_allocation_whole_units check (
    allocation_cents between 100 and 9007199254740991 and allocation_cents % 100 = 0),
  constraint investment_sessions_success_url_form check (
    char_length(success_url) <= 2000 and success_url ~ '^https?://'),
  constraint investment_sessions_metadata_object check (
    jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 20000),
  constraint investment_sessions_installation_form check (installation_id ~ '^inst_[0-9A-Za-z]{24}$'),
  constraint investment_sessions_kyc_status_known check (kyc_status in ('pending', 'passed', 'failed')),
  constraint investment_sessions_funding_status_known check (
    funding_status in ('pending', 'succeeded', 'card_declined', 'insufficient_funds')),
  constraint investment_sessions_completed_by_investment check (status <> 'completed' or investment_id is not null),
  constraint investment_sessions_ended_dated check (
    (status in ('completed', 'expired', 'canceled')) = (ended_at is not null)),
  constraint investment_sessions_expires_after_creation check (expires_at > created_at),
  constraint investment_sessions_offering_fkey foreign key (offering_id) references offerings (id),
  constraint investment_sessions_user_fkey foreign key (user_id) references users (id),
  constraint investment_sessions_investment_fkey foreign key (investment_id) references investments (id)
);

create index investment_sessions_offering on investment_sessions (offering_id, id);
create index investment_sessions_installation on investment_sessions (installation_id, id)
  where installation_id is not null;
create index investment_sessions_email on investment_sessions (lower(email)) where email is not null;
create index investment_sessions_user on investment_sessions (user_id) where user_id is not null;
create index investment_sessions_investment on investment_sessions (investment_id) where investment_id is not null;
create index investment_sessions_due on investment_sessions (expires_at, id)
  where status in ('pending', 'in_progress', 'abandoned');
