-- schema: platform
-- no transaction
-- Module accounts. Operators see how many accounts were created in each hour or day.
create index concurrently if not exists accounts_created_at on accounts (created_at);
