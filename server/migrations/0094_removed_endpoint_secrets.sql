-- schema: platform
-- no transaction
-- Module webhooks. For the job that erases the secrets of endpoints that a release before this one removed. A removal now erases
-- the secrets itself, so this index is almost always empty.
create index concurrently if not exists webhook_endpoints_removed_secrets
  on webhook_endpoints (id) where state = 'removed' and secret <> '';
