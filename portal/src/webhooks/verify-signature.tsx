import { CopyButton } from '../ui/copy.tsx'

/** The example uses Express, because most people know it. With other frameworks only the handler differs. */
const LINES = `import express from 'express'
import { nodeHandler } from '@portico/sdk'

const secret = process.env.WEBHOOK_SECRET
const onEvent = async (event) => console.log(event.event)

// This line is before express.json(), because the signature covers the raw body.
const app = express()
app.post('/webhooks', nodeHandler({ secret, onEvent }))
app.listen(3000)`

/** Shows how an endpoint verifies the signature of a request. */
export function VerifySignature() {
  return (
    <details className="verify-signature">
      <summary>How to verify a signature</summary>
      <p className="hint">
        The SDK for Node answers 400 to a request that was not signed with the secret. Your code does not get such a
        request:
      </p>
      <figure className="json">
        <CopyButton value={LINES} label="Copy the lines that verify a signature" />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by the keyboard */}
        <section tabIndex={0} aria-label="Lines that verify a signature">
          <pre>
            <code>{LINES}</code>
          </pre>
        </section>
      </figure>
      <p className="hint">
        In other languages use a library of{' '}
        <a href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer">
          Standard Webhooks
        </a>{' '}
        with the same secret, or check the signature by hand:{' '}
        <a href="/docs/api/webhooks" target="_blank" rel="noreferrer">
          what is signed
        </a>
        .
      </p>
    </details>
  )
}
