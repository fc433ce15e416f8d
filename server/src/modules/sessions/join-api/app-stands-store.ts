/**
 * Whether the app of a session `j` still stands at its syndicate: it is installed there, by whichever installation, or the
 * manager whose own token made the session manages it still and has the app connected. The rows belong to others, and are
 * only read.
 */
export const APP_STANDS = `exists (
  select from installations i
   where i.app_id = j.app_id and i.state = 'active'
     and (i.syndicate_id = j.syndicate_id
          or exists (select from installations made
                       join syndicate_managers g on g.user_id = made.user_id and g.syndicate_id = j.syndicate_id
                      where made.id = j.installation_id and made.user_id = i.user_id)))`
