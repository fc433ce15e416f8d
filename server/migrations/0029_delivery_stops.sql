-- schema: worlds
-- Module webhooks. A revoked installation or a removed endpoint, written in the transaction that ended it. All
-- deliveries that were queued for it until stopped_at (real time) ended at ended_at (world time). Every reader sees
-- them as canceled for `reason`.
-- rows_left: true if they were too many to move into the history in one transaction. Then a job moves the rest.
-- The row is deleted after fan-out has processed all events that were recorded before the stop.
create table delivery_stops (
  stopped_id text collate "C" not null,
  reason text collate "C" not null,
  stopped_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz not null default world_now(),
  rows_left boolean not null,
  constraint delivery_stops_pkey primary key (stopped_id),
  constraint delivery_stops_id_of_reason check (
    stopped_id ~ case reason when 'installation_revoked' then '^inst_[0-9A-Za-z]{24}$' else '^whe_[0-9A-Za-z]{24}$' end),
  constraint delivery_stops_reason_known check (reason in ('installation_revoked', 'endpoint_removed'))
);

create index delivery_stops_left on delivery_stops (stopped_at) where rows_left;

-- Module webhooks. An event that fan-out still has to turn into deliveries for one app. Fan-out puts it here if
-- another transaction has locked the app's installation or endpoint, so that other apps do not wait for that lock.
-- tried_at is real time. app_id has no foreign key: its check would lock the app's row, which every change of the app
-- locks too.
create table deferred_events (
  event_id text collate "C" not null,
  app_id text collate "C" not null,
  tried_at timestamptz not null default clock_timestamp(),
  constraint deferred_events_pkey primary key (event_id, app_id),
  constraint deferred_events_app_form check (app_id ~ '^app_[0-9A-Za-z]{24}$'),
  constraint deferred_events_event_fkey foreign key (event_id) references events (id)
);

create index deferred_events_tried on deferred_events (tried_at);
