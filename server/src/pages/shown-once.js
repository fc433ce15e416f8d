// The script of a page that shows a secret after a form was sent. The page works without it, and one click selects the whole
// secret.
;(() => {
  // Back, forward and reload then lead to the address in `data-then`. Otherwise the browser would send the form again, and
  // that would create another secret.
  const { then } = document.querySelector('[data-then]').dataset
  history.replaceState(null, '', then)

  const status = document.createElement('span')
  status.className = 'hint'
  status.setAttribute('role', 'status')
  document.querySelector('main').append(status)
  for (const text of document.querySelectorAll('[data-copied]')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'button small'
    button.textContent = 'Copy'
    button.setAttribute('aria-label', `Copy the ${text.dataset.copied}`)
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(text.textContent)
        button.textContent = 'Copied'
        status.textContent = `The ${text.dataset.copied} is copied.`
      } catch {
        // Without HTTPS, browsers give no access to the clipboard, except to pages of this machine. Then the text is selected
        // instead.
        getSelection().selectAllChildren(text)
        button.textContent = 'Selected'
        status.textContent = `The ${text.dataset.copied} is selected: press Ctrl C.`
      }
    })
    text.after(' ', button)
  }
})()
