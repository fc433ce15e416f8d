-- schema: worlds
-- Module tokens. What an app's callers present, known by SHA-256 only. expires_at is world time, created_at and
-- revoked_at are real time. `generation` is the key's when the thing was issued; the key's rises when the app is
-- disabled. No foreign keys to the key and the app: their checks would lock those two rows once more for every token,
-- and neither is deleted while a token of it can be in force.
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
-- For the clean-up: those that expire are found by that.
create index access_tokens_revoked_at on access_tokens (revoked_at) where expires_at is null and revoked_at is not null;

-- Module tokens. All refresh tokens that came one after the other from one code. A refresh token names its family by
-- its first half, which never changes, and proves itself as the newest by its second: so a family is one row, however
-- often it rotates, and an older token of it is known for what it is without being kept. `answer` is what the last
-- rotation gave, sealed with a key that only the token it rotated can give.
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

-- Module tokens. An authorization code: lives a minute and works once. A used one is kept as long as the family it
-- gave, because presenting it again takes that away.
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
-- For the clean-up: those that were used are found by what they gave.
create index authorization_codes_expires_at on authorization_codes (expires_at) where family_id is null;
create index authorization_codes_family on authorization_codes (family_id) where family_id is not null;
