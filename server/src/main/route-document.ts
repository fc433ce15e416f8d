import type { Access, TokenAccess } from '#http/access.ts'
import { actionOf } from '#http/action-name.ts'
import type { Route } from '#http/route.ts'

/**
 * The text of docs/routes.md: every route with what it takes to call it. Committed, so that a change of who may call
 * what shows up in review as a changed line.
 */
export function routeDocument(routes: readonly Route[]): string {
  const rows = routes.map(
    (route) =>
      `| ${route.method} | \`${route.path}\` | ${route.operation} | ${route.work} | ${accessInWords(route.access)} | ${actionOf(route) ?? ''} |`,
  )
  return `# Routes and who may call them

The last column is what the user reads in their activity ([activity.md](activity.md)) after an app has called the route for
them.

| method | path | operation | work | access | action |
|---|---|---|---|---|---|
${rows.join('\n')}

<!-- Generated from the route table by \`npm run generate\`; do not edit. -->
`
}

function accessInWords(access: Access): string {
  switch (access.kind) {
    case 'open':
      return `open: ${access.why}`
    case 'session':
      return access.required ? 'a person who signed in' : `any visitor: ${access.why}`
    case 'token': {
      const scopes = access.anyScope.length === 0 ? 'no scope' : access.anyScope.join(' or ')
      return `${access.holders.join(', ')}: ${scopes}${oneWorldOnly(access)}`
    }
  }
}

function oneWorldOnly({ sandboxOnly, liveOnly }: TokenAccess): string {
  if (sandboxOnly === true) return ', test world only'
  return liveOnly === true ? ', live keys only' : ''
}
