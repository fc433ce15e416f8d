-- schema: platform
-- Module system. What the background jobs of all workers did: one row for each job, written by every worker a few times a minute. Real
-- time. `rounds` and `failures` count since the row exists. The error is the first line of its message, without addresses.
create table job_runs (
  job text collate "C" not null,
  last_started_at timestamptz not null,
  last_seconds double precision not null,
  last_failed_at timestamptz,
  last_error text,
  rounds bigint not null,
  failures bigint not null,
  constraint job_runs_pkey primary key (job),
  constraint job_runs_job_form check (job ~ '^[a-z][a-z_]{0,62}$'),
  constraint job_runs_last_error_length check (char_length(last_error) between 1 and 300),
  constraint job_runs_failed_with_error check ((last_failed_at is null) = (last_error is null)),
  constraint job_runs_positive check (last_seconds >= 0 and rounds >= 0 and failures between 0 and rounds)
);
