-- schema: worlds
-- Module tokens. When a token of an installation was last used, in real time, to the hour: at most one write an hour.
create table installation_uses (
  installation_id text collate "C" not null,
  used_at timestamptz not null,
  constraint installation_uses_pkey primary key (installation_id),
  constraint installation_uses_installation_fkey foreign key (installation_id) references installations (id)
);
