-- schema: worlds
-- Module changes. recorded_at: when a change was recorded (real time). The age of the oldest change is the delay of
-- the ledger. Changes that wait during this migration have null. The ledger publishes them within moments.
alter table investment_changes add column recorded_at timestamptz;
alter table investment_changes alter column recorded_at set default clock_timestamp();
