-- schema: worlds
-- Module invites. mail_failed_at: when the server stopped retrying the mail of an invitation (real time). The mail
-- server rejected the mail for good, or the last attempt failed.
alter table invite_links
  add column mail_failed_at timestamptz;
