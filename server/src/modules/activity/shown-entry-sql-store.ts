/**
 * "read:profile: followed companies per the public profile list": nor does the activity tell of others. Of the entry `e`;
 * `everyFollow` is the parameter that says whether the reader sees every follow.
 */
export const shownEntry = (everyFollow: `$${number}`) => `(${everyFollow} or not starts_with(e.action, 'follows.')
  or coalesce((select c.promotion_opt_in from companies c where c.id = e.resource_id), false))`
