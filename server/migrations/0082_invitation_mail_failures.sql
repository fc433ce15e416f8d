-- schema: worlds
-- Module invites. When the mail of an invitation was given up: the mail server rejected it for good, or the last try failed. Real time.
alter table invite_links
  add column mail_failed_at timestamptz;
