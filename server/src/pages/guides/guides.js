/** Adds a button to every piece of code that a reader runs. Output has none: nobody pastes it. */
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
      // Browsers offer no clipboard to pages without HTTPS on other hosts than this machine.
      getSelection().selectAllChildren(figure.querySelector('code'))
      button.textContent = 'Selected'
    }
  })
  figure.querySelector('figcaption').append(button)
}
