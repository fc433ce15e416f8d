-- schema: platform
-- Module apps. The row of an app contains the last version of the usage conditions that its team accepted, with the
-- account and the time. This table contains the earlier acceptances. accepted_at is real time.
create table earlier_acceptances (
  app_id text collate "C" not null,
  version text collate "C" not null,
  account_id text collate "C" not null,
  accepted_at timestamptz not null,
  constraint earlier_acceptances_pkey primary key (app_id, version),
  constraint earlier_acceptances_version_form check (version ~ '^\d{4}-\d{2}-\d{2}$'),
  constraint earlier_acceptances_app_fkey foreign key (app_id) references apps (id),
  constraint earlier_acceptances_account_fkey foreign key (account_id) references accounts (id)
);

create index earlier_acceptances_account on earlier_acceptances (account_id);
