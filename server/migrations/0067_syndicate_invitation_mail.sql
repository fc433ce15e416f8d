-- schema: worlds
-- Module syndicates. When the invitation was last mailed, and when its recipient asked for no more of these mails; real time. A
-- person answers on the page of the mail's link, which names the invitation by its id.
alter table syndicate_invitations add column mailed_at timestamptz;
alter table syndicate_invitations add column mail_declined_at timestamptz;

create index syndicate_invitations_answerable on syndicate_invitations (id) where open;
