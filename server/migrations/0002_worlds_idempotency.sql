-- schema: worlds
-- One row for each Idempotency-Key in use.
-- caller: the identity of the caller, for example an app with its user, or an operator key. It never depends on the
-- token, so a client can repeat a request with a new token.
-- answer: the sealed response. It is null only inside the transaction that handles the request.
-- Times are wall time.
create table idempotency_keys (
  caller text collate "C" not null,
  operation text collate "C" not null,
  key text collate "C" not null,
  fingerprint bytea not null,
  answer bytea,
  created_at timestamptz not null,
  constraint idempotency_keys_pkey primary key (caller, operation, key),
  constraint idempotency_keys_caller_length check (length(caller) between 1 and 200),
  constraint idempotency_keys_operation_length check (length(operation) between 1 and 100),
  constraint idempotency_keys_key_length check (length(key) between 1 and 255),
  constraint idempotency_keys_fingerprint_is_sha256 check (octet_length(fingerprint) = 32),
  constraint idempotency_keys_answer_length check (octet_length(answer) <= 8388608)
);

-- For the worker that deletes keys older than 24 hours.
create index idempotency_keys_created_at on idempotency_keys (created_at);
