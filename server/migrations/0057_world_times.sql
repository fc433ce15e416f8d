-- schema: worlds
-- Module system. The function returns how far the world's clock is ahead now. It returns null while the clock shows
-- real time, as the clock of the live world always does.
create function clock_ahead() returns interval
  language sql stable
  return (select nullif(ahead, interval '0') from world_clock);

-- Module system. The function returns the time that the world's clock showed at a given real time. It needs all later
-- moves of the clock, so no row of clock_moves is ever deleted.
create index clock_moves_moved_at on clock_moves (moved_at);
create function world_time_at(real_time timestamptz) returns timestamptz
  language sql stable
  return real_time + coalesce(
    (select m.ahead_before from clock_moves m where m.moved_at > real_time order by m.moved_at, m.seq limit 1),
    (select c.ahead from world_clock c));

-- Modules events and webhooks. recorded_at and created_at are real time, because subscriptions, stops and retention
-- compare them. Readers see world time, which is real time plus clock_ahead. clock_ahead: how far the clock was ahead
-- when the row was written, or null if it showed real time.
alter table events add column clock_ahead interval;
alter table events alter column clock_ahead set default clock_ahead();
alter table delivery_queue add column clock_ahead interval;
alter table delivery_queue alter column clock_ahead set default clock_ahead();
alter table delivery_parcels add column clock_ahead interval;
alter table delivery_parcels alter column clock_ahead set default clock_ahead();
alter table delivery_history add column clock_ahead interval;

-- Nothing compares applied_at with real time, so the column itself contains world time from now on.
alter table facts alter column applied_at set default world_now();

-- This block converts the existing rows of a world whose clock was moved. The clock of the live world never moves, so
-- the block reads and changes no rows there.
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
