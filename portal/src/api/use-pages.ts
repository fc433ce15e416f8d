import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { useCallback } from 'react'

type PageMeta = { readonly has_more: boolean; readonly next_cursor: string | null }
type Page<Row, Meta extends PageMeta = PageMeta> = { readonly data: readonly Row[]; readonly meta: Meta }

/** One page of a request; the cursor is left out for the first. */
export type PageQuery = { readonly per_page: number; readonly cursor?: string }

type PagesOptions<Row, Meta extends PageMeta> = {
  readonly queryKey: QueryKey
  readonly readPage: (page: PageQuery, signal: AbortSignal) => Promise<Page<Row, Meta>>
  /** Milliseconds until the loaded pages are read again; false to leave them. */
  readonly readAgain?: (rows: readonly Row[]) => number | false
}

export type Pages<Row, Meta extends PageMeta = PageMeta> = {
  readonly rows: readonly Row[]
  /** Of the first page: what the API counts of the whole list. */
  readonly meta: Meta | undefined
  readonly isLoading: boolean
  readonly error: Error | null
  /** Undefined at the end of the list, and while a page is on its way. */
  readonly readMore: (() => void) | undefined
  readonly isReadingMore: boolean
  readonly refetch: () => void
}

const PER_PAGE = 100
/** Reading again means reading every loaded page, one after the other. With more pages than this, that happens only when the person acts.
 * */
const REREAD_PAGES_MAX = 3

type Loaded<Row> = { readonly state: { readonly data?: { readonly pages: readonly Page<Row>[] } | undefined } }

const loadedPages = <Row>({ state }: Loaded<Row>) => state.data?.pages ?? []
const isShort = <Row>(query: Loaded<Row>) => loadedPages(query).length <= REREAD_PAGES_MAX

/** A long list, read page by page as the person scrolls. */
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

/** `newer` before `rows`, each row once; if a row is in both, its newer state is used. */
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
