-- schema: platform
-- Module accounts. A session belongs to a browser, identified by its cookie, or to a command line, identified by its
-- bearer token. A command line first receives a code, and exchanges the code for the token. Before the exchange, hash
-- is the digest of the code, and code_challenge is the PKCE challenge of the code. Such a session authorizes no
-- request.
alter table sign_in_sessions
  add column kind text not null default 'browser',
  add column code_challenge text,
  add constraint sign_in_sessions_kind_known check (kind in ('browser', 'command_line')),
  add constraint sign_in_sessions_code_challenge_shape
    check (code_challenge is null or (kind = 'command_line' and code_challenge ~ '^[A-Za-z0-9_-]{43}$'));
