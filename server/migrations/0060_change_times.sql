-- schema: worlds
-- Module changes. When a change was recorded, in real time: how far the ledger is behind is the age of its oldest change. Rows that
-- wait while this is applied have none and are published in a moment.
alter table investment_changes add column recorded_at timestamptz;
alter table investment_changes alter column recorded_at set default clock_timestamp();
