import { Badge } from '../ui/badge.tsx'

/** An HTTP status with its colour: red is the server's fault, amber the caller's. */
export function StatusCode({ status }: { readonly status: number }) {
  return <Badge tone={status >= 500 ? 'danger' : status >= 400 ? 'warning' : 'good'}>{status}</Badge>
}
