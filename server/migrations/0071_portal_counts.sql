-- schema: platform
-- Module webhooks. A row counts the attempts at an endpoint in an hour or a day (UTC, real time). lag_ms: how long
-- all first attempts waited, in total. The worker that leases the endpoint's lane adds to the row a few times a
-- second.
-- There is no foreign key to the endpoint, because its check would lock the endpoint each time.
create table delivery_counts (
  endpoint_id text collate "C" not null,
  unit text not null,
  begins_at timestamptz not null,
  delivered bigint not null,
  failed bigint not null,
  first_attempts bigint not null,
  lag_ms double precision not null,
  constraint delivery_counts_pkey primary key (endpoint_id, unit, begins_at),
  constraint delivery_counts_endpoint_form check (endpoint_id ~ '^whe_[0-9A-Za-z]{24}$'),
  constraint delivery_counts_unit_known check (unit in ('hour', 'day')),
  constraint delivery_counts_positive check (delivered >= 0 and failed >= 0 and first_attempts >= 0 and lag_ms >= 0)
);

create index delivery_counts_begins_at on delivery_counts (unit, begins_at);

-- Module limits. A row describes how an app used one limit in an hour or a day (UTC, real time). peak: the most
-- requests that one token or key made in one window. allowed: the limit at that time. rejected: how many requests the
-- limit rejected.
create table limit_use (
  app_id text collate "C" not null,
  world text not null,
  limit_name text not null,
  unit text not null,
  begins_at timestamptz not null,
  peak bigint not null,
  allowed bigint not null,
  rejected bigint not null,
  constraint limit_use_pkey primary key (app_id, world, unit, limit_name, begins_at),
  constraint limit_use_app_form check (app_id ~ '^app_[0-9A-Za-z]{24}$'),
  constraint limit_use_world_known check (world in ('test', 'live')),
  constraint limit_use_limit_known check (limit_name in ('access_token', 'publishable_key', 'server_key', 'token_client')),
  constraint limit_use_unit_known check (unit in ('hour', 'day')),
  constraint limit_use_positive check (peak >= 0 and allowed > 0 and rejected >= 0)
);

create index limit_use_begins_at on limit_use (unit, begins_at);
