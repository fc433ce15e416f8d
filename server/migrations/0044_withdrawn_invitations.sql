-- schema: worlds
-- Module syndicates. withdrawn_at: when a manager withdrew the invitation. The address can no longer join through it.
-- A new invitation of the same address sets withdrawn_at to null.
alter table syndicate_invitations add column withdrawn_at timestamptz;
alter table syndicate_invitations add constraint syndicate_invitations_withdrawn_closed
  check (withdrawn_at is null or not open) not valid;
alter table syndicate_invitations validate constraint syndicate_invitations_withdrawn_closed;
