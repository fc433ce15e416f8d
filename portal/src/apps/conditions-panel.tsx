import { type App, client, read } from '../api/client.ts'
import { appsQuery } from '../api/queries.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { ActionError } from '../ui/error-state.tsx'
import { Panel } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'

/** Which usage conditions were accepted for the app, and the newer version that its team can accept. */
export function ConditionsPanel({ app }: { readonly app: App }) {
  const { conditions, status } = app.attributes
  const { version, url, accepted_at, newer } = conditions
  const accepting = useAction({
    run: (accepted_conditions: string) =>
      read(
        client.POST('/portal/api/apps/{app_id}/conditions', {
          params: { path: { app_id: app.id } },
          body: { accepted_conditions },
        }),
      ),
    done: 'The usage conditions are accepted',
    changes: [appsQuery.queryKey],
  })
  return (
    <Panel title="Usage conditions">
      <p>
        <a href={url}>Version {version}</a> was accepted for this app <Time at={accepted_at} />.
      </p>
      {newer !== null && (
        <>
          <p className="notice">
            This app has not accepted <a href={newer.url}>version {newer.version}</a>, which is in force for new apps.
            Read it, then accept it for your organization.
          </p>
          <ActionError error={accepting.error} />
          {status !== 'ended' && (
            <div className="form-actions">
              <Button isDisabled={accepting.isPending} onPress={() => accepting.mutate(newer.version)}>
                Accept version {newer.version}
              </Button>
            </div>
          )}
        </>
      )}
    </Panel>
  )
}
