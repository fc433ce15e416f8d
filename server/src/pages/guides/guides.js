/** Adds a copy button to every piece of code except output, because readers do not paste output. */
for (const figure of document.querySelectorAll('figure.code:not(.output)')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    const text = figure.querySelector('code').textContent
    try {
      await navigator.clipboard.writeText(text)
      button.textContent = 'Copied'
    } catch {
      // Without HTTPS, browsers give no access to the clipboard, except to pages of this machine. Then the text is selected
      // instead.
      getSelection().selectAllChildren(figure.querySelector('code'))
      button.textContent = 'Selected'
    }
  })
  figure.querySelector('figcaption').append(button)
}
