-- schema: worlds
create domain delivery_id as text collate "C"
  constraint delivery_id_form check (char_length(value) = 28 and value ~ '^dlv_[0-9A-Za-z]+$');
create domain delivery_attempts as jsonb
  constraint delivery_attempts_array check (jsonb_typeof(value) = 'array' and octet_length(value::text) <= 100000);

-- Module events. The one app an event is for, where no installation leads to it: whose referral code was credited,
-- whose cohorts were released.
alter table events add column app_id text collate "C";

-- Module webhooks. The lane of an endpoint: all its deliveries go through it, and whoever leases it sends them. `state`
-- repeats the endpoint's, written in the same transaction, so that claiming looks at one table. `slots`: how many may be
-- under way at once; it falls to one after failures and doubles with each success. A lane that was enabled again reads
-- its deliveries by id, the oldest first, until none is left behind. `next_due_at` is null while nothing waits;
-- `failing_told` counts the notices of a failure that were sent, `failing_told_at` is when the first of them last was.
-- Nothing is sent before `paused_until`: the receiver asked for that. `lease_until` is real time; `next_due_at`,
-- `paused_until`, `failing_since`, `failing_told_at` and `last_delivery_at` are the world's. Lock order: installation,
-- endpoint, lane.
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

-- Module webhooks. A delivery that is still to be made: one event, to one endpoint, for one installation (none for what
-- concerns the app as such). No body: every attempt renders the event with the scopes held then, in the version the app
-- had at fan-out. `attempts` tells of those that failed, in the form of the delivery history; `redelivery_of` names the
-- first delivery, where somebody asked for it again. created_at is real time, due_at the world's. No foreign keys: their checks would lock the endpoint, the installation and the event once more
-- for each of many rows, and none of them is deleted before its deliveries.
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

-- Module webhooks. A delivery that has come to its end, however late: partitioned by the world's time of that, so that
-- one which waited for weeks behind a disabled endpoint is still kept for as long as any other. Partitions are made
-- ahead and dropped by age (platform.turn_delivery_history); what falls between them, because the sandbox's clock
-- jumped, lies in the last one, for everything else.
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
