/** The app's picture, or the first letter of its name. */
export function AppLogo({ name, url }: { readonly name: string; readonly url: string | null }) {
  return (
    <span className="app-logo" aria-hidden="true">
      {url === null ? name.charAt(0).toUpperCase() : <img src={url} alt="" />}
    </span>
  )
}
