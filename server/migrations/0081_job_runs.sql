-- schema: platform
-- Module system. A row describes the runs of one background job on all workers. Every worker writes to it a few times
-- a minute. All times are real time. rounds and failures count from the creation of the row. last_error: the first
-- line of the error's message, without email addresses.
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
