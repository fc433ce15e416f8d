-- schema: platform
-- Module webhooks. Creates the partitions of a world's delivery history for this week and the next two, and drops
-- those that ended more than `keep` ago. The caller must own the tables, and a world's own role does not. If the
-- sandbox's clock jumped, the default partition may contain rows of a week, and PostgreSQL cannot create a partition
-- for that week. The function skips that week: its rows stay in the default partition and are deleted by age. Returns
-- how many partitions were created or dropped.
create function turn_delivery_history(world text, keep interval) returns integer
  language plpgsql
as $$
declare
  at timestamptz;
  week timestamptz;
  partition text;
  taken boolean;
  turned integer := 0;
begin
  if world is null or world not in ('test', 'live') then raise exception 'no such world: %', world; end if;
  execute format('select %I.world_now()', world) into at;
  for ahead in 0..2 loop
    week := date_trunc('week', at, 'UTC') + ahead * interval '7 days';
    partition := 'delivery_history_' || to_char(week at time zone 'UTC', 'YYYYMMDD');
    continue when to_regclass(format('%I.%I', world, partition)) is not null;
    execute format('select exists (select from %I.delivery_history_rest where ended_at >= $1 and ended_at < $2)', world)
      into taken using week, week + interval '7 days';
    continue when taken;
    execute format('create table %I.%I partition of %I.delivery_history for values from (%L) to (%L)',
                   world, partition, world, week, week + interval '7 days');
    turned := turned + 1;
  end loop;
  for partition in
    select c.relname from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
     where i.inhparent = to_regclass(format('%I.delivery_history', world)) and c.relname ~ '^delivery_history_[0-9]{8}$'
       and to_date(right(c.relname, 8), 'YYYYMMDD')::timestamp at time zone 'UTC' + interval '7 days' <= at - keep
  loop
    execute format('drop table %I.%I', world, partition);
    turned := turned + 1;
  end loop;
  return turned;
end $$;
