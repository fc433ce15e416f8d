// Asks the browser for a passkey and sends the browser's response with the form. The page contains the options, so the script fetches
// nothing.
;(() => {
  const bytesOf = (text) => {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return Uint8Array.from(binary, (character) => character.charCodeAt(0))
  }
  const textOf = (buffer) => {
    const binary = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join('')
    return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  }

  // Older browsers have WebAuthn, but not its methods for JSON.
  const withBytes = (credentials) => (credentials ?? []).map((each) => ({ ...each, id: bytesOf(each.id) }))
  const creation = (options) =>
    PublicKeyCredential.parseCreationOptionsFromJSON?.(options) ?? {
      ...options,
      challenge: bytesOf(options.challenge),
      user: { ...options.user, id: bytesOf(options.user.id) },
      excludeCredentials: withBytes(options.excludeCredentials),
    }
  const request = (options) =>
    PublicKeyCredential.parseRequestOptionsFromJSON?.(options) ?? {
      ...options,
      challenge: bytesOf(options.challenge),
      allowCredentials: withBytes(options.allowCredentials),
    }
  const json = (credential) => {
    if (credential.toJSON !== undefined) return credential.toJSON()
    const { response } = credential
    const parts = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']
    const sent = parts.filter((part) => response[part]).map((part) => [part, textOf(response[part])])
    const transports = response.getTransports?.() ?? []
    return {
      id: credential.id,
      rawId: textOf(credential.rawId),
      type: credential.type,
      clientExtensionResults: credential.getClientExtensionResults(),
      response: { ...Object.fromEntries(sent), transports },
    }
  }

  const WORDS = {
    InvalidStateError: 'This device has a passkey of this account already.',
    NotAllowedError: 'No passkey was used. Try again, or choose another way.',
    SecurityError: 'Passkeys do not work at this address.',
  }

  /** Copies the name and the email that the person typed into another form of the page. False if one of those fields is invalid. */
  const takeFields = (form) => {
    const source = document.getElementById(form.dataset.fieldsFrom ?? '')
    const names = ['name', 'email'].filter((name) => source?.elements.namedItem(name) && form.elements.namedItem(name))
    return names.every((name) => {
      const typed = source.elements.namedItem(name)
      form.elements.namedItem(name).value = typed.value
      return typed.reportValidity()
    })
  }

  /**
   * The authenticator shows the name and the address of the account. If another form of the page asks for the name and the address, the
   * authenticator shows what the person has just typed there.
   */
  const named = (options, form) => {
    if (form.dataset.fieldsFrom === undefined) return options
    const typed = (name, otherwise) => form.elements.namedItem(name)?.value.trim() || otherwise
    const user = { name: typed('email', options.user.name), displayName: typed('name', options.user.displayName) }
    return { ...options, user: { ...options.user, ...user } }
  }

  let waiting = null

  const ask = async (form, mediation) => {
    const message = form.querySelector('[data-passkey-message]')
    waiting?.abort()
    waiting = new AbortController()
    const { signal } = waiting
    try {
      const options = named(JSON.parse(form.dataset.options), form)
      const credential =
        form.dataset.passkey === 'create'
          ? await navigator.credentials.create({ publicKey: creation(options), signal })
          : await navigator.credentials.get({ publicKey: request(options), signal, ...(mediation && { mediation }) })
      if (credential === null) return
      form.elements.credential.value = JSON.stringify(json(credential))
      form.submit()
    } catch (error) {
      // Show no error if the person pressed the button, which ends the wait for an autofill, or did not use the autofill.
      if (signal.aborted || mediation !== undefined) return
      message.textContent = WORDS[error.name] ?? 'The browser could not use a passkey. Choose another way.'
      message.hidden = false
    }
  }

  for (const form of document.querySelectorAll('form[data-passkey]')) {
    if (window.PublicKeyCredential === undefined) {
      form.querySelector('[data-passkey-missing]').hidden = false
      continue
    }
    form.querySelector('[data-passkey-shown]').hidden = false
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      if (takeFields(form)) void ask(form)
    })
    if (form.dataset.autofill !== undefined) {
      void PublicKeyCredential.isConditionalMediationAvailable?.().then((available) =>
        available ? ask(form, 'conditional') : undefined,
      )
    }
  }
})()
