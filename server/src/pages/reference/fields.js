import { element, labelled } from './elements.js'

/** One control for each parameter the page describes, filled with what the page gives as an example. */
export function parameterFields(section, standIn) {
  return [...section.querySelectorAll('[data-parameter]')].map((row) => {
    const { parameter: name, in: place, required, choices, example = '' } = row.dataset
    const control = choices === undefined ? textControl(example, standIn) : choiceControl(choices.split(' '), required)
    control.required = required === 'yes'
    const label = required === 'yes' ? name : `${name} (optional)`
    return { name, place, control, parts: labelled(`${section.id}-${place}-${name}`, label, control, WHERE[place]) }
  })
}

const WHERE = { header: 'Sent as a header.' }

const FEW = 3

/** What must be given first; what may be given is folded away where there is much of it. */
export function arranged(fields) {
  const needed = fields.filter(({ control }) => control.required).map(({ parts }) => parts)
  const optional = fields.filter(({ control }) => !control.required).map(({ parts }) => parts)
  if (optional.length <= FEW) return [...needed, ...optional]
  const summary = element('summary', {}, `${optional.length} optional parameters`)
  return [...needed, element('details', { className: 'optional' }, summary, ...optional)]
}

/** An id that stands in for one that exists is shown, and not sent: nobody has it. */
function textControl(example, standIn) {
  const isStandIn = example.includes(standIn)
  const given = isStandIn ? { placeholder: example.replace(standIn, '…') } : { value: example }
  return element('input', { autocomplete: 'off', spellcheck: false, ...given })
}

function choiceControl(choices, required) {
  const nothing = required === 'yes' ? [] : [element('option', { value: '' }, 'not sent')]
  const made = choices.map((choice) => element('option', { value: choice }, choice))
  return element('select', {}, ...nothing, ...made)
}

export function bodyField(section) {
  const example = section.querySelector('[data-body]')
  if (example === null) return null
  const text = example.textContent
  const rows = Math.min(16, Math.max(3, text.split('\n').length + 1))
  const control = element('textarea', { rows, spellcheck: false, value: text })
  const label = example.dataset.required === 'yes' ? 'Body' : 'Body (optional)'
  const parts = labelled(`${section.id}-body`, label, control, example.dataset.body)
  return { type: example.dataset.body, control, parts }
}

export function addressOf(path, fields) {
  const filled = fields
    .filter(({ place }) => place === 'path')
    .reduce((address, { name, control }) => address.replace(`{${name}}`, encodeURIComponent(control.value)), path)
  const query = new URLSearchParams()
  for (const { place, name, control } of fields) {
    if (place === 'query' && control.value !== '') query.append(name, control.value)
  }
  return query.size === 0 ? filled : `${filled}?${query}`
}

export function headersOf(fields) {
  const given = fields.filter(({ place, control }) => place === 'header' && control.value !== '')
  return given.map(({ name, control }) => [name, control.value])
}
