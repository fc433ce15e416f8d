import { Link } from '@tanstack/react-router'
import type { Mode } from '../api/client.ts'
import { InstallInSandbox } from '../installations/install-in-sandbox.tsx'
import { FirstRequest } from '../logs/first-request.tsx'
import { Icon } from '../ui/icon.tsx'
import { Panel } from '../ui/page.tsx'
import type { Step } from './overview-query.ts'
import { wordsOf } from './step-words.ts'

type FirstStepsProps = { readonly appId: string; readonly mode: Mode; readonly steps: readonly Step[] }

/** Lists the first steps. The overview shows them until all of them are done. */
export function FirstSteps({ appId, mode, steps }: FirstStepsProps) {
  const words = wordsOf(mode)
  const next = steps.find(({ done }) => !done)?.step
  const count = steps.filter(({ done }) => done).length
  return (
    <Panel title="First steps" hint={`${count} of ${steps.length} done in ${mode} mode.`}>
      <ol className="rows steps">
        {steps.map(({ step, done }) => {
          const { title, text, action, to, search = {} } = words[step]
          return (
            <li key={step} className={done ? 'done' : ''}>
              <span className="step-mark">{done && <Icon name="check" />}</span>
              <div>
                <strong>
                  {title} {done && <span className="unseen">(done)</span>}
                </strong>
                {!done && <p className="hint">{text}</p>}
                {step === 'call_api' && step === next && <FirstRequest appId={appId} mode={mode} />}
              </div>
              {step === 'install' && mode === 'test' && !done && (
                <InstallInSandbox appId={appId} variant={step === next ? 'primary' : 'plain'} />
              )}
              {!done && !(step === 'install' && mode === 'test') && (
                <Link to={`/apps/${appId}/${to}`} search={search} className={step === next ? 'button primary' : ''}>
                  {action}
                </Link>
              )}
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}
