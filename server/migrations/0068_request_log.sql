-- schema: platform
-- Module requests. The log takes its positions from this sequence under one lock, so positions are in the order of
-- commits. A reader that continues from a position misses no row.
create sequence request_log_position;

-- Module requests. A row is a request of an app, for the app's team. The row contains no input of the caller and no
-- personal data. All times are real time. The server writes the rows in batches, after the requests have ended.
-- The table is partitioned by the day of logged_at, so that dropping one partition deletes a day. There is no foreign
-- key to apps, because its check would lock the rows of apps for each batch.
create table request_log (
  position bigint not null default nextval('platform.request_log_position'),
  logged_at timestamptz not null default clock_timestamp(),
  app_id text collate "C" not null,
  world text not null,
  request_id text collate "C" not null,
  started_at timestamptz not null,
  method text not null,
  route text not null,
  status smallint not null,
  duration_ms real not null,
  credential text not null,
  key_id text collate "C" not null,
  installation_id text collate "C",
  error_type text,
  constraint request_log_pkey primary key (logged_at, position),
  constraint request_log_app_form check (app_id ~ '^app_[0-9A-Za-z]{24}$'),
  constraint request_log_world_known check (world in ('test', 'live')),
  constraint request_log_request_form check (request_id ~ '^req_[0-9A-Za-z]{24}$'),
  constraint request_log_method_length check (char_length(method) between 3 and 7),
  constraint request_log_route_length check (char_length(route) between 1 and 200),
  constraint request_log_status_range check (status between 100 and 599),
  constraint request_log_duration_positive check (duration_ms >= 0),
  constraint request_log_credential_known check (credential in ('publishable', 'client', 'user', 'installation', 'server_key')),
  constraint request_log_key_length check (char_length(key_id) between 1 and 100),
  constraint request_log_installation_form check (installation_id ~ '^inst_[0-9A-Za-z]{24}$'),
  constraint request_log_error_length check (char_length(error_type) between 1 and 100)
) partition by range (logged_at);

create index request_log_app on request_log (app_id, position);
create index request_log_app_errors on request_log (app_id, position) where status >= 400;
create index request_log_request on request_log (request_id);

create table request_log_rest partition of request_log default;

-- Module requests. A row counts all requests of an app in an hour or a day (UTC, real time). unlogged: the counted
-- requests that are not in the log, because the log has a maximum per minute.
create table request_counts (
  app_id text collate "C" not null,
  world text not null,
  unit text not null,
  begins_at timestamptz not null,
  requests bigint not null,
  client_errors bigint not null,
  server_errors bigint not null,
  unlogged bigint not null,
  duration_ms double precision not null,
  constraint request_counts_pkey primary key (app_id, world, unit, begins_at),
  constraint request_counts_app_form check (app_id ~ '^app_[0-9A-Za-z]{24}$'),
  constraint request_counts_world_known check (world in ('test', 'live')),
  constraint request_counts_unit_known check (unit in ('hour', 'day')),
  constraint request_counts_positive
    check (requests >= 0 and client_errors >= 0 and server_errors >= 0 and unlogged >= 0 and duration_ms >= 0)
);

create index request_counts_begins_at on request_counts (unit, begins_at);

-- The function creates the log's partitions for today and the next two days. It drops the partitions of days that
-- ended longer ago than `keep`. It skips a day that already has rows in the default partition: all rows of that day
-- stay there, and are deleted by their age. It returns how many partitions it created or dropped.
create function turn_request_log(keep interval) returns integer
  language plpgsql
as $$
declare
  day timestamptz;
  partition text;
  taken boolean;
  turned integer := 0;
begin
  for ahead in 0..2 loop
    day := date_trunc('day', clock_timestamp(), 'UTC') + ahead * interval '1 day';
    partition := 'request_log_' || to_char(day at time zone 'UTC', 'YYYYMMDD');
    continue when to_regclass(format('platform.%I', partition)) is not null;
    select exists (select from platform.request_log_rest where logged_at >= day and logged_at < day + interval '1 day') into taken;
    continue when taken;
    execute format('create table %I.%I partition of %I.request_log for values from (%L) to (%L)',
                   'platform', partition, 'platform', day, day + interval '1 day');
    turned := turned + 1;
  end loop;
  for partition in
    select c.relname from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
     where i.inhparent = to_regclass('platform.request_log') and c.relname ~ '^request_log_[0-9]{8}$'
       and to_date(right(c.relname, 8), 'YYYYMMDD')::timestamp at time zone 'UTC' + interval '1 day' <= clock_timestamp() - keep
  loop
    execute format('drop table %I.%I', 'platform', partition);
    turned := turned + 1;
  end loop;
  return turned;
end $$;
