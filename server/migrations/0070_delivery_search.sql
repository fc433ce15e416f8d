-- schema: worlds
-- no transaction
-- Module webhooks. The portal finds the deliveries of an event, and the failed deliveries among many successful ones.
-- Rows come in the order of time, and so do the ids in both indexes. So an insert goes to the end of the index, or to
-- the end of the entries of its endpoint. The second index leaves out successful deliveries.
-- The indexes are built concurrently, because deliveries end meanwhile. The migrator builds an index for one
-- partition after another. A second run continues where the first run stopped.
create index concurrently delivery_history_event on delivery_history (event_id);
create index concurrently delivery_history_failed on delivery_history (endpoint_id, state, id) where state <> 'delivered';
