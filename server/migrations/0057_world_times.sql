-- schema: worlds
-- Of the system. How far the world's clock is ahead at this moment; null where it shows real time, as it always does in
-- the live world.
create function clock_ahead() returns interval
  language sql stable
  return (select nullif(ahead, interval '0') from world_clock);

-- Of the system. What the world's clock showed at a real time. Moves of the clock are kept for good because of this.
create index clock_moves_moved_at on clock_moves (moved_at);
create function world_time_at(real_time timestamptz) returns timestamptz
  language sql stable
  return real_time + coalesce(
    (select m.ahead_before from clock_moves m where m.moved_at > real_time order by m.moved_at, m.seq limit 1),
    (select c.ahead from world_clock c));

-- Modules events and webhooks. Subscriptions, stops and retention compare recorded_at and created_at, which are real time.
-- A reader sees the world's: the same plus clock_ahead, how far the clock was ahead then (null: not at all).
alter table events add column clock_ahead interval;
alter table events alter column clock_ahead set default clock_ahead();
alter table delivery_queue add column clock_ahead interval;
alter table delivery_queue alter column clock_ahead set default clock_ahead();
alter table delivery_parcels add column clock_ahead interval;
alter table delivery_parcels alter column clock_ahead set default clock_ahead();
alter table delivery_history add column clock_ahead interval;

-- Only readers see these, so the columns themselves become the world's time.
alter table facts alter column applied_at set default world_now();

-- What there is of a world whose clock was moved. Of the live world nothing is read or written here.
do $$
declare
  kept record;
begin
  if not exists (select from clock_moves) then return; end if;
  for kept in values ('events', 'recorded_at'), ('delivery_queue', 'created_at'), ('delivery_parcels', 'created_at'),
                     ('delivery_history', 'created_at')
  loop
    execute format(
      'update %1$I set clock_ahead = nullif(coalesce(
         (select m.ahead_before from clock_moves m where m.moved_at > %1$I.%2$I order by m.moved_at, m.seq limit 1),
         (select c.ahead from world_clock c)), interval ''0'')', kept.column1, kept.column2);
  end loop;
  update facts set applied_at = world_time_at(applied_at);
  update platform.webhook_endpoints set created_at = world_time_at(created_at) where world = current_schema();
  update platform.notices set created_at = world_time_at(created_at) where world = current_schema();
end $$;
