// For the page that shows a secret in answer to a form. Without this script the page works; a click selects a text as a whole.
;(() => {
  // Back, forward and reload lead to this address: otherwise the browser would send the form again, and make another secret.
  const { then } = document.querySelector('[data-then]').dataset
  history.replaceState(null, '', then)

  const said = document.createElement('span')
  said.className = 'hint'
  said.setAttribute('role', 'status')
  document.querySelector('main').append(said)
  for (const text of document.querySelectorAll('[data-copied]')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'button small'
    button.textContent = 'Copy'
    button.setAttribute('aria-label', `Copy the ${text.dataset.copied}`)
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(text.textContent)
      button.textContent = 'Copied'
      said.textContent = `The ${text.dataset.copied} is copied.`
    })
    text.after(' ', button)
  }
})()
