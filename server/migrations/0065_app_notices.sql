-- schema: platform
-- Module notices. A notice about an app as a whole belongs to no world. Its time is real time.
alter table notices alter column world drop not null;

-- Module apps. expiry_noticed_at: when the team was notified that this replaced secret will end (real time).
alter table app_secrets add column expiry_noticed_at timestamptz;

create index app_secrets_expiry on app_secrets (expires_at) where expires_at is not null and expiry_noticed_at is null;

-- Module webhooks. secret_noticed_until: the end of the replaced secret about which the team was last notified (real
-- time). Secrets end one after another. So the team was not yet notified of a secret that ends later.
alter table webhook_endpoints add column secret_noticed_until timestamptz;
