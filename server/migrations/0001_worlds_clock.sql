-- schema: worlds
-- World time is the database's clock plus `ahead`. Only the sandbox can increase `ahead`; in the live world it is
-- always 0.
-- Both worlds have this table. The row stores its world, so that a constraint can reject a change in the live world.
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

-- PostgreSQL parses this kind of function body when the function is created. So the function always reads the table
-- of its own schema, whatever the search_path of the caller is.
create function world_now() returns timestamptz
  language sql stable
  return (select clock_timestamp() + ahead from world_clock);
