-- schema: worlds
-- Triggers call this function to reject a change of an immutable column or table. The error contains the trigger's
-- name as the name of the constraint, so that callers can handle it like a violated constraint.
create function refuse_change() returns trigger
  language plpgsql
  as $$
begin
  raise exception '% refuses this change', tg_name
    using errcode = 'check_violation', constraint = tg_name, table = tg_table_name, schema = tg_table_schema;
end
$$;

-- Module people. A user: an investor, founder, manager or member. A deactivation keeps the row, because investments
-- refer to it, and erases the columns that identify the person.
create table users (
  id text collate "C" not null,
  name text,
  first_name text,
  legal_name text,
  email text collate "C",
  username text collate "C",
  bio text,
  avatar_url text,
  city text,
  state text,
  country text,
  location_hidden boolean not null default false,
  address jsonb,
  accreditation text not null default 'none',
  certified_at timestamptz,
  created_at timestamptz not null default world_now(),
  deactivated_at timestamptz,
  constraint users_pkey primary key (id),
  constraint users_id_form check (id ~ '^usr_[0-9A-Za-z]{24}$'),
  constraint users_name_length check (char_length(name) between 1 and 200),
  constraint users_first_name_length check (char_length(first_name) between 1 and 100),
  constraint users_legal_name_length check (char_length(legal_name) between 1 and 200),
  constraint users_email_form check (char_length(email) <= 254 and email ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  constraint users_username_form check (username ~ '^[0-9A-Za-z._-]{1,60}$'),
  constraint users_bio_length check (char_length(bio) between 1 and 5000),
  constraint users_avatar_url_form check (char_length(avatar_url) <= 2000 and avatar_url ~ '^(https?://|/[^/])'),
  constraint users_city_length check (char_length(city) between 1 and 100),
  constraint users_state_length check (char_length(state) between 1 and 100),
  constraint users_country_length check (char_length(country) between 1 and 100),
  constraint users_address_object check (jsonb_typeof(address) = 'object' and octet_length(address::text) <= 2000),
  constraint users_accreditation_known check (accreditation in ('none', 'self_attested', 'verified')),
  constraint users_named_while_active check (deactivated_at is not null or (name is not null and email is not null)),
  constraint users_erased_when_deactivated check (deactivated_at is null or num_nonnulls(
    name, first_name, legal_name, email, username, bio, avatar_url, city, state, country, address) = 0)
);

-- Both columns have the collation "C", so lower() changes only ASCII letters. The result is the same on every server
-- and in every version of PostgreSQL.
create unique index users_email_key on users (lower(email));
create unique index users_username_key on users (lower(username));

-- Module people. Email addresses that a user had before. Some records name a person only by an address: an
-- invitation, a session, or an event from before the user existed. To erase a user, the erasure searches for such
-- records by the user's current and former addresses.
create table former_addresses (
  user_id text collate "C" not null,
  address text collate "C" not null,
  constraint former_addresses_pkey primary key (user_id, address),
  constraint former_addresses_address_length check (char_length(address) between 1 and 254),
  constraint former_addresses_user_fkey foreign key (user_id) references users (id)
);
