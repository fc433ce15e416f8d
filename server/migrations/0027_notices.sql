-- schema: platform
-- Module notices. A message to an organization's team about one of its apps, written in the transaction of the change
-- that it reports. The portal's feed shows it, and the team gets it by mail.
-- subject: the id of the record that the notice is about.
-- mail_due_at: when the mail is due, in real time; null after it was sent or given up.
-- created_at is real time; in later releases it is world time in notices about a failing or disabled endpoint.
create table notices (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  app_id text collate "C" not null,
  world text collate "C" not null,
  kind text collate "C" not null,
  subject text collate "C" not null,
  details jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  mail_due_at timestamptz default clock_timestamp(),
  mail_attempts smallint not null default 0,
  mailed_at timestamptz,
  constraint notices_pkey primary key (id),
  constraint notices_id_form check (id ~ '^ntc_[0-9A-Za-z]{24}$'),
  constraint notices_world_known check (world in ('test', 'live')),
  constraint notices_kind_form check (kind ~ '^[a-z_]{1,40}\.[a-z_]{1,40}$'),
  constraint notices_subject_length check (char_length(subject) between 1 and 100),
  constraint notices_details_object check (
    jsonb_typeof(details) = 'object' and octet_length(details::text) <= 20000),
  constraint notices_mail_attempts_counted check (mail_attempts >= 0),
  constraint notices_mailed_once check (mailed_at is null or mail_due_at is null),
  constraint notices_organization_fkey foreign key (organization_id) references organizations (id),
  constraint notices_app_fkey foreign key (app_id) references apps (id)
);

create index notices_organization on notices (organization_id, id);
create index notices_app on notices (app_id, id);
create index notices_mail_due on notices (mail_due_at) where mail_due_at is not null;
