-- schema: worlds
-- The same transaction writes an event and its row in the queue, and an event that waits in the queue is never
-- deleted. So the foreign key cannot be violated, but its check took a quarter of the time of recording an event. The
-- check also locked the event's row, which wrote this row a second time.
alter table event_queue drop constraint event_queue_event_fkey;
