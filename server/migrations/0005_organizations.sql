-- schema: platform
-- Module organizations. A partner company that owns apps. The platform can end an organization, but its row is never
-- deleted.
create table organizations (
  id text collate "C" not null,
  name text not null,
  state text not null default 'active',
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  constraint organizations_pkey primary key (id),
  constraint organizations_id_form check (id ~ '^org_[0-9A-Za-z]{24}$'),
  constraint organizations_name_length check (char_length(name) between 1 and 200),
  constraint organizations_state_known check (state in ('active', 'ended')),
  constraint organizations_ended_dated check ((state = 'ended') = (ended_at is not null))
);

-- Module organizations. The members of a partner's team and their roles.
create table organization_members (
  organization_id text collate "C" not null,
  account_id text collate "C" not null,
  role text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint organization_members_pkey primary key (organization_id, account_id),
  constraint organization_members_role_known check (role in ('owner', 'admin', 'developer')),
  constraint organization_members_organization_fkey foreign key (organization_id) references organizations (id),
  constraint organization_members_account_fkey foreign key (account_id) references accounts (id)
);

create index organization_members_account on organization_members (account_id);
