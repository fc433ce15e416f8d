-- schema: platform
-- Module notices. A notice about an app as a whole has no world, and is dated by real time.
alter table notices alter column world drop not null;

-- Module apps. When the team got its notice that this replaced secret will end; real time.
alter table app_secrets add column expiry_noticed_at timestamptz;

create index app_secrets_expiry on app_secrets (expires_at) where expires_at is not null and expiry_noticed_at is null;

-- Module webhooks. The end of the replaced secret that the team got its last notice about; real time. Secrets end one after the
-- other, so all that end later have had none.
alter table webhook_endpoints add column secret_noticed_until timestamptz;
