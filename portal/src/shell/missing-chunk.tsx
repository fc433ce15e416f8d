import { useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useOnline } from './offline.tsx'

/** One mark for each build, so that servers with different builds behind one address cause no endless reload. */
const MARK = `portico.reloaded-for ${import.meta.url}`

let isMissing = false

/**
 * A part of the portal could not be loaded: after an upgrade the files of the earlier build are gone, or the person is offline.
 * Nothing happens until the part is shown, because a link under the pointer loads its page too.
 */
export function noticeMissingChunk(): void {
  addEventListener('vite:preloadError', (event) => {
    // Otherwise the router would reload by itself, and a person who is offline would lose the page.
    event.preventDefault()
    isMissing = true
  })
}

export const isChunkMissing = () => isMissing

/** In place of a part that is missing. The tab reloads once for a build; offline, as soon as it is online again. */
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
          ? 'A file of the portal is missing on the server. Reload the page; if that does not help, try again in a few minutes.'
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
