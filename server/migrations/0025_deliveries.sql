-- schema: worlds
create domain delivery_id as text collate "C"
  constraint delivery_id_form check (char_length(value) = 28 and value ~ '^dlv_[0-9A-Za-z]+$');
create domain delivery_attempts as jsonb
  constraint delivery_attempts_array check (jsonb_typeof(value) = 'array' and octet_length(value::text) <= 100000);

-- Module events. app_id: the only app that gets an event that no installation connects with an app. It is the app
-- whose referral code was credited, or whose cohorts were released.
alter table events add column app_id text collate "C";

-- Module webhooks. The lane of an endpoint: all its deliveries wait in the lane, and the worker that leases it sends
-- them. Lock order: installation, endpoint, lane.
-- state: a copy of the endpoint's state, written in the same transaction, so that leasing reads one table.
-- slots: how many requests may be in progress at once. It falls to one after a failure and doubles with each success.
-- by_id: set when an endpoint is enabled again. Then the worker sends the waiting deliveries in the order of their
-- ids, until none of the old ones is left.
-- next_due_at: null while no delivery waits.
-- paused_until: no delivery is sent before this time, because the receiver asked for a pause.
-- failing_told: how many notices of the current failure were sent.
-- failing_told_at: when the first notice of a failure was last sent.
-- lease_until is real time; next_due_at, paused_until, failing_since, failing_told_at and last_delivery_at are world
-- time.
create table webhook_lanes (
  endpoint_id text collate "C" not null,
  state text collate "C" not null default 'enabled',
  next_due_at timestamptz,
  paused_until timestamptz,
  by_id boolean not null default false,
  slots integer not null default 8,
  owner text collate "C",
  lease_until timestamptz,
  failing_since timestamptz,
  failing_told smallint not null default 0,
  failing_told_at timestamptz,
  last_delivery_at timestamptz,
  last_delivery_status text collate "C",
  constraint webhook_lanes_pkey primary key (endpoint_id),
  constraint webhook_lanes_state_known check (state in ('enabled', 'disabled', 'removed')),
  constraint webhook_lanes_slots_positive check (slots between 1 and 1000),
  constraint webhook_lanes_owner_length check (char_length(owner) between 1 and 100),
  constraint webhook_lanes_leased check ((owner is null) = (lease_until is null)),
  constraint webhook_lanes_failing_told_counted check (failing_told between 0 and 3),
  constraint webhook_lanes_last_delivery_told check ((last_delivery_at is null) = (last_delivery_status is null)),
  constraint webhook_lanes_last_delivery_status_length check (char_length(last_delivery_status) between 1 and 40),
  constraint webhook_lanes_endpoint_fkey foreign key (endpoint_id) references platform.webhook_endpoints (id)
) with (fillfactor = 50);

create index webhook_lanes_due on webhook_lanes (next_due_at) where state = 'enabled' and next_due_at is not null;
create index webhook_lanes_failing on webhook_lanes (failing_since) where failing_since is not null;

-- Module webhooks. A delivery that waits: one event, for one endpoint and one installation. installation_id is null
-- for an event about the app itself. No body is stored: every attempt renders the event with the scopes of that
-- moment, in the version that the app had at fan-out.
-- attempts: the failed attempts, in the form of the delivery history.
-- redelivery_of: the first delivery, if this row is a redelivery.
-- created_at is real time; due_at is world time.
-- There are no foreign keys: their checks would lock the rows of the endpoint, the installation and the event again
-- for each of many deliveries. Endpoints and installations are never deleted. A delivery whose event was deleted is
-- canceled.
create table delivery_queue (
  id delivery_id not null,
  endpoint_id text collate "C" not null,
  installation_id text collate "C",
  event_id text collate "C" not null,
  api_version text collate "C" not null,
  attempt smallint not null default 0,
  due_at timestamptz not null default world_now(),
  created_at timestamptz not null default clock_timestamp(),
  redelivery_of text collate "C",
  attempts delivery_attempts not null default '[]',
  constraint delivery_queue_pkey primary key (id),
  constraint delivery_queue_about_ids check (
    octet_length(endpoint_id) <= 40 and octet_length(installation_id) <= 40 and octet_length(event_id) <= 40
    and octet_length(api_version) <= 40 and octet_length(redelivery_of) <= 40),
  constraint delivery_queue_attempt_not_negative check (attempt >= 0)
);

create index delivery_queue_due on delivery_queue (endpoint_id, due_at, id);
create index delivery_queue_oldest on delivery_queue (endpoint_id, id);
create index delivery_queue_installation on delivery_queue (installation_id, id) where installation_id is not null;
create index delivery_queue_redelivery on delivery_queue (endpoint_id, redelivery_of) where redelivery_of is not null;

-- Module webhooks. A delivery that ended. The table is partitioned by ended_at, which is world time. So a delivery
-- that waited for weeks at a disabled endpoint is stored as long as any other. platform.turn_delivery_history creates
-- the partitions in advance and drops old ones. If the sandbox's clock jumped, a row may have no partition of its
-- own; then the default partition below stores it.
create table delivery_history (
  id delivery_id not null,
  endpoint_id text collate "C" not null,
  installation_id text collate "C",
  event_id text collate "C" not null,
  api_version text collate "C" not null,
  state text collate "C" not null,
  reason text collate "C",
  created_at timestamptz not null,
  ended_at timestamptz not null default world_now(),
  redelivery_of text collate "C",
  attempts delivery_attempts not null default '[]',
  constraint delivery_history_pkey primary key (id, ended_at),
  constraint delivery_history_about_ids check (
    octet_length(endpoint_id) <= 40 and octet_length(installation_id) <= 40 and octet_length(event_id) <= 40
    and octet_length(api_version) <= 40 and octet_length(redelivery_of) <= 40),
  constraint delivery_history_state_known check (state in ('delivered', 'exhausted', 'canceled')),
  constraint delivery_history_reasoned check ((state = 'canceled') = (reason is not null)),
  constraint delivery_history_reason_length check (char_length(reason) between 1 and 40)
) partition by range (ended_at);

create table delivery_history_rest partition of delivery_history default;

create index delivery_history_endpoint on delivery_history (endpoint_id, id);
create index delivery_history_redelivery on delivery_history (endpoint_id, redelivery_of) where redelivery_of is not null;
