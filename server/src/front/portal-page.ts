import { type Html, html } from '#pages/html.ts'
import { brandHead, page, platformLinks } from '#pages/layout.ts'
import { brandAddresses, brandOf, type ShownBrand } from '#pages/platform-brand.ts'
import type { PortalEntry } from './portal-build.ts'

export const PORTAL = '/developers'

/** Everything comes from us; the page runs our script alone and talks to this server alone. */
export const PORTAL_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The page that every address of the portal answers with. The brand is in attributes of the root element, because the policy
 * allows no inline script. The widget library adds an inline style unless an element has this id; portal/src/ui/ui.css has the
 * rule instead.
 */
export function portalPage({ script, chunks, styles }: PortalEntry, shown: ShownBrand): string {
  const brand = brandOf(shown)
  const logo = brand.logo === null ? '' : brandAddresses.logo(brand.logo)
  const { support, terms, privacy } = brand.links
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Developers · ${brand.name}</title>
<meta id="react-aria-pressable-style" name="widgets" content="styled">
${styles.map((file) => html`<link rel="stylesheet" href="${PORTAL}/${file}">`)}${brandHead(brand)}
${chunks.map((file) => html`<link rel="modulepreload" href="${PORTAL}/${file}">`)}
<script type="module" src="${PORTAL}/${script}"></script>
</head>
<body>
<div id="root" data-brand="${brand.name}" data-logo="${logo}" data-support="${support ?? ''}" data-terms="${terms ?? ''}" data-privacy="${privacy ?? ''}"></div>
<noscript><p>The developer portal needs JavaScript. <a href="/settings">Your settings</a> work without it.</p></noscript>
</body>
</html>
`.markup
}

/** For the operator, who can do something about it; a partner finds the way to what works. */
export function missingBuildPage(brand: ShownBrand): string {
  const links = platformLinks(brandOf(brand).links)
  const main: Html = html`<section class="card"><h1>The developer portal has not been built</h1>
<p>Its files are missing on this server. Where the project was checked out, this command installs what the build needs and builds it:</p>
<pre class="line"><code>npm ci</code></pre>
<p>An install without development packages has no build tools: build the portal elsewhere and copy <code>portal/dist</code> here. The page works as soon as the files are there.</p>
<p>Until then, keys and apps are at <a href="/settings/organizations">your settings</a>, and everything else at the <a href="/docs">API</a>.</p>
${links.length > 0 && html`<p>${links}</p>`}</section>`
  return page({ title: 'Developer portal', brand, main })
}
