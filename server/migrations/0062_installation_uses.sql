-- schema: worlds
-- Module tokens. used_at: when a token of an installation was last used (real time). To save writes, the server
-- updates a row at most about once an hour.
create table installation_uses (
  installation_id text collate "C" not null,
  used_at timestamptz not null,
  constraint installation_uses_pkey primary key (installation_id),
  constraint installation_uses_installation_fkey foreign key (installation_id) references installations (id)
);
