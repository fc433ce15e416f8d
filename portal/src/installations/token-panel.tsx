import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, read, type Schemas } from '../api/client.ts'
import { keysQuery } from '../api/queries.ts'
import { useAction } from '../api/use-action.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { CopyText } from '../ui/copy.tsx'
import { Dialog, SecretDialog } from '../ui/dialog.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { SelectField } from '../ui/field.tsx'
import { Panel } from '../ui/page.tsx'
import { installationQuery, targetName } from './installation-queries.ts'

type Installation = Schemas['AppInstallation']
type TokenPanelProps = { readonly appId: string; readonly installation: Installation }

/** Mints a token with which the person can try requests. A server mints its own tokens with its key. */
export function TokenPanel({ appId, installation }: TokenPanelProps) {
  const { data: all } = useQuery(keysQuery(appId))
  const [isMinting, setMinting] = useState(false)
  const [token, setToken] = useState<string | null>(null)
  const keys =
    all?.filter(({ attributes }) => attributes.mode === installation.mode && attributes.status === 'active') ?? []
  return (
    <Panel
      title="Token"
      hint="A token of this installation is valid for two hours. Use it to try requests. The app’s history lists each token that you mint."
      actions={
        keys.length === 0 ? (
          <LinkButton to={`/apps/${appId}/keys`}>Create a key first</LinkButton>
        ) : (
          <Button onPress={() => setMinting(true)}>Mint a token</Button>
        )
      }
    >
      <p className="hint">Your server does the same with its key:</p>
      <CopyText
        value={`curl -u "$CLIENT_ID:$CLIENT_SECRET" -X POST ${location.origin}/installations/${installation.id}/tokens`}
        label="Copy the curl line"
      />
      {isMinting && (
        <MintDialog
          appId={appId}
          installation={installation}
          keys={keys}
          onClose={() => setMinting(false)}
          onMinted={(minted) => {
            setMinting(false)
            setToken(minted)
          }}
        />
      )}
      <SecretDialog
        title={`A token for ${targetName(installation.target)}`}
        secret={token}
        onClose={() => setToken(null)}
      >
        <p>The token ends after two hours, or when the key, the installation or the app ends. Try it:</p>
        <CopyText
          value={`curl ${location.origin}/installations/${installation.id} -H "Authorization: Bearer $TOKEN"`}
          label="Copy the curl line"
        />
      </SecretDialog>
    </Panel>
  )
}

const ALL = 'all'

type MintDialogProps = TokenPanelProps & {
  readonly keys: readonly Schemas['AppKey'][]
  readonly onClose: () => void
  readonly onMinted: (token: string) => void
}

function MintDialog({ appId, installation, keys, onClose, onMinted }: MintDialogProps) {
  const [keyId, setKeyId] = useState(keys[0]?.id ?? '')
  const [scope, setScope] = useState(ALL)
  const minting = useAction({
    run: () => {
      const params = { path: { app_id: appId, id: installation.id } }
      const body = { key_id: keyId, ...(scope === ALL ? {} : { scopes: [scope] }) }
      return read(client.POST('/portal/api/apps/{app_id}/installations/{id}/tokens', { params, body }))
    },
    done: 'The token is issued',
    changes: [installationQuery(appId, installation.id).queryKey],
    onResult: ({ token }) => onMinted(token.access_token),
  })
  return (
    <Dialog
      title={`Mint a token for ${targetName(installation.target)}`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button variant="primary" onPress={() => minting.mutate(undefined)} isDisabled={minting.isPending}>
            Mint the token
          </Button>
        </>
      }
    >
      <SelectField
        label="The key that the token belongs to and ends with"
        value={keyId}
        onChange={setKeyId}
        options={keys.map(({ id, attributes }) => ({ value: id, label: attributes.name }))}
      />
      <SelectField
        label="Scopes"
        value={scope}
        onChange={setScope}
        options={[
          { value: ALL, label: `All ${installation.scopes.length} of the installation` },
          ...installation.scopes.map((each) => ({ value: each, label: `Only ${each}` })),
        ]}
      />
      <ActionError error={minting.error} />
    </Dialog>
  )
}
