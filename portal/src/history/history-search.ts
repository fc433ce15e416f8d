/** The entry whose details are open. */
export type HistorySearch = { readonly entry?: string }
