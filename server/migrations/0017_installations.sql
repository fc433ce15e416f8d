-- schema: worlds
-- Module installations. An app that was installed on a company, a syndicate or a user. The granted scopes are fixed
-- at this moment; only the removal of a scope from the app removes scopes later.
-- by_default: the app requested no scope and got read:profile. This grant does not depend on the scopes that the app
-- declares.
-- pii_by: why the installation may show who investors are. 'team': a member of the app's team installed it.
-- 'approval': the platform approved the app, and a withdrawal of the approval revokes the installation. Null if the
-- installation does not show investors, and on a syndicate, which needs neither.
-- installed_by_role and revoked_by_role: the role of the person who acted, and never a name.
create table installations (
  id text collate "C" not null,
  app_id text collate "C" not null,
  target_type text not null,
  company_id text collate "C",
  syndicate_id text collate "C",
  user_id text collate "C",
  tier text not null,
  scopes text[] collate "C" not null,
  by_default boolean not null default false,
  pii_by text,
  state text not null default 'active',
  installed_at timestamptz not null default world_now(),
  installed_by_role text collate "C" not null,
  installed_by_user_id text collate "C",
  revoked_at timestamptz,
  revoked_by_role text collate "C",
  superseded boolean not null default false,
  recorded_at timestamptz not null default clock_timestamp(),
  constraint installations_pkey primary key (id),
  constraint installations_id_form check (id ~ '^inst_[0-9A-Za-z]{24}$'),
  constraint installations_target_one check (
    num_nonnulls(company_id, syndicate_id, user_id) = 1
    and case target_type when 'company' then company_id is not null
                         when 'syndicate' then syndicate_id is not null
                         when 'user' then user_id is not null else false end),
  constraint installations_tier_of_target check (
    case target_type when 'company' then tier in ('founder', 'admin', 'editor')
                     when 'syndicate' then tier = 'manager' else tier = 'user' end),
  constraint installations_scopes_bounded check (cardinality(scopes) <= 100 and array_position(scopes, null) is null),
  constraint installations_pii_by_known check (
    pii_by is null or (pii_by in ('team', 'approval') and target_type <> 'syndicate')),
  constraint installations_pii_by_told check (
    pii_by is not null or target_type = 'syndicate' or not scopes @> array['read:investors:pii']),
  constraint installations_state_known check (state in ('active', 'revoked')),
  constraint installations_revoked_dated check (
    (state = 'revoked') = (revoked_at is not null) and (state = 'revoked') = (revoked_by_role is not null)),
  constraint installations_superseded_revoked check (not superseded or (state = 'revoked' and target_type = 'user')),
  constraint installations_installed_by_role_form check (installed_by_role ~ '^[a-z][a-z0-9]{1,30}$'),
  constraint installations_revoked_by_role_form check (revoked_by_role ~ '^[a-z][a-z0-9]{1,30}$'),
  constraint installations_app_fkey foreign key (app_id) references platform.apps (id),
  constraint installations_company_fkey foreign key (company_id) references companies (id),
  constraint installations_syndicate_fkey foreign key (syndicate_id) references syndicates (id),
  constraint installations_user_fkey foreign key (user_id) references users (id),
  constraint installations_installed_by_user_fkey foreign key (installed_by_user_id) references users (id)
);

-- "At most one active install per company or syndicate", for each app. A user also has at most one active connection
-- with an app.
create unique index installations_company_active on installations (app_id, company_id) where state = 'active' and company_id is not null;
create unique index installations_syndicate_active on installations (app_id, syndicate_id) where state = 'active' and syndicate_id is not null;
create unique index installations_user_active on installations (app_id, user_id) where state = 'active' and user_id is not null;

create index installations_app on installations (app_id, id);
create index installations_company on installations (company_id) where company_id is not null;
create index installations_syndicate on installations (syndicate_id) where syndicate_id is not null;
create index installations_user on installations (user_id, id) where user_id is not null;
create index installations_installed_by_user on installations (installed_by_user_id) where installed_by_user_id is not null;
