-- schema: worlds
-- Of the system. How far the world's clock was ahead, and until which real time (moved_at). Records contain the real
-- time of their creation, but they are deleted by world time. Only these rows can convert one into the other.
create table clock_moves (
  seq bigint generated always as identity,
  moved_at timestamptz not null default clock_timestamp(),
  ahead_before interval not null,
  constraint clock_moves_pkey primary key (seq)
);

-- Writes to the schema of the clock's table, whatever the search_path of the session is that moves the clock.
create function note_clock_move() returns trigger
  language plpgsql
  as $$
begin
  execute format('insert into %I.clock_moves (ahead_before) values ($1)', tg_table_schema) using old.ahead;
  return null;
end
$$;

create trigger world_clock_moves_noted after update of ahead on world_clock
  for each row when (old.ahead is distinct from new.ahead) execute function note_clock_move();

-- Module webhooks. An event is not deleted while a redelivery of it waits. All other deliveries are as old as their
-- event, and are canceled after it is deleted.
create index delivery_queue_redelivered_event on delivery_queue (event_id) where redelivery_of is not null;
