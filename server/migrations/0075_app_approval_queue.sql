-- schema: platform
-- Module apps. An app waits for an approval if the platform has neither approved nor declined it. It waits again if
-- its team requests an approval after the platform declined or withdrew one. Both times are real time.
alter table apps
  add column approval_requested_at timestamptz,
  add column approval_declined_at timestamptz;
