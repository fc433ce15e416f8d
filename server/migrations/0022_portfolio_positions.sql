-- schema: worlds
-- no transaction
-- An investor's portfolio is read newest first along the first of these, which says where a page goes on; the second
-- finds the other stakes in an offering, and whether one of them was first. Concurrent: facts come in meanwhile.
drop index concurrently if exists investments_investor_newest;
create index concurrently investments_investor_newest on investments (investor_id, applied_at, id);
drop index concurrently if exists investments_investor_offering;
create index concurrently investments_investor_offering on investments (investor_id, offering_id, applied_at, id);
