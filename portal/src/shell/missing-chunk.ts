const MARK = 'portico.reloaded-for'

/**
 * After an upgrade the files of the earlier build are gone, and an open tab cannot load the rest of it. The tab then reloads and
 * gets the new build. Once only for one build: if the file is missing there too, the error is shown.
 */
export function reloadOnMissingChunk(): void {
  addEventListener('vite:preloadError', (event) => {
    const build = import.meta.url
    if (sessionStorage.getItem(MARK) === build) return
    sessionStorage.setItem(MARK, build)
    // Without this the error would be shown until the page is gone.
    event.preventDefault()
    location.reload()
  })
}
