import type { RowOf } from '@portico/sdk'

type Code = RowOf<'/referral_codes'>
type Week = RowOf<'/referral_codes/{id}/stats'>
type Company = Week['companies'][number]
type Range = { readonly min: number; readonly max: number | null }

export function codesPage(codes: readonly Code[], problem?: string): string {
  const rows = codes.map(({ id, attributes: { code, name, status, counts } }) => {
    return `<li><a href="/codes/${id}">${text(code)}</a> <span>${text(name ?? '')}</span>
      <span>${status === 'active' ? investorsText(counts?.investors ?? null) : 'paused'}</span></li>`
  })
  return page(`
    <h1>Referral codes</h1>
    ${codes.length === 0 ? '<p>No code yet. Create one, and add it to links to a company’s page: <code>?ref=CODE</code>.</p>' : ''}
    <ul>${rows.join('')}</ul>
    <h2>New code</h2>
    ${problem === undefined ? '' : `<p role="alert">${text(problem)}</p>`}
    <form method="post" action="/codes">
      <label>Code <input name="code" placeholder="SPRING-26" autocomplete="off"></label>
      <label>Name <input name="name" placeholder="Spring letter" autocomplete="off"></label>
      <button>Create code</button>
    </form>`)
}

/** `names` maps the ids of companies to their names. */
export function codePage(
  { attributes: { code, name } }: Code,
  weeks: readonly Week[],
  names: ReadonlyMap<string, string>,
): string {
  const sections = weeks.map((week) => weekText(week, names))
  return page(`
    <p><a href="/">All codes</a></p>
    <h1>${text(code)}<small>${text(name ?? '')}</small></h1>
    <p>Add it to links: <code>https://…/company?ref=${text(code)}</code></p>
    ${weeks.length === 0 ? '<p>The first week is published on Monday, 00:00 UTC.</p>' : sections.join('')}`)
}

function weekText({ week, k, companies }: Week, names: ReadonlyMap<string, string>): string {
  const nothing = `<p>Fewer than ${k} people used the code, so no results are reported.</p>`
  const reports = companies.map(
    (report) => `<h3>${text(names.get(report.company) ?? report.company)}</h3>${reportText(report)}`,
  )
  return `<section><h2>${text(week)}</h2>${reports.length === 0 ? nothing : reports.join('')}</section>`
}

/** Renders the number of rows if the company shares rows with the app, and ranges otherwise. */
function reportText(company: Company): string {
  if (company.detail !== 'ranges') {
    return bar('Investments', { min: company.rows.length, max: company.rows.length })
  }
  const { credited } = company
  if (credited === null) return '<p>No new investors.</p>'
  const statuses = Object.entries(credited.by_status).map(([status, range]) => bar(status, range))
  return bar('Investors', credited.investors) + statuses.join('')
}

/** Renders a range as a bar: solid up to the minimum, and pale up to the maximum. */
function bar(label: string, range: Range | null): string {
  if (range === null) return ''
  const upper = range.max ?? range.min * 2
  // The scale is logarithmic, because the ranges grow in that way (5 to 9, 10 to 19, 20 to 49 and so on).
  const percent = (value: number) => Math.min(100, Math.log10(value + 1) * 33)
  return `<div class="bar"><span>${text(label)}</span>
    <span class="track"><i style="width:${percent(upper)}%"></i><b style="width:${percent(range.min)}%"></b></span>
    <span>${rangeText(range)}</span></div>`
}

function investorsText(range: Range | null): string {
  return range === null ? '–' : `${rangeText(range)} investors`
}

function rangeText(range: Range | null): string {
  if (range === null) return '–'
  if (range.max === null) return `${range.min} or more`
  return range.min === range.max ? String(range.min) : `${range.min} to ${range.max}`
}

function text(value: string): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function page(content: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Referral codes</title>
<style>${STYLE}</style>
<main>${content}</main>
</html>`
}

const STYLE = `
  :root { color-scheme: light dark; --ink: #1b1f2a; --muted: #5b6272; --paper: #f8f8fb; --line: #dfe1ea; --accent: #2b3fae; --pale: #c3caf0; --on: #fff; --danger: #a3231f }
  @media (prefers-color-scheme: dark) { :root { --ink: #ebedf5; --muted: #a6adbf; --paper: #13151c; --line: #2e3340; --accent: #9dabff; --pale: #3b4576; --on: #10131f; --danger: #ff9d97 } }
  * { box-sizing: border-box }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
  main { max-width: 44rem; margin: 0 auto; padding: 2rem 1.25rem }
  h1 { font-size: clamp(1.5rem, 6vw, 2rem); line-height: 1.2; margin: 0 0 1rem; overflow-wrap: anywhere }
  h1 small { display: block; font-size: 1rem; font-weight: 400; color: var(--muted) }
  h3 { font-size: 1rem; margin: 1rem 0 .25rem }
  h2 { font-size: 1.125rem; margin: 2rem 0 .5rem }
  p, li span { color: var(--muted); overflow-wrap: anywhere }
  [role=alert] { color: var(--danger) }
  a { color: var(--accent); font-weight: 600 }
  ul { list-style: none; margin: 0; padding: 0 }
  li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 1rem; padding: .75rem 0; border-top: 1px solid var(--line); font-variant-numeric: tabular-nums }
  li span:last-child { grid-column: 2; grid-row: 1 / span 2; align-self: center }
  form { display: flex; flex-wrap: wrap; gap: 1rem; align-items: end }
  label { flex: 1 1 12rem; color: var(--muted) }
  input, button { display: block; width: 100%; min-height: 44px; padding: 0 .75rem; border: 1px solid var(--line); border-radius: 8px; background: none; color: var(--ink); font: inherit }
  input::placeholder { color: var(--muted); opacity: 1 }
  button { width: auto; background: var(--accent); border-color: var(--accent); color: var(--on); font-weight: 600; cursor: pointer }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
  section { border-top: 1px solid var(--line) }
  section h2 { margin-top: 1rem }
  .bar { display: grid; grid-template-columns: 6rem 1fr 6rem; gap: .75rem; align-items: center; padding: .25rem 0; font-variant-numeric: tabular-nums }
  .track { position: relative; height: 12px; background: var(--line); border-radius: 6px; overflow: hidden }
  .track i, .track b { position: absolute; inset: 0 auto 0 0; background: var(--pale) }
  .track b { background: var(--accent) }
  .bar span:last-child { text-align: right }
`
