import type { Schemas } from '../api/client.ts'
import { StatusBadge } from '../ui/badge.tsx'
import type { Column } from '../ui/data-table.tsx'

type Found = Schemas['FoundPartner']

/** Of every list of partners that a search found. */
export const FOUND_COLUMNS: readonly Column<Found>[] = [
  { header: 'Name', cell: ({ attributes }) => attributes.name },
  { header: 'Status', cell: ({ attributes }) => <StatusBadge status={attributes.status} /> },
  { header: 'Kind', cell: ({ attributes }) => (attributes.kind === 'app' ? 'App' : 'Organization'), wide: true },
  { header: 'Organization', cell: ({ attributes }) => attributes.organization.name, wide: true },
  { header: 'Found by', cell: ({ attributes }) => attributes.matched.map(words).join(', '), wide: true },
]

const words = (name: string) => name.replaceAll('_', ' ')

export const foundAddress = ({ id, attributes }: Found) =>
  attributes.kind === 'app' ? `/apps/${id}` : `/organizations/${id}`
