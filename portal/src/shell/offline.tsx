import { useSyncExternalStore } from 'react'

const subscribe = (notify: () => void) => {
  addEventListener('online', notify)
  addEventListener('offline', notify)
  return () => {
    removeEventListener('online', notify)
    removeEventListener('offline', notify)
  }
}

export const useOnline = () => useSyncExternalStore(subscribe, () => navigator.onLine)

export function OfflineBanner() {
  const isOnline = useOnline()
  return (
    <div className="offline" role="status">
      {!isOnline && (
        <p>You are offline. What you see may be out of date. The page reads it again when you are online.</p>
      )}
    </div>
  )
}
