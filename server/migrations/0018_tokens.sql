-- schema: worlds
-- Module tokens. The access tokens of apps. Only their SHA-256 is stored. expires_at is world time; created_at and
-- revoked_at are real time.
-- generation: the key's generation when the token was issued. The key's generation increases when the app is
-- disabled, which makes older tokens invalid.
-- key_id and app_id have no foreign keys, because their checks would lock the rows of the key and the app again for
-- every token. Neither row is deleted while one of its tokens may be valid.
create table access_tokens (
  hash bytea not null,
  kind text not null,
  key_id text collate "C" not null,
  app_id text collate "C" not null,
  user_id text collate "C",
  installation_id text collate "C",
  family_id bigint,
  scopes text[] collate "C" not null,
  by_default boolean not null default false,
  generation integer not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  revoked_at timestamptz,
  constraint access_tokens_pkey primary key (hash),
  constraint access_tokens_hash_is_sha256 check (octet_length(hash) = 32),
  constraint access_tokens_acts_as check (
    case kind when 'client' then user_id is null and installation_id is null and family_id is null
              when 'user' then user_id is not null and installation_id is not null
              when 'installation' then installation_id is not null and family_id is null
              else false end)
);

create index access_tokens_app on access_tokens (app_id);
create index access_tokens_installation on access_tokens (installation_id) where installation_id is not null;
create index access_tokens_family on access_tokens (family_id) where family_id is not null;
create index access_tokens_expires_at on access_tokens (expires_at) where expires_at is not null;
-- For the deletion of revoked tokens that never expire. All other tokens are deleted when they expire.
create index access_tokens_revoked_at on access_tokens (revoked_at) where expires_at is null and revoked_at is not null;

-- Module tokens. A family: all refresh tokens that descend from one authorization code. The first half of a refresh
-- token names its family and never changes. The second half proves that the token is the newest. So a family is one
-- row, however often it rotates, and an older token is recognized although it is not stored.
-- answer: the response of the last rotation. It is sealed with a key that is derived from the rotated token, so only
-- that token can open it.
create table refresh_families (
  id bigint generated always as identity,
  name_hash bytea not null,
  head_hash bytea not null,
  previous_hash bytea,
  rotated_at timestamptz,
  answer bytea,
  key_id text collate "C" not null,
  app_id text collate "C" not null,
  user_id text collate "C" not null,
  installation_id text collate "C" not null,
  scopes text[] collate "C" not null,
  by_default boolean not null default false,
  generation integer not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  constraint refresh_families_pkey primary key (id),
  constraint refresh_families_name_hash_key unique (name_hash),
  constraint refresh_families_hashes_are_sha256 check (
    octet_length(name_hash) = 32 and octet_length(head_hash) = 32 and octet_length(previous_hash) = 32),
  constraint refresh_families_rotation_whole check (num_nonnulls(previous_hash, rotated_at) in (0, 2)),
  constraint refresh_families_answer_length check (octet_length(answer) <= 8192),
  constraint refresh_families_installation_fkey foreign key (installation_id) references installations (id)
);

create index refresh_families_installation on refresh_families (installation_id);
create index refresh_families_app on refresh_families (app_id);
create index refresh_families_expires_at on refresh_families (expires_at);
create index refresh_families_revoked_at on refresh_families (revoked_at) where revoked_at is not null;
create index refresh_families_answered on refresh_families (rotated_at) where answer is not null;

-- Module tokens. An authorization code is valid for one minute and works once. A used code is stored as long as the
-- family that was issued for it, because a second use of the code revokes the family.
create table authorization_codes (
  hash bytea not null,
  key_id text collate "C" not null,
  app_id text collate "C" not null,
  user_id text collate "C" not null,
  installation_id text collate "C" not null,
  redirect_uri text not null,
  code_challenge text collate "C" not null,
  scopes text[] collate "C" not null,
  by_default boolean not null default false,
  generation integer not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  consumed_at timestamptz,
  revoked_at timestamptz,
  family_id bigint,
  constraint authorization_codes_pkey primary key (hash),
  constraint authorization_codes_hash_is_sha256 check (octet_length(hash) = 32),
  constraint authorization_codes_redirect_uri_length check (char_length(redirect_uri) between 1 and 2000),
  constraint authorization_codes_code_challenge_form check (code_challenge ~ '^[A-Za-z0-9_-]{43}$'),
  constraint authorization_codes_gave_when_consumed check (family_id is null or consumed_at is not null),
  constraint authorization_codes_installation_fkey foreign key (installation_id) references installations (id)
);

create index authorization_codes_installation on authorization_codes (installation_id);
create index authorization_codes_app on authorization_codes (app_id);
-- For the deletion of codes: an unused code is found by its expiry, and a used code by its family.
create index authorization_codes_expires_at on authorization_codes (expires_at) where family_id is null;
create index authorization_codes_family on authorization_codes (family_id) where family_id is not null;
