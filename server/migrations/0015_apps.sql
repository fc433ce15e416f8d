-- schema: platform
-- Module organizations. An invitation to a partner's team.
-- email: the address with which the invited person signs in, in lower case.
-- The person joins the team only after they accept in their own browser. Another person cannot put them on the team,
-- because team members can grant their own apps more than other people can. This table does not show whether an
-- account with the address exists. Times are real time.
create table organization_invitations (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  email text collate "C" not null,
  role text not null,
  invited_by text collate "C" not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null default clock_timestamp() + interval '14 days',
  constraint organization_invitations_pkey primary key (id),
  constraint organization_invitations_id_form check (id ~ '^oi_[0-9A-Za-z]{24}$'),
  constraint organization_invitations_email_key unique (organization_id, email),
  constraint organization_invitations_email_form check (
    char_length(email) <= 254 and email ~ '^[^@[:space:]]+@[^@[:space:]]+$' and email = lower(email)),
  constraint organization_invitations_role_known check (role in ('owner', 'admin', 'developer')),
  constraint organization_invitations_expires_later check (expires_at > created_at),
  constraint organization_invitations_organization_fkey foreign key (organization_id) references organizations (id),
  constraint organization_invitations_invited_by_fkey foreign key (invited_by) references accounts (id)
);

create index organization_invitations_email on organization_invitations (email);
create index organization_invitations_invited_by on organization_invitations (invited_by);
create index organization_invitations_expires_at on organization_invitations (expires_at);

-- Module apps. A partner's program. The platform suspends an app, and the team disables it. Each of the two has its
-- own time, so ending one does not change the other.
-- revision: increases with every change on which tokens depend, for example of the state or the scopes. A transaction
-- that issues a token locks the row and compares the revision. A different revision shows that its earlier checks may
-- be wrong.
create table apps (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  name text not null,
  description text,
  website_url text,
  setup_url text,
  api_version text collate "C" not null,
  scopes text[] collate "C" not null default '{}',
  suspended_at timestamptz,
  suspended_reason text,
  disabled_at timestamptz,
  state text not null generated always as (
    case when suspended_at is not null then 'suspended' when disabled_at is not null then 'disabled' else 'active' end
  ) stored,
  revision bigint not null default 1,
  approved_at timestamptz,
  first_approved_at timestamptz,
  pii_requested_at timestamptz,
  pii_approved_at timestamptz,
  conditions_version text collate "C" not null,
  conditions_accepted_by text collate "C" not null,
  conditions_accepted_at timestamptz not null default clock_timestamp(),
  first_live_token_at timestamptz,
  first_installed_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  constraint apps_pkey primary key (id),
  constraint apps_id_form check (id ~ '^app_[0-9A-Za-z]{24}$'),
  constraint apps_name_length check (char_length(name) between 1 and 80),
  constraint apps_description_length check (char_length(description) between 1 and 1000),
  constraint apps_website_url_form check (char_length(website_url) <= 2000 and website_url ~ '^https?://'),
  constraint apps_setup_url_form check (char_length(setup_url) <= 2000 and setup_url ~ '^https?://'),
  constraint apps_api_version_form check (api_version ~ '^\d{4}-\d{2}-\d{2}$'),
  constraint apps_scopes_bounded check (cardinality(scopes) <= 100 and array_position(scopes, null) is null),
  constraint apps_conditions_version_form check (conditions_version ~ '^\d{4}-\d{2}-\d{2}$'),
  constraint apps_suspended_reasoned check ((suspended_at is null) = (suspended_reason is null)),
  constraint apps_suspended_reason_length check (char_length(suspended_reason) between 1 and 1000),
  constraint apps_organization_fkey foreign key (organization_id) references organizations (id),
  constraint apps_conditions_accepted_by_fkey foreign key (conditions_accepted_by) references accounts (id)
);

create index apps_organization on apps (organization_id, id);
create index apps_conditions_accepted_by on apps (conditions_accepted_by);

-- Module apps. The logo of an app. Portico stores and serves the image. If a browser loaded it from the partner's
-- server, the partner would learn who views a consent page before that person agrees to anything.
-- digest: the SHA-256 of `bytes`, which is part of the logo's URL.
create table app_logos (
  app_id text collate "C" not null,
  media_type text collate "C" not null,
  bytes bytea not null,
  digest bytea not null,
  updated_at timestamptz not null default clock_timestamp(),
  constraint app_logos_pkey primary key (app_id),
  constraint app_logos_media_type_known check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
  constraint app_logos_bytes_length check (octet_length(bytes) between 1 and 65536),
  constraint app_logos_digest_is_sha256 check (octet_length(digest) = 32),
  constraint app_logos_app_fkey foreign key (app_id) references apps (id)
);

-- Module apps. The access programs that an app requested, and those that the platform approved.
create table app_programs (
  app_id text collate "C" not null,
  program text collate "C" not null,
  tier smallint,
  requested_at timestamptz,
  approved_at timestamptz,
  constraint app_programs_pkey primary key (app_id, program),
  constraint app_programs_program_known check (program in ('marketing_partner', 'founder')),
  constraint app_programs_tier_known check (case program when 'founder' then tier is null else tier in (0, 1) end),
  constraint app_programs_dated check (requested_at is not null or approved_at is not null),
  constraint app_programs_app_fkey foreign key (app_id) references apps (id)
);

-- Module apps. A key of an app in one world.
-- id: both the OAuth client id and the publishable key, which are public.
-- state, scopes and api_version repeat values of the app and its organization. So a token check reads only one row
-- besides the token's row.
-- generation: increases when the app is disabled, so that tokens issued before stay invalid after the app is enabled
-- again.
create table app_keys (
  id text collate "C" not null,
  app_id text collate "C" not null,
  world text collate "C" not null,
  name text not null,
  client_type text not null,
  redirect_uris text[] collate "C" not null default '{}',
  scopes text[] collate "C" not null default '{}',
  api_version text collate "C" not null,
  state text not null default 'active',
  generation integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz,
  constraint app_keys_pkey primary key (id),
  constraint app_keys_id_form check (id ~ '^pk_(test|live)_[0-9A-Za-z]{24}$' and split_part(id, '_', 2) = world),
  constraint app_keys_world_known check (world in ('test', 'live')),
  constraint app_keys_name_length check (char_length(name) between 1 and 80),
  constraint app_keys_client_type_known check (client_type in ('confidential', 'public')),
  constraint app_keys_redirect_uris_bounded check (
    cardinality(redirect_uris) <= 20 and array_position(redirect_uris, null) is null),
  constraint app_keys_scopes_bounded check (cardinality(scopes) <= 100 and array_position(scopes, null) is null),
  constraint app_keys_api_version_form check (api_version ~ '^\d{4}-\d{2}-\d{2}$'),
  constraint app_keys_state_known check (state in ('active', 'suspended', 'disabled', 'ended', 'revoked')),
  constraint app_keys_generation_positive check (generation >= 1),
  constraint app_keys_revoked_dated check ((state = 'revoked') = (revoked_at is not null)),
  constraint app_keys_app_fkey foreign key (app_id) references apps (id)
);

create index app_keys_app on app_keys (app_id, id);

-- Module apps. The secrets of a confidential key. Only their SHA-256 is stored.
-- expires_at: after a rotation, the real time at which the replaced secret ends.
create table app_secrets (
  key_id text collate "C" not null,
  hash bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  constraint app_secrets_pkey primary key (key_id, hash),
  constraint app_secrets_hash_is_sha256 check (octet_length(hash) = 32),
  constraint app_secrets_key_fkey foreign key (key_id) references app_keys (id)
);

-- One row for each Idempotency-Key of a route that writes tables of the platform. The columns are the same as in the
-- worlds' schemas.
create table idempotency_keys (
  caller text collate "C" not null,
  operation text collate "C" not null,
  key text collate "C" not null,
  fingerprint bytea not null,
  answer bytea,
  created_at timestamptz not null,
  constraint idempotency_keys_pkey primary key (caller, operation, key),
  constraint idempotency_keys_caller_length check (length(caller) between 1 and 200),
  constraint idempotency_keys_operation_length check (length(operation) between 1 and 100),
  constraint idempotency_keys_key_length check (length(key) between 1 and 255),
  constraint idempotency_keys_fingerprint_is_sha256 check (octet_length(fingerprint) = 32),
  constraint idempotency_keys_answer_length check (octet_length(answer) <= 8388608)
);

create index idempotency_keys_created_at on idempotency_keys (created_at);
