-- schema: worlds
-- no transaction
-- Module ledger. The heads that are there get their open position before there are indexes to maintain; publishing goes on
-- between two batches. Running it again does the same again.
call fill_open_positions();
alter table ledger_heads validate constraint ledger_heads_open_side_whole;

-- Sync without identity: a company's changes, and an offering's.
drop index concurrently if exists ledger_heads_company_open_changes;
create index concurrently ledger_heads_company_open_changes on ledger_heads (company_id, open_position)
  include (investment_id, investor_id) where open_position is not null;
drop index concurrently if exists ledger_heads_offering_open_changes;
create index concurrently ledger_heads_offering_open_changes on ledger_heads (company_offering_id, open_position)
  include (investment_id, investor_id) where open_position is not null;
