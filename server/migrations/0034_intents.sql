-- schema: worlds
-- Module intents. A row is an irreversible action that an app proposes and a person approves. The owner is the user
-- whose token proposed the action (user_id), or an installation on a syndicate (installation_id). Times are world
-- time. Only recorded_at is real time, because the limit of proposed comments counts real days.
-- shown: what the proposer saw, and after an approval what the approver saw. approved_digest: the digest of the
-- `shown` that was approved. Only this content may be carried out. params, shown and impact_summary may name people,
-- so an erasure overwrites them.
-- repeat_key: the key of the client, or a key made from the action and the deal. Two proposals of one owner with the
-- same key are one intent.
create table intents (
  id text collate "C" not null,
  app_id text collate "C" not null,
  user_id text collate "C",
  installation_id text collate "C",
  action text collate "C" not null,
  syndicate_id text collate "C",
  company_id text collate "C",
  about_user_id text collate "C",
  params jsonb not null,
  content_digest bytea not null,
  repeat_key text collate "C",
  requested_by_agent text,
  impact_summary text not null,
  shown jsonb not null,
  state text collate "C" not null default 'pending',
  decided_by text collate "C",
  decided_at timestamptz,
  approved_digest bytea,
  rejection_reason text,
  execution_result jsonb,
  failure text,
  attempts integer not null default 0,
  executed_at timestamptz,
  expires_at timestamptz not null default world_now() + interval '7 days',
  created_at timestamptz not null default world_now(),
  updated_at timestamptz not null default world_now(),
  recorded_at timestamptz not null default clock_timestamp(),
  constraint intents_pkey primary key (id),
  constraint intents_id_form check (id ~ '^int_[0-9A-Za-z]{24}$'),
  constraint intents_of_somebody check (num_nonnulls(user_id, installation_id) = 1),
  constraint intents_about_something check (num_nonnulls(syndicate_id, company_id) = 1),
  constraint intents_action_known check (action in (
    'syndicates.close_deal', 'syndicates.finalize_deal', 'syndicates.publish', 'syndicates.remove_member',
    'syndicates.delete_draft', 'comments.create')),
  constraint intents_comment_of_a_person check (
    (action = 'comments.create') = (company_id is not null) and (company_id is null or user_id is not null)),
  constraint intents_state_known check (
    state in ('pending', 'approved', 'executed', 'rejected', 'expired', 'failed')),
  constraint intents_params_object check (jsonb_typeof(params) = 'object' and octet_length(params::text) <= 100000),
  constraint intents_content_digest_length check (octet_length(content_digest) = 32),
  constraint intents_repeat_key_length check (char_length(repeat_key) between 1 and 300),
  constraint intents_requested_by_agent_length check (char_length(requested_by_agent) between 1 and 200),
  constraint intents_impact_summary_length check (char_length(impact_summary) between 1 and 2000),
  constraint intents_shown_object check (jsonb_typeof(shown) = 'object' and octet_length(shown::text) <= 120000),
  constraint intents_decided_whole check (
    (decided_by is null) = (decided_at is null) and (state not in ('approved', 'executed', 'rejected') or decided_by is not null)),
  constraint intents_approved_digest_length check (octet_length(approved_digest) = 32),
  constraint intents_approved_bound check (state not in ('approved', 'executed') or approved_digest is not null),
  constraint intents_rejection_reason_length check (char_length(rejection_reason) between 1 and 2000),
  constraint intents_execution_result_object check (
    jsonb_typeof(execution_result) = 'object' and octet_length(execution_result::text) <= 10000),
  constraint intents_executed_whole check (
    (state = 'executed') = (executed_at is not null) and (state = 'executed') = (execution_result is not null)),
  constraint intents_failure_length check (char_length(failure) between 1 and 2000),
  constraint intents_failed_reasoned check ((state = 'failed') = (failure is not null)),
  constraint intents_attempts_not_negative check (attempts >= 0),
  constraint intents_expires_after_creation check (expires_at > created_at),
  constraint intents_app_fkey foreign key (app_id) references platform.apps (id),
  constraint intents_user_fkey foreign key (user_id) references users (id),
  constraint intents_installation_fkey foreign key (installation_id) references installations (id),
  constraint intents_syndicate_fkey foreign key (syndicate_id) references syndicates (id),
  constraint intents_company_fkey foreign key (company_id) references companies (id),
  constraint intents_about_user_fkey foreign key (about_user_id) references users (id),
  constraint intents_decided_by_fkey foreign key (decided_by) references users (id)
);

-- Only one intent with a key can be pending, approved or executed. After a rejection, an expiry or a failure, the
-- client may use the key again.
create unique index intents_user_repeat on intents (app_id, user_id, repeat_key)
  where user_id is not null and repeat_key is not null and state in ('pending', 'approved', 'executed');
create unique index intents_installation_repeat on intents (installation_id, repeat_key)
  where installation_id is not null and repeat_key is not null and state in ('pending', 'approved', 'executed');

-- The first two indexes serve the lists of a client, newest first. The others find the intents about a user, a
-- syndicate or a company.
create index intents_app_user on intents (app_id, user_id, id) where user_id is not null;
create index intents_installation on intents (installation_id, id) where installation_id is not null;
create index intents_user on intents (user_id) where user_id is not null;
create index intents_syndicate on intents (syndicate_id) where syndicate_id is not null;
create index intents_company on intents (company_id) where company_id is not null;
create index intents_about_user on intents (about_user_id) where about_user_id is not null;
create index intents_decided_by on intents (decided_by) where decided_by is not null;
-- Workers find pending intents to expire, and approved intents to execute. The third index finds the pending intents
-- of an app, which expire when the app loses its access.
create index intents_due on intents (expires_at, id) where state = 'pending';
create index intents_approved on intents (decided_at, id) where state = 'approved';
create index intents_pending_of_app on intents (app_id, id) where state = 'pending';
-- The server limits the comments that apps may propose for a user on one day, and counts them with this index.
create index intents_comments_of_day on intents (user_id, recorded_at) where action = 'comments.create';

-- Module activity. The actor `reviewer` is a person other than the user who decided about an intent of the user. The
-- user's activity shows that the user did not decide.
alter table activity_entries drop constraint activity_entries_actor_known;
alter table activity_entries add constraint activity_entries_actor_known check (
  actor in ('app', 'user', 'reviewer', 'system'));

-- Module syndicates. deleted_at: when a draft was deleted. A deleted draft has no managers and no active
-- installations. Its row stays, because installations and intents refer to it.
alter table syndicates add column deleted_at timestamptz;
alter table syndicates add constraint syndicates_deleted_draft check (deleted_at is null or not published and not launched);

-- Module companies. questions_closed: only the company's team can post on the company's page now.
alter table companies add column questions_closed boolean not null default false;
