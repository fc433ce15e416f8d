import { DEFAULT_RETURN_TO } from './return-to.ts'

/**
 * Why somebody is asked to sign in, by where they want to go. Which app is asking is said on the next page and not
 * here, where anybody could write anything into a link.
 */
export function whySignIn(returnTo: string): string {
  const [path = ''] = returnTo.split('?', 1)
  if (path === '/oauth/authorize') {
    return 'An app would like to connect to your account. Sign in first: you will then see what it asks for, and nothing is shared before you agree.'
  }
  if (path.startsWith('/apps/')) {
    return 'You are about to install an app. Sign in first: you will then see what it asks for, and nothing is shared before you agree.'
  }
  return path === DEFAULT_RETURN_TO
    ? 'Sign in to see which apps are connected to your account.'
    : 'The page you asked for is for people who are signed in.'
}
