-- schema: platform
-- Module accounts. A browser in which a person signed in.
-- hash: the SHA-256 of the browser's cookie.
-- Times are real time.
create table sign_in_sessions (
  hash bytea not null,
  account_id text collate "C" not null,
  created_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  constraint sign_in_sessions_pkey primary key (hash),
  constraint sign_in_sessions_hash_is_sha256 check (octet_length(hash) = 32),
  constraint sign_in_sessions_expires_later check (expires_at > created_at),
  constraint sign_in_sessions_account_fkey foreign key (account_id) references accounts (id)
);

create index sign_in_sessions_account on sign_in_sessions (account_id);
create index sign_in_sessions_expires_at on sign_in_sessions (expires_at);

-- Module accounts. Attempts to sign in, counted in windows of real time.
-- bucket: a keyed digest of what the row counts (an account from an address, an account, or an address). So the table
-- does not reveal which person tried to sign in from which address.
create table sign_in_attempts (
  bucket bytea not null,
  window_ends_at timestamptz not null,
  attempts integer not null,
  constraint sign_in_attempts_pkey primary key (bucket),
  constraint sign_in_attempts_bucket_length check (octet_length(bucket) = 32),
  constraint sign_in_attempts_attempts_positive check (attempts >= 0)
);

create index sign_in_attempts_window_ends_at on sign_in_attempts (window_ends_at);

-- Module accounts. The identity of an account at an OpenID Connect provider.
create table account_identities (
  issuer text collate "C" not null,
  subject text collate "C" not null,
  account_id text collate "C" not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint account_identities_pkey primary key (issuer, subject),
  constraint account_identities_issuer_length check (char_length(issuer) between 1 and 500),
  constraint account_identities_subject_length check (char_length(subject) between 1 and 255),
  constraint account_identities_account_fkey foreign key (account_id) references accounts (id)
);

create index account_identities_account on account_identities (account_id);
