/** The version of this package, sent in `User-Agent`. */
export const SDK_VERSION = '0.1.0'
