import { useMutation } from '@tanstack/react-query'
import { ApiFailure, type Mode } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { inMode } from './operator.ts'

type DownloadProps = {
  readonly list: 'series' | 'partners' | 'installations' | 'conditions_acceptances' | 'removal_duties'
  readonly mode?: Mode
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly label?: string
}

/** A button that downloads the whole list as CSV from `GET /platform/exports/{list}`. */
export function DownloadButton({ list, mode = 'live', query = {}, label = 'Download CSV' }: DownloadProps) {
  const download = useMutation({
    mutationFn: async () => {
      const parameters = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
      const address = `/platform/exports/${list}?${new URLSearchParams(parameters)}`
      const response = await fetch(address, { headers: inMode(mode) })
      if (!response.ok) throw await failureOf(response)
      return response.blob()
    },
    onSuccess: (file) => {
      const link = document.createElement('a')
      link.href = URL.createObjectURL(file)
      link.download = `${list}-${mode}.csv`
      link.click()
      URL.revokeObjectURL(link.href)
    },
  })
  return (
    <>
      <Button onPress={() => download.mutate()} isDisabled={download.isPending}>
        {label}
      </Button>
      <ActionError error={download.error} />
    </>
  )
}

async function failureOf(response: Response): Promise<ApiFailure> {
  const body = (await response.json().catch(() => null)) as { readonly error?: ApiFailure } | null
  const message = body?.error?.message ?? `The server answered ${response.status}.`
  return new ApiFailure(response.status, { type: 'internal_error', request_id: '', ...body?.error, message } as never)
}
