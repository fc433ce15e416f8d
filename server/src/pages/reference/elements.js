/** All elements that the script adds are made with these functions, which show data from a server only as text. */
export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

/** A label, then a hint, then the control. */
export function labelled(id, label, control, hint) {
  control.id = id
  const made = element('div', { className: 'field' }, element('label', { htmlFor: id }, label))
  if (hint) {
    made.append(element('p', { className: 'note', id: `${id}-hint` }, hint))
    control.setAttribute('aria-describedby', `${id}-hint`)
  }
  made.append(control)
  return made
}

export function button(text, whenPressed, type = 'button') {
  const made = element('button', { type }, text)
  if (whenPressed) made.addEventListener('click', whenPressed)
  return made
}

/** An element whose text screen readers speak when it changes. */
export function announcement(className) {
  const made = element('p', { className })
  made.setAttribute('role', 'status')
  return made
}

// A browser may forbid storage (private windows, strict settings). Values are then lost when the page is closed.
export function readFromTab(key) {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

export function storeInTab(key, text) {
  try {
    if (text === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
  } catch {
    // Nothing to do, because the caller still has the value.
  }
}

/** One control for each parameter that the page describes, filled with the page's example if there is one. */
export function parameterFields(section) {
  return [...section.querySelectorAll('[data-parameter]')].map((row) => {
    const { parameter: name, in: place, required, choices } = row.dataset
    const control = choices === undefined ? textControl(row.dataset) : choiceControl(choices.split(' '), required)
    control.required = required === 'yes'
    const label = required === 'yes' ? name : `${name} (optional)`
    return { name, place, control, parts: labelled(`${section.id}-${place}-${name}`, label, control, WHERE[place]) }
  })
}

const WHERE = { header: 'Sent as a header.' }

const FEW = 3

/** Required parameters come first. Optional parameters are collapsed if there are more than three. */
export function requiredFirst(fields) {
  const needed = fields.filter(({ control }) => control.required).map(({ parts }) => parts)
  const optional = fields.filter(({ control }) => !control.required).map(({ parts }) => parts)
  if (optional.length <= FEW) return [...needed, ...optional]
  const summary = element('summary', {}, `${optional.length} optional parameters`)
  return [...needed, element('details', { className: 'optional' }, summary, ...optional)]
}

/** If the example is an id that no record has, it is in `placeholder`: the empty field shows it, and the request does not contain it. */
function textControl({ example = '', placeholder = '' }) {
  return element('input', { autocomplete: 'off', spellcheck: false, value: example, placeholder })
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
