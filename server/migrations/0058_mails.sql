-- schema: platform
-- Module mail. A row is a mail to send. The row is written in the transaction that causes the mail, and deleted after
-- the mail was sent. A mail that failed for good stays for 30 days, as a dead letter. key: a second mail with the
-- same key is not queued.
create table mails (
  id uuid not null default gen_random_uuid(),
  key text collate "C" not null,
  recipient text collate "C" not null,
  letter jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  due_at timestamptz default clock_timestamp(),
  attempts integer not null default 0,
  failed_at timestamptz,
  last_error text,
  constraint mails_pkey primary key (id),
  constraint mails_key_unique unique (key),
  constraint mails_key_length check (char_length(key) between 1 and 400),
  constraint mails_recipient_form check (char_length(recipient) <= 254 and recipient ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  constraint mails_letter_object check (jsonb_typeof(letter) = 'object' and pg_column_size(letter) <= 65536),
  constraint mails_attempts_counted check (attempts >= 0),
  constraint mails_waits_or_failed check ((due_at is null) = (failed_at is not null)),
  constraint mails_last_error_length check (char_length(last_error) <= 1000)
);

create index mails_due on mails (due_at) where due_at is not null;
create index mails_failed on mails (failed_at) where failed_at is not null;
