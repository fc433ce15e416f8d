-- schema: platform
-- Module apps. Which apps wait for an approval: those that were neither approved nor declined, and those whose team asked again
-- after the platform declined or withdrew an approval. Real time.
alter table apps
  add column approval_requested_at timestamptz,
  add column approval_declined_at timestamptz;
