-- schema: platform
-- Module accounts. Every account has a verified address. A link in a mail or the OpenID Connect provider verified the
-- address. The address of an account that an operator created counts as verified too. staff_role: the role of a
-- person who runs the platform, or null for other people.
alter table accounts
  add column email_verified_at timestamptz not null default clock_timestamp(),
  add column staff_role text collate "C",
  add constraint accounts_staff_role_known check (staff_role in ('admin'));

update accounts set email_verified_at = created_at;

create index accounts_staff on accounts (staff_role) where staff_role is not null;

-- Module accounts. A row is an account that does not exist yet. purpose: a person signed up and has to verify the
-- address, a person was invited to the platform, or the link creates the first administrator. hash: the SHA-256 of
-- the token in the link. The use of the link deletes the row. All times are real time.
create table sign_ups (
  hash bytea not null,
  purpose text collate "C" not null,
  email text collate "C",
  name text,
  password_hash text,
  browser_hash bytea,
  staff_role text collate "C",
  return_to text,
  invited_by text collate "C",
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  constraint sign_ups_pkey primary key (hash),
  constraint sign_ups_hash_is_sha256 check (octet_length(hash) = 32),
  constraint sign_ups_purpose_known check (purpose in ('sign_up', 'invitation', 'first_admin')),
  constraint sign_ups_email_form check (char_length(email) <= 254 and email ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  constraint sign_ups_email_known check (email is not null or purpose = 'first_admin'),
  constraint sign_ups_name_length check (char_length(name) between 1 and 200),
  constraint sign_ups_password_hash_form check (char_length(password_hash) <= 255 and password_hash like '$argon2id$%'),
  constraint sign_ups_browser_hash_is_sha256 check (octet_length(browser_hash) = 32),
  constraint sign_ups_staff_role_known check (staff_role in ('admin')),
  constraint sign_ups_return_to_length check (char_length(return_to) <= 8000),
  constraint sign_ups_invited_by_length check (char_length(invited_by) between 1 and 200),
  constraint sign_ups_expires_later check (expires_at > created_at)
);

create index sign_ups_email on sign_ups (lower(email));
create index sign_ups_expires_at on sign_ups (expires_at);

-- People request these links themselves, by mail: reset_password for a forgotten password, and change_email for a new
-- address.
alter table account_links
  add column new_email text collate "C",
  drop constraint account_links_purpose_known,
  add constraint account_links_purpose_known check (purpose in ('sign_in', 'set_password', 'reset_password', 'change_email')),
  add constraint account_links_new_email_form
    check (char_length(new_email) <= 254 and new_email ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  add constraint account_links_new_email_known check ((new_email is not null) = (purpose = 'change_email'));

-- link_hash: the SHA-256 of the token in an invitation's mail. Invitations from before this migration have no link.
-- The invited people find these invitations in the portal.
alter table organization_invitations
  add column link_hash bytea,
  add constraint organization_invitations_link_key unique (link_hash),
  add constraint organization_invitations_link_is_sha256 check (octet_length(link_hash) = 32);
