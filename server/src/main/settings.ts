// Imports single files instead of whole modules, because settings are read before the service is loaded.
import { SIGN_UP_SETTINGS, STAFF_LIMITS } from '#access/accounts/settings.ts'
import { CREDIT_MODELS } from '#referrals/settings.ts'
import { LOG_FORMATS } from '#system/log.ts'
import { SAMPLERS } from '#system/tracing.ts'
import {
  accentColor,
  checkoutTemplate,
  collector,
  countOrOff,
  databaseUrl,
  databaseUrls,
  httpsUrl,
  integer,
  issuer,
  keyValues,
  mailSender,
  matching,
  oneOf,
  origin,
  pictureFile,
  privateKeyFile,
  ratio,
  redisUrl,
  type SettingType,
  sealingSecret,
  sealingSecrets,
  secretText,
  smtpUrl,
  trustedProxies,
} from './setting-types.ts'

export type Setting<T, D extends T | null = T | null> = {
  readonly key: string
  readonly type: SettingType<T>
  /** Null if there is no default. Then `why` says what happens without the setting. */
  readonly default: D
  readonly why: string
}

function setting<T, const D extends T | null>(
  key: string,
  type: SettingType<T>,
  fallback: D,
  why: string,
): Setting<T, D> {
  return { key, type, default: fallback, why }
}

/** The highest value of a limit. Benchmarks set it, so that requests are counted but not rejected. */
const LIMIT_MAX = 1_000_000_000

/**
 * Every setting. The table is parsed once at the start and passed on; no other code reads the environment.
 * docs/configuration.md is generated from it.
 */
export const SETTINGS = {
  port: setting(
    'PORT',
    integer(0, 65_535),
    4400,
    'Where the service listens. If the default is taken, the next free port is used and shown. If a port that you set is taken, the start fails. 0 lets the system choose.',
  ),
  host: setting(
    'HOST',
    matching(/^[\w.:-]+$/, 'a host name or address'),
    'localhost',
    'The address to listen on. The default, localhost, is 127.0.0.1 and ::1, and is reachable from this machine only. Passkeys need a host name: on an IP address they are not offered.',
  ),
  baseUrl: setting(
    'PORTICO_BASE_URL',
    origin('http:', 'https:'),
    null,
    'The public address of the service for partners, and the OAuth issuer. With https, cookies and headers are set for https only. Default: the address it listens on.',
  ),
  dataDirectory: setting(
    'PORTICO_DATA',
    matching(/^[^\0]+$/, 'a directory'),
    '.portico',
    'The directory of the embedded PostgreSQL, the sealing secret, mails and the demo’s file. A relative path begins at the working directory, which npm sets to the project.',
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    databaseUrl,
    null,
    'Your own PostgreSQL, version 15 or newer, connected directly (no transaction-pooling proxy). Without it an embedded PostgreSQL 18 is started.',
  ),
  replicaUrls: setting(
    'PORTICO_REPLICA_URLS',
    databaseUrls,
    [] as readonly string[],
    'Streaming replicas of the PostgreSQL at DATABASE_URL, for reads of the catalogue, company pages and referral statistics that may be a few seconds old. Each address leads to one server. All other data, and all data while no replica is usable, is read from DATABASE_URL.',
  ),
  replicaMaxLagMs: setting(
    'PORTICO_REPLICA_MAX_LAG_MS',
    integer(1_000, 60_000),
    3_000,
    'How old the data of a replica may be, in milliseconds. A replica with older data is not used. Responses of the catalogue still contain every change to offerings and companies that was made before the request.',
  ),
  demo: setting(
    'PORTICO_DEMO',
    oneOf('on', 'off'),
    null,
    'Whether the first start fills the test world with a demo. The passwords of the demo’s people are public. Default: on with the embedded PostgreSQL and a HOST that only this machine reaches, otherwise off.',
  ),
  apiProcesses: setting(
    'PORTICO_API_PROCESSES',
    integer(1, 64),
    1,
    'How many processes of this service answer requests on its one address: as many as the machine has cores to spare. They count limits together and share PORTICO_POOL_SIZE: each process has its part, rounded up, and at least two connections in each pool. No effect on --role worker.',
  ),
  poolSize: setting(
    'PORTICO_POOL_SIZE',
    integer(2, 200),
    8,
    'The size of a pool of database connections. The API and the workers each have three pools: test, live and platform. So a process with both uses about six times this number.',
  ),
  secret: setting(
    'PORTICO_SECRET',
    sealingSecret,
    null,
    'The sealing secret from which every key is derived. Required together with DATABASE_URL; with the embedded PostgreSQL, the first start creates a secret and stores it in PORTICO_DATA with mode 600.',
  ),
  previousSecrets: setting(
    'PORTICO_PREVIOUS_SECRETS',
    sealingSecrets,
    [] as readonly string[],
    'Earlier sealing secrets, for rotation: they still open older values; new values are sealed with PORTICO_SECRET.',
  ),
  brand: setting(
    'PORTICO_BRAND',
    matching(/^[a-z][a-z0-9]{1,30}$/, 'a lower-case word of 2 to 31 letters and digits'),
    'wefunder',
    'The platform’s name in the API: in headers (Wefunder-Version), in the role of its staff where they end an installation, and in a few older field names. People never see it.',
  ),
  platformName: setting(
    'PORTICO_PLATFORM_NAME',
    matching(/^[^\p{C}\p{Z}](?:[^\p{C}\p{Zl}\p{Zp}]{0,38}[^\p{C}\p{Z}])?$/u, 'a name of up to 40 characters'),
    'Portico',
    'The platform’s name on every page for people (sign-in, consent, install, review, sessions), in mail and in the reference.',
  ),
  logo: setting(
    'PORTICO_LOGO',
    pictureFile,
    null,
    'The path of a picture that hosted pages show instead of the platform’s name. Mails also show it if it has at most 64 KiB. It is read at the start and served from the service’s own address; mails contain it.',
  ),
  favicon: setting(
    'PORTICO_FAVICON',
    pictureFile,
    null,
    'The path of a small picture that browsers show beside the title of hosted pages.',
  ),
  accentColor: setting(
    'PORTICO_ACCENT_COLOR',
    accentColor,
    null,
    'The colour of links and buttons on hosted pages. In the dark scheme it is lightened until it is readable.',
  ),
  supportUrl: setting('PORTICO_SUPPORT_URL', httpsUrl, null, 'Where hosted pages send people who need help.'),
  termsUrl: setting('PORTICO_TERMS_URL', httpsUrl, null, 'The platform’s terms, linked from every hosted page.'),
  privacyUrl: setting(
    'PORTICO_PRIVACY_URL',
    httpsUrl,
    null,
    'The platform’s privacy notice, linked from every hosted page.',
  ),
  passwordSignIn: setting(
    'PORTICO_PASSWORD_SIGN_IN',
    oneOf('on', 'off'),
    'on',
    'Whether people may sign in with a password stored here. Off needs an OpenID Connect provider.',
  ),
  signUp: setting(
    'PORTICO_SIGN_UP',
    oneOf(...SIGN_UP_SETTINGS),
    null,
    'Who may sign up with a password: every visitor (open), invited people (invitation), or no one (closed). A first sign-in through an OpenID Connect provider creates an account in each case. Default: open in the embedded demo, otherwise invitation. Open needs mail, because addresses are verified by mail.',
  ),
  stepUpMinutes: setting(
    'PORTICO_STEP_UP_MINUTES',
    integer(1, 1_440),
    10,
    'For how many minutes after signing in or confirming their identity a person may see secrets, change factors and delete apps without confirming again.',
  ),
  stepUpAmount: setting(
    'PORTICO_STEP_UP_AMOUNT',
    integer(0, 1_000_000_000_000),
    10_000,
    'An intent about more money than this, in whole units of its own currency, is approved only by a person who confirmed their identity within PORTICO_STEP_UP_MINUTES.',
  ),
  staffSessionHours: setting(
    'PORTICO_STAFF_SESSION_HOURS',
    integer(1, 24),
    STAFF_LIMITS.hours,
    'For how many hours after proving their second factor a person with a staff role may act for the platform.',
  ),
  staffIdleMinutes: setting(
    'PORTICO_STAFF_IDLE_MINUTES',
    integer(1, 480),
    STAFF_LIMITS.idleMinutes,
    'After how many minutes without a request under /platform a person with a staff role has to prove their second factor again.',
  ),
  openidIssuer: setting(
    'PORTICO_OPENID_ISSUER',
    issuer,
    null,
    'An OpenID Connect provider to sign in with, by its issuer; http only on this machine. Its redirect URI is PORTICO_BASE_URL and /sign-in/openid/callback. Without it, people sign in with passwords and passkeys.',
  ),
  openidClientId: setting(
    'PORTICO_OPENID_CLIENT_ID',
    matching(/^\S{1,500}$/, 'the client id without spaces'),
    null,
    'The service’s client id at the OpenID Connect provider. Required together with PORTICO_OPENID_ISSUER.',
  ),
  openidClientSecret: setting(
    'PORTICO_OPENID_CLIENT_SECRET',
    secretText,
    null,
    'The service’s client secret at the OpenID Connect provider. Without it, the service is a public client.',
  ),
  openidName: setting(
    'PORTICO_OPENID_NAME',
    matching(/^[^\p{C}]{1,40}$/u, 'a name of up to 40 characters'),
    'your account',
    'The provider’s name on the button “Continue with …”.',
  ),
  reinstatementGraceDays: setting(
    'PORTICO_REINSTATEMENT_GRACE_DAYS',
    integer(0, 365),
    7,
    'How long after its cancellation an investment or reservation can be reinstated, in days of world time.',
  ),
  referralModel: setting(
    'PORTICO_REFERRAL_MODEL',
    oneOf(...CREDIT_MODELS),
    'last_click',
    'Which click of an investor on a company’s page is credited with an investment there: the last click within the window, or the first.',
  ),
  referralWindowDays: setting(
    'PORTICO_REFERRAL_WINDOW_DAYS',
    integer(1, 365),
    30,
    'For how many days of world time a click on a link with a referral code can be credited.',
  ),
  referralCodesMax: setting(
    'PORTICO_REFERRAL_CODES_MAX',
    integer(1, 100_000),
    100,
    'How many referral codes an app can have in each world, including paused ones.',
  ),
  referralPeopleMin: setting(
    'PORTICO_REFERRAL_PEOPLE_MIN',
    integer(4, 10_000),
    5,
    'The smallest group of people in referral statistics (k): smaller groups are not published. A change applies to weeks that are published later. With less than 4, a reader could find single people by adding up ranges.',
  ),
  allowLoopbackWebhooks: setting(
    'PORTICO_ALLOW_LOOPBACK_WEBHOOKS',
    oneOf('on', 'off'),
    null,
    'Whether webhooks of the test world may be sent to this machine over http, for development on a laptop. Webhooks of the live world never may. Default: on with the embedded PostgreSQL, otherwise off.',
  ),
  trustedProxies: setting(
    'PORTICO_TRUSTED_PROXIES',
    trustedProxies,
    [] as readonly string[],
    'The proxies in front of the service, whose X-Forwarded-For gives the client’s address. The header of any other client is ignored.',
  ),
  limits: setting(
    'PORTICO_LIMITS',
    oneOf('on', 'off'),
    'on',
    'Off removes the limits of all settings that begin with PORTICO_LIMIT_. Use it for measurements and tests, or if a proxy in front of the service has its own limits.',
  ),
  limitAccessToken: setting(
    'PORTICO_LIMIT_ACCESS_TOKEN',
    countOrOff(LIMIT_MAX),
    1_000,
    'Requests an hour with one access token, over the whole API.',
  ),
  limitAddress: setting(
    'PORTICO_LIMIT_ADDRESS',
    countOrOff(LIMIT_MAX),
    5_000,
    'Requests an hour from one address (of IPv6, from one /64), over the whole API.',
  ),
  limitPublicCatalog: setting(
    'PORTICO_LIMIT_PUBLIC_CATALOG',
    countOrOff(LIMIT_MAX),
    60,
    'Requests a minute from one address to GET /explore, GET /offerings/{id} and GET /companies/search together.',
  ),
  limitPublishableKey: setting(
    'PORTICO_LIMIT_PUBLISHABLE_KEY',
    countOrOff(LIMIT_MAX),
    300,
    'Public reads in five minutes with one publishable key.',
  ),
  limitTokenClient: setting(
    'PORTICO_LIMIT_TOKEN_CLIENT',
    countOrOff(LIMIT_MAX),
    60,
    'Requests an hour to POST /oauth/token with one client_id; also failed authentications as that client from one address.',
  ),
  limitTokenAddress: setting(
    'PORTICO_LIMIT_TOKEN_ADDRESS',
    countOrOff(LIMIT_MAX),
    300,
    'Requests in five minutes to POST /oauth/token from one address.',
  ),
  limitServerKey: setting(
    'PORTICO_LIMIT_SERVER_KEY',
    countOrOff(LIMIT_MAX),
    1_000,
    'Requests in an hour with one confidential key and HTTP Basic.',
  ),
  limitWebhookTest: setting(
    'PORTICO_LIMIT_WEBHOOK_TEST',
    countOrOff(LIMIT_MAX),
    10,
    'Tests a minute of one webhook endpoint.',
  ),
  limitPendingIntent: setting(
    'PORTICO_LIMIT_PENDING_INTENT',
    countOrOff(LIMIT_MAX),
    10,
    'New pending intents an hour of one access token.',
  ),
  limitComments: setting(
    'PORTICO_LIMIT_COMMENTS',
    countOrOff(LIMIT_MAX),
    20,
    'Proposals of questions, answers and comments in a day (UTC) for one user, of all apps together.',
  ),
  requestLogPerMinute: setting(
    'PORTICO_REQUEST_LOG_PER_MINUTE',
    integer(0, LIMIT_MAX),
    300,
    'How many successful requests of one app each process logs in a minute for the app’s team, and how many failed ones. Requests beyond that are only counted. With 0, no request is logged or counted.',
  ),
  limitDocuments: setting(
    'PORTICO_LIMIT_DOCUMENTS',
    countOrOff(LIMIT_MAX),
    300,
    'Requests a minute from one address to routes that need no credential, such as /docs, /openapi.json, style sheets, logos, conditions, OAuth metadata.',
  ),
  limitOpenidAddress: setting(
    'PORTICO_LIMIT_OPENID_ADDRESS',
    countOrOff(LIMIT_MAX),
    300,
    'Returns from the OpenID Connect provider in 15 minutes from one address.',
  ),
  limitOpenidBrowser: setting(
    'PORTICO_LIMIT_OPENID_BROWSER',
    countOrOff(LIMIT_MAX),
    20,
    'Returns from the OpenID Connect provider in 15 minutes with one browser.',
  ),
  limitUnknownToken: setting(
    'PORTICO_LIMIT_UNKNOWN_TOKEN',
    countOrOff(LIMIT_MAX),
    100,
    'Unknown credentials in five minutes from one address. After that, only credentials that the process has found or issued before are looked up for this address.',
  ),
  checkoutUrl: setting(
    'PORTICO_CHECKOUT_URL',
    checkoutTemplate,
    null,
    'The host platform’s own checkout, to which the live world’s pages of investment sessions and invite links send people. {offering}, {session}, {invite}, {return_url} and {success_url} in its path or query are filled in, encoded, or left empty. Without it those pages say that there is no checkout yet.',
  ),
  redisUrl: setting(
    'REDIS_URL',
    redisUrl,
    null,
    'A Redis (7 or newer) or Valkey in which several nodes share their counts. Without it, or while it is unreachable, each node counts alone.',
  ),
  mailDirectory: setting(
    'PORTICO_MAIL_DIRECTORY',
    matching(/^[^\0]+$/, 'a directory'),
    null,
    'The directory where each mail is written as a file, for another program to send. Without it and without PORTICO_SMTP_URL, mail is written to PORTICO_DATA with the embedded PostgreSQL, and no mail is sent with your own PostgreSQL. The portal shows the same notices.',
  ),
  smtpUrl: setting(
    'PORTICO_SMTP_URL',
    smtpUrl,
    null,
    'The mail server. With smtp:// it must offer STARTTLS, unless it is this machine; the port is 587 (465 with smtps://) if none is given. Special characters of user and password are percent-encoded.',
  ),
  mailFrom: setting('PORTICO_MAIL_FROM', mailSender, null, 'The sender of mail. Required with PORTICO_SMTP_URL.'),
  dkimKey: setting(
    'PORTICO_DKIM_KEY_FILE',
    privateKeyFile,
    null,
    'The private key for signing mail with DKIM, for the domain of PORTICO_MAIL_FROM. Without it mail is not signed here.',
  ),
  dkimSelector: setting(
    'PORTICO_DKIM_SELECTOR',
    matching(/^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/, 'a name of letters, digits and hyphens'),
    'portico',
    'The DKIM selector: the name of the public key in the DNS of the domain of PORTICO_MAIL_FROM.',
  ),
  otlpEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    collector,
    null,
    'The OpenTelemetry collector to which traces are sent, as OTLP over HTTP (JSON); /v1/traces is appended. Without it there are no traces.',
  ),
  otlpHeaders: setting(
    'OTEL_EXPORTER_OTLP_HEADERS',
    keyValues({ secret: true }),
    null,
    'Headers for the collector, such as its API key.',
  ),
  traceServiceName: setting(
    'OTEL_SERVICE_NAME',
    matching(/^[^\p{C}]{1,100}$/u, 'a name of up to 100 characters'),
    'portico',
    'The name of this service in traces.',
  ),
  traceResource: setting(
    'OTEL_RESOURCE_ATTRIBUTES',
    keyValues({}),
    null,
    'Attributes of every trace, such as deployment.environment.name=production.',
  ),
  traceSampler: setting(
    'OTEL_TRACES_SAMPLER',
    oneOf(...SAMPLERS),
    'parentbased_traceidratio',
    'Which traces are sampled. If a request continues a trace of the platform, the parent-based samplers use the decision of that trace.',
  ),
  traceRatio: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    ratio,
    0.1,
    'The share of traces that are sampled, for the samplers with a ratio.',
  ),
  traceParents: setting(
    'PORTICO_TRACE_PARENTS',
    trustedProxies,
    [] as readonly string[],
    'Gateways that write the traceparent of every request themselves, by address. Their traces are continued, as are those of operator keys; the traces of all other callers are linked.',
  ),
  traceWebhooks: setting(
    'PORTICO_TRACE_WEBHOOKS',
    oneOf('on', 'off'),
    'off',
    'Whether webhooks of a sampled trace carry its traceparent. Receivers could then see which of their requests and events have a common cause.',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    oneOf('debug', 'info', 'warn', 'error', 'silent'),
    'info',
    'How much is logged. At info: one line per request.',
  ),
  logFormat: setting(
    'LOG_FORMAT',
    oneOf(...LOG_FORMATS),
    null,
    'The form of the log: a JSON object per line, or a line of text for people. Default: text on a terminal, otherwise JSON.',
  ),
} as const
