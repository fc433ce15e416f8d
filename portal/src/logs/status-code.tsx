import { Badge } from '../ui/badge.tsx'

/** An HTTP status with its colour: red for an error of the server, amber for an error of the caller. */
export function StatusCode({ status }: { readonly status: number }) {
  return <Badge tone={status >= 500 ? 'danger' : status >= 400 ? 'warning' : 'good'}>{status}</Badge>
}
