import { useSuspenseQuery } from '@tanstack/react-query'
import type { Schemas } from '../api/client.ts'
import { appQuery } from '../api/queries.ts'
import { appCrumbs, useAppId, useMode } from '../shell/place.ts'
import { StatusBadge } from '../ui/badge.tsx'
import { CopyText } from '../ui/copy.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { codesQuery, rangeWords } from './referral-queries.ts'

const COLUMNS: readonly Column<Schemas['ReferralCode']>[] = [
  { header: 'Name', cell: ({ attributes }) => attributes.name },
  { header: 'Code', cell: ({ attributes }) => <CopyText value={attributes.code} label="Copy the code" /> },
  { header: 'Status', cell: ({ attributes }) => <StatusBadge status={attributes.status} /> },
  {
    header: 'Investors',
    cell: ({ attributes: { counts } }) => rangeWords(counts?.investors ?? null),
    align: 'end',
    wide: true,
  },
  { header: 'Until week', cell: ({ attributes: { counts } }) => counts?.through_week ?? '', wide: true },
]

export function CodeListPage() {
  const appId = useAppId() ?? ''
  const mode = useMode()
  const { data: app } = useSuspenseQuery(appQuery(appId))
  const { data: codes } = useSuspenseQuery(codesQuery(appId, mode))
  return (
    <Page
      title="Referrals"
      crumbs={appCrumbs(app)}
      lead="Your app puts these codes into links to companies. The table shows how many people invested through these links, as ranges that are published each Monday."
    >
      {codes.length === 0 ? (
        <EmptyState
          title={`No referral code in ${mode} mode yet`}
          action={
            <CopyText
              value={`curl -X POST ${location.origin}/referral_codes -H "Authorization: Bearer $TOKEN"`}
              label="Copy the curl line"
            />
          }
        >
          Your server creates codes with its client-credentials token and the scope write:referral_codes.
        </EmptyState>
      ) : (
        <DataTable
          label={`Referral codes in ${mode} mode`}
          rows={codes}
          columns={COLUMNS}
          rowKey={({ id }) => id}
          rowTo={({ id }) => `/apps/${appId}/referrals/${id}`}
        />
      )}
    </Page>
  )
}
