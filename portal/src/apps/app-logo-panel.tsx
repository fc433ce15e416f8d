import { useRef } from 'react'
import { type App, client, read } from '../api/client.ts'
import { appsQuery } from '../api/queries.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { Panel } from '../ui/page.tsx'
import { AppLogo } from './app-logo.tsx'

const MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const
type MediaType = (typeof MEDIA_TYPES)[number]

export function LogoPanel({ app }: { readonly app: App }) {
  const input = useRef<HTMLInputElement>(null)
  const params = { path: { app_id: app.id } }
  const changes = [appsQuery.queryKey]
  const uploading = useAction({
    run: async (file: File) => {
      const body = { media_type: file.type as MediaType, data: await base64Of(file) }
      return read(client.PUT('/portal/api/apps/{app_id}/logo', { params, body }))
    },
    done: 'The logo is changed',
    changes,
  })
  const removing = useAction({
    run: () => read(client.DELETE('/portal/api/apps/{app_id}/logo', { params })),
    done: 'The logo is removed',
    changes,
  })
  return (
    <Panel title="Logo" hint="PNG, JPEG or WebP, 64 KiB at most, 16 to 1,024 pixels wide and high.">
      <div className="logo-row">
        <AppLogo name={app.attributes.name} url={app.attributes.logo_url} />
        <input
          ref={input}
          type="file"
          accept={MEDIA_TYPES.join(',')}
          aria-label="Logo"
          hidden
          onChange={(event) => {
            const [file] = event.target.files ?? []
            if (file !== undefined) uploading.mutate(file)
            event.target.value = ''
          }}
        />
        <Button onPress={() => input.current?.click()} isDisabled={uploading.isPending}>
          Choose a picture
        </Button>
        {app.attributes.logo_url !== null && (
          <Button variant="quiet" onPress={() => removing.mutate(undefined)}>
            Remove
          </Button>
        )}
      </div>
      <ActionError error={uploading.error ?? removing.error} />
    </Panel>
  )
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(new Error('The picture could not be read.'))
    reader.readAsDataURL(file)
  })
}
