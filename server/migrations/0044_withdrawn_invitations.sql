-- schema: worlds
-- Module syndicates. A manager takes an invitation back: the address joins by it no longer. Inviting it again clears the time.
alter table syndicate_invitations add column withdrawn_at timestamptz;
alter table syndicate_invitations add constraint syndicate_invitations_withdrawn_closed
  check (withdrawn_at is null or not open) not valid;
alter table syndicate_invitations validate constraint syndicate_invitations_withdrawn_closed;
