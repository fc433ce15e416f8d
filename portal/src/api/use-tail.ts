import { useEffect, useRef, useState } from 'react'

const ROWS_MAX = 1_000

type TailState = 'connecting' | 'open' | 'closed'

export const TAIL_WORDS: Readonly<Record<TailState, string>> = {
  connecting: 'connecting',
  open: 'waiting for new rows',
  closed: 'disconnected, turn it on again',
}

type Tail<Row> = {
  readonly rows: readonly Row[]
  /**
   * `rows` have every record from this id on, so a list that was read earlier can only add older records. Null if no
   * such id is known.
   */
  readonly since: string | null
  readonly state: TailState
}

/** The data of the event `newest`. A stream whose records can change begins with this event. */
type Newest<Row> = { readonly since: string | null; readonly data: readonly Row[] }

const NOTHING = { rows: [], since: null }

/**
 * Returns the rows of a server-sent stream, newest first. A tab in the background closes its stream, because a browser opens only a few
 * connections to one server. When the tab is in front again, the stream continues after its last row. If it cannot continue, because
 * the server had sent no row yet or no longer has the position, `onReturn` reads the list again.
 */
export function useTail<Row extends { readonly id: string }>(address: string | null, onReturn: () => void): Tail<Row> {
  const [{ rows, since }, setRows] = useState<Pick<Tail<Row>, 'rows' | 'since'>>(NOTHING)
  const [state, setState] = useState<TailState>('connecting')
  const position = useRef<{ address: string | null; lastId: string; wasOpen: boolean }>(START)
  const readListAgain = useRef(onReturn)
  readListAgain.current = onReturn
  const isVisible = useVisible()
  useEffect(() => {
    if (position.current.address !== address) {
      position.current = { ...START, address }
      setRows(NOTHING)
    }
    if (address === null || !isVisible) return
    setState('connecting')
    const { lastId, wasOpen } = position.current
    const source = new EventSource(lastId === '' ? address : `${address}&last_event_id=${encodeURIComponent(lastId)}`)
    if (wasOpen && lastId === '') readListAgain.current()
    source.onopen = () => {
      position.current.wasOpen = true
      setState('open')
    }
    source.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
      position.current.lastId = lastEventId
      const row: Row = JSON.parse(data)
      setRows((before) => ({ ...before, rows: [row, ...before.rows].slice(0, ROWS_MAX) }))
    }
    source.addEventListener('newest', ({ data, lastEventId }: MessageEvent<string>) => {
      position.current.lastId = lastEventId
      const newest: Newest<Row> = JSON.parse(data)
      const from = newest.since ?? ''
      setRows(({ rows: known, since: knownSince }) => ({
        rows: [...newest.data, ...known.filter(({ id }) => id < from)],
        since: knownSince !== null && knownSince < from ? knownSince : from,
      }))
    })
    source.addEventListener('removed', ({ data }: MessageEvent<string>) => {
      const { id: removedId }: { readonly id: string } = JSON.parse(data)
      setRows((before) => ({ ...before, rows: before.rows.filter(({ id }) => id !== removedId) }))
    })
    const stop = () => {
      position.current = { ...START, address }
      setRows(NOTHING)
      setState('closed')
      readListAgain.current()
    }
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) stop()
      else setState('connecting')
    }
    source.addEventListener('end', ({ data }: MessageEvent<string>) => {
      // If the server restarts, the browser connects again by itself. Otherwise the error of the list shows why the stream ended.
      if (data.includes('server_closing')) return
      source.close()
      stop()
    })
    return () => source.close()
  }, [address, isVisible])
  return { rows, since, state }
}

const START = { address: null, lastId: '', wasOpen: false }

function useVisible(): boolean {
  const [isVisible, setVisible] = useState(!document.hidden)
  useEffect(() => {
    const update = () => setVisible(!document.hidden)
    document.addEventListener('visibilitychange', update)
    return () => document.removeEventListener('visibilitychange', update)
  }, [])
  return isVisible
}
