/** The change that a person considers is in the address, so that they can show it to their team before they make it. */
export type ScopesSearch = { readonly add?: readonly string[]; readonly remove?: readonly string[] }
