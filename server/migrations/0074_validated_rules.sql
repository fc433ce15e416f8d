-- schema: platform
-- no transaction
-- Modules accounts and audit. The rules that 0072 and 0073 gave to tables with many rows: validating them locks no writer out.
alter table accounts validate constraint accounts_staff_role_known;
alter table audit_entries validate constraint audit_entries_request_id_form;
alter table audit_entries validate constraint audit_entries_reason_length;
alter table audit_entries validate constraint audit_entries_reason_whole;
