-- schema: worlds
-- Module invites. A row is a link that leads people to an offering. The link is for many people, or for one person by
-- email address or user. The address of the link's page is derived from the id with a secret key of the server. So a
-- reader of this table cannot open the page.
-- The columns mail_… describe the mail that waits to be sent. mail_due_at: when the next attempt is due (real time).
-- mail_origin: the origin of the server's own address in the mail's link. mailed_at: when the last mail was sent
-- (real time).
create table invite_links (
  id text collate "C" not null,
  offering_id text collate "C" not null,
  installation_id text collate "C" not null,
  per_person boolean not null,
  email text collate "C",
  user_id text collate "C",
  first_name text,
  last_name text,
  message text,
  allocation_cents bigint,
  max_uses integer,
  opened_at timestamptz,
  opened_by_user_id text collate "C",
  declined_at timestamptz,
  canceled_at timestamptz,
  created_at timestamptz not null default world_now(),
  mail_due_at timestamptz,
  mail_attempts integer not null default 0,
  mail_origin text,
  mail_kind text,
  mailed_at timestamptz,
  constraint invite_links_pkey primary key (id),
  constraint invite_links_id_form check (id ~ '^il_[0-9A-Za-z]{24}$'),
  constraint invite_links_email_form check (
    char_length(email) <= 254 and email ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  constraint invite_links_one_recipient check (num_nonnulls(email, user_id) <= 1),
  constraint invite_links_recipient_only_per_person check (
    per_person or num_nonnulls(email, user_id, first_name, last_name, message, opened_by_user_id, declined_at,
                               mail_due_at, mailed_at) = 0),
  constraint invite_links_first_name_length check (char_length(first_name) between 1 and 100),
  constraint invite_links_last_name_length check (char_length(last_name) between 1 and 100),
  constraint invite_links_message_length check (char_length(message) between 1 and 2000),
  constraint invite_links_allocation_whole_units check (
    allocation_cents between 100 and 9007199254740991 and allocation_cents % 100 = 0),
  constraint invite_links_max_uses_reusable check (max_uses is null or (not per_person and max_uses > 0)),
  constraint invite_links_mail_origin_form check (char_length(mail_origin) <= 300 and mail_origin ~ '^https?://'),
  constraint invite_links_mail_addressed check (mail_due_at is null or num_nonnulls(mail_origin, mail_kind) = 2),
  constraint invite_links_mail_kind_known check (mail_kind in ('send', 'resend')),
  constraint invite_links_offering_fkey foreign key (offering_id) references offerings (id),
  constraint invite_links_installation_fkey foreign key (installation_id) references installations (id),
  constraint invite_links_user_fkey foreign key (user_id) references users (id),
  constraint invite_links_opened_by_fkey foreign key (opened_by_user_id) references users (id)
);

create index invite_links_offering on invite_links (offering_id, id);
create index invite_links_installation on invite_links (installation_id, offering_id, id);
create index invite_links_email on invite_links (lower(email)) where email is not null;
create index invite_links_user on invite_links (user_id) where user_id is not null;
create index invite_links_opened_by on invite_links (opened_by_user_id) where opened_by_user_id is not null;
create index invite_links_mail_due on invite_links (mail_due_at) where mail_due_at is not null;

-- Module invites. The rows are the history of a link. Times are world time.
create table invite_link_events (
  seq bigint generated always as identity,
  invite_link_id text collate "C" not null,
  event text not null,
  created_at timestamptz not null default world_now(),
  constraint invite_link_events_pkey primary key (seq),
  constraint invite_link_events_event_known check (
    event in ('send', 'resend', 'open', 'decline', 'invest', 'cancel')),
  constraint invite_link_events_link_fkey foreign key (invite_link_id) references invite_links (id)
);

create index invite_link_events_link on invite_link_events (invite_link_id, seq);

-- Module invites. A row is an investment that a person made through a link.
create table invite_link_uses (
  investment_id text collate "C" not null,
  invite_link_id text collate "C" not null,
  used_at timestamptz not null,
  constraint invite_link_uses_pkey primary key (investment_id),
  constraint invite_link_uses_investment_fkey foreign key (investment_id) references investments (id),
  constraint invite_link_uses_link_fkey foreign key (invite_link_id) references invite_links (id)
);

create index invite_link_uses_link on invite_link_uses (invite_link_id, used_at);

-- Module sessions. This index lists the sessions of an installation that have one status, newest first.
create index investment_sessions_installation_status on investment_sessions (installation_id, status, id)
  where installation_id is not null;
