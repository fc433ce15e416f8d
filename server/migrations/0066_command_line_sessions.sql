-- schema: platform
-- Module accounts. A session belongs to a browser, known by its cookie, or to a command line, known by its bearer token. While a
-- command line has yet to exchange its code, `hash` is the code's digest, `code_challenge` the PKCE challenge that it is bound to,
-- and the session opens nothing.
alter table sign_in_sessions
  add column kind text not null default 'browser',
  add column code_challenge text,
  add constraint sign_in_sessions_kind_known check (kind in ('browser', 'command_line')),
  add constraint sign_in_sessions_code_challenge_shape
    check (code_challenge is null or (kind = 'command_line' and code_challenge ~ '^[A-Za-z0-9_-]{43}$'));
