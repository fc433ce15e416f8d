-- schema: worlds
-- no transaction
-- Module webhooks. The portal finds the deliveries of an event, and those that failed among many that did not. Rows come in the
-- order of time, and so do both keys: an insert touches the last page of each index. Successful deliveries are not in the second.
-- Concurrent: the migrator does it partition by partition, while deliveries end. Running it again does what is left.
create index concurrently delivery_history_event on delivery_history (event_id);
create index concurrently delivery_history_failed on delivery_history (endpoint_id, state, id) where state <> 'delivered';
