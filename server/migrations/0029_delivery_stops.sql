-- schema: worlds
-- Module webhooks. An installation that was revoked or an endpoint that was removed a moment ago, written in that
-- transaction. Whatever was queued for it by then (`stopped_at`, real time) has ended at `ended_at` (the world's): to
-- everybody who looks it is canceled for `reason`. Where that was too much to move into the history in one transaction,
-- `rows_left` says so, and a job moves the rest. Kept until fan-out has seen all that was recorded before it.
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

-- Module webhooks. An event that fan-out has yet to turn into deliveries for one app, because somebody held that app's
-- installation or endpoint when it came by: nobody else waits for that. `tried_at` is real time. (No foreign key to the
-- app, whose row everybody who changes it locks.)
create table deferred_events (
  event_id text collate "C" not null,
  app_id text collate "C" not null,
  tried_at timestamptz not null default clock_timestamp(),
  constraint deferred_events_pkey primary key (event_id, app_id),
  constraint deferred_events_app_form check (app_id ~ '^app_[0-9A-Za-z]{24}$'),
  constraint deferred_events_event_fkey foreign key (event_id) references events (id)
);

create index deferred_events_tried on deferred_events (tried_at);
