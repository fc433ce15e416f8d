/** Milliseconds since 1970 with fractions: processes of one machine compare them. */
export const nowMs = () => performance.timeOrigin + performance.now()
