-- schema: platform
-- no transaction
-- Modules accounts and audit. This file validates the constraints that 0072 and 0073 added to tables with many rows.
-- The validation does not block writers.
alter table accounts validate constraint accounts_staff_role_known;
alter table audit_entries validate constraint audit_entries_request_id_form;
alter table audit_entries validate constraint audit_entries_reason_length;
alter table audit_entries validate constraint audit_entries_reason_whole;
