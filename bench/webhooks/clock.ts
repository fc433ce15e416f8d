/** Milliseconds since 1970 with fractions, which processes of one machine can compare. */
export const nowMs = () => performance.timeOrigin + performance.now()
