/** For a person on several teams; without it the first one is shown. */
export type TeamSearch = { readonly organization?: string }
