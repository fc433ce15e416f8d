-- schema: worlds
-- Module events. Everything that happened, written in the transaction that made it happen. recorded_at is the
-- database's clock (compared with subscriptions), occurred_at the world's. `identity` holds names and addresses apart
-- from `data`, so that they can be erased.
-- What an event is about stands in columns of its own, copied from rows of the same transaction and without foreign
-- keys: their checks would lock the company's and the offering's row once more for every event (tried: they took
-- longer than the rest of the insert), and none of these rows is ever deleted.
create table events (
  id text collate "C" not null,
  name text collate "C" not null,
  recorded_at timestamptz not null default clock_timestamp(),
  occurred_at timestamptz not null,
  company_id text collate "C",
  syndicate_id text collate "C",
  user_id text collate "C",
  offering_id text collate "C",
  investment_id text collate "C",
  membership_id text collate "C",
  join_session_id text collate "C",
  investment_session_id text collate "C",
  installation_id text collate "C",
  fact_id text collate "C",
  data jsonb not null,
  identity jsonb,
  constraint events_pkey primary key (id),
  constraint events_id_form check (id ~ '^evt_[0-9A-Za-z]{24}$'),
  constraint events_name_form check (name ~ '^[a-z_]{1,40}\.[a-z_]{1,40}$'),
  constraint events_company_form check (company_id ~ '^co_[0-9A-Za-z]{24}$'),
  constraint events_syndicate_form check (syndicate_id ~ '^syn_[0-9A-Za-z]{24}$'),
  constraint events_user_form check (user_id ~ '^usr_[0-9A-Za-z]{24}$'),
  constraint events_offering_form check (offering_id ~ '^ofr_[0-9A-Za-z]{24}$'),
  constraint events_investment_form check (investment_id ~ '^inv_[0-9A-Za-z]{24}$'),
  constraint events_membership_form check (membership_id ~ '^mem_[0-9A-Za-z]{24}$'),
  constraint events_join_session_form check (join_session_id ~ '^js_[0-9A-Za-z]{24}$'),
  constraint events_investment_session_form check (investment_session_id ~ '^is_[0-9A-Za-z]{24}$'),
  constraint events_installation_form check (installation_id ~ '^inst_[0-9A-Za-z]{24}$'),
  constraint events_fact_form check (fact_id ~ '^[!-~]{1,100}$'),
  constraint events_data_object check (jsonb_typeof(data) = 'object' and octet_length(data::text) <= 65536),
  constraint events_identity_object check (
    jsonb_typeof(identity) = 'object' and octet_length(identity::text) <= 20000)
);

-- Erasing a deactivated user: events about them, those sent to their address before it had an account, and those in
-- which they approved or invited somebody.
create index events_erasable on events (user_id) where identity is not null;
create index events_sent_to on events (lower(identity ->> 'email')) where user_id is null and identity is not null;
create index events_naming on events (coalesce(data #>> '{approved_by,id}', data #>> '{invited_by,id}'))
  where identity is not null and coalesce(data #>> '{approved_by,id}', data #>> '{invited_by,id}') is not null;

-- The history a session shows.
create index events_investment_session on events (investment_session_id, id) where investment_session_id is not null;

-- Module events. The to-do list of fan-out: a row per event, taken with skip locked and deleted.
create table event_queue (
  seq bigint generated always as identity,
  event_id text collate "C" not null,
  constraint event_queue_pkey primary key (seq),
  constraint event_queue_event_key unique (event_id),
  constraint event_queue_event_fkey foreign key (event_id) references events (id)
);
