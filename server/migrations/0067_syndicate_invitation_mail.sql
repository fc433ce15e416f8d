-- schema: worlds
-- Module syndicates. mailed_at: when the invitation was last mailed. mail_declined_at: when its recipient asked for
-- no more of these mails. Both times are real time.
-- The page of the mail's link finds an open invitation by its id alone, and needs this index.
alter table syndicate_invitations add column mailed_at timestamptz;
alter table syndicate_invitations add column mail_declined_at timestamptz;

create index syndicate_invitations_answerable on syndicate_invitations (id) where open;
