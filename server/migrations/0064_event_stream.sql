-- schema: worlds
-- Module webhooks. The event stream: the order in which an app sees what happened to its installations. The one row has the last
-- position that was given, and its event. Who gives positions holds this row until the commit, so the order of positions is the
-- order of commits.
create table event_stream (
  only_row boolean not null default true,
  position bigint not null,
  event_id text collate "C",
  constraint event_stream_pkey primary key (only_row),
  constraint event_stream_one_row check (only_row),
  constraint event_stream_event_id_length check (octet_length(event_id) <= 40),
  constraint event_stream_position_not_negative check (position >= 0)
);
insert into event_stream (position) values (0);

-- Module webhooks. What fan-out decided and has no position yet: an event, for an installation (null: for the app itself).
-- `event_seq` is the place that the event had in the fan-out queue; null for a redelivery, whose order does not matter. No foreign
-- keys, as in delivery_queue.
create table event_stream_queue (
  seq bigint generated always as identity,
  event_seq bigint,
  event_id text collate "C" not null,
  installation_id text collate "C",
  app_id text collate "C" not null,
  api_version text collate "C" not null,
  redelivery_of text collate "C",
  constraint event_stream_queue_pkey primary key (seq),
  constraint event_stream_queue_about_ids check (
    octet_length(event_id) <= 40 and octet_length(installation_id) <= 40 and octet_length(app_id) <= 40
    and octet_length(api_version) <= 40 and octet_length(redelivery_of) <= 40)
);
create index event_stream_queue_order on event_stream_queue (event_seq, seq);

-- Module webhooks. The same with its position. No body: every read renders the event with the scopes held then. `placed_at` is
-- real time.
create table event_stream_entries (
  position bigint not null,
  event_id text collate "C" not null,
  installation_id text collate "C",
  app_id text collate "C" not null,
  api_version text collate "C" not null,
  redelivery_of text collate "C",
  placed_at timestamptz not null default clock_timestamp(),
  constraint event_stream_entries_pkey primary key (position),
  constraint event_stream_entries_about_ids check (
    octet_length(event_id) <= 40 and octet_length(installation_id) <= 40 and octet_length(app_id) <= 40
    and octet_length(api_version) <= 40 and octet_length(redelivery_of) <= 40),
  constraint event_stream_entries_position_positive check (position > 0)
);
create index event_stream_entries_app on event_stream_entries (app_id, position);
create index event_stream_entries_installation on event_stream_entries (installation_id, position)
  where installation_id is not null;
create index event_stream_entries_event on event_stream_entries (event_id);

-- Module webhooks. The place that the event had in the fan-out queue: later events of the app get no position before it.
alter table deferred_events add column event_seq bigint;
