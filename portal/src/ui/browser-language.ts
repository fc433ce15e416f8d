// uPlot formats numbers in the browser's language as soon as it is loaded, and throws for an invalid name: Chromium with a POSIX
// locale reports `en-US@posix`. Imported before it, so that its charts are drawn there too.
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true })
}
