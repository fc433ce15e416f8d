import { ApiFailure } from '../api/client.ts'
import { Button } from './button.tsx'
import { CopyText } from './copy.tsx'
import { Page } from './page.tsx'

type Words = { readonly title: string; readonly text: string }

function wordsFor(error: Error): Words {
  if (!(error instanceof ApiFailure)) {
    return { title: 'This page could not be shown', text: 'An error in the portal prevents it. Reload the page.' }
  }
  switch (error.status) {
    case 0:
      return {
        title: 'You seem to be offline',
        text: 'The server cannot be reached. Check your connection and try again.',
      }
    case 401:
      return { title: 'Your session has ended', text: 'Sign in again to continue.' }
    case 403:
      return { title: 'Your role does not allow this', text: error.message }
    case 404:
      return { title: 'Not found', text: 'The record does not exist, or you are not on the team that it belongs to.' }
    case 429:
      return { title: 'Too many requests', text: 'Wait a moment and try again.' }
    default:
      return { title: 'This could not be loaded', text: error.message }
  }
}

type ErrorStateProps = { readonly error: Error; readonly onRetry?: () => void }

/** Shown instead of a part of a page that could not be loaded. */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  return (
    <div className="empty" role="alert">
      <h2>{wordsFor(error).title}</h2>
      <ErrorWords error={error} {...(onRetry === undefined ? {} : { onRetry })} />
    </div>
  )
}

/** Shown instead of a whole page. The router shows it when the page throws an error, for example because a query failed. */
export function ErrorPage({ error, onRetry }: ErrorStateProps) {
  return (
    <Page title={wordsFor(error).title}>
      <div className="empty" role="alert">
        <ErrorWords error={error} {...(onRetry === undefined ? {} : { onRetry })} />
      </div>
    </Page>
  )
}

function ErrorWords({ error, onRetry }: ErrorStateProps) {
  return (
    <>
      <p>{wordsFor(error).text}</p>
      <RequestId error={error} />
      {onRetry !== undefined && (
        <div className="empty-action">
          <Button onPress={onRetry}>Try again</Button>
        </div>
      )}
    </>
  )
}

/** Says what is wrong and what to do. For an invalid request it says which field is wrong, and why. */
export function errorText(error: Error): string {
  if (!(error instanceof ApiFailure)) return error.message
  const fields = Object.entries(error.fieldErrors())
  if (fields.length === 0) return [error.message, error.remediation ?? ''].join(' ').trim()
  return fields.map(([field, message]) => `${fieldName(field)} ${message.replace(/\.$/, '')}.`).join(' ')
}

/** The name of a field in words: "Amount cents" for `amount_cents`. */
function fieldName(field: string): string {
  const words = field.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Shown in a form, or next to a button, whose action failed. */
export function ActionError({ error }: { readonly error: Error | null }) {
  if (error === null) return null
  return (
    <div className="notice danger" role="alert">
      <p>{errorText(error)}</p>
      <RequestId error={error} />
    </div>
  )
}

function RequestId({ error }: { readonly error: Error }) {
  if (!(error instanceof ApiFailure) || error.requestId === null) return null
  return (
    <p className="request-id">
      Request <CopyText value={error.requestId} label="Copy the request id" />
    </p>
  )
}
