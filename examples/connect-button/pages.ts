import type { ResponseOf, RowOf } from '@portico/sdk'

type Person = ResponseOf<'GET', '/users/me'>['data']
type Portfolio = ResponseOf<'GET', '/portfolio'>['data']
type Position = RowOf<'/portfolio/positions'>

export function startPage(): string {
  return page(`
    <h1>Your startup investments, together with everything else you own</h1>
    <p>Fieldbook reads your portfolio on Portico. It cannot invest, sign or move money for you.</p>
    <form method="post" action="/connect"><button>Connect with Portico</button></form>`)
}

export function connectedPage(person: Person, { attributes }: Portfolio, positions: readonly Position[]): string {
  const { currency, total_cost_basis_cents: cost, total_current_value_cents: value, return_multiple } = attributes
  const rows = positions.map(
    ({ attributes: { company, security, cost_basis_cents, current_value_cents, ...rest } }) => {
      const amount = (cents: number | null) => money(cents, rest.currency)
      return `
      <tr><th scope="row">${text(company?.name ?? 'A fund')}<small>${text(security?.label ?? '')}</small></th>
        <td>${amount(cost_basis_cents)}</td><td>${amount(current_value_cents)}</td></tr>`
    },
  )
  return page(`
    <h1>${text(person.attributes?.full_name ?? 'You')}</h1>
    <dl>
      <div><dt>Invested</dt><dd>${money(cost, currency)}</dd></div>
      <div><dt>Worth today</dt><dd>${money(value, currency)}</dd></div>
      <div><dt>Multiple</dt><dd>${return_multiple === null ? '–' : `${Number(return_multiple).toFixed(2)}×`}</dd></div>
    </dl>
    <table>
      <caption>${positions.length === 1 ? '1 position' : `${positions.length} positions`}</caption>
      <thead><tr><th scope="col">Company</th><th scope="col">Invested</th><th scope="col">Worth</th></tr></thead>
      <tbody>${rows.join('')}</tbody>
    </table>
    <form method="post" action="/disconnect"><button class="quiet">Disconnect</button></form>`)
}

export function problemPage(problem: string): string {
  return page(`
    <h1>${text(problem)}</h1>
    <form method="post" action="/connect"><button>Connect with Portico</button></form>`)
}

function money(cents: number | null | undefined, currency: string | null): string {
  if (cents === null || cents === undefined) return '–'
  return (cents / 100).toLocaleString('en-US', {
    style: 'currency',
    currency: currency ?? 'usd',
    maximumFractionDigits: 0,
  })
}

/** Escapes a text for HTML. People choose names, so a page must never contain them unescaped. */
function text(value: string): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function page(content: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Fieldbook</title>
<style>${STYLE}</style>
<main><header>Fieldbook</header>${content}</main>
</html>`
}

const STYLE = `
  :root { color-scheme: light dark; --ink: #16211c; --muted: #5a665f; --paper: #fbfaf7; --card: #fff; --line: #e2e0d8; --accent: #0f5c43; --on: #fff }
  @media (prefers-color-scheme: dark) { :root { --ink: #edf0ec; --muted: #a3aea7; --paper: #121614; --card: #1a201d; --line: #303733; --accent: #6fd0a8; --on: #0c1a14 } }
  * { box-sizing: border-box }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
  main { max-width: 40rem; margin: 0 auto; padding: 2rem 1.25rem }
  header { color: var(--accent); font-weight: 650; margin-bottom: 3rem }
  h1 { font-size: clamp(1.5rem, 6vw, 2rem); line-height: 1.2; letter-spacing: -.01em; margin: 0 0 1rem; text-wrap: balance }
  p, small, dt, caption { color: var(--muted) }
  button { min-height: 44px; padding: 0 1.25rem; border: 1px solid var(--accent); border-radius: 8px; background: var(--accent); color: var(--on); font: inherit; font-weight: 600; cursor: pointer }
  button.quiet { background: none; color: var(--ink); border-color: var(--line) }
  button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
  dl { display: flex; flex-wrap: wrap; gap: 1rem 2.5rem; margin: 2rem 0 }
  dd { margin: 0; font-size: 1.375rem; font-weight: 600; font-variant-numeric: tabular-nums }
  table { width: 100%; border-collapse: collapse; margin-bottom: 2rem; font-variant-numeric: tabular-nums }
  caption { text-align: left; padding: .5rem 0 }
  th, td { padding: .625rem 0; border-top: 1px solid var(--line); text-align: right; vertical-align: top; font-weight: 400 }
  th:first-child { text-align: left; font-weight: 550; padding-right: 1rem }
  thead th, thead th:first-child { color: var(--muted); font-weight: 400 }
  td + td, th + th { padding-left: 1rem }
  small { display: block; font-weight: 400 }
`
