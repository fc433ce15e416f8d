-- schema: worlds
-- World time = the database's clock + ahead. The sandbox's may be moved forward; the live world's never.
-- Both worlds have the same catalogue, so the row names its world and the constraint does the rest.
create table world_clock (
  only_row boolean not null default true,
  world text collate "C" not null default current_schema(),
  ahead interval not null default '0',
  constraint world_clock_pkey primary key (only_row),
  constraint world_clock_only_row check (only_row),
  constraint world_clock_world_known check (world in ('test', 'live')),
  constraint world_clock_ahead_not_behind check (ahead >= interval '0'),
  constraint world_clock_live_never_moves check (world = 'test' or ahead = interval '0')
);

insert into world_clock default values;

-- The body is parsed now and so bound to this schema's table, whatever the search_path of the caller.
create function world_now() returns timestamptz
  language sql stable
  return (select clock_timestamp() + ahead from world_clock);
