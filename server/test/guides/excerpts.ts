/**
 * The reasons why `npm run docs:blocks` does not run a fence marked `excerpt`. Every other fence of a guide runs, is
 * saved for a later line that runs it, or shows output.
 */
export const EXCERPTS: Readonly<Record<string, readonly string[]>> = {
  'authentication.md': ['an address with parts to fill in; connect.ts on the same page opens a whole one'],
  'installations.md': ['the body of a request that needs the token of a founder who runs a company without the app'],
  'run.md': [
    'starts a second service',
    'installs the service on another machine',
    'creates a role on a database server',
    'settings of a service',
    'configuration of nginx',
    'starts a second service, of several processes',
    'starts two more services',
  ],
  'platform-feed.md': ['a command of the directory of the service, which a reader of the API does not have'],
  'import-history.md': ['a live key and the address of a live platform'],
  'capacity.md': ['a command of the directory of the service'],
  'operations.md': [
    'downloads a collector, and starts a second service',
    'pg_dump of a database server of the same version',
    'replaces a whole database',
    'configuration of pgBackRest; npm run ops:backup runs these commands',
    'stops a server and replaces its data; npm run ops:backup runs these commands',
    'settings of Patroni; npm run ops:ha runs them',
    'configuration of HAProxy; npm run ops:ha runs it',
    'the addresses of replicas of a database server',
    'changes secrets of a service; npm run ops:secrets does the same',
    'SQL: guide-statements.test.ts runs it',
    'SQL: guide-statements.test.ts runs it',
  ],
  'brand.md': ['starts a second service'],
  'intents.md': ['a diagram of states'],
  'join-sessions.md': ['a diagram of states', 'a part of a page of the partner'],
  'command-line-sign-in.md': ['an address with parts to fill in; sign-in.ts on the same page opens a whole one'],
  'accounts.md': ['a command of the directory of the service'],
  'staff.md': [
    'commands of the directory of the service',
    'commands of the directory of the service',
    'commands of the directory of the service',
  ],
  'usage-conditions.md': ['publishes a version, which later guides would show'],
  'mail.md': ['starts a second service', 'SQL: guide-statements.test.ts runs it'],
}
