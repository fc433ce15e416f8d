-- schema: worlds
-- Of the system. How far ahead the world's clock was, and until when (real time). What was recorded carries the real
-- time of that; for how long it is kept is a matter of the world's time, and only these tell the one from the other.
create table clock_moves (
  seq bigint generated always as identity,
  moved_at timestamptz not null default clock_timestamp(),
  ahead_before interval not null,
  constraint clock_moves_pkey primary key (seq)
);

-- The schema is the clock's own, whatever the search_path of who moves it.
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

-- Module webhooks. An event that somebody asked for again is kept until that is done. (All other deliveries are as old
-- as their event, and end with it.)
create index delivery_queue_redelivered_event on delivery_queue (event_id) where redelivery_of is not null;
