-- schema: platform
-- Module accounts. A row is a browser that has signed in to an account before. hash: the SHA-256 of a secret in the
-- browser's sealed cookie. failures: the wrong passwords since the last sign-in of this browser. No time window
-- resets the count. All times are real time.
create table sign_in_devices (
  hash bytea not null,
  account_id text collate "C" not null,
  failures integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  constraint sign_in_devices_pkey primary key (hash),
  constraint sign_in_devices_hash_is_sha256 check (octet_length(hash) = 32),
  constraint sign_in_devices_failures_counted check (failures >= 0),
  constraint sign_in_devices_expires_later check (expires_at > created_at),
  constraint sign_in_devices_account_fkey foreign key (account_id) references accounts (id)
);

create index sign_in_devices_account on sign_in_devices (account_id, created_at);
create index sign_in_devices_expires_at on sign_in_devices (expires_at);

-- Module accounts. A row is a one-time link that an operator issued for an account. (Migration 0059 adds links that
-- people request themselves.) hash: the SHA-256 of the link's token. The use of a link deletes its row. The audit
-- records that a link was issued, and that it was used. All times are real time.
create table account_links (
  hash bytea not null,
  account_id text collate "C" not null,
  purpose text collate "C" not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  constraint account_links_pkey primary key (hash),
  constraint account_links_hash_is_sha256 check (octet_length(hash) = 32),
  constraint account_links_purpose_known check (purpose in ('sign_in', 'set_password')),
  constraint account_links_one_of_a_purpose unique (account_id, purpose),
  constraint account_links_expires_later check (expires_at > created_at),
  constraint account_links_account_fkey foreign key (account_id) references accounts (id)
);

create index account_links_expires_at on account_links (expires_at);

-- Module accounts. A row is a sign-in at the OpenID Connect provider whose callback was received. hash: the SHA-256
-- of the sign-in's state. The state cannot be used again, even if the sign-in failed. All times are real time.
create table openid_states_used (
  hash bytea not null,
  expires_at timestamptz not null,
  constraint openid_states_used_pkey primary key (hash),
  constraint openid_states_used_hash_is_sha256 check (octet_length(hash) = 32)
);

create index openid_states_used_expires_at on openid_states_used (expires_at);

-- Operators search accounts by the beginning of the address (index accounts_email_key) or of the name (this index).
create index accounts_name_start on accounts (lower(name) collate "C");
