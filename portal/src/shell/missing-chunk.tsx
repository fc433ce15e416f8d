import { useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useOnline } from './offline.tsx'

/** A tab reloads only once for each build. Otherwise it would reload endlessly if servers with different builds share one address. */
const MARK = `portico.reloaded-for ${import.meta.url}`

const MISSING = 'A file of the portal could not be loaded.'

/**
 * Marks the errors of parts of the portal that could not be loaded: after an upgrade the files of the earlier build are deleted, or the
 * person is offline. The tab does not reload yet, because the router also loads the page of a link that is only under the pointer.
 */
export function markMissingChunks(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    // By the browser's message the router would recognise the error and reload the tab, and a person who is offline would lose the page.
    payload.message = MISSING
  })
}

/** Whether a page threw this error because its file could not be loaded. */
export const isMissingChunk = (error: unknown) => error instanceof Error && error.message === MISSING

/** Shown in place of a missing part. It reloads the tab once for each build; an offline tab reloads when it is online again. */
export function MissingChunk() {
  const isOnline = useOnline()
  const [mayReload] = useState(() => sessionStorage.getItem(MARK) === null)
  useEffect(() => {
    if (!mayReload || !isOnline) return
    sessionStorage.setItem(MARK, 'once')
    location.reload()
  }, [mayReload, isOnline])
  if (mayReload && isOnline) return <Skeleton lines={8} />
  return (
    <div className="empty" role="alert">
      <p>
        {isOnline
          ? 'A file of the portal is missing on the server. Reload the page. If that does not help, try again in a few minutes.'
          : 'You are offline, and this part of the portal has not been loaded yet.'}
      </p>
      {isOnline && (
        <div className="empty-action">
          <Button onPress={() => location.reload()}>Reload the page</Button>
        </div>
      )}
    </div>
  )
}
