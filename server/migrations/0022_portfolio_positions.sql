-- schema: worlds
-- no transaction
-- The first index reads an investor's portfolio, newest first, and continues a page at its cursor. The second index
-- finds the investor's other stakes in an offering, and whether one of them is older. Both are built concurrently,
-- because facts arrive at the same time.
drop index concurrently if exists investments_investor_newest;
create index concurrently investments_investor_newest on investments (investor_id, applied_at, id);
drop index concurrently if exists investments_investor_offering;
create index concurrently investments_investor_offering on investments (investor_id, offering_id, applied_at, id);
