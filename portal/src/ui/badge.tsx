import type { ReactNode } from 'react'

export type Tone = 'neutral' | 'good' | 'warning' | 'danger'

export function Badge({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>
}

const TONES: Readonly<Record<string, Tone>> = {
  ...{ active: 'good', delivered: 'good', enabled: 'good', approved: 'good', healthy: 'good', applied: 'good' },
  ...{ pending: 'neutral', revoked: 'neutral', canceled: 'neutral', ended: 'neutral' },
  ...{ disabled: 'warning', requested: 'warning', retrying: 'warning', failing: 'warning' },
  ...{ suspended: 'danger', exhausted: 'danger', failed: 'danger' },
}

/** Shows a status of the API as a word with a colour. An unknown status is neutral. */
export function StatusBadge({ status }: { readonly status: string }) {
  const words = status.replaceAll('_', ' ')
  return <Badge tone={TONES[status] ?? 'neutral'}>{words.charAt(0).toUpperCase() + words.slice(1)}</Badge>
}
