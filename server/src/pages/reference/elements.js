/** Everything the script adds is made of these; what comes from a server is only ever shown as text. */
export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

/** A label above its control, and what is to be known of it in between. */
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

/** Spoken by screen readers when its words change. */
export function announcement(className) {
  const made = element('p', { className })
  made.setAttribute('role', 'status')
  return made
}

// A browser may forbid storage (private windows, strict settings); things then last as long as the page.
export function recall(key) {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

export function keep(key, text) {
  try {
    if (text === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
  } catch {
    // Nothing to do: whoever asks has it at hand.
  }
}
