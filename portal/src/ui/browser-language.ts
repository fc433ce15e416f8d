// uPlot formats numbers in the browser's language as soon as it is loaded. It throws if the name of the language is invalid, such as
// `en-US@posix` of Chromium with a POSIX locale. This file is imported before uPlot and replaces an invalid name.
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true })
}
