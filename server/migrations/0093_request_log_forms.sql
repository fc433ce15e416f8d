-- schema: platform
-- Module requests. The server creates all of these ids, so a check of their prefix and length is enough. The regular
-- expressions took a third of PostgreSQL's time for a row of the log. The constraints are `not valid`, so that this
-- migration reads no row: all existing rows passed the stricter regular expressions.
alter table request_log
  drop constraint request_log_app_form,
  drop constraint request_log_request_form,
  drop constraint request_log_installation_form,
  add constraint request_log_app_form check (octet_length(app_id) = 28 and starts_with(app_id, 'app_')) not valid,
  add constraint request_log_request_form
    check (octet_length(request_id) = 28 and starts_with(request_id, 'req_')) not valid,
  add constraint request_log_installation_form
    check (octet_length(installation_id) = 29 and starts_with(installation_id, 'inst_')) not valid;
alter table request_counts
  drop constraint request_counts_app_form,
  add constraint request_counts_app_form check (octet_length(app_id) = 28 and starts_with(app_id, 'app_')) not valid;
