-- schema: platform
-- Module accounts. An account is a person's sign-in and belongs to no world. An account without a password hash signs
-- in through another provider.
create table accounts (
  id text collate "C" not null,
  email text collate "C" not null,
  password_hash text,
  name text not null,
  created_at timestamptz not null default clock_timestamp(),
  disabled_at timestamptz,
  constraint accounts_pkey primary key (id),
  constraint accounts_id_form check (id ~ '^acct_[0-9A-Za-z]{24}$'),
  constraint accounts_email_form check (char_length(email) <= 254 and email ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  constraint accounts_password_hash_form check (char_length(password_hash) <= 255 and password_hash like '$argon2id$%'),
  constraint accounts_name_length check (char_length(name) between 1 and 200)
);

create unique index accounts_email_key on accounts (lower(email));

-- Module accounts. The user that an account is linked to: at most one user in each world. A user is linked to at most
-- one account. One foreign key cannot refer to the users of two schemas. So two generated columns repeat the user's
-- id, each with its own foreign key.
create table account_users (
  account_id text collate "C" not null,
  world text collate "C" not null,
  user_id text collate "C" not null,
  test_user_id text collate "C" generated always as (case when world = 'test' then user_id end) stored,
  live_user_id text collate "C" generated always as (case when world = 'live' then user_id end) stored,
  created_at timestamptz not null default clock_timestamp(),
  constraint account_users_pkey primary key (account_id, world),
  constraint account_users_world_known check (world in ('test', 'live')),
  constraint account_users_user_key unique (world, user_id),
  constraint account_users_account_fkey foreign key (account_id) references accounts (id),
  constraint account_users_test_user_fkey foreign key (test_user_id) references test.users (id),
  constraint account_users_live_user_fkey foreign key (live_user_id) references live.users (id)
);

create index account_users_test_user on account_users (test_user_id) where test_user_id is not null;
create index account_users_live_user on account_users (live_user_id) where live_user_id is not null;
