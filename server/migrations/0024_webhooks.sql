-- schema: platform
-- Module webhooks. A partner's URL that receives deliveries of one world.
-- installation_id: limits the endpoint to one installation of that world. It has no foreign key, because `world`
-- decides to which schema it refers; installations are never deleted.
-- subscribed_at: for each element of `events`, the time of the subscription to it. The endpoint gets only events that
-- are recorded later. The time is the database's clock, because it is compared with the events' recorded_at.
-- secret and previous_secrets are sealed with the endpoint's id as context.
-- previous_secrets: the replaced secrets, newest first. Each of them still signs until the real time at the same
-- place in previous_secrets_until. A removed endpoint has an empty secret and no replaced ones.
create table webhook_endpoints (
  id text collate "C" not null,
  app_id text collate "C" not null,
  world text collate "C" not null,
  installation_id text collate "C",
  url text not null,
  events text[] collate "C" not null,
  subscribed_at timestamptz[] not null,
  state text collate "C" not null default 'enabled',
  disabled_reason text collate "C",
  secret bytea not null,
  previous_secrets bytea[] not null default '{}',
  previous_secrets_until timestamptz[] not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint webhook_endpoints_pkey primary key (id),
  constraint webhook_endpoints_id_form check (id ~ '^whe_[0-9A-Za-z]{24}$'),
  constraint webhook_endpoints_world_known check (world in ('test', 'live')),
  constraint webhook_endpoints_installation_form check (installation_id ~ '^inst_[0-9A-Za-z]{24}$'),
  constraint webhook_endpoints_url_form check (char_length(url) <= 2000 and url ~ '^https?://'),
  constraint webhook_endpoints_events_bounded check (
    cardinality(events) between 1 and 100 and array_position(events, null) is null),
  constraint webhook_endpoints_subscribed_each check (
    cardinality(subscribed_at) = cardinality(events) and array_position(subscribed_at, null) is null),
  constraint webhook_endpoints_state_known check (state in ('enabled', 'disabled', 'removed')),
  constraint webhook_endpoints_disabled_reasoned check (
    case state when 'enabled' then disabled_reason is null when 'disabled' then disabled_reason is not null else true end),
  constraint webhook_endpoints_disabled_reason_known check (disabled_reason in ('failing', 'gone', 'installation_revoked')),
  constraint webhook_endpoints_secret_length check (octet_length(secret) <= 1000),
  constraint webhook_endpoints_previous_secrets_bounded check (
    cardinality(previous_secrets) <= 5 and octet_length(array_send(previous_secrets)) <= 6000),
  constraint webhook_endpoints_previous_secrets_until check (
    cardinality(previous_secrets_until) = cardinality(previous_secrets)
    and array_position(previous_secrets, null) is null and array_position(previous_secrets_until, null) is null),
  constraint webhook_endpoints_app_fkey foreign key (app_id) references apps (id)
);

create index webhook_endpoints_app on webhook_endpoints (app_id, world, id);
create index webhook_endpoints_installation on webhook_endpoints (installation_id) where installation_id is not null;
-- For the job that erases a replaced secret: the time at which the oldest secret of an endpoint ends.
create index webhook_endpoints_previous_secrets
  on webhook_endpoints ((previous_secrets_until[cardinality(previous_secrets_until)]))
  where cardinality(previous_secrets_until) > 0;
