-- schema: worlds
-- no transaction
-- Module ledger. This file sets open_position of the existing heads. It creates the indexes afterwards, so that no
-- index has to be maintained during the fill. Publishers keep working between two batches. Running the file again is
-- safe.
call fill_open_positions();
alter table ledger_heads validate constraint ledger_heads_open_side_whole;

-- The two indexes find the changes of a company and of an offering, for readers without identity fields.
drop index concurrently if exists ledger_heads_company_open_changes;
create index concurrently ledger_heads_company_open_changes on ledger_heads (company_id, open_position)
  include (investment_id, investor_id) where open_position is not null;
drop index concurrently if exists ledger_heads_offering_open_changes;
create index concurrently ledger_heads_offering_open_changes on ledger_heads (company_offering_id, open_position)
  include (investment_id, investor_id) where open_position is not null;
