import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { useCallback } from 'react'

type PageMeta = { readonly has_more: boolean; readonly next_cursor: string | null }
type Page<Row, Meta extends PageMeta = PageMeta> = { readonly data: readonly Row[]; readonly meta: Meta }

/** The query of one page. The first page has no cursor. */
export type PageQuery = { readonly per_page: number; readonly cursor?: string }

type PagesOptions<Row, Meta extends PageMeta> = {
  readonly queryKey: QueryKey
  readonly readPage: (page: PageQuery, signal: AbortSignal) => Promise<Page<Row, Meta>>
  /** Milliseconds until the loaded pages are read again; false if they are not. */
  readonly readAgain?: (rows: readonly Row[]) => number | false
}

export type Pages<Row, Meta extends PageMeta = PageMeta> = {
  readonly rows: readonly Row[]
  /** The `meta` of the first page. It has the counts of the whole list. */
  readonly meta: Meta | undefined
  readonly isLoading: boolean
  readonly error: Error | null
  /** Undefined at the end of the list, after an error, and while a page is being read. */
  readonly readMore: (() => void) | undefined
  readonly isReadingMore: boolean
  readonly refetch: () => void
}

const PER_PAGE = 100
/** A list is read again page by page. A list with more loaded pages than this is read again only when the person acts. */
const REREAD_PAGES_MAX = 3

type Loaded<Row> = { readonly state: { readonly data?: { readonly pages: readonly Page<Row>[] } | undefined } }

const loadedPages = <Row>({ state }: Loaded<Row>) => state.data?.pages ?? []
const isShort = <Row>(query: Loaded<Row>) => loadedPages(query).length <= REREAD_PAGES_MAX

/** Reads a long list page by page as the person scrolls. */
export function usePages<Row, Meta extends PageMeta = PageMeta>({
  queryKey,
  readPage,
  readAgain,
}: PagesOptions<Row, Meta>): Pages<Row, Meta> {
  const query = useInfiniteQuery({
    queryKey,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      readPage({ per_page: PER_PAGE, ...(pageParam === '' ? {} : { cursor: pageParam }) }, signal),
    getNextPageParam: ({ meta }) => (meta.has_more ? meta.next_cursor : null),
    refetchOnWindowFocus: isShort,
    refetchOnReconnect: isShort,
    refetchInterval: (read) =>
      readAgain !== undefined && isShort(read) ? readAgain(loadedPages(read).flatMap(({ data }) => data)) : false,
  })
  const { fetchNextPage } = query
  const readMore = useCallback(() => void fetchNextPage(), [fetchNextPage])
  const mayReadMore = query.hasNextPage && !query.isFetching && query.error === null
  return {
    rows: query.data?.pages.flatMap(({ data }) => data) ?? [],
    meta: query.data?.pages[0]?.meta,
    isLoading: query.isPending,
    error: query.error,
    readMore: mayReadMore ? readMore : undefined,
    isReadingMore: query.hasNextPage && query.error === null,
    refetch: () => void (query.isFetchNextPageError ? fetchNextPage() : query.refetch()),
  }
}

/** Returns `newer`, then `rows`. A row that is in both keeps its place in `rows` and gets its state from `newer`. */
export function joinRows<Row>(
  newer: readonly Row[],
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): readonly Row[] {
  const states = new Map<string, Row>()
  for (const row of newer) if (!states.has(keyOf(row))) states.set(keyOf(row), row)
  const older = new Set(rows.map(keyOf))
  const first = [...states].filter(([key]) => !older.has(key)).map(([, row]) => row)
  return [...first, ...rows.map((row) => states.get(keyOf(row)) ?? row)]
}
