-- schema: platform
-- few rows: operator_keys sign_ups
-- Modules accounts and operator. The people and keys that run the platform have one of four roles. Existing keys get
-- the role admin, because they could do everything before. Servers of the previous release insert a key without a
-- role, and such a key gets the same default.
-- factor_at: when the person of a session last proved a second factor in it. staff_seen_at: when the person last
-- acted for the platform in it. Migration 0074 validates the constraint of accounts.
alter table accounts
  drop constraint accounts_staff_role_known,
  add constraint accounts_staff_role_known check (staff_role in ('viewer', 'support', 'compliance', 'admin')) not valid;

alter table sign_ups
  drop constraint sign_ups_staff_role_known,
  add constraint sign_ups_staff_role_known check (staff_role in ('viewer', 'support', 'compliance', 'admin'));

alter table sign_in_sessions
  add column factor_at timestamptz,
  add column staff_seen_at timestamptz;

alter table operator_keys
  add column role text collate "C" not null default 'admin',
  add column expires_at timestamptz,
  add constraint operator_keys_role_known check (role in ('viewer', 'support', 'compliance', 'admin')),
  add constraint operator_keys_expires_later check (expires_at > created_at);
