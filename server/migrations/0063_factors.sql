-- schema: platform
-- Module accounts. id: names a session in the list that its person sees. The id does not authorize a request.
-- proven_at: when the person last proved who they are. Sessions from before this migration have no proof, which is
-- `-infinity`. device: the browser and the operating system in words. No network address is stored.
alter table sign_in_sessions
  add column id uuid not null default gen_random_uuid(),
  add column proven_at timestamptz not null default '-infinity',
  add column device text,
  add constraint sign_in_sessions_id_unique unique (id),
  add constraint sign_in_sessions_device_length check (char_length(device) between 1 and 100);

alter table sign_in_sessions alter column proven_at set default clock_timestamp();

-- Module accounts. A row is the authenticator app of an account. secret: the sealed secret. last_step: the last time
-- step whose code was used. A code of that step or of an earlier step is rejected.
create table account_totp (
  account_id text collate "C" not null,
  secret bytea not null,
  last_step bigint not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint account_totp_pkey primary key (account_id),
  constraint account_totp_account_fkey foreign key (account_id) references accounts (id),
  constraint account_totp_secret_length check (octet_length(secret) between 1 and 200),
  constraint account_totp_last_step_positive check (last_step > 0)
);

-- Module accounts. A row is a recovery code that was not used yet. hash: the digest of the code. The use of a code
-- deletes its row.
create table account_recovery_codes (
  account_id text collate "C" not null,
  hash bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint account_recovery_codes_pkey primary key (account_id, hash),
  constraint account_recovery_codes_account_fkey foreign key (account_id) references accounts (id),
  constraint account_recovery_codes_hash_is_sha256 check (octet_length(hash) = 32)
);

-- Module accounts. A row is a passkey (WebAuthn credential). counter: the count that the authenticator last reported,
-- or 0 if the authenticator does not count. synced: the passkey may exist on several devices. backed_up: the passkey
-- does exist on several devices.
create table account_passkeys (
  id uuid not null default gen_random_uuid(),
  account_id text collate "C" not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  synced boolean not null,
  backed_up boolean not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz,
  constraint account_passkeys_pkey primary key (id),
  constraint account_passkeys_account_fkey foreign key (account_id) references accounts (id),
  constraint account_passkeys_credential_unique unique (credential_id),
  constraint account_passkeys_credential_length check (octet_length(credential_id) between 1 and 1023),
  constraint account_passkeys_public_key_length check (octet_length(public_key) between 1 and 4096),
  constraint account_passkeys_counter_range check (counter between 0 and 4294967295),
  constraint account_passkeys_transports_known
    check (transports <@ array['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] and cardinality(transports) <= 7),
  constraint account_passkeys_name_length check (char_length(name) between 1 and 60)
);

create index account_passkeys_account on account_passkeys (account_id);

-- Module accounts. hash: the digest of a second-step ticket or a passkey challenge that was used. The ticket or the
-- challenge cannot be used again. Its row is deleted after it would have expired.
create table sign_in_tickets_used (
  hash bytea not null,
  expires_at timestamptz not null,
  constraint sign_in_tickets_used_pkey primary key (hash),
  constraint sign_in_tickets_used_hash_is_sha256 check (octet_length(hash) = 32)
);

create index sign_in_tickets_used_expires_at on sign_in_tickets_used (expires_at);
