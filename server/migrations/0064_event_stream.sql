-- schema: worlds
-- Module webhooks. The event stream is the order in which an app receives the events of its installations. The only
-- row contains the last assigned position, and the event at that position. A worker that assigns positions locks this
-- row until the commit. So the order of positions is the order of commits.
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

-- Module webhooks. A row is a stream entry of fan-out that has no position yet. The entry is an event for an
-- installation, or for the app itself if installation_id is null.
-- event_seq: the place of the event in the fan-out queue. event_seq is null for a redelivery, whose order does not
-- matter. It is null too for an event that a server of an earlier release deferred. There are no foreign keys, as in
-- delivery_queue.
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

-- Module webhooks. A row is a stream entry with its position. The row has no body, because every read renders the
-- event again with the reader's current scopes. placed_at is real time.
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

-- Module webhooks. event_seq: the place of the event in the fan-out queue. Later events of the app get no position
-- before this event gets one.
alter table deferred_events add column event_seq bigint;
