// Generated from server/openapi.json by npm run generate. Do not edit.

/** The API version these types describe, sent with every request. */
export const API_VERSION = "2026-11-01"

export type Account = {
  id: string
  type: "account"
  attributes: {
    email: string
    name: string
    has_password: boolean
    /** The OpenID Connect providers that the account is linked to. */
    issuers: Array<string>
    users: {
      test: string | null
      live: string | null
    }
    /** UTC, with microseconds; real time. */
    email_verified_at: string
    staff_role: "viewer" | "support" | "compliance" | "admin" | null
    /** UTC, with microseconds; real time. */
    created_at: string
    /** UTC, with microseconds; real time. */
    disabled_at: string | null
  }
}

export type AccountEnvelope = {
  data: Account
}

export type AccountInvitationEnvelope = {
  data: {
    type: "account_invitation"
    attributes: {
      email: string
      /** Works once, for any person who has it: treat it as a secret. It is shown only in this response. */
      url: string
      /** UTC, with microseconds; real time. */
      expires_at: string
    }
  }
}

export type AccountLinkEnvelope = {
  data: {
    type: "account_link"
    attributes: {
      account: string
      purpose: "sign_in" | "set_password"
      /** Works once, for any person who has it: treat it as a secret. It is shown only in this response. */
      url: string
      /** UTC, with microseconds; real time. */
      expires_at: string
    }
  }
}

export type AccountPassword = {
  password: string
}

export type AccountUser = {
  user: string
}

export type AdvanceClock = {
  /** How far to move the clock: an ISO 8601 duration in weeks, days, hours, minutes and seconds, in whole numbers. The clock can be at most 3650 days ahead of real time. */
  advance: string
}

export type Alive = {
  status: "ok"
}

export type App = {
  id: string
  type: "app"
  attributes: {
    name: string
    description: string | null
    website_url: string | null
    /** The logo’s address on this host. A new logo has a new address. */
    logo_url: string | null
    /** Where people are sent after they installed the app. */
    setup_url: string | null
    organization: {
      id: string
      name: string
      status: "active" | "ended"
    }
    status: "active" | "suspended" | "disabled" | "ended"
    /** Real time, UTC, with microseconds. */
    suspended_at: string | null
    suspended_reason: string | null
    /** Real time, UTC, with microseconds. */
    disabled_at: string | null
    /** The API version for requests that name no version. */
    api_version: string
    /** The declared scopes. Every app also has read:public. */
    scopes: Array<string>
    /** Real time, UTC, with microseconds. */
    approved_at: string | null
    approval: {
      /** When the team asked for the approval again. */
      requested_at: string | null
      /** When the platform last declined the request for approval or withdrew the approval. */
      declined_at: string | null
    }
    pii: {
      /** Real time, UTC, with microseconds. */
      requested_at: string | null
      /** Real time, UTC, with microseconds. */
      approved_at: string | null
    }
    programs: Array<{
      program: "marketing_partner" | "founder"
      tier: number | null
      /** Real time, UTC, with microseconds. */
      requested_at: string | null
      /** Real time, UTC, with microseconds. */
      approved_at: string | null
    }>
    conditions: {
      version: string
      /** The address of the page with this version, on this host. */
      url: string
      accepted_by: string
      /** Real time, UTC, with microseconds. */
      accepted_at: string
      /** The version in force, if it was not accepted for the app. The app’s team can accept it. Until then the version in `version` holds. */
      newer: {
        version: string
        url: string
      } | null
    }
    /** True if the app was never approved, never got a live token, was never installed, and is not suspended. Always false after the organization’s access was ended. Consents in the test world do not count as installations. */
    deletable: boolean
    /** Real time, UTC, with microseconds. */
    created_at: string
  }
}

export type AppAttention = {
  kind: "app_suspended" | "app_disabled" | "endpoint_disabled" | "endpoint_failing" | "limit_reached" | "limit_near" | "events_need_scope" | "secret_ending" | "signing_secret_ending" | "scopes_not_consented" | "approval_pending"
  severity: "danger" | "warning" | "info"
  /** The id of the webhook endpoint or the key. */
  subject: string | null
  /** The endpoint’s URL, or the name of the key, the limit or the requested approval. */
  name: string | null
  /** When the app was suspended or disabled, when the endpoint began to fail (world time), the hour in which the limit was used, when the secret ends, or when the approval was requested. */
  at: string | null
  /** Why the app was suspended or the endpoint was disabled. */
  reason: string | null
  /** Which scopes are missing. */
  scopes: Array<string> | null
  /** How many installations lack one of the scopes, or how many requests were rejected in the hour. */
  count: number | null
}

export type AppChange = {
  name?: string
  description?: string | null
  website_url?: string | null
  setup_url?: string | null
  api_version?: "2025-01-15" | "2026-10-01" | "2026-11-01"
}

export type AppDeliveryUsage = {
  id: string
  type: "app_delivery_usage"
  attributes: {
    unit: "hour" | "day"
    /** Oldest first. Hours or days without an attempt are left out. */
    series: Array<{
      /** UTC, real time. */
      begins_at: string
      /** Attempts that the endpoint answered with 2xx. */
      delivered: number
      /** Attempts that failed. A delivery can fail several times. */
      failed: number
      /** How long a delivery waited on average until its first attempt; null without a first attempt. */
      mean_lag_ms: number | null
    }>
  }
}

export type AppDeliveryUsageEnvelope = {
  data: AppDeliveryUsage
  meta: {
    request_id: string
  }
}

export type AppEvent = {
  id: string
  type: "event"
  attributes: {
    event: "investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed"
    mode: "test" | "live"
    /** Null for an event about the app itself. */
    installation_id: string | null
    /** UTC, in the time of the event’s world. */
    created_at: string
    /** In the stream: the delivery whose event is sent again. Null for an event that comes for the first time. */
    redelivery_of: string | null
    /** The body that a webhook endpoint would get now. */
    payload: Record<string, unknown>
    /** The app’s own API request that caused the event, while it is in the request log. */
    request_id: string | null
    /** The deliveries of the event to all endpoints of the app, newest first; at most 100. */
    deliveries: Array<AppWebhookDelivery>
  }
}

export type AppEventEnvelope = {
  data: AppEvent
  meta: {
    request_id: string
  }
}

export type AppInstallation = {
  id: string
  status: "active" | "revoked"
  target: {
    type: "company" | "syndicate" | "user"
    id: string
    /** Null for a user. */
    name: string | null
  }
  tier: "founder" | "admin" | "editor" | "manager" | "user"
  /** The granted scopes, which can be fewer than the requested ones. */
  scopes: Array<string>
  /** World time, in UTC. */
  installed_at: string
  installed_by: {
    /** founder, manager, user, partner, or the platform’s name if its staff acted. */
    role: string
  }
  /** World time, in UTC. */
  revoked_at?: string
  revoked_by?: {
    /** founder, manager, user, partner, or the platform’s name if its staff acted. */
    role: string
  }
  mode: "test" | "live"
  /** The scopes that the app declares, the scopes of programs that its team has requested, and the scopes that this installation lost. */
  requested_scopes: Array<string>
  /** The requested scopes that the installation lacks, in the catalogue’s order. */
  missing_scopes: Array<{
    scope: string
    reason: "removed" | "program_pending" | "pii_not_approved" | "tier_without_writes" | "founder_only" | "must_be_listed" | "not_for_installations" | "retired" | "not_consented"
    /** What the team can do to get the scope, in a sentence. */
    remedy: string
  }>
  /** The real time of the last recorded use of a token. A use is recorded at most once an hour. */
  last_used_at: string | null
  /** Access tokens that are neither revoked nor expired. */
  valid_tokens: number
}

export type AppKey = {
  id: string
  type: "app_key"
  attributes: {
    name: string
    mode: "test" | "live"
    client_type: "confidential" | "public"
    redirect_uris: Array<string>
    status: "active" | "suspended" | "disabled" | "ended" | "revoked"
    /** The times of the secrets in force, oldest first. Empty for a public key. Only digests are stored. */
    secrets: Array<{
      /** Real time, UTC, with microseconds. */
      created_at: string
      /** Real time, UTC, with microseconds. */
      expires_at: string | null
    }>
    /** Real time, UTC, with microseconds. */
    created_at: string
    /** Real time, UTC, with microseconds. */
    revoked_at: string | null
  }
}

export type AppKeyChange = {
  name?: string
  client_type?: "confidential" | "public"
  /** https on any host, http on loopback (the port may then differ), or a private-use scheme such as com.example.app:/ */
  redirect_uris?: Array<string>
}

export type AppLimitUse = {
  id: string
  type: "app_limit_use"
  attributes: {
    unit: "hour" | "day"
    /** Oldest first. Hours or days without a request are left out. */
    series: Array<{
      name: "access_token" | "publishable_key" | "server_key" | "token_client"
      /** Real time, UTC, with microseconds. */
      begins_at: string
      /** The highest number of requests of one token or key in one window of the limit. */
      peak: number
      /** The limit that was in force. */
      limit: number
      /** Requests over the limit, which were answered with 429. */
      rejected: number
    }>
  }
}

export type AppLimits = {
  id: string
  type: "app_limits"
  attributes: {
    limits: Array<{
      name: "access_token" | "address" | "public_catalog" | "publishable_key" | "token_client" | "token_address" | "server_key" | "webhook_test" | "pending_intent" | "document" | "unknown_token"
      /** Null if the limit is switched off. */
      limit: number | null
      /** In seconds. */
      period: number
      /** Real time, UTC, with microseconds. */
      resets_at: string
    }>
    /** The use of each key: `token_requests` counts toward token_client (authenticated requests only), `public_reads` toward publishable_key, `server_requests` toward server_key. */
    keys: Array<{
      id: string
      mode: "test" | "live"
      token_requests: number
      public_reads: number
      server_requests: number
    }>
    /** The use of each webhook endpoint: `tests` counts toward webhook_test. */
    webhook_endpoints: Array<{
      id: string
      mode: "test" | "live"
      tests: number
    }>
    /** The busiest tokens of each mode, at most 20: `requests` counts toward access_token, `new_intents` toward pending_intent. The tokens themselves are not shown. */
    tokens: Array<{
      mode: "test" | "live"
      kind: "client" | "user" | "installation"
      client_id: string
      installation_id: string | null
      requests: number
      new_intents: number
    }>
    /** False if a mode has more than 1,000 tokens in force: then only 1,000 of them were read. */
    tokens_complete: boolean
  }
}

export type AppOverview = {
  id: string
  type: "app_overview"
  attributes: {
    mode: "test" | "live"
    /** What the team should look at now, the most urgent first. */
    attention: Array<AppAttention>
    /** The steps from a new app to its first delivered event, in this order. */
    first_steps: Array<{
      step: "create_key" | "call_api" | "declare_scopes" | "add_endpoint" | "install" | "receive_event"
      done: boolean
    }>
  }
}

export type AppRemovalDuty = {
  /** The id of the entry `installation.removal_due` in the audit and in the app’s history. */
  id: string
  type: "removal_duty"
  attributes: {
    /** `overdue`: the deletion was not confirmed within 30 days, the time that the platform allows for the confirmation. */
    state: "open" | "overdue" | "confirmed"
    mode: "test" | "live"
    installation_id: string
    target: {
      type: "company" | "syndicate" | "user"
      id: string
    }
    /** The data that the app must delete, and the scopes through which the app got the data. */
    data: Array<{
      kind: "investor_pii" | "user_data"
      scopes: Array<string>
    }>
    /** The real time at which the app lost access. */
    since: string
    /** The real time by which the deletion must be confirmed. */
    due_by: string
    /** Real time. */
    confirmed_at: string | null
    /** `team`: a member of the app’s team confirmed the deletion. `platform`: an operator recorded that the partner has shown the deletion. */
    confirmed_as: "team" | "platform" | null
  }
}

export type AppRequest = {
  id: string
  type: "app_request"
  attributes: {
    kind: "approval" | "pii" | "program"
    app: {
      id: string
      name: string
    }
    organization: {
      id: string
      name: string
    }
    program: "marketing_partner" | "founder" | null
    /** The tier that the team requests. */
    tier: number | null
    /** Real time, UTC, with microseconds. */
    requested_at: string
  }
}

export type AppUsage = {
  id: string
  type: "app_usage"
  attributes: {
    unit: "hour" | "day"
    /** Oldest first. Hours or days without a request are left out. */
    series: Array<{
      /** Real time, UTC, with microseconds. */
      begins_at: string
      requests: number
      /** Responses with 400 to 499. */
      client_errors: number
      /** Responses with 500 and more. */
      server_errors: number
      /** Requests that are not in the log, which has a maximum per app and minute. */
      unlogged: number
      mean_ms: number | null
    }>
  }
}

export type AppWebhookDelivery = {
  id: string
  type: "webhook_delivery"
  attributes: {
    event: string | null
    event_id: string
    installation_id: string | null
    status: "pending" | "delivered" | "exhausted" | "canceled"
    /** Why the delivery was canceled. */
    reason: string | null
    api_version: string
    attempt_count: number
    last_attempt: {
      /** UTC, in the time of the endpoint’s world. */
      at: string
      response_code: number | null
      /** timeout, blocked_url, tls_error or connection_failed; internal if an error of this service prevented the attempt; null if the endpoint responded. */
      error: string | null
      duration_ms: number
      /** The first 1 KiB of the response body. */
      response: string | null
    } | null
    /** Null once the delivery has ended, and while the endpoint is disabled. */
    next_attempt_at: string | null
    /** UTC, in the time of the endpoint’s world. */
    created_at: string
    /** UTC, in the time of the endpoint’s world. */
    ended_at: string | null
    /** The original delivery that this delivery repeats. */
    redelivery_of: string | null
    mode: "test" | "live"
    endpoint_id: string
  }
}

export type AppWebhookDeliveryEnvelope = {
  data: AppWebhookDelivery
  meta: {
    request_id: string
  }
}

export type AppWebhookDeliveryWithPayload = {
  id: string
  type: "webhook_delivery"
  attributes: {
    event: string | null
    event_id: string
    installation_id: string | null
    status: "pending" | "delivered" | "exhausted" | "canceled"
    /** Why the delivery was canceled. */
    reason: string | null
    api_version: string
    attempt_count: number
    last_attempt: {
      /** UTC, in the time of the endpoint’s world. */
      at: string
      response_code: number | null
      /** timeout, blocked_url, tls_error or connection_failed; internal if an error of this service prevented the attempt; null if the endpoint responded. */
      error: string | null
      duration_ms: number
      /** The first 1 KiB of the response body. */
      response: string | null
    } | null
    /** Null once the delivery has ended, and while the endpoint is disabled. */
    next_attempt_at: string | null
    /** UTC, in the time of the endpoint’s world. */
    created_at: string
    /** UTC, in the time of the endpoint’s world. */
    ended_at: string | null
    /** The original delivery that this delivery repeats. */
    redelivery_of: string | null
    mode: "test" | "live"
    endpoint_id: string
    attempts: Array<{
      /** UTC, in the time of the endpoint’s world. */
      at: string
      response_code: number | null
      /** timeout, blocked_url, tls_error or connection_failed; internal if an error of this service prevented the attempt; null if the endpoint responded. */
      error: string | null
      duration_ms: number
      /** The first 1 KiB of the response body. */
      response: string | null
    }>
    /** The body that the endpoint would receive now; no body is stored. Null if nothing would be sent now: for example, the installation lost the scope or was revoked, the endpoint is not subscribed to the event any more, or the event was deleted. Also null for a server key if the delivery is for a user’s own connection. */
    payload: Record<string, unknown> | null
    /** Why `payload` is null: the reason with which the delivery would be canceled now. */
    payload_reason: string | null
  }
}

export type AppWebhookDeliveryWithPayloadEnvelope = {
  data: AppWebhookDeliveryWithPayload
  meta: {
    request_id: string
  }
}

export type AppWebhookEndpoint = {
  id: string
  type: "webhook_endpoint"
  attributes: {
    url: string
    mode: "test" | "live"
    /** The subscriptions as a request set them, without repeats. A wildcard stays a wildcard. */
    events: Array<"investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed" | "*" | "investment.*" | "offering.*" | "investment_session.*" | "syndicate_member.*" | "join_session.*" | "installation.*" | "referral_cohorts.*" | "intent.*">
    /** The installation that the endpoint is bound to; null for the whole app. */
    installation_id: string | null
    /** While false, no event is sent: deliveries wait until the endpoint is enabled again (see reenable). Tests are still sent. After `installation_revoked` the endpoint can be neither enabled nor tested. */
    enabled: boolean
    /** Null while the endpoint is enabled. */
    disabled_reason: "failing" | "gone" | "installation_revoked" | null
    /** Only in the responses of creation and rotation. */
    secret?: string
    /** The first failure since the last success. */
    failing_since: string | null
    /** UTC, in the time of the endpoint’s world. */
    last_delivery_at: string | null
    /** The status of the response, such as "200", or timeout, blocked_url, tls_error or connection_failed. */
    last_delivery_status: string | null
    /** UTC, in the time of the endpoint’s world. */
    created_at: string
    health: WebhookEndpointHealth
  }
}

export type AppWebhookEndpointEnvelope = {
  data: AppWebhookEndpoint
  meta: {
    request_id: string
  }
}

export type AppWebhookRedelivery = {
  type: "webhook_redelivery"
  /** How many deliveries will be sent again. */
  accepted: number
  /** Deliveries that cannot be sent again, each with the type of error that a request for this delivery alone would get. */
  skipped: Array<{
    id: string
    reason: string
  }>
}

export type AppWebhookRedeliveryEnvelope = {
  data: AppWebhookRedelivery
  meta: {
    /** With filter: whether deliveries are left. */
    has_more: boolean
    /** For the next request with the same filter. */
    next_cursor: string | null
    request_id: string
  }
}

export type AppWebhookRedeliveryRequest = {
  /** These deliveries. */
  ids?: Array<string>
  /** The newest 100 deliveries that the list shows with these filters. */
  filter?: {
    mode?: "test" | "live"
    status?: "pending" | "delivered" | "exhausted" | "canceled"
    /** Events with these names, wildcards included (`investment.*`). If left out, all events. */
    types?: Array<"investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed" | "*" | "investment.*" | "offering.*" | "investment_session.*" | "syndicate_member.*" | "join_session.*" | "installation.*" | "referral_cohorts.*" | "intent.*">
    endpoint_id?: string
    /** Deliveries created at this time or later, in the time of their world (`created_at`). */
    since?: string
    /** Deliveries created before this time. */
    until?: string
    /** A complete id: of a delivery (its redeliveries are found too), an event, an endpoint or an installation, or of a company, syndicate, offering, investment, membership or session that the event is about. */
    q?: string
  }
  /** With filter: meta.next_cursor of the previous response, unchanged. */
  cursor?: string
}

export type AppliedFact = {
  id: string
  type: string
  occurred_at: string
  applied_at: string
  /** The events that the fact caused, in order, as receivers get them but without the installation. */
  events: Array<{
    id: string
    event: string
    created_at: string
    mode: "test" | "live"
    data: Record<string, unknown>
  }>
}

export type AttemptsOfADay = {
  delivered: number
  failed: number
}

export type AuditEntry = {
  id: string
  type: "audit_entry"
  attributes: {
    /** Real time. */
    at: string
    actor: {
      id: string
      /** Null if the actor is not an account or an operator key. */
      name: string | null
    }
    action: string
    subject: string
    details: Record<string, unknown>
    /** Whether an operator acted: a key, or a person of the staff. */
    by_operator: boolean
    request_id: string | null
    /** Why the operator acted. Erased with a person whom the entry is about. */
    reason: string | null
    /** Whether the chain of digests includes this entry. An entry is added to the chain a few seconds after the act. */
    chained: boolean
  }
}

export type AuditEvent = {
  id: string
  type: "audit_event"
  attributes: {
    /** UTC, in world time. */
    occurred_at: string
    /** Who acted: an app for the user, the user who decided an intent, another person who decided an intent, or the system when an intent expired. */
    actor_type: "app" | "user" | "reviewer" | "system"
    /** The name of the app; null if no app acted. */
    actor_name: string | null
    app_id: string
    /** Such as `follows.create`. More actions are added over time. */
    action: string
    /** The type of the record with the id resource_id, or the action’s first word if there is no id. */
    resource_type: string
    /** Null if the app named no well-formed id. */
    resource_id: string | null
    /** The name of the company, syndicate or app that was acted on. Null for other records, and if the action did not succeed. */
    resource_label: string | null
    /** Always null: values are not stored. */
    old_values: null
    /** Always null: values are not stored. */
    new_values: null
    /** The fields that the app sent, if the action changes single fields. */
    changed_fields: Array<string> | null
    /** Denied: the app was not allowed to do this. Failure: the app was allowed to do this, but the action failed. */
    status: "success" | "failure" | "denied"
    /** What went wrong, for people. */
    error_message: string | null
    /** Always null, for older clients. Use `intent` instead. */
    intent_id: null
    /** The intent that this entry belongs to. */
    intent: string | null
    /** The X-Request-Id of the response to the app. */
    request_id: string | null
    /** The same as occurred_at. */
    created_at: string
  }
}

export type AuditVerification = {
  data: {
    type: "audit_verification"
    attributes: {
      /** Whether the verification found nothing wrong. */
      whole: boolean
      /** The real time at which the verification began. */
      verified_at: string
      /** Entries that the chain covers. */
      entries: number
      /** Entries that the worker has yet to add to the chain. */
      waiting: number
      /** The end of the chain. Store it elsewhere, and pass it as `end` the next time. */
      end: string | null
      /** Whether the `end` in the query is still in the chain. Null without an `end` in the query. */
      knows_earlier_end: boolean | null
      /** The first 100 findings. */
      findings: Array<{
        entry: string
        kind: "changed" | "reason_changed" | "removed" | "inserted" | "digest_removed"
      }>
      findings_count: number
    }
  }
}

export type AuthorizationServerMetadata = {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  revocation_endpoint: string
  introspection_endpoint: string
  scopes_supported: Array<string>
  response_types_supported: Array<string>
  response_modes_supported: Array<string>
  grant_types_supported: Array<string>
  token_endpoint_auth_methods_supported: Array<string>
  revocation_endpoint_auth_methods_supported: Array<string>
  introspection_endpoint_auth_methods_supported: Array<string>
  code_challenge_methods_supported: Array<string>
  authorization_response_iss_parameter_supported: boolean
  request_parameter_supported: boolean
  request_uri_parameter_supported: boolean
  service_documentation: string
  ui_locales_supported: Array<string>
}

export type BackgroundJob = {
  /** The name of the job, as in the log and in `portico_job_seconds`. */
  id: string
  type: "job"
  attributes: {
    /** `failing`: the latest round failed. `silent`: no worker has run the job for five minutes. */
    status: "ok" | "failing" | "silent"
    /** Real time. */
    last_started_at: string
    /** How long the latest round took. */
    last_seconds: number
    /** Real time. */
    last_failed_at: string | null
    /** The first line of the latest error, without addresses; the log has all of it. Null for the role viewer. */
    last_error: string | null
    rounds: number
    /** How many of the rounds failed. */
    failures: number
  }
}

export type Campaign = {
  /** The offering’s id: see GET /offerings/{id}. */
  id: string
  type: "campaign"
  attributes: {
    /** `active` accepts investments, or reservations if it tests the waters. */
    state: "upcoming" | "active" | "closing" | "closed" | "canceled"
    /** True: people reserve here and do not invest, so the amount raised is the sum of the reservations. */
    testing_the_waters: boolean
    company: string
    company_name: string
    /** The last part of the URL of the company’s page. */
    company_url: string | null
    /** The company’s page. Link to it wherever you show the campaign. */
    url: string
    /** ISO 4217, in lower case. */
    currency: string
    /** Raised in this offering only. In whole units of the currency. */
    amount_raised: number
    /** amount_raised in minor units of the currency. */
    amount_raised_cents: number
    /** In whole units of the currency. */
    funding_target: number | null
    /** funding_target in minor units of the currency. */
    funding_target_cents: number | null
    /** The number of investors, each counted once. */
    investor_count: number
    created_at: string
    updated_at: string
    closed_at: string | null
  }
}

export type CausedEvent = {
  id: string
  /** The name of the event. */
  event: string
  /** In UTC, with microseconds. */
  occurred_at: string
  /** The data of the event, as a webhook with every scope would contain it. */
  data: Record<string, unknown>
}

export type Company = {
  id: string
  type: "company"
  attributes: {
    name: string
    tagline: string | null
    url: string
    logo_url: string | null
    card_image_url: string | null
    location: {
      city: string | null
      state: string | null
      country: string | null
    }
    /** False if the company asked not to be promoted. */
    promotion_opt_in: boolean
    /** Whether a round that the viewer sees accepts investments or reservations. */
    raising: boolean
    current_raise: CurrentRaise
    past_rounds: Array<PastRound>
    /** Every round on this platform that the viewer can see, newest first. */
    rounds: Array<Round>
    totals: CompanyTotals
  }
}

export type CompanyAnswer = {
  id: string
  /** The question or answer that this replies to. */
  in_reply_to: string
  answer: string
  answered_at: string
  answered_by: CompanyQuestionPerson
  likes_count: number
}

export type CompanyDisclosures = {
  id: string
  type: "company_disclosures"
  attributes: {
    offering_id: string
    filing: {
      exemption: "reg_cf" | "ecsp"
      sec_filing_url: string | null
      filed: boolean
      statement_date: string | null
      fiscal_year_end: string | null
    }
    business?: {
      legal_name: string | null
      legal_form: string | null
      jurisdiction: string | null
      incorporated_on: string | null
      employees: number | null
    } | null
    financial_statements?: {
      most_recent?: FiscalYearFinancials
      prior?: FiscalYearFinancials
      prior_prior?: FiscalYearFinancials
    } | null
    ratios?: {
      /** A percentage: "12.5" means 12.5 %. */
      net_margin_percent: string | null
      /** A percentage: "12.5" means 12.5 %. */
      gross_margin_percent: string | null
      /** A percentage: "12.5" means 12.5 %. */
      return_on_assets_percent: string | null
      /** A percentage: "12.5" means 12.5 %. */
      debt_to_assets_percent: string | null
      /** A percentage: "12.5" means 12.5 %. */
      cash_to_assets_percent: string | null
      /** In cents of `currency`; null if the revenue or the number of employees was not reported, or if this number is 0. */
      revenue_per_employee_cents: number | null
      /** ISO 4217, in lower case. */
      currency: string
    } | null
    current_position?: {
      /** In cents of `currency`; null if it was not reported. */
      cash_on_hand_cents: number | null
      cash_on_hand_as_of: string | null
      /** In cents of `currency`; null if it was not reported. */
      average_monthly_revenue_cents: number | null
      /** In cents of `currency`; null if it was not reported. */
      average_monthly_cost_of_goods_cents: number | null
      /** In cents of `currency`; null if it was not reported. */
      average_monthly_expenses_cents: number | null
      /** In cents of `currency`; null if it was not reported. */
      average_monthly_burn_cents: number | null
      /** ISO 4217, in lower case. */
      currency: string
    } | null
    financial_condition?: string | null
    financial_statement_documents?: Array<DisclosureDocument> | null
    /** The contracts that an investor signs. */
    investment_documents?: Array<DisclosureDocument> | null
    risks?: Array<string> | null
    use_of_funds?: Array<{
      /** In cents of `currency`; null if it was not reported. */
      if_raised_cents: number | null
      /** ISO 4217, in lower case. */
      currency: string
      plan: string | null
    }> | null
    directors?: Array<DisclosurePerson> | null
    officers?: Array<DisclosurePerson> | null
    voting_power?: Array<{
      /** As filed. */
      name: string | null
      /** As filed. */
      holding: string | null
      /** A percentage: "12.5" means 12.5 %. */
      voting_power_percent: string | null
    }> | null
    capital_structure?: Array<{
      /** As filed. */
      class_of_security: string | null
      /** As filed. */
      authorized: string | null
      /** As filed. */
      outstanding: string | null
      /** As filed. */
      voting_rights: string | null
      /** As filed. */
      other_rights: string | null
    }> | null
    prior_offerings?: Array<{
      date: string | null
      /** As filed. */
      exemption: string | null
      /** As filed. */
      security_type: string | null
      /** As filed. */
      amount_sold: string | null
      /** As filed. */
      use_of_proceeds: string | null
      /** The offering. Null if it did not run on this platform, or if the viewer may not see it. */
      offering_id: string | null
    }> | null
    outstanding_notes?: Array<{
      /** As filed. */
      amount: string | null
      /** As filed. */
      outstanding_principal: string | null
      /** As filed. */
      valuation_cap: string | null
      uncapped: boolean
      /** A percentage: "12.5" means 12.5 %. */
      interest_rate_percent: string | null
      /** A percentage: "12.5" means 12.5 %. */
      discount_percent: string | null
      maturity_date: string | null
      /** As filed. */
      description: string | null
    }> | null
    outstanding_debts?: {
      /** A text that is shown instead of a table. */
      note: string | null
      items: Array<{
        /** As filed. */
        original_amount: string | null
        /** As filed. */
        outstanding_principal: string | null
        current_with_payments: boolean | null
        maturity_date: string | null
        /** As filed. */
        description: string | null
      }>
    } | null
    related_parties?: {
      /** As filed. */
      description: string | null
      parties: Array<{
        /** As filed. */
        name: string | null
        /** As filed. */
        relationship: string | null
        /** As filed. */
        amount: string | null
        /** As filed. */
        outstanding_principal: string | null
        /** As filed. */
        description: string | null
        date: string | null
      }>
    } | null
  }
}

export type CompanyPitch = {
  id: string
  type: "company_pitch"
  attributes: {
    /** The round shown to this viewer; null if there is none. */
    offering_id: string | null
    title: string
    url: string
    /** `platform`: a memo that was prepared without the company. */
    authored_by: "company" | "platform"
    /** The disclaimer of a memo of the platform. Null for a company’s own story. */
    disclaimer: string | null
    story?: PitchStory
    perks?: Perks
  }
}

export type CompanyQuestion = {
  id: string
  type: "company_question"
  attributes: {
    question: string
    asked_at: string
    asked_by: CompanyQuestionPerson
    likes_count: number
    /** Whether the company highlighted the question. */
    highlighted: boolean
    answered_by_team: boolean
    /** Whether the search found the question itself or an answer; null without a search. */
    match: "question" | "answer" | null
    /** The first 100 replies, oldest first. */
    answers: Array<CompanyAnswer>
    /** The number of all replies. */
    answers_count: number
    url: string
  }
}

export type CompanyQuestionPerson = {
  /** Only for people who are on the company’s team now; null for other people. */
  id: string | null
  /** `[deleted user]` for a person who left. */
  name: string | null
  /** `founder` or `employee`, or the relation that the person disclosed: `investor`, `stockholder`, `promoter`, `financial_stakeholder`. */
  role: string | null
  /** Whether the person is, or was when they wrote, on the company’s team. */
  team: boolean
}

export type CompanySearchResult = {
  id: string
  type: "company"
  attributes: {
    name: string
    tagline: string | null
    url: string
    logo_url: string | null
    /** Whether a round that the viewer sees accepts investments or reservations. */
    raising: boolean
    /** Whether this viewer can read the company with GET /companies/{id}. */
    profile_available: boolean
  }
}

export type CompanyTotals = {
  /** The currency of the sums. Amounts in other currencies are only in `rounds`. */
  currency: string | null
  /** The sum of rounds[].amount_raised_cents in this currency. In minor units of the currency. */
  raised_on_platform_all_time_cents: number | null
  /** The current raise plus the past rounds, as on the company’s page. In minor units of the currency. */
  profile_total_raised_cents: number | null
  /** The part of profile_total_raised_cents that a founder reported. In minor units of the currency. */
  profile_reported_off_platform_cents: number | null
  /** Null if the viewer sees no round. */
  profile_includes_past_rounds: boolean | null
}

export type CompanyUpdate = {
  id: string
  type: "company_update"
  attributes: {
    /** `update`, `note`, `spotlight`, … New kinds may appear. */
    kind: string
    title: string | null
    /** The beginning, at most 280 characters, as plain text. */
    excerpt: string | null
    /** The whole plain text; null in lists. */
    content: string | null
    published_at: string
    pinned: boolean
    /** Who may read the post. The response contains only posts that this viewer may read. */
    visibility: "public" | "investors" | "community" | "founders" | "private"
    author: {
      /** `[deleted user]` for a person who left. */
      name: string | null
    } | null
    comments_count: number
    likes_count: number
    url: string
  }
}

export type ConditionsAcceptance = {
  id: string
  type: "conditions_acceptance"
  attributes: {
    /** A date, such as `2026-11-01`. */
    version: string
    in_force: boolean
    app: {
      id: string
      name: string
    }
    organization: {
      id: string
      name: string
    }
    /** The person who accepted the version for the app. */
    account_id: string
    /** Real time. */
    accepted_at: string
    /** The version in force, if the app has not accepted it. */
    not_accepted: string | null
    /** The versions that were accepted for the app before, latest first. */
    earlier: Array<{
      /** A date, such as `2026-11-01`. */
      version: string
      account_id: string
      /** Real time. */
      accepted_at: string
    }>
  }
}

export type ConditionsToAccept = {
  /** The version that you have read and accept for this app. */
  accepted_conditions: string
}

export type ConnectedApp = {
  id: string
  type: "connected_app"
  attributes: {
    name: string
    /** The scopes of the connection, and of tokens that are still valid from a connection that it replaced. */
    scopes: Array<string>
    /** When the app last got a token. Null if it got none for 60 days. */
    last_active_at: string | null
    /** How many of the app’s newest 10000 entries GET /activity shows to this token. */
    action_count: number
    /** When the user first connected the app: UTC, in world time. */
    created_at: string
  }
}

export type ConnectedAppRevocation = {
  data: {
    revoked: true
    /** How many access and refresh tokens this request revoked. */
    tokens_revoked: number
  }
}

export type CurrentRaise = {
  /** The round that the company’s page shows first. */
  offering_id: string
  /** All open legs (offerings) of the raise; amount_raised_cents is their sum. */
  offering_ids: Array<string>
  /** True: people reserve here and do not invest. */
  testing_the_waters: boolean
  /** ISO 4217, in lower case. */
  currency: string
  /** The amount raised by all these legs together. In minor units of the currency. */
  amount_raised_cents: number | null
  /** The target of all these legs together. A leg without a target raises toward the targets of the other legs. In minor units of the currency. */
  funding_target_cents: number | null
  /** The number of investors in these legs, each counted once. */
  investor_count: number | null
  /** Whether amount_raised_cents is more than funding_target_cents. */
  oversubscribed: boolean
  /** When the round in offering_id closes. */
  closes_at: string | null
} | null

export type DealInvestor = {
  id: string
  type: "deal_investor"
  attributes: {
    user: string
    user_name: string
    /** Null for a deactivated user. */
    user_email: string | null
    avatar_url: string | null
    /** ISO 4217, in lower case. */
    currency: string
    /** The person’s total in the deal. In minor units of the currency. */
    amount_cents: number
    /** `pending`: committed but not final, or reserved. `confirmed`: final. If the member has several investments, the most advanced state. */
    status: "pending" | "confirmed"
    /** When the person made the first investment or reservation in the deal. */
    invested_at: string
  }
}

/** The syndicate’s members who invested in the deal. Only in GET …/deals/{id}. */
export type DealInvestorBreakdown = {
  pending: DealInvestorsPending
  confirmed: DealInvestorsConfirmed
}

export type DealInvestorsConfirmed = {
  investor_count: number
  /** The total of these investors. In minor units of the currency. */
  amount_cents: number
}

export type DealInvestorsPending = {
  investor_count: number
  /** The total of these investors. In minor units of the currency. */
  amount_cents: number
}

export type DeclinedRequest = {
  kind: "approval" | "pii" | "program"
  /** For the kind `program`. */
  program?: "marketing_partner" | "founder"
  reason: string
}

export type DisclosureDocument = {
  name: string | null
  url: string
}

export type DisclosurePerson = {
  name: string | null
  titles: string | null
  /** The year in which the person joined. */
  since: number | null
  director: boolean
  officer: boolean
}

export type EligibleTarget = {
  type: "company" | "syndicate"
  id: string
  name: string
  tier: "founder" | "admin" | "editor" | "manager"
  installed: boolean
  installation: Installation | null
}

export type EndedSessions = {
  data: {
    type: "ended_sessions"
    attributes: {
      ended: number
    }
  }
}

/** The format of every error. */
export type Error = {
  error: {
    /** The error type. Branch on this. */
    type: "invalid_request" | "invalid_token" | "insufficient_scope" | "forbidden" | "sandbox_only" | "app_suspended" | "not_found" | "no_disclosures" | "method_not_allowed" | "already_installed" | "installation_revoked" | "idempotency_conflict" | "scope_change_blocked" | "illegal_transition" | "gone" | "endpoint_removed" | "payload_too_large" | "unsupported_media_type" | "misdirected_request" | "validation_error" | "invalid_scopes" | "use_intents" | "still_implied" | "nothing_grantable" | "scope_missing" | "session_not_cancelable" | "rate_limit_exceeded" | "internal_error" | "unavailable"
    /** What is wrong, for a person to read. */
    message: string
    /** The id of this request in our logs. */
    request_id: string
    /** More data, depending on the type. */
    details?: Record<string, unknown>
    /** What to do next. */
    remediation?: string
  }
}

export type Event = {
  id: string
  type: "event"
  attributes: {
    event: "investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed"
    mode: "test" | "live"
    /** Null for an event about the app itself. */
    installation_id: string | null
    /** UTC, in the time of the event’s world. */
    created_at: string
    /** In the stream: the delivery whose event is sent again. Null for an event that comes for the first time. */
    redelivery_of: string | null
    /** The body that a webhook endpoint would get now. */
    payload: Record<string, unknown>
  }
}

export type EventEnvelope = {
  data: Event
  meta: {
    request_id: string
  }
}

export type EventInstallation = {
  id: string
  target: {
    type: "company"
    id: string
  } | {
    type: "syndicate"
    id: string
  } | {
    type: "user"
    id: string
  }
}

export type Fact = {
  id: string
  type: string
  occurred_at: string
  data: Record<string, unknown>
}

export type FactError = {
  type: "invalid_fact" | "unknown_reference" | "illegal_transition"
  message: string
  /** The path of the wrong field, such as data.amount_cents. */
  field?: string
  /** A stable code for the error in field. */
  code?: string
  details?: Record<string, unknown>
}

export type FactOutcome = {
  /** Null if the fact had no readable id. */
  id: string | null
  status: "applied" | "duplicate" | "refused"
  events: Array<{
    id: string
    event: string
  }>
  error?: FactError
}

export type FiscalYearFinancials = {
  /** In cents of `currency`; null if it was not reported. */
  total_assets_cents: number | null
  /** In cents of `currency`; null if it was not reported. */
  cash_and_equivalents_cents: number | null
  /** In cents of `currency`; null if it was not reported. */
  accounts_receivable_cents: number | null
  /** In cents of `currency`; null if it was not reported. */
  short_term_debt_cents: number | null
  /** In cents of `currency`; null if it was not reported. */
  long_term_debt_cents: number | null
  /** In cents of `currency`; null if it was not reported. */
  revenue_cents: number | null
  /** In cents of `currency`; null if it was not reported. */
  cost_of_goods_sold_cents: number | null
  /** In cents of `currency`; null if it was not reported. */
  taxes_paid_cents: number | null
  /** In cents of `currency`; null if it was not reported. */
  net_income_cents: number | null
  /** ISO 4217, in lower case. */
  currency: string
}

export type Follow = {
  id: string
  name: string
  tagline: string | null
  /** The company’s page. */
  url: string
  logo_url: string | null
  /** Whether a round that this token can see accepts investments or reservations. */
  raising: boolean
  /** Whether GET /companies/{id} returns the company to this token. */
  profile_available: boolean
  /** UTC, in world time. */
  followed_at: string
}

export type FollowState = {
  id: string
  type: "follow_state"
  attributes: {
    /** Whether the user follows the company now. */
    followed: boolean
    /** False if the request changed nothing. */
    changed: boolean
  }
}

export type FoundPartner = {
  id: string
  type: "partner"
  attributes: {
    kind: "organization" | "app"
    name: string
    status: "active" | "suspended" | "disabled" | "ended"
    organization: {
      id: string
      name: string
    }
    /** The parts of its data that the search matched. */
    matched: Array<"id" | "name" | "client_id" | "redirect_host" | "member" | "webhook_host" | "installation" | "webhook_endpoint" | "delivery" | "event" | "request" | "intent" | "invite_link" | "join_session" | "investment_session" | "referral_code" | "invitation">
  }
}

export type Fundraise = {
  /** The offering’s id: see GET /offerings/{id}. */
  id: string
  type: "fundraise"
  attributes: {
    /** `round`: people invest directly. `spv`: people invest through a vehicle of a syndicate, or through a vehicle that holds only this company. */
    kind: "round" | "spv"
    /** The company’s name if the offering has no name of its own. */
    name: string
    /** The company that raises: this one, or the vehicle that holds it. */
    company: string
    company_name: string
    /** `open`: the offering accepts investments, or reservations if it tests the waters. */
    status: "upcoming" | "open" | "closing" | "closed" | "canceled"
    /** True: people reserve here, or did, and do not invest. */
    testing_the_waters: boolean
    /** The exemption under which the offering is sold. */
    exemption: "reg_cf" | "reg_d_506b" | "reg_d_506c" | "reg_a" | "reg_s" | "ecsp"
    security: {
      /** Null while the security is undecided, and for an offering that tests the waters: see intended_security. */
      type: string | null
      label?: string
      terms: SecurityTerms
    }
    /** ISO 4217, in lower case. */
    currency: string
    /** The amount raised in this offering only, or reserved if it tests the waters. In cents. */
    amount_raised_cents: number
    /** The funding target. In cents. */
    funding_target_cents: number | null
    /** The minimum investment. In cents. */
    min_investment_cents: number | null
    /** The maximum investment. In cents. */
    max_investment_cents: number | null
    /** The number of investors, each counted once. */
    investor_count: number
    /** Null while the offering is upcoming. */
    opened_at: string | null
    /** Null if the offering has no closing date or is not open. */
    closes_at: string | null
    closed_at: string | null
    created_at: string
    updated_at: string
  }
}

export type HistoryEntry = {
  id: string
  type: "history_entry"
  attributes: {
    /** Real time, UTC, with microseconds. */
    at: string
    action: string
    details: Record<string, unknown>
    actor: {
      type: "member" | "key" | "platform" | "system"
      /** The account (`acct_…`) or the app’s own key (`pk_…`) that acted. */
      id: string | null
      /** The name of the account or of the key. */
      name: string | null
    }
  }
}

export type Installation = {
  id: string
  status: "active" | "revoked"
  target: {
    type: "company" | "syndicate" | "user"
    id: string
    /** Null for a user. */
    name: string | null
  }
  tier: "founder" | "admin" | "editor" | "manager" | "user"
  /** The granted scopes, which can be fewer than the requested ones. */
  scopes: Array<string>
  /** World time, in UTC. */
  installed_at: string
  installed_by: {
    /** founder, manager, user, partner, or the platform’s name if its staff acted. */
    role: string
  }
  /** World time, in UTC. */
  revoked_at?: string
  revoked_by?: {
    /** founder, manager, user, partner, or the platform’s name if its staff acted. */
    role: string
  }
}

export type InstallationToken = {
  /** Shown only in this response. */
  access_token: string
  token_type: "Bearer"
  /** In seconds. Absent if the token never expires. */
  expires_in?: number
  /** The scopes of the token, separated by spaces. */
  scope: string
  installation: string
  /** Unix time. */
  created_at: number
}

export type InstallationWithToken = {
  data: Installation
  token: InstallationToken
  meta: Record<string, unknown>
}

export type InstallsDisconnectedByWorld = {
  test: number
  live: number
}

export type Intent = {
  id: string
  type: "intent"
  attributes: {
    /** What was proposed. */
    action: "syndicates.close_deal" | "syndicates.finalize_deal" | "syndicates.publish" | "syndicates.remove_member" | "syndicates.delete_draft" | "comments.create"
    /** The intent’s state. The documentation of intents explains each state. */
    status: "pending" | "approved" | "executed" | "rejected" | "expired" | "failed" | "executing"
    /** The type of the record that the intent is about. */
    resource_type: "syndicate" | "company"
    resource_id: string
    /** The action’s params, as the app proposed them. */
    params: Record<string, unknown>
    /** What will happen: as of the proposal, then as of the approval. */
    impact_summary: string
    /** The page where a person decides. An intent can be approved only there. */
    review_url: string
    /** The `requested_by_agent` of the proposal. */
    requested_by_agent: string | null
    /** Until when the intent can be decided. UTC, in the time of the world. */
    expires_at: string
    /** When a person approved the intent. */
    approved_at: string | null
    /** When the action was performed. */
    executed_at: string | null
    /** The reason that the rejecting person wrote; null without a reason. */
    rejection_reason: string | null
    /** Why the approved action could not be performed. */
    failure_reason: string | null
    /** The result. Absent until the action is executed. */
    execution_result?: Record<string, unknown>
    /** When the intent was proposed. UTC, in the time of the world. */
    created_at: string
    /** When the intent last changed. UTC, in the time of the world. */
    updated_at: string
  }
}

export type IntentPreview = {
  type: "intent_preview"
  attributes: {
    /** What would be proposed. */
    action: "syndicates.close_deal" | "syndicates.finalize_deal" | "syndicates.publish" | "syndicates.remove_member" | "syndicates.delete_draft" | "comments.create"
    /** The type of the record that the intent would be about. */
    resource_type: "syndicate" | "company"
    resource_id: string
    params: Record<string, unknown>
    /** What the reviewer would read. */
    impact_summary: string
    /** The scope that a token needs to propose the action. */
    scope: string
  }
}

export type IntentReview = {
  id: string
  /** Usually `pending`. A repeated request may return a later state. */
  status: "pending" | "approved" | "executed" | "rejected" | "expired" | "failed" | "executing"
  /** Where a person decides. */
  review_url: string
}

export type Introspection = {
  active: boolean
  scope?: string
  client_id?: string
  token_type?: "Bearer"
  /** Unix time, in seconds. Absent if the token never expires. */
  exp?: number
  iat?: number
  /** The user the token acts for. Absent if it acts for no user. */
  sub?: string
  iss?: string
  installation_id?: string
}

export type Investment = {
  id: string
  /** Whether the company sees the investment. If this is false and `status` is absent, the record is a tombstone: delete your copy. */
  visible: boolean
  /** When this state was observed. Not a version number. */
  observed_at: string
  /** Sync only: the place of this change. */
  cursor?: string
  /** Sync only. API versions before 2026-11-01 have `reprojected` instead of `recomputed`. */
  reason?: "changed" | "recomputed" | "investor_deactivated"
  status?: "active" | "reserved" | "executed" | "canceled" | "converted"
  /** The group on the founder’s dashboard. */
  group?: "RESERVED" | "NO PAYMENT YET" | "PENDING" | "IS READY" | "CONFIRMED"
  converted_to?: string | null
  converted_from?: string | null
  offering?: string
  company?: string
  investment_type?: string
  offering_type?: string
  /** UTC, with microseconds, in the time of the world. */
  applied_at?: string
  amounts?: {
    committed_cents: number
    investment_size_cents: number
    /** The amount in escrow. 0 if the investment is canceled, or if it was converted and its successor is known. */
    in_escrow_cents: number
    /** Only on canceled records: the amount owed back to the investor. */
    refund_due_cents?: number
    /** The amount that counts toward the raise. */
    raised_cents: number
    currency: string
  }
  /** Decimal. */
  shares?: string | null
  /** Decimal. */
  average_share_price?: string | null
  needs_whitelisting?: boolean
  blockers?: Array<{
    key: "needs_id" | "needs_accreditation" | "needs_signature" | "needs_payment" | "needs_review"
    description?: string
  }>
  contracts?: Array<{
    name: string | null
    override_amount_cents: number | null
    early_bird: boolean
  }>
  investor?: {
    id: string
    /** True if the user was deactivated: their identity fields are erased. */
    deactivated: boolean
    via_entity: boolean
    /** Only with read:investors:pii, or on the user’s own investments. */
    name?: string
    /** Only with read:investors:pii, or on the user’s own investments. */
    legal_name?: string
    /** Only with read:investors:pii, or on the user’s own investments. */
    email?: string | null
    /** Only with read:investors:pii, or on the user’s own investments. */
    address?: {
      line?: string
      city?: string
      state?: string
      postal_code?: string
      country?: string
    }
    /** Only with read:investors:pii, or on the user’s own investments. */
    bio?: string | null
  }
  /** Only with read:investors:pii, or on the user’s own investments. */
  external_username?: string | null
  /** Only with read:investors:pii, or on the user’s own investments. */
  message?: string | null
}

export type InvestmentSession = {
  id: string
  type: "investment_session"
  attributes: {
    status: "pending" | "in_progress" | "completed" | "abandoned" | "expired" | "canceled"
    /** The hosted page. Treat it as a secret: everyone who has the URL can open the page, unless the session is for one account. */
    url: string
    spv_id: string
    /** Null if the recipient was named by account. Through an installation that did not create the session, null unless the token holds `read:investors:pii`. */
    email: string | null
    /** ISO 4217, in lower case. */
    currency: string
    allocation_cents: number | null
    kyc_status: "pending" | "passed" | "failed" | null
    funding_status: "pending" | "succeeded" | "card_declined" | "insufficient_funds" | null
    investment_id: string | null
    metadata: Record<string, unknown>
    created_at: string
    expires_at: string
  }
}

export type InvestmentSessionWithEvents = {
  id: string
  type: "investment_session"
  attributes: {
    status: "pending" | "in_progress" | "completed" | "abandoned" | "expired" | "canceled"
    /** The hosted page. Treat it as a secret: everyone who has the URL can open the page, unless the session is for one account. */
    url: string
    spv_id: string
    /** Null if the recipient was named by account. Through an installation that did not create the session, null unless the token holds `read:investors:pii`. */
    email: string | null
    /** ISO 4217, in lower case. */
    currency: string
    allocation_cents: number | null
    kyc_status: "pending" | "passed" | "failed" | null
    funding_status: "pending" | "succeeded" | "card_declined" | "insufficient_funds" | null
    investment_id: string | null
    metadata: Record<string, unknown>
    created_at: string
    expires_at: string
    /** The session’s events, oldest first. */
    events: Array<{
      id: string
      event: string
      occurred_at: string
    }>
  }
}

export type Investor = {
  id: string
  type: "investor"
  attributes: {
    /** Absent without read:investors:pii, except for the token’s own user. `[deleted user]` for a deactivated user. */
    full_name?: string
    /** Absent without read:investors:pii, except for the token’s own user. Null for a deactivated user. */
    email?: string | null
    /** Whether the investor is accredited now. */
    accredited: boolean
    deactivated: boolean
    /** ISO 4217, in lower case. */
    currency: string
    /** The sum of committed and executed investments. In cents. */
    total_invested_cents: number
    /** The sum of reservations, which do not count as invested. In cents. */
    total_reserved_cents: number
    investment_count: number
    reservation_count: number
    /** The totals in each currency. The first entry repeats the totals of the fields above. */
    by_currency: Array<{
      /** ISO 4217, in lower case. */
      currency: string
      /** The sum of committed and executed investments. In cents. */
      total_invested_cents: number
      /** The sum of reservations, which do not count as invested. In cents. */
      total_reserved_cents: number
      investment_count: number
      reservation_count: number
    }>
    /** When the person made the first of these investments and reservations. */
    created_at: string
  }
}

/** The investor’s totals over the company’s offerings of the same raise, at the moment of the event. */
export type InvestorTotals = {
  active_investment_count: number
  /** Whole units; 0, never null. */
  total_committed: number
  latest_applied_at: string | null
  investor_status: "active" | "none_active"
}

export type InviteLink = {
  id: string
  type: "invite_link"
  attributes: {
    /** Treat the URL as a secret: everyone who has it can open the page, unless the link is for one user (platform_user_id). */
    url: string
    /** ISO 4217, in lower case. */
    currency: string
    allocation_cents: number | null
    max_uses: number | null
    /** Investments by the link that were not canceled. */
    uses_count: number
    /** False if the link was canceled or used up. Raising max_uses activates a used-up link again. */
    active: boolean
    created_at: string
    email?: string | null
    platform_user_id?: string | null
    status?: "pending" | "opened" | "invested" | "revoked"
    opened_at?: string | null
    invested_at?: string | null
    investment_id?: string | null
  }
}

export type InviteLinkChange = {
  /** The most that people may invest by a reusable link in total, or that one person may invest by a link for one person. */
  allocation_cents?: number | null
  /** Only for reusable links. No limit if omitted. */
  max_uses?: number | null
}

export type InviteLinkChangeBody = {
  invite_link: InviteLinkChange
}

export type InviteLinkWithEvents = {
  id: string
  type: "invite_link"
  attributes: {
    /** Treat the URL as a secret: everyone who has it can open the page, unless the link is for one user (platform_user_id). */
    url: string
    /** ISO 4217, in lower case. */
    currency: string
    allocation_cents: number | null
    max_uses: number | null
    /** Investments by the link that were not canceled. */
    uses_count: number
    /** False if the link was canceled or used up. Raising max_uses activates a used-up link again. */
    active: boolean
    created_at: string
    email?: string | null
    platform_user_id?: string | null
    status?: "pending" | "opened" | "invested" | "revoked"
    opened_at?: string | null
    invested_at?: string | null
    investment_id?: string | null
    events: Array<{
      event: string
      /** Always null: no location is stored. */
      city: null
      country_code: null
      created_at: string
    }>
  }
}

export type InviteLinks = {
  data: Array<InviteLink>
  errors: Array<{
    /** The index of the item in the request, from 0. */
    index: number
    type: string
    detail: string
  }>
  meta: {
    created: number
    failed: number
    request_id: string
  }
}

export type JoinSession = {
  id: string
  type: "join_session"
  attributes: {
    syndicate: string
    /** `open` until the person finishes. */
    status: "open" | "pending_approval" | "joined" | "rejected" | "ineligible" | "canceled" | "expired"
    /** Null unless `status` is `ineligible`. */
    ineligible_reason: "accreditation_required" | "jurisdiction" | "blocked" | "club_unavailable" | "requires_investment" | null
    /** The page to send the person to. Null after the session has ended, and while the app has no access to the syndicate. */
    url: string | null
    /** Null for a hosted session. */
    embed: {
      /** The address for your frame. Null when `attributes.url` is null. */
      url: string | null
      origins: Array<string>
    } | null
    theme: {
      id: string | null
      version: number | null
      /** SHA-256 of the session’s overrides of the theme. */
      override_fingerprint: string | null
    }
    /** Null until a signed-in person presses “Continue as …” on the session’s page. */
    user: {
      id: string
      name: string
    } | null
    /** The user’s membership, once they have applied or joined. */
    membership_id: string | null
    return_url: string | null
    /** Your own data, returned unchanged. It is in no event. */
    metadata: Record<string, unknown>
    /** UTC, in the time of the world. */
    created_at: string
    /** UTC, in the time of the world. */
    expires_at: string
  }
}

export type JoinSessionEnvelope = {
  data: JoinSession
}

export type JoinTheme = {
  id: string
  type: "join_theme"
  attributes: {
    syndicate: string
    name: string
    /** Every change of the theme creates the next version. */
    version: number
    /** The colour of buttons. A contrast of at least 4.5:1 to paper. */
    accent: string
    /** The colour of the background. */
    paper: string
    /** The colour of text. A contrast of at least 7:1 to paper. */
    ink: string
    corners: "square" | "rounded" | "round"
    /** UTC, in the time of the world. */
    created_at: string
  }
}

export type JoinThemeChange = {
  /** For your own use: people who join do not see it. */
  name?: string
  /** The colour of buttons. A contrast of at least 4.5:1 to paper. */
  accent?: string
  /** The colour of the background. */
  paper?: string
  /** The colour of text. A contrast of at least 7:1 to paper. */
  ink?: string
  corners?: "square" | "rounded" | "round"
}

export type JoinThemeEnvelope = {
  data: JoinTheme
}

export type ListedFact = {
  id: string
  type: "fact"
  attributes: {
    type: string
    /** In the world’s time. */
    occurred_at: string
    /** In the world’s time. */
    applied_at: string
    /** How many events the fact caused. */
    events: number
  }
}

export type LoggedRequest = {
  id: string
  type: "request"
  attributes: {
    mode: "test" | "live"
    /** Real time, UTC, with microseconds. */
    started_at: string
    method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE"
    /** The path’s template, for example `/investments/{id}`. Ids and queries are not stored. */
    route: string
    /** 499 if no response was sent, usually because the client disconnected. */
    status: number
    duration_ms: number
    error_type: string | null
    credential: {
      kind: "publishable" | "client" | "user" | "installation" | "server_key"
      /** The key that was sent, or the key with which the token was obtained. */
      key_id: string
      installation_id: string | null
    }
  }
}

export type LogoPicture = {
  media_type: "image/png" | "image/jpeg" | "image/webp"
  /** The picture in base64. The picture has at most 64 KiB and is 16 to 1,024 pixels wide and high. */
  data: string
}

export type Member = {
  id: string
  type: "member"
  attributes: {
    name: string
    email: string
    role: "owner" | "admin" | "developer"
    /** Real time, UTC, with microseconds. */
    joined_at: string
  }
}

export type MemberInvestment = {
  /** The member’s first investment in the deal. */
  id: string
  type: "member_investment"
  attributes: {
    offering: string
    company: string
    company_name: string
    /** ISO 4217, in lower case. */
    currency: string
    /** The person’s total in the deal. In minor units of the currency. */
    amount_cents: number
    /** `pending`: committed but not final, or reserved. `confirmed`: final. If the member has several investments, the most advanced state. */
    status: "pending" | "confirmed"
    /** When the person’s first investment was committed. */
    created_at: string
  }
}

export type MyCompany = {
  id: string
  type: "company"
  attributes: {
    name: string
    tagline: string | null
    /** The company’s page. */
    url: string
    /** The user’s current roles at the company. */
    roles: Array<"founder" | "admin" | "editor" | "employee">
    /** Whether a round accepts investments or reservations now. */
    raising: boolean
  }
}

export type NewAccount = {
  email: string
  name: string
  /** Leave it out for a person who signs in through the OpenID Connect provider. */
  password?: string
  /** In each world, the user to whom the account is linked. */
  users?: {
    test?: string
    live?: string
  }
}

export type NewAccountInvitation = {
  email: string
}

export type NewApp = {
  organization_id: string
  name: string
  description?: string | null
  website_url?: string | null
  setup_url?: string | null
  scopes?: Array<string>
  /** The version of the usage conditions that you have read and accept for this app. */
  accepted_conditions: string
}

export type NewAppInstallationToken = {
  /** The app’s key to which the token belongs. The token ends when the key is revoked. */
  key_id: string
  /** Default: all scopes of the installation. */
  scopes?: Array<string>
}

export type NewAppKey = {
  mode: "test" | "live"
  name: string
  client_type: "confidential" | "public"
  /** https on any host, http on loopback (the port may then differ), or a private-use scheme such as com.example.app:/ */
  redirect_uris?: Array<string>
}

export type NewAppWebhookEndpoint = {
  /** https, to a public address. In the test mode of a local server also http to the server’s own machine. */
  url: string
  /** The whole list. A wildcard (`*`, `investment.*`) covers every event of the catalogue or group that can arrive at the endpoint. */
  events: Array<"investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed" | "*" | "investment.*" | "offering.*" | "investment_session.*" | "syndicate_member.*" | "join_session.*" | "installation.*" | "referral_cohorts.*" | "intent.*">
  mode: "test" | "live"
  /** The endpoint receives only events of this installation. If left out, the endpoint is for the whole app or, with an installation token, for the token’s installation. */
  installation_id?: string | null
}

export type NewInstallation = {
  target_type: "company" | "syndicate"
  target_id: string
  /** Default: all scopes that the app declares. */
  scopes?: Array<string>
  /** On a company, a lower role than the installer’s own. Default: the installer’s own role. */
  tier?: "founder" | "admin" | "editor" | "manager"
}

export type NewInstallationToken = {
  /** Default: all scopes of the installation. */
  scopes?: Array<string>
  /** `true` creates an API key of a syndicate, which never expires. Only for a manager, on an installation on their syndicate. */
  never_expires?: boolean
}

export type NewInvestmentSession = {
  spv_id: string
  /** The recipient’s address. Not together with platform_user_id. */
  email?: string | null
  /** The recipient’s account; only that account can open the page. */
  platform_user_id?: string | null
  /** A fixed amount. If omitted, the person chooses. */
  allocation_cents?: number | null
  /** Where the person is sent after completion: https, in the sandbox also http on localhost, 127.0.0.1 or [::1]. */
  success_url?: string | null
  /** 720 (30 days) if omitted. */
  expires_in_hours?: number | null
  /** Your own data, returned unchanged; at most 20,000 bytes. */
  metadata?: Record<string, unknown> | null
  /** Stored in metadata as intent_id. */
  intent_id?: string | null
}

export type NewInvestmentSessionBody = {
  investment_session: NewInvestmentSession
}

export type NewInvestmentSessionOfOffering = {
  /** The recipient’s address. Not together with platform_user_id. */
  email?: string | null
  /** The recipient’s account; only that account can open the page. */
  platform_user_id?: string | null
  /** A fixed amount. If omitted, the person chooses. */
  allocation_cents?: number | null
  /** Where the person is sent after completion: https, in the sandbox also http on localhost, 127.0.0.1 or [::1]. */
  success_url?: string | null
  /** 720 (30 days) if omitted. */
  expires_in_hours?: number | null
  /** Your own data, returned unchanged; at most 20,000 bytes. */
  metadata?: Record<string, unknown> | null
  /** Stored in metadata as intent_id. */
  intent_id?: string | null
}

export type NewInvestmentSessionOfOfferingBody = {
  investment_session: NewInvestmentSessionOfOffering
}

export type NewInviteLink = {
  /** The most that people may invest by a reusable link in total, or that one person may invest by a link for one person. */
  allocation_cents?: number | null
  /** Only for reusable links. No limit if omitted. */
  max_uses?: number | null
  /** With this address, the link is for one person. Not together with platform_user_id. */
  email?: string | null
  /** With this id, the link is for one user. You never see the user’s email address. */
  platform_user_id?: string | null
  /** Used in the greeting of the mail. Only for a link for one person. */
  first_name?: string | null
  /** Used in the greeting of the mail. Only for a link for one person; no response contains it. */
  last_name?: string | null
  /** Your message to the person, which the mail and the page show as a quotation. Only for a link for one person. */
  message?: string | null
  /** Whether we mail the link to the person; true if omitted. Only for a link for one person. */
  send_email?: boolean | null
}

export type NewInviteLinkBody = {
  invite_link?: NewInviteLink
}

export type NewInviteLinksBody = {
  /** Each item has the fields of a single link, and needs `email` or `platform_user_id`. */
  invite_links: Array<unknown>
}

export type NewJoinSession = {
  /** The address to which the person returns, with `join_session_id` and `status` added to the query. It must be https; in the sandbox also http on localhost, 127.0.0.1 or [::1]. Without it, the person stays on our page, which shows the outcome. */
  return_url?: string | null
  /** 720 if omitted or null. */
  expires_in_hours?: number | null
  /** Makes an embedded session. If omitted or null, the session is hosted on our own page. */
  embed?: {
    /** The sites that may show the form in a frame, such as https://partner.example. */
    origins: Array<string>
    theme?: {
      id: string
      /** The newest version if omitted or null. */
      version?: number | null
      overrides?: {
        /** The colour of buttons. A contrast of at least 4.5:1 to paper. */
        accent?: string
        /** The colour of the background. */
        paper?: string
        /** The colour of text. A contrast of at least 7:1 to paper. */
        ink?: string
        corners?: "square" | "rounded" | "round"
      } | null
    } | null
  } | null
  /** Your own data, returned unchanged. It is in no event. */
  metadata?: Record<string, unknown> | null
}

export type NewJoinTheme = {
  /** For your own use: people who join do not see it. */
  name: string
  /** The colour of buttons. A contrast of at least 4.5:1 to paper. */
  accent?: string
  /** The colour of the background. */
  paper?: string
  /** The colour of text. A contrast of at least 7:1 to paper. */
  ink?: string
  corners?: "square" | "rounded" | "round"
}

export type NewMember = {
  email: string
  role: "owner" | "admin" | "developer"
}

export type NewReferralCode = {
  /** The text in links as ?ref=…: letters and digits, with hyphens between them. Upper and lower case count as equal. Generated if omitted. */
  code?: string
  /** The app’s own name for the code. Only the app and its team see it. Default: the code itself. */
  name?: string
}

export type NewSandboxInstallation = {
  /** A test key of the app, `pk_test_…`. */
  client_id: string
  target_type: "company" | "syndicate"
  target_id: string
  /** The person who installs the app: a person who runs the company or manages the syndicate. */
  user: string
}

export type NewSyndicateInvitation = {
  email: string
  name?: string
  /** The permission that the invitation names; joining does not grant it. Default: operator. */
  syndicate_permission?: "full_access" | "operator"
}

export type NewSyndicateMemberOrder = {
  /** The members in the wanted order. Members that are not listed come after these. */
  member_ids: Array<string>
}

export type NewUsageConditions = {
  /** A date, later than the version in force. */
  version: string
  /** Headings (`##`), paragraphs, lists, and in them **strong**, `code` and links. `{platform}` stands for the platform’s name. */
  text: string
}

export type NewWebhookEndpoint = {
  /** https, to a public address. In the test mode of a local server also http to the server’s own machine. */
  url: string
  /** The whole list. A wildcard (`*`, `investment.*`) covers every event of the catalogue or group that can arrive at the endpoint. */
  events: Array<"investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed" | "*" | "investment.*" | "offering.*" | "investment_session.*" | "syndicate_member.*" | "join_session.*" | "installation.*" | "referral_cohorts.*" | "intent.*">
  /** If left out, the mode of the credential. A live user token can also name `test`. */
  mode?: "test" | "live"
  /** The endpoint receives only events of this installation. If left out, the endpoint is for the whole app or, with an installation token, for the token’s installation. */
  installation_id?: string | null
}

export type Notice = {
  id: string
  type: "notice"
  attributes: {
    event: "webhook_endpoint.failing" | "webhook_endpoint.disabled_soon" | "webhook_endpoint.disabled" | "webhook_endpoint.secret_expiring" | "app.suspended" | "app.suspension_lifted" | "app.approved" | "app.pii_approved" | "app.program_granted" | "app.request_declined" | "app.scopes_removed" | "app.pii_withdrawn" | "app.conditions_published" | "app_key.secret_expiring"
    app: {
      id: string
      name: string
    }
    /** Null if the notice concerns both modes. */
    mode: "test" | "live" | null
    /** The id of the webhook endpoint, key or app that the notice is about. */
    subject: string
    /** The URL of the webhook endpoint. */
    url: string | null
    /** UTC, by the clock of the mode’s world. */
    failing_since: string | null
    /** Why the endpoint was disabled, the app suspended or the request declined. */
    reason: string | null
    /** When the replaced secret stops working. */
    expires_at: string | null
    /** Which scopes were removed. */
    scopes: Array<string> | null
    /** What ended with a scope or an approval. */
    stopped: {
      installs_narrowed?: number
      installs_disconnected: number
      tokens_revoked?: number
      refresh_tokens_revoked?: number
      endpoints_disabled?: number
    } | null
    /** The kind of request that the platform declined. */
    request: "approval" | "pii" | "program" | null
    /** The program that was granted or declined. */
    program: "marketing_partner" | "founder" | null
    /** The tier that was granted. */
    tier: number | null
    /** The version of the usage conditions that was published. */
    version: string | null
    /** UTC. For a failing or disabled endpoint, by the clock of the mode’s world. */
    created_at: string
  }
}

/** The OAuth error format. */
export type OAuthError = {
  /** The OAuth error code. Branch on this. */
  error: string
  /** The reason, for a developer to read. */
  error_description?: string
}

export type Offering = {
  id: string
  type: "offering"
  company: string
  attributes: {
    company_name: string
    tagline: string | null
    /** The company’s page. Link to it wherever you show the offering. */
    url: string
    card_image_url: string | null
    logo_url: string | null
    /** The exemption under which the offering is sold. */
    exemption: "reg_cf" | "reg_d_506b" | "reg_d_506c" | "reg_a" | "reg_s" | "ecsp"
    security: {
      /** Null while the security is undecided, and for an offering that tests the waters: see intended_security. */
      type: string | null
      label?: string
      terms: SecurityTerms
    }
    /** The security that a round that tests the waters intends to sell. Null if undecided, and for other rounds. */
    intended_security: {
      type: "safe" | "equity" | "convertible_note" | "revenue_share" | "debt" | "fund"
      label: string
    } | null
    industries: Array<Tag>
    business_models: Array<Tag>
    /** `open`: the offering accepts investments, or reservations if it tests the waters. */
    status: "upcoming" | "open" | "closing" | "closed" | "canceled"
    /** True: people reserve here and do not invest. */
    testing_the_waters: boolean
    /** ISO 4217, in lower case. */
    currency: string
    /** The funding target. In whole units of the currency. */
    funding_target: number | null
    /** funding_target in minor units of the currency. */
    funding_target_cents: number | null
    /** The minimum investment. In whole units of the currency. */
    min_investment: number | null
    /** min_investment in minor units of the currency. */
    min_investment_cents: number | null
    /** The amount raised in this offering only. In whole units of the currency. */
    amount_raised: number | null
    /** amount_raised in minor units of the currency. */
    amount_raised_cents: number | null
    /** Investors of this offering, each counted once. */
    investor_count: number | null
    started_at: string | null
    /** Null if the offering has no closing date or is not open. */
    closes_at: string | null
    closed_at: string | null
    /** False if the offering is shown only because of this user’s rights. Only in the user’s own view (read:explore). */
    publicly_visible?: boolean
    /** Whether the user has an investment in this offering. Only in the user’s own view (read:explore). */
    invested?: boolean
    /** Whether the user follows the company. Only in the user’s own view (read:explore). */
    followed?: boolean
  }
  /** Reasons why the company’s page may show other sums. They do not change the etag. */
  warnings: Array<{
    code: "concurrent_rounds" | "prior_rounds"
    message: string
  }>
  /** Changes when the public attributes change. */
  etag: string
}

export type Organization = {
  id: string
  type: "organization"
  attributes: {
    name: string
    status: "active" | "ended"
    /** Real time, UTC, with microseconds. */
    created_at: string
    /** Real time, UTC, with microseconds. */
    ended_at: string | null
  }
}

export type OrganizationHistoryEntry = {
  id: string
  type: "history_entry"
  attributes: {
    /** Real time, UTC, with microseconds. */
    at: string
    action: string
    details: Record<string, unknown>
    actor: {
      type: "member" | "key" | "platform" | "system"
      /** The account (`acct_…`), the app’s own key (`pk_…`) or the operator key (`opk_…`) that acted. */
      id: string | null
      /** The name of the account or of the key. */
      name: string | null
    }
    /** The reason that the operator gave. */
    reason: string | null
    /** The id of the organization or of the app that the entry is about. */
    subject: string
  }
}

export type OrganizationName = {
  name: string
}

export type OwnOrganization = {
  id: string
  type: "organization"
  attributes: {
    name: string
    status: "active" | "ended"
    /** Real time, UTC, with microseconds. */
    created_at: string
    /** Real time, UTC, with microseconds. */
    ended_at: string | null
    role: "owner" | "admin" | "developer"
  }
}

export type PartnerDelivery = {
  id: string
  type: "partner_delivery"
  attributes: {
    event: string | null
    event_id: string
    installation_id: string | null
    status: "pending" | "delivered" | "exhausted" | "canceled"
    /** Why the delivery was canceled. */
    reason: string | null
    api_version: string
    attempt_count: number
    last_attempt: {
      /** UTC, in world time. */
      at: string
      response_code: number | null
      /** timeout, blocked_url, tls_error or connection_failed; internal if an error of this service prevented the attempt; null if the endpoint responded. */
      error: string | null
      duration_ms: number
    } | null
    /** Null once the delivery has ended, and while the endpoint is disabled. */
    next_attempt_at: string | null
    /** UTC, in the time of the endpoint’s world. */
    created_at: string
    /** UTC, in the time of the endpoint’s world. */
    ended_at: string | null
    /** The original delivery that this delivery repeats. */
    redelivery_of: string | null
  }
}

export type PartnerEndpointHealth = {
  id: string
  type: "webhook_endpoint_health"
  attributes: {
    app: {
      id: string
      name: string
    }
    organization: {
      id: string
      name: string
    }
    /** The host of the endpoint’s URL. The path is left out, because it may contain a secret. */
    host: string
    state: "failing" | "disabled" | "enabled"
    disabled_reason: string | null
    /** UTC, in world time. */
    failing_since: string | null
    /** UTC, in world time. */
    last_delivery_at: string | null
    last_delivery_status: string | null
    /** Deliveries that wait to be sent; at most 10,000 are counted. */
    waiting: number
    last_24_hours: AttemptsOfADay
  }
}

export type PartnerInstallation = {
  id: string
  status: "active" | "revoked"
  target: {
    type: "company" | "syndicate" | "user"
    id: string
    /** Null for a user. */
    name: string | null
  }
  tier: "founder" | "admin" | "editor" | "manager" | "user"
  /** The granted scopes, which can be fewer than the requested ones. */
  scopes: Array<string>
  /** World time, in UTC. */
  installed_at: string
  installed_by: {
    /** founder, manager, user, partner, or the platform’s name if its staff acted. */
    role: string
  }
  /** World time, in UTC. */
  revoked_at?: string
  revoked_by?: {
    /** founder, manager, user, partner, or the platform’s name if its staff acted. */
    role: string
  }
  app: {
    id: string
    name: string
  }
  organization: {
    id: string
    name: string
  }
}

export type PastRound = {
  /** The offering. Null if the round did not run on this platform. */
  offering_id: string | null
  /** `platform`: the round ran on this platform. `reported`: a founder reported it. */
  source: "platform" | "reported"
  /** The exemption under which the round was sold. */
  exemption: "reg_cf" | "reg_d" | "reg_d_506b" | "reg_d_506c" | "reg_a" | "reg_s" | "ecsp" | "other"
  currency: string | null
  /** The amount raised. In minor units of the currency. */
  amount_raised_cents: number | null
  investor_count: number | null
  opened_at: string | null
  closed_at: string | null
}

export type PerkTier = {
  /** The smallest investment that gets this perk. */
  qualifying_amount_cents: number
  /** ISO 4217, in lower case. */
  currency: string
  /** Plain text. */
  description: string | null
}

/** Null if the viewer sees no round. */
export type Perks = {
  /** The round whose perks these are. */
  offering_id: string | null
  /** ISO 4217, in lower case. */
  currency: string
  /** An estimate: true if all tiers have short texts that refer to the story, or the same short text. The perks are then described in the story. */
  described_in_pitch: boolean
  tiers: Array<PerkTier>
} | null

export type PickerScope = {
  id: string
  type: "scope"
  attributes: {
    concerns: "offerings" | "profile" | "investments" | "companies" | "syndicates" | "app" | "platform"
    heading: string
    /** What people read before they consent. */
    consent: string
    sensitive: string | null
    implies: Array<string>
    beta: boolean
    /** `user`: people who connect the app; `company`, `syndicate`: companies and syndicates on which the app is installed; `app`: the app itself, by client credentials. In other places the scope has no effect. */
    takes_effect_on: Array<"user" | "company" | "syndicate" | "app">
  }
}

export type PiiWithdrawal = {
  data: {
    id: string
    type: "pii_withdrawal"
    attributes: {
      installs_disconnected: InstallsDisconnectedByWorld
    }
  }
}

export type PitchBlock = {
  type: "heading" | "paragraph" | "list" | "image" | "video" | "footnote"
  /** Only of a heading. */
  level?: number
  /** Only of a heading, paragraph or footnote. Plain text, which refers to footnotes as `[n]`. */
  text?: string
  /** Only of a footnote. The n of `[n]`. */
  number?: number
  /** Only of a list. */
  ordered?: boolean
  /** Only of an ordered list that does not begin with 1: the number of its first item. */
  start?: number
  /** Only of a list. Each entry is plain text. */
  items?: Array<string>
  /** The links in text or items. Absent if there are none. */
  links?: Array<{
    text: string | null
    url: string
  }>
  /** Only of a picture or video. */
  url?: string
  /** Only of a picture or video: the address that a click on it opens. */
  link?: string
  /** Only of a picture. */
  alt?: string | null
  /** Only of a picture. */
  filename?: string | null
  /** Only of a video. */
  provider?: "youtube" | "vimeo" | "wistia" | "loom" | "upload" | "other"
}

export type PitchStory = {
  /** In document order; empty if the company has no story. */
  blocks: Array<PitchBlock>
  image_count: number
  video_count: number
  /** The number of pictures with data: URLs. They are not in the blocks. */
  inline_images_omitted: number
  /** The number of characters in headings, paragraphs, lists and footnotes. */
  character_count: number
}

export type PlatformHistoryEntry = {
  id: string
  type: "history_entry"
  attributes: {
    /** Real time, UTC, with microseconds. */
    at: string
    action: string
    details: Record<string, unknown>
    actor: {
      type: "member" | "key" | "platform" | "system"
      /** The account (`acct_…`), the app’s own key (`pk_…`) or the operator key (`opk_…`) that acted. */
      id: string | null
      /** The name of the account or of the key. */
      name: string | null
    }
    /** The reason that the operator gave. */
    reason: string | null
  }
}

export type PlatformOperator = {
  data: {
    id: string
    type: "operator_key" | "account"
    attributes: {
      /** The name of the key or of the person. */
      name: string
      role: "viewer" | "support" | "compliance" | "admin"
      /** The mode of the key. For a person, the mode in X-Portico-Mode (default: `live`). */
      mode: "test" | "live"
      /** The time at which a person must prove their second factor again, or earlier after a pause. Null for a key. */
      session_ends_at: string | null
    }
  }
}

export type PlatformSeries = {
  data: {
    type: "series"
    attributes: {
      mode: "test" | "live"
      unit: "hour" | "day"
      app_id: string | null
      /** The last 168 hours, or the last 90 days, oldest first. */
      points: Array<PlatformSeriesPoint>
    }
  }
}

export type PlatformSeriesPoint = {
  /** UTC, real time. */
  begins_at: string
  requests: number
  /** Responses with 400 to 499. */
  client_errors: number
  /** Responses with 500 and more. */
  server_errors: number
  /** The mean time of all responses. Null if there were none. */
  mean_ms: number | null
  /** Attempts at webhook deliveries that succeeded. */
  delivered: number
  failed: number
  /** Accounts that were created; accounts have no mode. Null for one app. */
  sign_ups: number | null
  /** How many requests for approval waited at the last count in the hour or day. Null if nothing was counted, and for one app. */
  approvals_waiting: number | null
  pii_waiting: number | null
  programs_waiting: number | null
}

export type PortfolioCompany = {
  id: string
  name: string
  slug: string | null
  /** The company’s page. Link to it wherever you show the company. */
  url: string
}

export type PortfolioHolding = {
  company: PortfolioCompany
  status: "active" | "failed" | "exited"
}

export type PortfolioPosition = {
  id: string
  type: "portfolio_position"
  attributes: {
    offering_id: string
    company: PortfolioCompany
    asset_type: "company" | "fund"
    /** The kind of security, without its terms. Null if the kind was not reported. */
    security: {
      type: string
      label: string
    } | null
    /** `sold`: all stakes were sold to other holders. `exited`, `failed`: the stakes ended in an exit or a failure. */
    status: "active" | "exited" | "sold" | "failed"
    /** Only for exited and failed positions, if the reason is known. */
    exit_reason?: "ipo" | "acquisition" | "buyback" | "failed" | "winding_down"
    /** When the first investment was committed. */
    invested_at: string
    /** ISO 4217, in lower case. */
    currency: string
    /** The amount paid, also for ended positions. In cents. */
    cost_basis_cents: number
    /** The value of the stakes that are still held: an estimate, or the amount paid if there is no newer valuation. In cents. */
    current_value_cents: number
    /** The gain on stakes that are still held. Negative for a loss. In cents. */
    unrealized_gain_cents: number
    /** The gain on stakes that were sold or have ended. Negative for a loss. In cents. */
    realized_gain_cents: number
    /** Current value plus proceeds, divided by the amount paid. Null if nothing was paid. A decimal in a string. */
    return_multiple: string | null
    /** The number of shares still held. Null if a stake has no shares, or is valued by a multiple of the amount paid. A decimal in a string. */
    shares_held: string | null
    /** Null if no stake is held, if a held stake has no price, or if the prices differ. A decimal in a string. */
    current_share_price: string | null
    /** One part for each owner, price and early-bird status. */
    securities: Array<PortfolioSecurity>
    /** The companies that the fund holds. Empty if `asset_type` is `company`. */
    holdings: Array<PortfolioHolding>
    /** When the amounts were computed, in world time. */
    as_of: string
  }
}

export type PortfolioPositionCounts = {
  active: number
  exited: number
  sold: number
  failed: number
}

export type PortfolioSecurity = {
  /** The kind of security, without its terms. Null if the kind was not reported. */
  security: {
    type: string
    label: string
  } | null
  /** Bought on early-bird terms. */
  early_bird: boolean
  terms: {
    /** The price of one share. A decimal in a string. */
    share_price: string | null
    /** The cap of a SAFE or a note. In cents. */
    note_cap_cents: number | null
    /** The discount of a SAFE or a note, in per cent. A decimal in a string. */
    note_discount: string | null
    /** The pre-money valuation. In cents. */
    premoney_valuation_cents: number | null
  }
  /** The amount paid, also for ended positions. In cents. */
  cost_basis_cents: number
  /** The value of the stakes that are still held: an estimate, or the amount paid if there is no newer valuation. In cents. */
  current_value_cents: number
  /** The gain on stakes that are still held. Negative for a loss. In cents. */
  unrealized_gain_cents: number
  /** The gain on stakes that were sold or have ended. Negative for a loss. In cents. */
  realized_gain_cents: number
  /** The number of shares still held. Null if a stake has no shares, or is valued by a multiple of the amount paid. A decimal in a string. */
  shares_held: string | null
  /** Null if no stake is held, if a held stake has no price, or if the prices differ. A decimal in a string. */
  current_share_price: string | null
  invested_at: string
  owner: {
    kind: "individual" | "entity"
    name?: string
  }
}

export type PortfolioSummary = {
  type: "portfolio_summary"
  attributes: {
    /** ISO 4217, in lower case. */
    currency: string
    /** The amount paid, also for ended positions. In cents. */
    total_cost_basis_cents: number
    /** The value of the stakes that are still held: an estimate, or the amount paid if there is no newer valuation. In cents. */
    total_current_value_cents: number
    /** The gain on stakes that are still held. Negative for a loss. In cents. */
    total_unrealized_gain_cents: number
    /** The gain on stakes that were sold or have ended. Negative for a loss. In cents. */
    total_realized_gain_cents: number
    /** Current value plus proceeds, divided by the amount paid. Null if nothing was paid. A decimal in a string. */
    return_multiple: string | null
    /** The totals in each currency. The first entry repeats the totals of the fields above. */
    by_currency: Array<{
      /** ISO 4217, in lower case. */
      currency: string
      /** The amount paid, also for ended positions. In cents. */
      total_cost_basis_cents: number
      /** The value of the stakes that are still held: an estimate, or the amount paid if there is no newer valuation. In cents. */
      total_current_value_cents: number
      /** The gain on stakes that are still held. Negative for a loss. In cents. */
      total_unrealized_gain_cents: number
      /** The gain on stakes that were sold or have ended. Negative for a loss. In cents. */
      total_realized_gain_cents: number
      /** Current value plus proceeds, divided by the amount paid. Null if nothing was paid. A decimal in a string. */
      return_multiple: string | null
    }>
    position_counts: PortfolioPositionCounts
    /** When the amounts were computed, in world time. Null if there is no position. */
    as_of: string | null
  }
}

export type PresentedToken = {
  /** An access token or a refresh token. */
  token: string
  /** access_token or refresh_token. Ignored, because the token’s prefix shows its type. */
  token_type_hint?: string
  /** The key’s id. Leave it out with HTTP Basic. */
  client_id?: string
  /** The secret of a confidential key. Leave it out with HTTP Basic, and with a public key. */
  client_secret?: string
}

export type ProfileChanges = {
  bio?: string | null
  city?: string | null
  state?: string | null
  country?: string | null
}

export type ProgramAtTier = {
  program: "marketing_partner" | "founder"
  tier?: number
}

export type Ready = {
  status: "ready" | "not_ready"
  checks: {
    database: "ok" | "unreachable"
    migrations: "ok" | "behind" | "ahead" | "unknown"
    workers: "ok" | "silent" | "elsewhere"
  }
  lag: {
    api_event_loop_ms: number
    worker_event_loop_ms: number | null
  }
}

export type Reason = {
  reason: string
}

export type ReceivedInvitation = {
  organization: {
    id: string
    name: string
  }
  role: "owner" | "admin" | "developer"
  /** Real time, UTC, with microseconds. */
  invited_at: string
  /** Real time, UTC, with microseconds. */
  expires_at: string
}

export type ReferralAnonymizedRow = {
  /** Opaque. The same token as in investment.referred. */
  investment_token: string
  /** Opaque. The investor has a different token at every company. */
  investor_token: string
  /** ISO week, UTC. */
  week: string
  amount_tier: "small" | "medium" | "large"
  status: "active" | "reserved" | "executed" | "canceled" | "converted"
  time_to_invest: "direct" | "assisted" | "delayed"
}

export type ReferralAnonymizedRows = {
  company: string
  detail: "anonymized"
  rows: Array<ReferralAnonymizedRow>
  corrections: Array<ReferralAnonymizedRow>
}

export type ReferralCode = {
  id: string
  type: "referral_code"
  attributes: {
    /** The text in links as ?ref=…: letters and digits, with hyphens between them. Upper and lower case count as equal. */
    code: string
    /** The app’s own name for the code. Only the app and its team see it. */
    name: string
    /** New investments are not credited to a paused code. */
    status: "active" | "paused"
    /** As of the last published week, never live. Null until a week that ended after the code was created is published. */
    counts: ReferralCodeCounts | null
    /** UTC, in the time of the world. */
    created_at: string
    /** UTC, in the time of the world: when the code was last renamed, paused or resumed. */
    updated_at: string
  }
}

export type ReferralCodeChange = {
  /** The app’s own name for the code. Only the app and its team see it. */
  name?: string
  /** New investments are not credited to a paused code. */
  status?: "active" | "paused"
}

export type ReferralCodeCounts = {
  /** The last week that was published. */
  through_week: string
  /** The sum of the ranges published so far; null while there are none. */
  investors: ReferralRange | null
}

export type ReferralCodeEnvelope = {
  data: ReferralCode
  meta: {
    request_id: string
  }
}

export type ReferralFullRow = {
  /** Opaque. The same token as in investment.referred. */
  investment_token: string
  /** Opaque. The investor has a different token at every company. */
  investor_token: string
  /** ISO week, UTC. */
  week: string
  amount_tier: "small" | "medium" | "large"
  status: "active" | "reserved" | "executed" | "canceled" | "converted"
  time_to_invest: "direct" | "assisted" | "delayed"
  investment_id: string
  investor: {
    id: string
    name: string
    /** Present only if the app’s installation on the company has read:investors:pii. */
    email?: string | null
  }
}

export type ReferralFullRows = {
  company: string
  detail: "full"
  rows: Array<ReferralFullRow>
  corrections: Array<ReferralFullRow>
}

export type ReferralGroup = {
  investors: ReferralRange
  by_status: {
    /** Null: fewer than k people, or withheld so that such a group cannot be found by subtraction. */
    active: ReferralRange | null
    /** Null: fewer than k people, or withheld so that such a group cannot be found by subtraction. */
    reserved: ReferralRange | null
    /** Null: fewer than k people, or withheld so that such a group cannot be found by subtraction. */
    executed: ReferralRange | null
    /** Null: fewer than k people, or withheld so that such a group cannot be found by subtraction. */
    canceled: ReferralRange | null
    /** Null: fewer than k people, or withheld so that such a group cannot be found by subtraction. */
    converted: ReferralRange | null
  }
  by_amount_tier: {
    /** Null: fewer than k people, or withheld so that such a group cannot be found by subtraction. */
    small: ReferralRange | null
    /** Null: fewer than k people, or withheld so that such a group cannot be found by subtraction. */
    medium: ReferralRange | null
    /** Null: fewer than k people, or withheld so that such a group cannot be found by subtraction. */
    large: ReferralRange | null
  }
  by_time_to_invest: {
    /** Null: fewer than k people, or withheld so that such a group cannot be found by subtraction. */
    direct: ReferralRange | null
    /** Null: fewer than k people, or withheld so that such a group cannot be found by subtraction. */
    assisted: ReferralRange | null
    /** Null: fewer than k people, or withheld so that such a group cannot be found by subtraction. */
    delayed: ReferralRange | null
  }
}

export type ReferralRange = {
  /** The smallest possible number of people. */
  min: number
  /** The largest possible number of people; null: the range has no upper end. */
  max: number | null
}

export type ReferralRanges = {
  company: string
  detail: "ranges"
  /** The first week that the ranges describe. The ranges also include people of earlier weeks whose investments were reported late. */
  since: string
  /** People who were newly credited. Null if they are fewer than k; then they wait for a later week. */
  credited: ReferralGroup | null
  /** People whose investments were published before and have changed since. Null: fewer than k people. */
  corrections: ReferralGroup | null
}

export type ReferralWeek = {
  /** ISO week, UTC. */
  week: string
  /** The Monday on which the week was due. Published ranges never change. Rows of a hidden investment are left out. */
  published_at: string
  /** Groups of fewer people than this were withheld. */
  k: number
  /** The companies with something to report. A company that is not listed has fewer than k people, or none. A week with very many rows continues on the next page, with the same `week`. */
  companies: Array<ReferralRanges | ReferralAnonymizedRows | ReferralFullRows>
}

export type RefusedFact = {
  id: string
  type: "refused_fact"
  attributes: {
    /** The fact’s own id; null if the fact has no readable id. */
    fact_id: string | null
    type: string | null
    error: FactError
    /** How often the fact was refused. */
    times: number
    /** When the fact was last refused, in real time. */
    refused_at: string
    /** `applied`: a fact with this id has been applied since. `dismissed`: an operator decided that nothing is left to do. */
    status: "refused" | "applied" | "dismissed"
    /** In real time. */
    dismissed_at: string | null
    /** The fact as it was sent. Null if it was too large, or is about a person who was erased. */
    fact: unknown
  }
}

export type RefusedFactListed = {
  id: string
  type: "refused_fact"
  attributes: {
    /** The fact’s own id; null if the fact has no readable id. */
    fact_id: string | null
    type: string | null
    error: FactError
    /** How often the fact was refused. */
    times: number
    /** When the fact was last refused, in real time. */
    refused_at: string
    /** `applied`: a fact with this id has been applied since. `dismissed`: an operator decided that nothing is left to do. */
    status: "refused" | "applied" | "dismissed"
    /** In real time. */
    dismissed_at: string | null
  }
}

export type RefusedFactMended = {
  /** The corrected fact. Without it, the fact is applied as it was sent. */
  fact?: Record<string, unknown>
}

export type RemovalDuty = {
  /** The id of the entry `installation.removal_due` in the audit and in the app’s history. */
  id: string
  type: "removal_duty"
  attributes: {
    /** `overdue`: the deletion was not confirmed within 30 days, the time that the platform allows for the confirmation. */
    state: "open" | "overdue" | "confirmed"
    mode: "test" | "live"
    installation_id: string
    target: {
      type: "company" | "syndicate" | "user"
      id: string
    }
    /** The data that the app must delete, and the scopes through which the app got the data. */
    data: Array<{
      kind: "investor_pii" | "user_data"
      scopes: Array<string>
    }>
    /** The real time at which the app lost access. */
    since: string
    /** The real time by which the deletion must be confirmed. */
    due_by: string
    /** Real time. */
    confirmed_at: string | null
    /** `team`: a member of the app’s team confirmed the deletion. `platform`: an operator recorded that the partner has shown the deletion. */
    confirmed_as: "team" | "platform" | null
    app: {
      id: string
      name: string
    }
    organization: {
      id: string
      name: string
    }
    /** The account or the operator key that recorded the confirmation. */
    confirmed_by: string | null
  }
}

export type RevocationAnswer = Record<string, unknown>

export type RoleChange = {
  role: "owner" | "admin" | "developer"
}

export type Round = {
  offering_id: string
  /** Whether the round is open. */
  current: boolean
  status: "open" | "closing" | "closed"
  /** True: people reserve or reserved here and do not invest, so nothing is raised. */
  testing_the_waters: boolean
  /** The exemption under which the offering is sold. */
  exemption: "reg_cf" | "reg_d_506b" | "reg_d_506c" | "reg_a" | "reg_s" | "ecsp"
  security: {
    /** Null while the security is undecided, and for an offering that tests the waters: see intended_security. */
    type: string | null
    label?: string
    terms: SecurityTerms
  }
  /** ISO 4217, in lower case. */
  currency: string
  /** The amount raised in this round only. Null if the round tests the waters; its offering has the reserved amount. In minor units of the currency. */
  amount_raised_cents: number | null
  /** Null if the round tests the waters. */
  investor_count: number | null
  opened_at: string | null
  closed_at: string | null
}

export type SandboxApproval = {
  approved_by?: string
}

export type SandboxCheckoutEnd = {
  investment?: string
  user?: string
  amount_cents?: number
}

export type SandboxClock = {
  /** In UTC, with microseconds. */
  now: string
  /** How far the test world is ahead of real time, as an ISO 8601 duration. */
  ahead: string
  ahead_seconds: number
}

export type SandboxCompany = {
  id: string
  type: "sandbox_company"
  attributes: {
    name: string
    /** The id of an offering that is open and accepts investments. */
    offering: string
  }
}

export type SandboxConversion = {
  to?: string
}

export type SandboxFinish = {
  user?: string
}

export type SandboxIneligible = {
  reason: "accreditation_required" | "jurisdiction" | "blocked" | "club_unavailable" | "requires_investment"
  user?: string
}

export type SandboxInvestment = {
  id: string
  status: "active" | "reserved" | "executed" | "canceled" | "converted"
  offering: string
  company: string
  investor: {
    id: string
  }
  amounts: {
    committed_cents: number
    in_escrow_cents: number
    refund_due_cents: number
    currency: string
  }
  /** In UTC, with microseconds. */
  applied_at: string
  /** In UTC, with microseconds. */
  confirmed_at: string | null
  /** In UTC, with microseconds. */
  executed_at: string | null
  /** In UTC, with microseconds. */
  canceled_at: string | null
  /** In UTC, with microseconds. */
  converted_at: string | null
  converted_to: string | null
  converted_from: string | null
  payment: "none" | "pending" | "received" | "failed" | "refunded"
  identity: "not_required" | "required" | "pending" | "passed" | "failed"
  accreditation: "not_required" | "required" | "pending" | "passed" | "failed"
  signature: "not_required" | "required" | "pending" | "passed" | "failed"
  review: "not_required" | "required" | "pending" | "passed" | "failed"
  hidden: boolean
}

export type SandboxInvestmentSession = {
  id: string
  type: "investment_session"
  attributes: {
    offering: string
    status: "pending" | "in_progress" | "completed" | "abandoned" | "expired" | "canceled"
    email: string | null
    user: string | null
    currency: string
    allocation_cents: number | null
    kyc_status: "pending" | "passed" | "failed" | null
    funding_status: "pending" | "succeeded" | "card_declined" | "insufficient_funds" | null
    investment: string | null
    installation: string | null
    /** Your own value. Responses return it unchanged. */
    metadata: Record<string, unknown>
    /** In UTC, with microseconds. */
    created_at: string
    /** In UTC, with microseconds. */
    started_at: string | null
    /** In UTC, with microseconds. */
    ended_at: string | null
    /** In UTC, with microseconds. */
    expires_at: string
  }
}

export type SandboxInvitation = {
  syndicate: string
  email: string
  name: string
  user: string | null
  invited_by: {
    id: string
    name: string
  }
  /** In UTC, with microseconds. */
  occurred_at: string
}

export type SandboxInvite = {
  email: string
  name?: string
  invited_by?: string
}

export type SandboxJoinCompletion = {
  user?: string
  approved_by?: string
}

export type SandboxJoinSession = {
  id: string
  type: "join_session"
  attributes: {
    syndicate: string
    status: "open" | "pending_approval" | "joined" | "rejected" | "ineligible" | "canceled" | "expired"
    ineligible_reason: "accreditation_required" | "jurisdiction" | "blocked" | "club_unavailable" | "requires_investment" | null
    user: string | null
    membership: string | null
    installation: string | null
    /** Your own value. Responses return it unchanged. */
    metadata: Record<string, unknown>
    /** In UTC, with microseconds. */
    created_at: string
    /** In UTC, with microseconds. */
    expires_at: string
  }
}

export type SandboxMembership = {
  id: string
  type: "syndicate_member"
  attributes: {
    syndicate: string
    user: string
    status: "pending" | "approved" | "member" | "left" | "removed" | "payment_failed" | "declined" | "withdrawn"
    approved_by: string | null
    invited_email: string | null
    /** In UTC, with microseconds. */
    joined_at: string | null
  }
}

export type SandboxMeta = {
  /** The events that the request caused, in order; at most the first 1000. Events for the owner of a referral code are left out. */
  events: Array<CausedEvent>
  /** The number of these events, including those after the first 1000. */
  event_count: number
}

export type SandboxNewAmount = {
  /** Zero cancels the investment. */
  amount_cents: number
}

export type SandboxNewInvestment = {
  offering: string
  investor: string
  amount_cents: number
  invite_link?: string
  /** A referral code. */
  ref?: string
}

export type SandboxNewInvestmentSession = {
  offering: string
  email?: string
  user?: string
  allocation_cents?: number
  /** Your own value. Responses return it unchanged. */
  metadata?: Record<string, unknown>
  /** Default: 720. */
  expires_in_hours?: number
}

export type SandboxNewJoinSession = {
  syndicate: string
  user?: string
  /** Your own value. Responses return it unchanged. */
  metadata?: Record<string, unknown>
  /** Default: 720. */
  expires_in_hours?: number
}

export type SandboxOffering = {
  id: string
  type: "offering"
  attributes: {
    company: string
    status: "upcoming" | "open" | "closing" | "closed" | "canceled"
    testing_the_waters: boolean
    currency: string
    /** In UTC, with microseconds. */
    opens_at: string | null
    /** In UTC, with microseconds. */
    closes_at: string | null
    /** In UTC, with microseconds. */
    closed_at: string | null
    /** In UTC, with microseconds. */
    canceled_at: string | null
  }
}

export type SandboxPerson = {
  user: string
}

export type SandboxRecords = {
  type: "sandbox_records"
  attributes: {
    /** Open offerings of companies that you founded or where the app is installed, then of the public catalogue; at most 100 of each. */
    offerings: Array<{
      id: string
      company_id: string
      company_name: string
      /** The offering accepts reservations instead of investments. */
      testing_the_waters: boolean
    }>
    /** Investors of companies that you founded, at most 20, then the people of the demo, if there is one. */
    people: Array<{
      id: string
      name: string
    }>
    /** Ids of syndicates that you manage, then of records of the demo, if there is one. */
    examples: Array<string>
  }
}

export type SandboxRelocation = {
  offering: string
  successor?: string
}

export type SandboxSessionStart = {
  user?: string
}

export type SandboxSignIn = {
  user: string
}

export type SandboxUser = {
  id: string
  type: "user"
  attributes: {
    deactivated: boolean
  }
}

export type SandboxVisit = {
  company: string
  /** A referral code. */
  ref: string
}

export type ScopeAddition = {
  data: {
    id: string
    type: "scope_addition"
    attributes: {
      /** The scopes that the app declares now. */
      scopes: Array<string>
      /** The scopes that the app did not declare before. */
      added: Array<string>
    }
  }
}

export type ScopeChange = {
  scopes: Array<string>
}

export type ScopePreview = {
  data: {
    id: string
    type: "scope_preview"
    attributes: {
      /** The scopes that the app would declare. */
      scopes: Array<string>
      /** The scopes of `add` that the app does not declare yet. */
      added: Array<string>
      removed: Array<string>
      modes: {
        test: ScopePreviewInMode
        live: ScopePreviewInMode
      }
    }
  }
}

export type ScopePreviewInMode = {
  installations: {
    /** How many there are now. */
    before: number
    /** How many there would be. */
    after: number
    /** Installations that would lose a scope and keep others. */
    narrowed: number
    /** Installations that would have no scope left and be revoked. */
    disconnected: number
    /** Installations that would stay active, but lack an added scope until the app is installed or connected again. */
    lacking_added: number
  }
  access_tokens: {
    /** How many there are now. */
    before: number
    /** How many there would be. */
    after: number
    /** Valid tokens that would be revoked. */
    revoked: number
  }
  refresh_tokens: {
    /** How many there are now. */
    before: number
    /** How many there would be. */
    after: number
    /** Valid tokens that would be revoked. */
    revoked: number
  }
  endpoints: {
    /** How many there are now. */
    before: number
    /** How many there would be. */
    after: number
    /** Endpoints that are bound to an installation that would be revoked. */
    disabled: number
    /** Endpoints that would stay enabled and no longer receive some of the events that they subscribe to. */
    losing_events: number
  }
}

export type ScopeRemoval = {
  data: {
    id: string
    type: "scope_removal"
    attributes: {
      /** The scopes that the app declares now. */
      scopes: Array<string>
      removed: Array<string>
      /** Installations that lost a scope and keep others. */
      installs_narrowed: number
      /** Installations that had no scope left and are revoked. */
      installs_disconnected: number
      /** Valid access tokens that were revoked. */
      tokens_revoked: number
      /** Valid refresh tokens that were revoked. */
      refresh_tokens_revoked: number
      /** Enabled webhook endpoints that were bound to an installation that is revoked. */
      endpoints_disabled: number
    }
  }
}

export type ScopesToAdd = {
  scopes: Array<string>
}

export type SecretRotation = {
  /** For how many seconds the current secret keeps working. Default 86400; 0 ends it at once. */
  overlap_seconds?: number
}

/** Prices per share and rates are decimals in strings. Null if `type` is null. */
export type SecurityTerms = {
  /** For safe and convertible_note: the post-money cap. Null if uncapped. In minor units. */
  valuation_cap_cents?: number | null
  /** For safe and convertible_note: true if there is no valuation cap. */
  uncapped?: boolean
  /** For safe and convertible_note. */
  discount_percent?: string | null
  /** For safe and convertible_note. */
  most_favored_nation?: boolean
  /** For safe. */
  pro_rata?: boolean
  /** For equity: a decimal. */
  share_price?: string | null
  /** For equity. In minor units. */
  pre_money_valuation_cents?: number | null
  /** For equity: `preferred` or `common`. */
  share_class?: string | null
  /** For convertible_note and debt: the interest per year. */
  interest_rate_percent?: string | null
  /** For convertible_note and debt. */
  maturity_months?: number | null
  /** For revenue_share. */
  revenue_share_percent?: string | null
  /** For revenue_share. */
  repayment_cap_multiple?: string | null
  /** For revenue_share: a word such as quarterly. */
  payment_period?: string | null
  /** For revenue_share: `gross` or `net`. */
  revenue_basis?: string | null
  /** For revenue_share. */
  secured?: boolean
  /** For revenue_share. */
  guarantor?: string | null
  /** For debt: a date. */
  first_payment_date?: string | null
  /** For other. */
  name?: string | null
  /** For other. */
  description?: string | null
  /** For other. */
  more_info_url?: string | null
} | null

export type SetAsideWork = {
  /** Unique for its kind. */
  id: string
  type: "set_aside"
  attributes: {
    /** `change`: a change that cannot be published. `delivery`: the deliveries to a failing endpoint. `invitation`: the mail of an invitation. `mail`: any other mail. */
    kind: "change" | "delivery" | "invitation" | "mail"
    mode: "test" | "live"
    /** The id of the record that the work is about, or the occasion of a mail. */
    subject: string
    /** The partner’s app that the work concerns. Null if it concerns no app. */
    app_id: string | null
    /** Real time; the world’s time for deliveries. */
    since: string
    /** When a change is tried again. Null for deliveries, whose endpoint has its own schedule of retries, and for mails, which are not tried again by themselves. */
    retry_at: string | null
    attempts: number | null
    /** Deliveries that wait for the endpoint, counted up to 10,000. */
    waiting: number | null
    /** The first line of the latest error, without addresses. Null for the role viewer. */
    error: string | null
  }
}

export type SignInSession = {
  id: string
  type: "sign_in_session"
  attributes: {
    kind: "browser" | "command_line"
    /** The names of the browser and its system, or the name of the computer of a command line. */
    device: string | null
    /** UTC, with microseconds; real time. */
    created_at: string
    /** UTC, with microseconds; real time. */
    seen_at: string
  }
}

export type SignInSessions = {
  /** At most 100 sessions. */
  data: Array<SignInSession>
}

export type SignedInPerson = {
  id: string
  type: "account"
  attributes: {
    name: string
    email: string
    organizations: Array<OwnOrganization>
    /** Up to 100 valid invitations, newest first. */
    invitations: Array<ReceivedInvitation>
  }
}

export type StaffMember = {
  id: string
  type: "staff_member"
  attributes: {
    name: string
    email: string
    role: "viewer" | "support" | "compliance" | "admin"
    /** The role has no effect while the account has no second factor. */
    has_factor: boolean
    /** Real time. */
    disabled_at: string | null
  }
}

export type StaffRole = {
  role: "viewer" | "support" | "compliance" | "admin"
}

export type Status = {
  status: "ok" | "degraded" | "down"
  checked_at: string
  components: Array<{
    name: "api" | "database" | "workers" | "ledger" | "deliveries"
    /** `unknown`: the state can be read only from the database, which cannot be reached. */
    status: "ok" | "degraded" | "down" | "unknown"
    /** Since when the server that responds has seen this state; at the earliest, when it started. */
    since: string
    lag_seconds: {
      live: number
      test: number
    } | null
  }>
}

export type StopPreview = {
  data: {
    id: string
    type: "stop_preview"
    attributes: {
      apps: Array<string>
      test: StoppedInMode
      live: StoppedInMode
      /** Open event streams in the API process that handled this request; other processes are not counted. */
      streams: number
    }
  }
}

export type StoppedInMode = {
  tokens: {
    access: number
    refresh: number
  }
  installations: number
  endpoints: number
  /** Queued deliveries; at most 10,000 are counted. */
  deliveries: number
}

export type SyncInspection = {
  installation_id: string
  mode: "test" | "live"
  /** UTC, with microseconds, in the time of the world. */
  now: string
  /** Changes up to this time are published. Later pages contain the changes after it. */
  published_through: string
  /** Null without a cursor, or if the cursor cannot be opened here. */
  cursor: {
    /** list: a place within a listing. sync: a place in the ledger; changes follow it. */
    kind: "list" | "sync"
    /** The reader has seen everything up to this time. */
    as_of: string
    age_seconds: number
    /** From this world time on the cursor gets 410. */
    expires_at: string
  } | null
  /** Null if the API accepts the request. */
  rejection: {
    /** malformed: not from this list, or changed. other_mode: from the other mode. other_list: from GET /companies/{id}/investments/changes. other_reader: made for a token that sees other records, such as another company’s or user’s. identities_added: made for a token without identity fields, which the installation sees. too_old: older than 90 days. access_changed: the user became or ceased to be an editor of a company. */
    reason: "malformed" | "other_reader" | "identities_added" | "too_old" | "access_changed" | "other_mode" | "other_list"
    /** The HTTP status of the API’s response. */
    status: number
    /** The type of the API’s error. */
    type: string
    message: string
    remediation: string | null
  } | null
  /** The changes after a sync cursor that concern this installation. At most 1000 are counted; complete is false if there are more. Null without a sync cursor, if the cursor is rejected, and for a user’s own connection. */
  waiting: {
    changes: number
    complete: boolean
  } | null
  /** The page that the token gets now. Null if it gets an error, and for a user’s own connection. */
  page: {
    data: Array<Investment>
    meta: {
      /** bootstrap: a listing. delta: changes. */
      mode: "bootstrap" | "delta"
      /** Whether another page exists. Read the next page while this is true, even after an empty page. */
      has_more: boolean
      /** Records in this page. */
      page_count: number
      /** Always present. Store the cursor of the last page, and sync from it. */
      next_cursor: string
      /** UTC, with microseconds, in the time of the world. */
      published_through?: string
    }
  } | null
}

export type Syndicate = {
  id: string
  type: "syndicate"
  attributes: {
    name: string
    slug: string
    tagline: string | null
    description: string | null
    avatar_url: string | null
    published: boolean
    launched: boolean
    membership_open: boolean
    /** Null: the syndicate invests deal by deal. */
    syndicate_type: "annual_subscription" | "traditional_fund" | null
    auto_accept_accredited_members: boolean
    /** Whether members must invest through the fund. */
    fund_required: boolean
    annual_subscription?: {
      /** ISO 4217, in lower case. */
      currency: string
      /** In minor units of the currency. */
      fund_investment_amount_cents: number | null
      deals_per_year: number | null
      /** In minor units of the currency. */
      amount_per_deal_cents: number | null
    }
    traditional_fund?: {
      /** ISO 4217, in lower case. */
      currency: string
      require_minimum_investment: boolean
      /** In minor units of the currency. */
      minimum_investment_amount_cents: number | null
    }
    member_count: number
    /** The number of deals that are open or closing. */
    deal_count: number
    primary_fund_company: string | null
    created_by: string | null
    /** In UTC, in the world’s time. */
    created_at: string
    /** In UTC, in the world’s time. */
    updated_at: string
  }
}

export type SyndicateChanges = {
  syndicate: {
    name?: string
    tagline?: string | null
    description?: string | null
  }
}

export type SyndicateDeal = {
  id: string
  type: "syndicate_deal"
  attributes: {
    /** The company’s name if the offering has no name of its own. */
    name: string
    /** `open`: the offering accepts investments, or reservations if it tests the waters. `closing`: it accepts no more investments, and the funds are not disbursed yet. */
    status: "upcoming" | "open" | "closing" | "closed" | "canceled"
    /** True: people can only reserve an amount in this offering, and not invest. */
    testing_the_waters: boolean
    company: string
    company_name: string
    /** The last part of the URL of the company’s page. */
    company_url: string | null
    company_logo_url: string | null
    /** ISO 4217, in lower case. */
    currency: string
    /** The amount raised in this offering only, or reserved if it tests the waters. In minor units of the currency. */
    amount_raised_cents: number
    /** The number of people who invested, members or not, each counted once. */
    investor_count: number
    /** The funding target. In minor units of the currency. */
    funding_target_cents: number | null
    /** The exemption under which the offering is sold. */
    exemption: "reg_cf" | "reg_d_506b" | "reg_d_506c" | "reg_a" | "reg_s" | "ecsp"
    security: {
      /** Null while the security is undecided, and for an offering that tests the waters: see intended_security. */
      type: string | null
      label?: string
      terms: SecurityTerms
    }
    /** The minimum investment. In minor units of the currency. */
    min_investment_cents: number | null
    /** The maximum investment. In minor units of the currency. */
    max_investment_cents: number | null
    description: string | null
    created_at: string
    updated_at: string
    closed_at: string | null
    /** Null while the offering is upcoming. */
    funding_started_at: string | null
    investor_breakdown?: DealInvestorBreakdown
  }
}

export type SyndicateMember = {
  id: string
  type: "syndicate_member"
  attributes: {
    /** Null for an invitation to an address that no user has. */
    user: string | null
    /** Null for a deactivated person, and for an invited address without a known name. */
    user_name: string | null
    /** The person’s email address, or the invited address. Null for a deactivated person. */
    user_email: string | null
    role: "creator" | "manager" | "member" | "invitee" | "applicant" | "approved" | "payment_failed" | "exiled" | "resigned" | "removed" | "declined" | "withdrawn"
    /** The state of the membership, as in events. Null for an invitation, which is not a membership. */
    status: "pending" | "approved" | "member" | "left" | "removed" | "payment_failed" | "declined" | "withdrawn" | null
    /** For an invitation: the role that it names. */
    invite_role: "admin" | "operator" | null
    /** The permission of a manager, or the permission that an invitation names. Null for other people. */
    syndicate_permission: "full_access" | "operator" | null
    title: string | null
    sort_order: number | null
    carry_percentage_override: number | null
    carry_discount_percentage: number | null
    management_fee_discount_percentage: number | null
    public_on_syndicate_profile: boolean
    interests: Array<string>
    stage_preferences: Array<string>
    looking_for: Array<string>
    linkedin_url: string | null
    twitter_url: string | null
    website: string | null
    /** City, state and country are left out if the person hides their location. */
    city?: string | null
    /** City, state and country are left out if the person hides their location. */
    state?: string | null
    /** City, state and country are left out if the person hides their location. */
    country?: string | null
    avatar_url: string | null
    /** The member’s own description: bio, otherwise thesis, otherwise about. */
    bio: string | null
    /** In UTC, in the world’s time. */
    last_activity_at: string | null
    /** A path on the platform’s own site. */
    profile_url: string | null
    /** What the member can help with. */
    tags: Array<string>
    /** In UTC, in the world’s time. */
    joined_at: string
    /** The sum of the member’s investments in the syndicate’s selected deals (for each company, the deal that opened last), in minor units. Only investments in the currency of most selected deals count. Null for an invitation. */
    investment_total_cents: number | null
    /** The currency of investment_total_cents. */
    currency: string | null
    /** The number of selected deals in which the member invested. Null for an invitation. */
    deal_count: number | null
    accredited: boolean
    legal_name: string | null
    /** Always false: stars exist only on the platform’s own site. */
    starred: boolean
    private_tags: Array<string>
    /** In UTC, in the world’s time. */
    created_at: string
    /** In UTC, in the world’s time. */
    updated_at: string
  }
}

export type SyndicateMemberChanges = {
  member: {
    title?: string | null
    carry_percentage_override?: number | null
  }
}

export type SyndicateMemberOrder = {
  id: string
  type: "syndicate_member_order"
  attributes: {
    member_ids: Array<string>
  }
}

export type SyndicatePortfolioPosition = {
  id: string
  type: "syndicate_portfolio_position"
  attributes: {
    offering_id: string
    company: PortfolioCompany
    asset_type: "company" | "fund"
    /** The kind of security, without its terms. Null if the kind was not reported. */
    security: {
      type: string
      label: string
    } | null
    /** `sold`: all stakes were sold to other holders. `exited`, `failed`: the stakes ended in an exit or a failure. */
    status: "active" | "exited" | "sold" | "failed"
    /** Only for exited and failed positions, if the reason is known. */
    exit_reason?: "ipo" | "acquisition" | "buyback" | "failed" | "winding_down"
    /** When the first investment was committed. */
    invested_at: string
    /** ISO 4217, in lower case. */
    currency: string
    /** The amount paid, also for ended positions. In cents. */
    cost_basis_cents: number
    /** The value of the stakes that are still held: an estimate, or the amount paid if there is no newer valuation. In cents. */
    current_value_cents: number
    /** The gain on stakes that are still held. Negative for a loss. In cents. */
    unrealized_gain_cents: number
    /** The gain on stakes that were sold or have ended. Negative for a loss. In cents. */
    realized_gain_cents: number
    /** Current value plus proceeds, divided by the amount paid. Null if nothing was paid. A decimal in a string. */
    return_multiple: string | null
    /** The number of shares still held. Null if a stake has no shares, or is valued by a multiple of the amount paid. A decimal in a string. */
    shares_held: string | null
    /** Null if no stake is held, if a held stake has no price, or if the prices differ. A decimal in a string. */
    current_share_price: string | null
    /** The number of people who hold or held a stake, each counted once. */
    investor_count: number
    /** One part for each price paid and early-bird status. */
    securities: Array<SyndicatePortfolioSecurity>
    /** The companies that the fund holds. Empty if `asset_type` is `company`. */
    holdings: Array<PortfolioHolding>
    /** When the amounts were computed, in world time. */
    as_of: string
  }
}

export type SyndicatePortfolioSecurity = {
  /** The kind of security, without its terms. Null if the kind was not reported. */
  security: {
    type: string
    label: string
  } | null
  /** Bought on early-bird terms. */
  early_bird: boolean
  terms: {
    /** The price of one share. A decimal in a string. */
    share_price: string | null
    /** The cap of a SAFE or a note. In cents. */
    note_cap_cents: number | null
    /** The discount of a SAFE or a note, in per cent. A decimal in a string. */
    note_discount: string | null
    /** The pre-money valuation. In cents. */
    premoney_valuation_cents: number | null
  }
  /** The amount paid, also for ended positions. In cents. */
  cost_basis_cents: number
  /** The value of the stakes that are still held: an estimate, or the amount paid if there is no newer valuation. In cents. */
  current_value_cents: number
  /** The gain on stakes that are still held. Negative for a loss. In cents. */
  unrealized_gain_cents: number
  /** The gain on stakes that were sold or have ended. Negative for a loss. In cents. */
  realized_gain_cents: number
  /** The number of shares still held. Null if a stake has no shares, or is valued by a multiple of the amount paid. A decimal in a string. */
  shares_held: string | null
  /** Null if no stake is held, if a held stake has no price, or if the prices differ. A decimal in a string. */
  current_share_price: string | null
  invested_at: string
  /** The number of people who hold or held a stake, each counted once. */
  investor_count: number
}

export type SyndicatePortfolioSummary = {
  type: "syndicate_portfolio_summary"
  attributes: {
    /** ISO 4217, in lower case. */
    currency: string
    /** The amount paid, also for ended positions. In cents. */
    total_cost_basis_cents: number
    /** The value of the stakes that are still held: an estimate, or the amount paid if there is no newer valuation. In cents. */
    total_current_value_cents: number
    /** The gain on stakes that are still held. Negative for a loss. In cents. */
    total_unrealized_gain_cents: number
    /** The gain on stakes that were sold or have ended. Negative for a loss. In cents. */
    total_realized_gain_cents: number
    /** Current value plus proceeds, divided by the amount paid. Null if nothing was paid. A decimal in a string. */
    return_multiple: string | null
    /** The totals in each currency. The first entry repeats the totals of the fields above. */
    by_currency: Array<{
      /** ISO 4217, in lower case. */
      currency: string
      /** The amount paid, also for ended positions. In cents. */
      total_cost_basis_cents: number
      /** The value of the stakes that are still held: an estimate, or the amount paid if there is no newer valuation. In cents. */
      total_current_value_cents: number
      /** The gain on stakes that are still held. Negative for a loss. In cents. */
      total_unrealized_gain_cents: number
      /** The gain on stakes that were sold or have ended. Negative for a loss. In cents. */
      total_realized_gain_cents: number
      /** Current value plus proceeds, divided by the amount paid. Null if nothing was paid. A decimal in a string. */
      return_multiple: string | null
    }>
    deal_counts: PortfolioPositionCounts
    investor_count: number
    /** When the amounts were computed, in world time. Null if there is no position. */
    as_of: string | null
  }
}

export type SyndicateStatistics = {
  id: string
  type: "syndicate_statistics"
  attributes: {
    /** The number of current members, without hidden and deactivated members. */
    total_members: number
    /** The roles of GET …/members. A role without members is absent. */
    members_by_role: Record<string, number>
    /** All deals that the syndicate runs or ran. */
    total_deals: number
    /** The deals that GET …/deals lists. */
    live_deals: number
    /** ISO 4217, in lower case. */
    currency: string
    /** The amount raised in this currency by the selected deals: for each company, the deal that opened last. Deals that test the waters are never selected. In minor units of the currency. */
    total_raised_cents: number
    /** The sums in each currency. The first entry repeats `currency` and `total_raised_cents`. */
    raised_by_currency: Array<{
      /** ISO 4217, in lower case. */
      currency: string
      /** The sum in this currency. In minor units of the currency. */
      total_raised_cents: number
    }>
    /** The number of investors in the selected deals of all currencies, each counted once. */
    total_investors: number
    /** The number of events about members, invitations and sessions in the last 30 days. */
    recent_activity_count: number
  }
}

export type Tag = {
  type: string
  label: string
}

export type TeamInvitation = {
  id: string
  type: "invitation"
  attributes: {
    email: string
    role: "owner" | "admin" | "developer"
    /** Real time, UTC, with microseconds. */
    invited_at: string
    /** Real time, UTC, with microseconds. */
    expires_at: string
  }
}

export type TokenRequest = {
  grant_type: "authorization_code" | "refresh_token" | "client_credentials"
  /** The key’s id. Leave it out with HTTP Basic. */
  client_id?: string
  /** The secret of a confidential key. Leave it out with HTTP Basic, and with a public key. */
  client_secret?: string
  /** authorization_code: the code. */
  code?: string
  /** authorization_code: the `redirect_uri` of the authorize URL. */
  redirect_uri?: string
  /** authorization_code: the verifier whose SHA-256 is code_challenge. */
  code_verifier?: string
  /** refresh_token: the newest refresh token. */
  refresh_token?: string
  /** Space-separated. client_credentials: the scopes you want; refresh_token: a subset of the granted scopes. */
  scope?: string
}

export type TokenResponse = {
  access_token: string
  token_type: "Bearer"
  /** Seconds. */
  expires_in: number
  /** The granted scopes, space-separated. */
  scope: string
  /** Only in the user flow. Replaces the previous refresh token. */
  refresh_token?: string
  /** Unix time, in seconds. */
  created_at: number
}

export type UsageConditions = {
  /** A date, such as `2026-11-01`. */
  id: string
  type: "usage_conditions"
  attributes: {
    /** The address of the page with this version, on this host. */
    url: string
    /** Whether new apps accept this version. */
    in_force: boolean
    /** Null for a version that is part of a release. */
    published_at: string | null
    /** The account or the operator key that published the version. */
    published_by: string | null
    /** How many apps accepted this version, now or earlier. */
    apps: number
  }
}

export type User = {
  id: string
  type: "user"
  /** Absent unless the token holds read:profile. */
  attributes?: {
    email: string
    /** Absent if the user has none. */
    username?: string
    /** The first name if it is known, otherwise the whole name. */
    name: string
    full_name: string
    bio: string | null
    city: string | null
    state: string | null
    country: string | null
    avatar_url: string | null
    /** UTC, in world time. */
    created_at: string
    /** When the person last certified that they may invest. */
    certified_at: string | null
  }
}

export type WantedScopes = {
  add?: Array<string>
  remove?: Array<string>
}

export type WebhookDelivery = {
  id: string
  type: "webhook_delivery"
  attributes: {
    event: string | null
    event_id: string
    installation_id: string | null
    status: "pending" | "delivered" | "exhausted" | "canceled"
    /** Why the delivery was canceled. */
    reason: string | null
    api_version: string
    attempt_count: number
    last_attempt: {
      /** UTC, in the time of the endpoint’s world. */
      at: string
      response_code: number | null
      /** timeout, blocked_url, tls_error or connection_failed; internal if an error of this service prevented the attempt; null if the endpoint responded. */
      error: string | null
      duration_ms: number
      /** The first 1 KiB of the response body. */
      response: string | null
    } | null
    /** Null once the delivery has ended, and while the endpoint is disabled. */
    next_attempt_at: string | null
    /** UTC, in the time of the endpoint’s world. */
    created_at: string
    /** UTC, in the time of the endpoint’s world. */
    ended_at: string | null
    /** The original delivery that this delivery repeats. */
    redelivery_of: string | null
  }
}

export type WebhookDeliveryEnvelope = {
  data: WebhookDeliveryWithAttempts
  meta: {
    request_id: string
  }
}

export type WebhookDeliveryWithAttempts = {
  id: string
  type: "webhook_delivery"
  attributes: {
    event: string | null
    event_id: string
    installation_id: string | null
    status: "pending" | "delivered" | "exhausted" | "canceled"
    /** Why the delivery was canceled. */
    reason: string | null
    api_version: string
    attempt_count: number
    last_attempt: {
      /** UTC, in the time of the endpoint’s world. */
      at: string
      response_code: number | null
      /** timeout, blocked_url, tls_error or connection_failed; internal if an error of this service prevented the attempt; null if the endpoint responded. */
      error: string | null
      duration_ms: number
      /** The first 1 KiB of the response body. */
      response: string | null
    } | null
    /** Null once the delivery has ended, and while the endpoint is disabled. */
    next_attempt_at: string | null
    /** UTC, in the time of the endpoint’s world. */
    created_at: string
    /** UTC, in the time of the endpoint’s world. */
    ended_at: string | null
    /** The original delivery that this delivery repeats. */
    redelivery_of: string | null
    attempts: Array<{
      /** UTC, in the time of the endpoint’s world. */
      at: string
      response_code: number | null
      /** timeout, blocked_url, tls_error or connection_failed; internal if an error of this service prevented the attempt; null if the endpoint responded. */
      error: string | null
      duration_ms: number
      /** The first 1 KiB of the response body. */
      response: string | null
    }>
  }
}

export type WebhookDeliveryWithPayload = {
  id: string
  type: "webhook_delivery"
  attributes: {
    event: string | null
    event_id: string
    installation_id: string | null
    status: "pending" | "delivered" | "exhausted" | "canceled"
    /** Why the delivery was canceled. */
    reason: string | null
    api_version: string
    attempt_count: number
    last_attempt: {
      /** UTC, in the time of the endpoint’s world. */
      at: string
      response_code: number | null
      /** timeout, blocked_url, tls_error or connection_failed; internal if an error of this service prevented the attempt; null if the endpoint responded. */
      error: string | null
      duration_ms: number
      /** The first 1 KiB of the response body. */
      response: string | null
    } | null
    /** Null once the delivery has ended, and while the endpoint is disabled. */
    next_attempt_at: string | null
    /** UTC, in the time of the endpoint’s world. */
    created_at: string
    /** UTC, in the time of the endpoint’s world. */
    ended_at: string | null
    /** The original delivery that this delivery repeats. */
    redelivery_of: string | null
    attempts: Array<{
      /** UTC, in the time of the endpoint’s world. */
      at: string
      response_code: number | null
      /** timeout, blocked_url, tls_error or connection_failed; internal if an error of this service prevented the attempt; null if the endpoint responded. */
      error: string | null
      duration_ms: number
      /** The first 1 KiB of the response body. */
      response: string | null
    }>
    /** The body that the endpoint would receive now; no body is stored. Null if nothing would be sent now: for example, the installation lost the scope or was revoked, the endpoint is not subscribed to the event any more, or the event was deleted. Also null for a server key if the delivery is for a user’s own connection. */
    payload: Record<string, unknown> | null
  }
}

export type WebhookDeliveryWithPayloadEnvelope = {
  data: WebhookDeliveryWithPayload
  meta: {
    request_id: string
  }
}

export type WebhookEndpoint = {
  id: string
  type: "webhook_endpoint"
  attributes: {
    url: string
    mode: "test" | "live"
    /** The subscriptions as a request set them, without repeats. A wildcard stays a wildcard. */
    events: Array<"investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed" | "*" | "investment.*" | "offering.*" | "investment_session.*" | "syndicate_member.*" | "join_session.*" | "installation.*" | "referral_cohorts.*" | "intent.*">
    /** The installation that the endpoint is bound to; null for the whole app. */
    installation_id: string | null
    /** While false, no event is sent: deliveries wait until the endpoint is enabled again (see reenable). Tests are still sent. After `installation_revoked` the endpoint can be neither enabled nor tested. */
    enabled: boolean
    /** Null while the endpoint is enabled. */
    disabled_reason: "failing" | "gone" | "installation_revoked" | null
    /** Only in the responses of creation and rotation. */
    secret?: string
    /** The first failure since the last success. */
    failing_since: string | null
    /** UTC, in the time of the endpoint’s world. */
    last_delivery_at: string | null
    /** The status of the response, such as "200", or timeout, blocked_url, tls_error or connection_failed. */
    last_delivery_status: string | null
    /** UTC, in the time of the endpoint’s world. */
    created_at: string
  }
}

export type WebhookEndpointChange = {
  /** https, to a public address. In the test mode of a local server also http to the server’s own machine. */
  url?: string
  /** The whole list. A wildcard (`*`, `investment.*`) covers every event of the catalogue or group that can arrive at the endpoint. */
  events?: Array<"investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed" | "*" | "investment.*" | "offering.*" | "investment_session.*" | "syndicate_member.*" | "join_session.*" | "installation.*" | "referral_cohorts.*" | "intent.*">
}

export type WebhookEndpointEnvelope = {
  data: WebhookEndpoint
  meta: {
    request_id: string
  }
}

export type WebhookEndpointHealth = {
  /** How many of the newest 1,000 ended deliveries were delivered or exhausted; canceled ones are not counted. */
  recent: number
  /** How many of these were delivered. */
  delivered: number
  /** delivered divided by recent, from 0 to 1; null while recent is 0. */
  success_rate: number | null
  /** UTC, in the time of the endpoint’s world. */
  last_success_at: string | null
  /** The last attempt that failed, also of a delivery that succeeded later. */
  last_failure_at: string | null
  /** How many deliveries are pending; at most 10,000 are counted. */
  waiting: number
}

export type WebhookReplay = {
  type: "webhook_replay"
  /** How many deliveries will be sent again. */
  queued: number
  /** If there are more deliveries, the `since` of the next request; otherwise null. */
  continue_since: string | null
}

export type WebhookReplayEnvelope = {
  data: WebhookReplay
  meta: {
    request_id: string
  }
}

export type WebhookReplayRequest = {
  /** Deliveries created at this time or later, in the time of the endpoint’s world (`created_at`). */
  since: string
  /** Deliveries created before this time. If left out, until now. */
  until?: string
  /** True: only deliveries that were not delivered, not even by a redelivery. */
  only_failed?: boolean
}

export type WebhookTest = {
  type: "webhook_test"
  /** Whether the response was 2xx. */
  delivered: boolean
  response_code: number | null
  /** Null if there was a response. */
  error: "timeout" | "blocked_url" | "tls_error" | "connection_failed" | null
  duration_ms: number
  event: "investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed"
  /** The body that was sent. */
  payload: Record<string, unknown>
}

export type WebhookTestEnvelope = {
  data: WebhookTest
  meta: {
    request_id: string
    /** Only for endpoints of the whole app: what the test does not check. */
    note?: string
  }
}

export type WebhookTestRequest = {
  /** An event that the endpoint is subscribed to. If left out, the first that it can receive. */
  event?: "investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed"
}

export type WorkQueue = {
  id: string
  type: "queue"
  attributes: {
    /** What waits: investment changes for the ledger’s publisher, events for fan-out, events that fan-out deferred, entries for their position in event streams, webhook deliveries, approved intents, mails of invitations, other mails, notices to teams, and audit entries for the chain. */
    queue: "changes" | "events" | "deferred_events" | "stream_entries" | "deliveries" | "intents" | "invitations" | "mails" | "notices" | "audit"
    /** Null for a queue that both modes share. */
    mode: "test" | "live" | null
    /** Counted up to 10,000. */
    waiting: number
    /** How long the oldest entry has waited. Deliveries and mails that wait for a retry do not count. */
    oldest_seconds: number
    /** Entries that were put aside after failures; for deliveries, the failing endpoints. Null if the queue puts nothing aside. */
    set_aside: number | null
  }
}

/** What each operation takes and returns, by method and path. */
export interface Operations {
  /** Get the OAuth server metadata */
  "GET /.well-known/oauth-authorization-server": {
    response: AuthorizationServerMetadata
  }
  /** List app activity */
  "GET /activity": {
    query?: {
      /** Only entries of this app. The integer id of older versions also works. */
      app_id?: string
      /** An action by its name, or `syndicates.*` for everything below `syndicates`. */
      action_pattern?: string
      /** Needs resource_id too. */
      resource_type?: "company" | "offering" | "investment" | "user" | "syndicate" | "membership" | "join_session" | "installation" | "event" | "webhook_endpoint" | "delivery" | "intent" | "investment_session" | "invite_link" | "referral_code" | "app" | "organization" | "request" | "comment" | "update" | "raise" | "account" | "operator_key" | "organization_invitation" | "activity_entry" | "notice" | "join_theme" | "Company" | "Club"
      /** Needs resource_type too. */
      resource_id?: string
      /** The outcome. */
      status?: "success" | "failure" | "denied"
      /** At this time or later, in world time. */
      since?: string
      /** Before this time, in world time. */
      until?: string
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<AuditEvent>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }

  /** List campaigns */
  "GET /campaigns": {
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<Campaign>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** List company fundraises */
  "GET /companies/{company_id}/fundraises": {
    path: {
      company_id: string
    }
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<Fundraise>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** List company investment changes */
  "GET /companies/{company_id}/investments/changes": {
    path: {
      company_id: string
    }
    query?: {
      /** A time in ISO 8601; without a zone it is UTC. Syncs from 60 seconds before that time. Ignored if there is a cursor. */
      updated_since?: string
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<Investment>
      meta: {
        /** bootstrap: a listing. delta: changes. */
        mode: "bootstrap" | "delta"
        /** Whether another page exists. Read the next page while this is true, even after an empty page. */
        has_more: boolean
        /** Records in this page. */
        page_count: number
        /** Always present. Store the cursor of the last page, and sync from it. */
        next_cursor: string
        /** UTC, with microseconds, in the time of the world. */
        published_through?: string
        company_id: string
      }
    }
  }
  /** List company investors */
  "GET /companies/{company_id}/investors": {
    path: {
      company_id: string
    }
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<Investor>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Get a company */
  "GET /companies/{id}": {
    path: {
      id: string
    }
    response: {
      data: Company
      meta: {
        /** When the data was read, in world time. Show this time next to figures. It does not change the ETag. */
        fetched_at: string
      }
    }
  }
  /** Get a company’s disclosures */
  "GET /companies/{id}/disclosures": {
    path: {
      id: string
    }
    query?: {
      /** Only these sections, separated by commas or in repeated parameters. All sections if omitted. */
      sections?: Array<"business" | "financial_statements" | "ratios" | "current_position" | "financial_condition" | "financial_statement_documents" | "investment_documents" | "risks" | "use_of_funds" | "directors" | "officers" | "voting_power" | "capital_structure" | "prior_offerings" | "outstanding_notes" | "outstanding_debts" | "related_parties">
    }
    response: {
      data: CompanyDisclosures
      meta: {
        /** When the data was read, in world time. Show this time next to figures. It does not change the ETag. */
        fetched_at: string
      }
    }
  }
  /** Get a company’s pitch */
  "GET /companies/{id}/pitch": {
    path: {
      id: string
    }
    query?: {
      /** Only these sections, separated by commas or in repeated parameters. All sections if omitted. */
      sections?: Array<"story" | "perks">
    }
    response: {
      data: CompanyPitch
      meta: {
        /** When the data was read, in world time. Show this time next to figures. It does not change the ETag. */
        fetched_at: string
      }
    }
  }
  /** List a company’s questions */
  "GET /companies/{id}/questions": {
    path: {
      id: string
    }
    query?: {
      /** `relevance` (the default): highlighted, then answered by the team, then most liked. `recent`: newest. `upvoted`: most liked. `unanswered`: without a reply first. */
      sort?: "relevance" | "recent" | "upvoted" | "unanswered"
      /** True: questions of all raises, not only those that were asked since the current raise opened. */
      past_raises?: boolean
      /** Full-text search, at most 200 bytes; `"a phrase"` and `-word` work. The best match comes first, and `sort` is ignored. */
      q?: string
      /** True: only questions that the team has not answered. */
      unanswered_by_team?: boolean
      /** The maximum number of rows in the page, 20 by default. A number above 50 counts as 50, and zero or less as 20. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<CompanyQuestion>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        company: string
        /** The sort that was used; `search` if q was given. */
        sort: "relevance" | "recent" | "upvoted" | "unanswered" | "search"
        q: string | null
        unanswered_by_team: boolean
        past_raises: boolean
        /** The day on which the current raise opened; null with past_raises and while no raise is open. */
        questions_since: string | null
        /** The number of questions on all pages. */
        total: number
      }
    }
  }
  /** List a company’s updates */
  "GET /companies/{id}/updates": {
    path: {
      id: string
    }
    query?: {
      /** The maximum number of rows in the page, 20 by default. A number above 50 counts as 50, and zero or less as 20. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<CompanyUpdate>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        company: string
      }
    }
  }
  /** Get a company update */
  "GET /companies/{id}/updates/{update_id}": {
    path: {
      id: string
      update_id: string
    }
    response: {
      data: CompanyUpdate
    }
  }
  /** Search companies by name */
  "GET /companies/search": {
    query: {
      /** A name or the start of one; a few typing errors are tolerated. At most 200 characters and 500 bytes. */
      q: string
      /** Only in versions before 2026-11-01, instead of per_page: 1 to 20, 8 by default. */
      limit?: string
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<CompanySearchResult>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        query: string
        count: number
      }
    }
  }
  /** List connected apps */
  "GET /connected-apps": {
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<ConnectedApp>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Disconnect an app */
  "DELETE /connected-apps/{id}": {
    path: {
      /** The app’s id. The integer id of older API versions is accepted too. */
      id: string
    }
    response: ConnectedAppRevocation
  }
  /** List events */
  "GET /events": {
    query?: {
      /** Events with these names, wildcards included (`investment.*`). If left out, all events. */
      types?: Array<"investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed" | "*" | "investment.*" | "offering.*" | "investment_session.*" | "syndicate_member.*" | "join_session.*" | "installation.*" | "referral_cohorts.*" | "intent.*">
      /** Events of this installation. */
      installation_id?: string
      /** Events about this company, syndicate, offering, investment, membership, session or installation. Not about a user. */
      subject_id?: string
      /** Events created at this time or later, in the time of their world (`created_at`). */
      since?: string
      /** Events created before this time. */
      until?: string
      /** Which events come first. If left out, the newest. */
      order?: "newest" | "oldest"
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<Event>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        request_id: string
      }
    }
  }
  /** Get an event */
  "GET /events/{id}": {
    path: {
      id: string
    }
    query?: {
      /** Events of this installation. */
      installation_id?: string
    }
    response: EventEnvelope
  }

  /** List open offerings */
  "GET /explore": {
    query?: {
      /** Most raised first (the default), earliest close, latest launch, or most investors first. */
      sort?: "most_raised" | "closing_soon" | "newest" | "most_investors"
      /** Only offerings sold under this exemption; `reg_d` includes reg_d_506b and reg_d_506c. */
      exemption?: "reg_cf" | "reg_d"
      /** Only offerings with this attributes.security.type. */
      security?: "safe" | "equity" | "convertible_note" | "revenue_share" | "debt" | "fund" | "other"
      /** False: rounds that accept investments. True: rounds that accept reservations. */
      testing_the_waters?: boolean
      /** The minimum investment is at most this, in whole units of its currency. */
      max_min_investment?: number
      /** The offering closes on this day (UTC) or before. Offerings without a closing date are left out. */
      closing_before?: string
      /** The amount raised is at least this, in whole units of its currency. */
      min_amount_raised?: number
      /** The company has one of these industries. */
      industry?: Array<"ar_and_vr" | "agriculture_and_agtech" | "artificial_intelligence" | "biotech" | "blockchain_and_web3" | "edtech" | "energy" | "fintech_and_finance" | "food_tech" | "games" | "health_and_fitness" | "healthcare" | "manufacturing" | "mobile_apps" | "robotics" | "science_and_r_and_d" | "transportation" | "travel_and_tourism" | "bars_and_clubs" | "brewery" | "cafe_and_food_truck" | "events_and_festivals" | "education" | "distillery_and_vineyards" | "fashion" | "film" | "media" | "music" | "restaurant" | "sports" | "real_estate" | "pets" | "recreation" | "infrastructure_and_construction" | "childcare" | "sustainability" | "sports_tech" | "home_tech" | "devtools" | "clean_tech" | "beauty" | "entertainment" | "technology" | "brick_and_mortar" | "food_and_beverage" | "climate_change" | "alcohol_and_vice" | "consumer_goods" | "hardware" | "moonshots">
      /** The company has one of these business models. */
      business_model?: Array<"b2b" | "b2c" | "subscription" | "saas" | "service" | "marketplace" | "ecommerce" | "retail">
      /** True: only companies that the user follows. False: only the others. Only in the user’s own view (read:explore). */
      followed?: boolean
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<Offering>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        total_count: number
        /** The order applied. */
        sort: "most_raised" | "closing_soon" | "newest" | "most_investors"
        /** The filters applied. */
        filters: {
          /** Only offerings sold under this exemption; `reg_d` includes reg_d_506b and reg_d_506c. */
          exemption?: "reg_cf" | "reg_d"
          /** Only offerings with this attributes.security.type. */
          security?: "safe" | "equity" | "convertible_note" | "revenue_share" | "debt" | "fund" | "other"
          /** False: rounds that accept investments. True: rounds that accept reservations. */
          testing_the_waters?: boolean
          /** The minimum investment is at most this, in whole units of its currency. */
          max_min_investment?: number
          /** The offering closes on this day (UTC) or before. Offerings without a closing date are left out. */
          closing_before?: string
          /** The amount raised is at least this, in whole units of its currency. */
          min_amount_raised?: number
          /** The company has one of these industries. */
          industry?: Array<"ar_and_vr" | "agriculture_and_agtech" | "artificial_intelligence" | "biotech" | "blockchain_and_web3" | "edtech" | "energy" | "fintech_and_finance" | "food_tech" | "games" | "health_and_fitness" | "healthcare" | "manufacturing" | "mobile_apps" | "robotics" | "science_and_r_and_d" | "transportation" | "travel_and_tourism" | "bars_and_clubs" | "brewery" | "cafe_and_food_truck" | "events_and_festivals" | "education" | "distillery_and_vineyards" | "fashion" | "film" | "media" | "music" | "restaurant" | "sports" | "real_estate" | "pets" | "recreation" | "infrastructure_and_construction" | "childcare" | "sustainability" | "sports_tech" | "home_tech" | "devtools" | "clean_tech" | "beauty" | "entertainment" | "technology" | "brick_and_mortar" | "food_and_beverage" | "climate_change" | "alcohol_and_vice" | "consumer_goods" | "hardware" | "moonshots">
          /** The company has one of these business models. */
          business_model?: Array<"b2b" | "b2c" | "subscription" | "saas" | "service" | "marketplace" | "ecommerce" | "retail">
          /** True: only companies that the user follows. False: only the others. Only in the user’s own view (read:explore). */
          followed?: boolean
        }
        /** Only in the user’s own view (read:explore). */
        personalized?: true
        /** When the data was read, in world time. Show this time next to figures. It does not change the ETag. */
        fetched_at: string
      }
    }
  }
  /** Check liveness */
  "GET /healthz": {
    response: Alive
  }

  /** List installations */
  "GET /installations": {
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<Installation>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        /** The number of rows in this page, the same as page_count. */
        count: number
      }
    }
  }
  /** Create an installation */
  "POST /installations": {
    body: NewInstallation
    response: InstallationWithToken
  }
  /** Get an installation */
  "GET /installations/{id}": {
    path: {
      id: string
    }
    response: {
      data: Installation
    }
  }
  /** Revoke an installation */
  "DELETE /installations/{id}": {
    path: {
      id: string
    }
    response: {
      data: Installation
    }
  }
  /** Create an installation token */
  "POST /installations/{id}/tokens": {
    path: {
      id: string
    }
    body?: NewInstallationToken
    response: InstallationWithToken
  }
  /** List installable targets */
  "GET /installations/eligible": {
    query?: {
      target_type?: "company" | "syndicate"
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<EligibleTarget>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** List intents */
  "GET /intents": {
    query?: {
      /** Only intents in this status. */
      status?: "pending" | "approved" | "executed" | "rejected" | "expired" | "failed" | "executing"
      /** Only intents about this type of resource. `Club` is an older name of `syndicate`. */
      resource_type?: "syndicate" | "company" | "Company" | "Club"
      /** Only intents about this syndicate or company. */
      resource_id?: string
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<Intent>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Create an intent */
  "POST /intents": {
    body: {
      /** What is proposed. */
      action_name: "syndicates.close_deal" | "syndicates.finalize_deal" | "syndicates.publish" | "syndicates.remove_member" | "syndicates.delete_draft" | "comments.create"
      /** `syndicate`, or `company` for comments.create; the older `Club` and `Company` are understood. */
      resource_type: string
      /** `syn_…`, or `co_…` for comments.create. */
      resource_id: string
      /** `{fundraise_id}` for close_deal and finalize_deal, `{member_id}` for remove_member, nothing for publish and delete_draft, `{target_type, target, body, disclosure_key?}` for comments.create. */
      params?: Record<string, unknown>
      /** Repeating a proposal with its key returns the same intent, unless that intent was rejected, expired or failed. Another proposal with the key gets 409. */
      idempotency_key?: string
      /** The name of an agent, which the reviewer sees after the app’s name. One line. */
      requested_by_agent?: string
    }
    response: {
      data: Intent
    }
  }
  /** Get an intent */
  "GET /intents/{intent_id}": {
    path: {
      intent_id: string
    }
    response: {
      data: Intent
    }
  }

  /** Preview an intent */
  "POST /intents/preview": {
    body: {
      /** What is proposed. */
      action_name: "syndicates.close_deal" | "syndicates.finalize_deal" | "syndicates.publish" | "syndicates.remove_member" | "syndicates.delete_draft" | "comments.create"
      /** `syndicate`, or `company` for comments.create; the older `Club` and `Company` are understood. */
      resource_type: string
      /** `syn_…`, or `co_…` for comments.create. */
      resource_id: string
      /** `{fundraise_id}` for close_deal and finalize_deal, `{member_id}` for remove_member, nothing for publish and delete_draft, `{target_type, target, body, disclosure_key?}` for comments.create. */
      params?: Record<string, unknown>
    }
    response: {
      data: IntentPreview
    }
  }

  /** List investments */
  "GET /investments": {
    query?: {
      /** Only investments in this company. Repeat it with every request: a cursor contains no filter. */
      company_id?: string
      /** Only investments in this offering. On sync, a record that moved to another offering is sent once, as a tombstone. */
      offering_id?: string
      /** Only investments of this investor. */
      investor_id?: string
      /** Filters a listing. A sync with this filter gets 400. */
      status?: "active" | "reserved" | "executed" | "canceled" | "converted"
      /** A time in ISO 8601; without a zone it is UTC. Syncs from 60 seconds before that time. Ignored if there is a cursor. */
      updated_since?: string
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<Investment>
      meta: {
        /** bootstrap: a listing. delta: changes. */
        mode: "bootstrap" | "delta"
        /** Whether another page exists. Read the next page while this is true, even after an empty page. */
        has_more: boolean
        /** Records in this page. */
        page_count: number
        /** Always present. Store the cursor of the last page, and sync from it. */
        next_cursor: string
        /** UTC, with microseconds, in the time of the world. */
        published_through?: string
      }
    }
  }
  /** Get an investment */
  "GET /investments/{id}": {
    path: {
      id: string
    }
    response: {
      data: Investment
      meta: {
        source: "current"
        /** Whether lists and sync already show this state. */
        published_matches: boolean
        /** UTC, with microseconds, in the time of the world. */
        published_observed_at?: string
      }
    }
  }




  /** Introspect a token */
  "POST /oauth/introspect": {
    body: PresentedToken
    response: Introspection
  }
  /** Revoke a token */
  "POST /oauth/revoke": {
    body: PresentedToken
    response: RevocationAnswer
  }
  /** Create an access token */
  "POST /oauth/token": {
    body: TokenRequest
    response: TokenResponse
  }
  /** Get an offering */
  "GET /offerings/{id}": {
    path: {
      id: string
    }
    response: {
      data: Offering
      meta: {
        /** When the data was read, in world time. Show this time next to figures. It does not change the ETag. */
        fetched_at: string
      }
    }
  }
  /** Get offering statistics */
  "GET /offerings/{id}/stats": {
    path: {
      id: string
    }
    response: {
      data: {
        offering: string
        company: string
        currency: string
        by_status: {
          active?: {
            count: number
            committed_cents: number
            raised_cents: number
          }
          reserved?: {
            count: number
            committed_cents: number
            raised_cents: number
          }
          executed?: {
            count: number
            committed_cents: number
            raised_cents: number
          }
          canceled?: {
            count: number
            committed_cents: number
            raised_cents: number
          }
          converted?: {
            count: number
            committed_cents: number
            raised_cents: number
          }
        }
        total: {
          count: number
          committed_cents: number
          raised_cents: number
        }
      }
      meta: {
        source: "published"
        /** UTC, with microseconds, in the time of the world. */
        published_through: string
      }
    }
  }
  /** Get the OpenAPI document */
  "GET /openapi.json": {
    response: unknown
  }
  /** List investment sessions */
  "GET /partner/investment_sessions": {
    query?: {
      spv_id?: string
      status?: "pending" | "in_progress" | "completed" | "abandoned" | "expired" | "canceled"
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<InvestmentSession>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        request_id: string
      }
    }
  }
  /** Create an investment session */
  "POST /partner/investment_sessions": {
    body: NewInvestmentSessionBody
    response: {
      data: InvestmentSession
      meta: {
        request_id: string
      }
    }
  }
  /** Get an investment session */
  "GET /partner/investment_sessions/{session_id}": {
    path: {
      session_id: string
    }
    response: {
      data: InvestmentSessionWithEvents
      meta: {
        request_id: string
      }
    }
  }
  /** Cancel an investment session */
  "DELETE /partner/investment_sessions/{session_id}": {
    path: {
      session_id: string
    }
    response: {
      data: InvestmentSession
      meta: {
        request_id: string
      }
    }
  }
  /** Create an offering’s investment session */
  "POST /partner/spvs/{spv_id}/investment_sessions": {
    path: {
      spv_id: string
    }
    body: NewInvestmentSessionOfOfferingBody
    response: {
      data: InvestmentSession
      meta: {
        request_id: string
      }
    }
  }
  /** List invite links */
  "GET /partner/spvs/{spv_id}/invite_links": {
    path: {
      spv_id: string
    }
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<InviteLink>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        request_id: string
      }
    }
  }
  /** Create an invite link */
  "POST /partner/spvs/{spv_id}/invite_links": {
    path: {
      spv_id: string
    }
    body?: NewInviteLinkBody
    response: {
      data: InviteLink
      meta: {
        request_id: string
      }
    }
  }
  /** Get an invite link */
  "GET /partner/spvs/{spv_id}/invite_links/{invite_link_id}": {
    path: {
      spv_id: string
      invite_link_id: string
    }
    response: {
      data: InviteLinkWithEvents
      meta: {
        request_id: string
      }
    }
  }
  /** Update an invite link */
  "PATCH /partner/spvs/{spv_id}/invite_links/{invite_link_id}": {
    path: {
      spv_id: string
      invite_link_id: string
    }
    body: InviteLinkChangeBody
    response: {
      data: InviteLink
      meta: {
        request_id: string
      }
    }
  }
  /** Cancel an invite link */
  "DELETE /partner/spvs/{spv_id}/invite_links/{invite_link_id}": {
    path: {
      spv_id: string
      invite_link_id: string
    }
    response: {
      data: InviteLink
      meta: {
        request_id: string
      }
    }
  }
  /** Resend an invite link */
  "POST /partner/spvs/{spv_id}/invite_links/{invite_link_id}/resend": {
    path: {
      spv_id: string
      invite_link_id: string
    }
    response: {
      data: InviteLink
      meta: {
        request_id: string
      }
    }
  }
  /** Create invite links in bulk */
  "POST /partner/spvs/{spv_id}/invite_links/bulk": {
    path: {
      spv_id: string
    }
    body: NewInviteLinksBody
    response: InviteLinks
  }
  /** List or search accounts */
  "GET /platform/accounts": {
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
      /** Accounts whose email address or name starts with this text. An id of an account or of its user finds that account. The case of A to Z does not matter. */
      query?: string
    }
    response: {
      data: Array<Account>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Create an account */
  "POST /platform/accounts": {
    body: NewAccount
    response: AccountEnvelope
  }
  /** Get an account */
  "GET /platform/accounts/{id}": {
    path: {
      id: string
    }
    response: AccountEnvelope
  }
  /** Disable an account */
  "POST /platform/accounts/{id}/disable": {
    path: {
      id: string
    }
    response: AccountEnvelope
  }
  /** Enable an account */
  "POST /platform/accounts/{id}/enable": {
    path: {
      id: string
    }
    response: AccountEnvelope
  }
  /** Reset the factors of an account */
  "POST /platform/accounts/{id}/factors/reset": {
    path: {
      id: string
    }
    response: AccountEnvelope
  }
  /** Set a password for an account */
  "PUT /platform/accounts/{id}/password": {
    path: {
      id: string
    }
    body: AccountPassword
    response: AccountEnvelope
  }
  /** Issue a one-time password link */
  "POST /platform/accounts/{id}/password_link": {
    path: {
      id: string
    }
    response: AccountLinkEnvelope
  }
  /** List an account’s sign-in sessions */
  "GET /platform/accounts/{id}/sessions": {
    path: {
      id: string
    }
    response: SignInSessions
  }
  /** End a sign-in session */
  "DELETE /platform/accounts/{id}/sessions/{session_id}": {
    path: {
      id: string
      session_id: string
    }
    response: EndedSessions
  }
  /** End all sign-in sessions */
  "POST /platform/accounts/{id}/sessions/end": {
    path: {
      id: string
    }
    response: EndedSessions
  }
  /** Issue a one-time sign-in link */
  "POST /platform/accounts/{id}/sign_in_link": {
    path: {
      id: string
    }
    response: AccountLinkEnvelope
  }
  /** Set a staff role */
  "PUT /platform/accounts/{id}/staff_role": {
    path: {
      id: string
    }
    body: StaffRole
    response: AccountEnvelope
  }
  /** Revoke a staff role */
  "DELETE /platform/accounts/{id}/staff_role": {
    path: {
      id: string
    }
    response: AccountEnvelope
  }
  /** Unlock an account */
  "POST /platform/accounts/{id}/unlock": {
    path: {
      id: string
    }
    response: AccountEnvelope
  }
  /** Link an account to a user */
  "PUT /platform/accounts/{id}/users/{mode}": {
    path: {
      id: string
      /** The world: test or live. */
      mode: "test" | "live"
    }
    body: AccountUser
    response: AccountEnvelope
  }
  /** Invite a person to the platform */
  "POST /platform/accounts/invitations": {
    body: NewAccountInvitation
    response: AccountInvitationEnvelope
  }
  /** List all apps */
  "GET /platform/apps": {
    query?: {
      organization_id?: string
      /** `true` returns only apps with a request that `GET /platform/requests` lists. */
      open_requests?: boolean
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<App>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Get any app */
  "GET /platform/apps/{app_id}": {
    path: {
      app_id: string
    }
    response: {
      data: App
    }
  }
  /** Approve an app */
  "POST /platform/apps/{app_id}/approve": {
    path: {
      app_id: string
    }
    response: {
      data: App
    }
  }
  /** Get an app’s history */
  "GET /platform/apps/{app_id}/history": {
    path: {
      app_id: string
    }
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<PlatformHistoryEntry>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Lift a suspension */
  "POST /platform/apps/{app_id}/lift": {
    path: {
      app_id: string
    }
    response: {
      data: App
    }
  }
  /** Approve investor PII */
  "POST /platform/apps/{app_id}/pii_approval": {
    path: {
      app_id: string
    }
    response: {
      data: App
    }
  }
  /** Withdraw investor PII approval */
  "DELETE /platform/apps/{app_id}/pii_approval": {
    path: {
      app_id: string
    }
    response: PiiWithdrawal
  }
  /** Grant an access program */
  "POST /platform/apps/{app_id}/programs": {
    path: {
      app_id: string
    }
    body: ProgramAtTier
    response: {
      data: App
    }
  }
  /** Withdraw an access program */
  "DELETE /platform/apps/{app_id}/programs/{program}": {
    path: {
      app_id: string
      program: "marketing_partner" | "founder"
    }
    response: ScopeRemoval
  }
  /** Decline a team’s request */
  "POST /platform/apps/{app_id}/requests/decline": {
    path: {
      app_id: string
    }
    body: DeclinedRequest
    response: {
      data: App
    }
  }
  /** Add operator-only scopes */
  "POST /platform/apps/{app_id}/scopes": {
    path: {
      app_id: string
    }
    body: ScopesToAdd
    response: {
      data: App
    }
  }
  /** Remove scopes as the operator */
  "POST /platform/apps/{app_id}/scopes/remove": {
    path: {
      app_id: string
    }
    body: ScopeChange
    response: ScopeRemoval
  }
  /** Preview stopping an app */
  "GET /platform/apps/{app_id}/stop_preview": {
    path: {
      app_id: string
    }
    response: StopPreview
  }
  /** Suspend an app */
  "POST /platform/apps/{app_id}/suspend": {
    path: {
      app_id: string
    }
    body: Reason
    response: {
      data: App
    }
  }
  /** Withdraw an app’s approval */
  "POST /platform/apps/{app_id}/unapprove": {
    path: {
      app_id: string
    }
    response: {
      data: App
    }
  }
  /** List audit entries */
  "GET /platform/audit": {
    query?: {
      /** The id of one entry. */
      entry?: string
      /** The id of what was changed or read. */
      subject?: string
      /** Who acted: an id, or `system`. */
      actor?: string
      /** The action, such as `app.suspended`. */
      action?: string
      /** `true` returns only acts of operators, `false` only acts of others. */
      by_operator?: boolean
      /** `true` returns only reads by operators (`operator.read`), `false` only changes. Without this parameter, reads and changes are returned. */
      reads?: boolean
      /** Only entries from this time on. */
      since?: string
      /** Only entries before this time. */
      until?: string
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<AuditEntry>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Check the audit’s chain */
  "GET /platform/audit/verification": {
    query?: {
      /** The `end` of an earlier verification. */
      end?: string
    }
    response: AuditVerification
  }

  /** List applied facts */
  "GET /platform/facts": {
    query?: {
      /** The id of the fact. */
      fact_id?: string
      subject?: string
      /** The type of the fact. */
      type?: string
      /** Only facts that were applied, or refused, at this time or later. */
      since?: string
      /** Only facts that were applied, or refused, before this time. */
      until?: string
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<ListedFact>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Send platform facts */
  "POST /platform/facts": {
    body: Array<Fact>
    response: {
      /** One result for each fact sent, in the same order. */
      data: Array<FactOutcome>
      meta: {
        applied: number
        duplicate: number
        refused: number
      }
    }
  }
  /** Get a fact */
  "GET /platform/facts/{id}": {
    path: {
      id: string
    }
    response: {
      data: AppliedFact
    }
  }
  /** List all partners’ installations */
  "GET /platform/installations": {
    query?: {
      app_id?: string
      organization_id?: string
      target_type?: "company" | "syndicate" | "user"
      /** The id of a company, a syndicate or a user. */
      target_id?: string
      status?: "active" | "revoked"
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<PartnerInstallation>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Get any installation */
  "GET /platform/installations/{id}": {
    path: {
      id: string
    }
    response: {
      data: Installation
    }
  }
  /** Revoke any installation */
  "DELETE /platform/installations/{id}": {
    path: {
      id: string
    }
    response: {
      data: Installation
    }
  }
  /** List the background jobs */
  "GET /platform/jobs": {
    response: {
      data: Array<BackgroundJob>
    }
  }
  /** Get the calling operator */
  "GET /platform/me": {
    response: PlatformOperator
  }
  /** List organizations */
  "GET /platform/organizations": {
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<Organization>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Get an organization */
  "GET /platform/organizations/{organization_id}": {
    path: {
      organization_id: string
    }
    response: {
      data: Organization
    }
  }
  /** End an organization’s access */
  "POST /platform/organizations/{organization_id}/end": {
    path: {
      organization_id: string
    }
    body: Reason
    response: {
      data: Organization
    }
  }
  /** Get an organization’s history */
  "GET /platform/organizations/{organization_id}/history": {
    path: {
      organization_id: string
    }
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<OrganizationHistoryEntry>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Preview ending an organization */
  "GET /platform/organizations/{organization_id}/stop_preview": {
    path: {
      organization_id: string
    }
    response: StopPreview
  }
  /** Search organizations by a member */
  "GET /platform/partners/of_member": {
    query: {
      /** An address, or `@` and a domain. */
      email: string
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<FoundPartner>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Search organizations and apps */
  "GET /platform/partners/search": {
    query: {
      /** What to find. */
      query: string
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<FoundPartner>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** List the work queues */
  "GET /platform/queues": {
    response: {
      data: Array<WorkQueue>
    }
  }
  /** List refused facts */
  "GET /platform/refused_facts": {
    query?: {
      fact_id?: string
      /** An id of a record, or an email address, that the fact contains. */
      subject?: string
      /** True: only dismissed facts. Otherwise dismissed facts are left out. */
      dismissed?: boolean
      /** The type of the fact. */
      type?: string
      /** Only facts that were applied, or refused, at this time or later. */
      since?: string
      /** Only facts that were applied, or refused, before this time. */
      until?: string
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<RefusedFactListed>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        /** The number of refused facts that were not stored, because the limit of their day was reached. */
        left_out: number
      }
    }
  }
  /** Get a refused fact */
  "GET /platform/refused_facts/{refused_id}": {
    path: {
      refused_id: string
    }
    response: {
      data: RefusedFact
    }
  }
  /** Dismiss a refused fact */
  "POST /platform/refused_facts/{refused_id}/dismiss": {
    path: {
      refused_id: string
    }
    response: {
      data: RefusedFactListed
    }
  }
  /** Send a refused fact again */
  "POST /platform/refused_facts/{refused_id}/send": {
    path: {
      refused_id: string
    }
    body?: RefusedFactMended
    response: {
      data: FactOutcome
    }
  }
  /** List removal duties */
  "GET /platform/removal_duties": {
    query?: {
      state?: "open" | "overdue" | "confirmed"
      app_id?: string
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<RemovalDuty>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        counts: {
          open: number
          overdue: number
          confirmed: number
        }
      }
    }
  }
  /** Confirm a removal duty */
  "POST /platform/removal_duties/{duty_id}/confirm": {
    path: {
      duty_id: string
    }
    response: {
      data: RemovalDuty
    }
  }
  /** List requests that wait */
  "GET /platform/requests": {
    query?: {
      kind?: "approval" | "pii" | "program"
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<AppRequest>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        counts: {
          approval: number
          pii: number
          program: number
        }
      }
    }
  }
  /** Get the sandbox clock */
  "GET /platform/sandbox_clock": {
    response: {
      data: SandboxClock
    }
  }
  /** Get figures over time */
  "GET /platform/series": {
    query?: {
      /** `hour` by default. */
      unit?: "hour" | "day"
      /** All apps, if left out. */
      app_id?: string
    }
    response: PlatformSeries
  }
  /** List the work set aside */
  "GET /platform/set_aside": {
    query?: {
      kind?: "change" | "delivery" | "invitation" | "mail"
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<SetAsideWork>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Retry work set aside */
  "POST /platform/set_aside/{kind}/{id}/retry": {
    path: {
      kind: "change" | "delivery" | "invitation" | "mail"
      id: string
    }
    response: {
      data: {
        id: string
        type: "set_aside_retry"
        attributes: {
          kind: "change" | "delivery" | "invitation" | "mail"
          mode: "test" | "live"
        }
      }
    }
  }
  /** List the platform’s staff */
  "GET /platform/staff": {
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<StaffMember>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** List usage conditions versions */
  "GET /platform/usage_conditions": {
    response: {
      data: Array<UsageConditions>
    }
  }
  /** Publish usage conditions */
  "POST /platform/usage_conditions": {
    body: NewUsageConditions
    response: {
      data: UsageConditions
    }
  }
  /** List accepted usage conditions */
  "GET /platform/usage_conditions/acceptances": {
    query?: {
      /** A date, such as `2026-11-01`. */
      version?: string
      /** Only apps that accepted an older version than the one in force. */
      outdated?: boolean
      app_id?: string
      organization_id?: string
      account_id?: string
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<ConditionsAcceptance>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** List the health of endpoints */
  "GET /platform/webhook_endpoints": {
    query?: {
      state?: "failing" | "disabled" | "enabled"
      app_id?: string
      endpoint_id?: string
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<PartnerEndpointHealth>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        totals: {
          enabled: number
          failing: number
          disabled: number
          delivered: number
          failed: number
        }
      }
    }
  }
  /** List the deliveries of an endpoint */
  "GET /platform/webhook_endpoints/{id}/deliveries": {
    path: {
      id: string
    }
    query?: {
      status?: "pending" | "delivered" | "exhausted" | "canceled"
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<PartnerDelivery>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** List your apps */
  "GET /portal/api/apps": {
    query?: {
      organization_id?: string
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<App>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Create an app */
  "POST /portal/api/apps": {
    body: NewApp
    response: {
      data: App
    }
  }
  /** Get your app */
  "GET /portal/api/apps/{app_id}": {
    path: {
      app_id: string
    }
    response: {
      data: App
    }
  }
  /** Update an app */
  "PATCH /portal/api/apps/{app_id}": {
    path: {
      app_id: string
    }
    body?: AppChange
    response: {
      data: App
    }
  }
  /** Delete an app */
  "DELETE /portal/api/apps/{app_id}": {
    path: {
      app_id: string
    }
    body: {
      /** The app’s name, exactly as it is. */
      name: string
    }
    response: undefined
  }
  /** Request the app’s approval again */
  "POST /portal/api/apps/{app_id}/approval_request": {
    path: {
      app_id: string
    }
    response: {
      data: App
    }
  }
  /** Accept newer usage conditions */
  "POST /portal/api/apps/{app_id}/conditions": {
    path: {
      app_id: string
    }
    body: ConditionsToAccept
    response: {
      data: App
    }
  }
  /** Disable an app */
  "POST /portal/api/apps/{app_id}/disable": {
    path: {
      app_id: string
    }
    response: {
      data: App
    }
  }
  /** Enable an app */
  "POST /portal/api/apps/{app_id}/enable": {
    path: {
      app_id: string
    }
    response: {
      data: App
    }
  }
  /** List an app’s events */
  "GET /portal/api/apps/{app_id}/events": {
    path: {
      app_id: string
    }
    query?: {
      mode?: "test" | "live"
      /** Events with these names, wildcards included (`investment.*`). If left out, all events. */
      types?: Array<"investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed" | "*" | "investment.*" | "offering.*" | "investment_session.*" | "syndicate_member.*" | "join_session.*" | "installation.*" | "referral_cohorts.*" | "intent.*">
      /** Events of this installation. */
      installation_id?: string
      /** Events about this company, syndicate, offering, investment, membership, session or installation. Not about a user. */
      subject_id?: string
      /** Events created at this time or later, in the time of their world (`created_at`). */
      since?: string
      /** Events created before this time. */
      until?: string
      /** Which events come first. If left out, the newest. */
      order?: "newest" | "oldest"
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<Event>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        request_id: string
      }
    }
  }
  /** Get an app’s event */
  "GET /portal/api/apps/{app_id}/events/{event_id}": {
    path: {
      app_id: string
      event_id: string
    }
    query?: {
      /** Events of this installation. */
      installation_id?: string
    }
    response: AppEventEnvelope
  }

  /** Get an app’s history */
  "GET /portal/api/apps/{app_id}/history": {
    path: {
      app_id: string
    }
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<HistoryEntry>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** List an app’s installations */
  "GET /portal/api/apps/{app_id}/installations": {
    path: {
      app_id: string
    }
    query?: {
      /** Default: live. */
      mode?: "test" | "live"
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<Installation>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        /** The number of rows in this page, the same as page_count. */
        count: number
      }
    }
  }
  /** Get an app’s installation */
  "GET /portal/api/apps/{app_id}/installations/{id}": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: AppInstallation
    }
  }
  /** Revoke an app’s installation */
  "DELETE /portal/api/apps/{app_id}/installations/{id}": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: Installation
    }
  }
  /** Preview an installation’s sync */
  "GET /portal/api/apps/{app_id}/installations/{id}/sync": {
    path: {
      app_id: string
      id: string
    }
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: SyncInspection
      meta: {
        request_id: string
      }
    }
  }
  /** Issue an installation token */
  "POST /portal/api/apps/{app_id}/installations/{id}/tokens": {
    path: {
      app_id: string
      id: string
    }
    body: NewAppInstallationToken
    response: InstallationWithToken
  }
  /** List app keys */
  "GET /portal/api/apps/{app_id}/keys": {
    path: {
      app_id: string
    }
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<AppKey>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Create an app key */
  "POST /portal/api/apps/{app_id}/keys": {
    path: {
      app_id: string
    }
    body: NewAppKey
    response: {
      data: AppKey
      /** Shown only in this response. Null if no secret was created. */
      client_secret: string | null
    }
  }
  /** Update an app key */
  "PATCH /portal/api/apps/{app_id}/keys/{key_id}": {
    path: {
      app_id: string
      key_id: string
    }
    body?: AppKeyChange
    response: {
      data: AppKey
      /** Shown only in this response. Null if no secret was created. */
      client_secret: string | null
    }
  }
  /** Revoke an app key */
  "POST /portal/api/apps/{app_id}/keys/{key_id}/revoke": {
    path: {
      app_id: string
      key_id: string
    }
    response: {
      data: AppKey
    }
  }
  /** Rotate a client secret */
  "POST /portal/api/apps/{app_id}/keys/{key_id}/rotate_secret": {
    path: {
      app_id: string
      key_id: string
    }
    body?: SecretRotation
    response: {
      data: AppKey
      /** Shown only in this response. Null if no secret was created. */
      client_secret: string | null
    }
  }
  /** Get an app’s rate limits */
  "GET /portal/api/apps/{app_id}/limits": {
    path: {
      app_id: string
    }
    response: {
      data: AppLimits
    }
  }
  /** Get an app’s limit use */
  "GET /portal/api/apps/{app_id}/limits/usage": {
    path: {
      app_id: string
    }
    query?: {
      mode?: "test" | "live"
      /** `hour` by default. */
      unit?: "hour" | "day"
    }
    response: {
      data: AppLimitUse
    }
  }
  /** Set an app’s logo */
  "PUT /portal/api/apps/{app_id}/logo": {
    path: {
      app_id: string
    }
    body: LogoPicture
    response: {
      data: App
    }
  }
  /** Remove an app’s logo */
  "DELETE /portal/api/apps/{app_id}/logo": {
    path: {
      app_id: string
    }
    response: undefined
  }
  /** Get an app’s overview */
  "GET /portal/api/apps/{app_id}/overview": {
    path: {
      app_id: string
    }
    query?: {
      mode?: "test" | "live"
    }
    response: {
      data: AppOverview
    }
  }
  /** Request investor PII approval */
  "POST /portal/api/apps/{app_id}/pii_request": {
    path: {
      app_id: string
    }
    response: {
      data: App
    }
  }
  /** Request an access program */
  "POST /portal/api/apps/{app_id}/program_requests": {
    path: {
      app_id: string
    }
    body: ProgramAtTier
    response: {
      data: App
    }
  }
  /** List an app’s referral codes */
  "GET /portal/api/apps/{app_id}/referral_codes": {
    path: {
      app_id: string
    }
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
      /** live, if left out. */
      mode?: "test" | "live"
    }
    response: {
      data: Array<ReferralCode>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        /** How many codes an app can have in each mode. */
        quota: number
        request_id: string
      }
    }
  }
  /** Get an app’s referral statistics */
  "GET /portal/api/apps/{app_id}/referral_codes/{id}/stats": {
    path: {
      app_id: string
      id: string
    }
    query?: {
      /** The maximum number of rows in the page, 53 by default. A number above 106 counts as 106, and zero or less as 53. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
      /** live, if left out. */
      mode?: "test" | "live"
    }
    response: {
      data: Array<ReferralWeek>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        referral_code: string
        /** The last week that was published; null before the first. */
        published_through: string | null
        /** The next week is published without groups of fewer people than this. */
        k: number
        request_id: string
      }
    }
  }
  /** List an app’s removal duties */
  "GET /portal/api/apps/{app_id}/removal_duties": {
    path: {
      app_id: string
    }
    query?: {
      /** Default: live. */
      mode?: "test" | "live"
      state?: "open" | "overdue" | "confirmed"
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<AppRemovalDuty>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Confirm that data is deleted */
  "POST /portal/api/apps/{app_id}/removal_duties/{duty_id}/confirm": {
    path: {
      app_id: string
      duty_id: string
    }
    response: {
      data: AppRemovalDuty
    }
  }
  /** List an app’s API requests */
  "GET /portal/api/apps/{app_id}/requests": {
    path: {
      app_id: string
    }
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
      mode?: "test" | "live"
      /** `404`, `4xx`, or `error` for 400 and more. */
      status?: string
      method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE"
      /** The path’s template, like `route` of a record. */
      route?: string
      request_id?: string
      /** The id of a key or of an installation. */
      credential?: string
      error_type?: string
      /** Real time, UTC, with microseconds. */
      since?: string
      /** Real time, UTC, with microseconds. */
      until?: string
    }
    response: {
      data: Array<LoggedRequest>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Get an app’s API request */
  "GET /portal/api/apps/{app_id}/requests/{request_id}": {
    path: {
      app_id: string
      request_id: string
    }
    response: {
      data: LoggedRequest
    }
  }
  /** List an API request’s events */
  "GET /portal/api/apps/{app_id}/requests/{request_id}/events": {
    path: {
      app_id: string
      request_id: string
    }
    query?: {
      mode?: "test" | "live"
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<Event>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        request_id: string
      }
    }
  }

  /** Get the sandbox clock */
  "GET /portal/api/apps/{app_id}/sandbox/clock": {
    path: {
      app_id: string
    }
    response: {
      data: SandboxClock
    }
  }
  /** Create a sandbox company */
  "POST /portal/api/apps/{app_id}/sandbox/company": {
    path: {
      app_id: string
    }
    response: {
      data: SandboxCompany
    }
  }
  /** Create a sandbox investment session */
  "POST /portal/api/apps/{app_id}/sandbox/investment_sessions": {
    path: {
      app_id: string
    }
    body: SandboxNewInvestmentSession
    response: {
      data: SandboxInvestmentSession
      meta: SandboxMeta
    }
  }
  /** Abandon an investment session */
  "POST /portal/api/apps/{app_id}/sandbox/investment_sessions/{id}/abandon": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxInvestmentSession
      meta: SandboxMeta
    }
  }
  /** Cancel a sandbox investment session */
  "POST /portal/api/apps/{app_id}/sandbox/investment_sessions/{id}/cancel": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxInvestmentSession
      meta: SandboxMeta
    }
  }
  /** Complete an investment session */
  "POST /portal/api/apps/{app_id}/sandbox/investment_sessions/{id}/complete": {
    path: {
      app_id: string
      id: string
    }
    body?: SandboxCheckoutEnd
    response: {
      data: SandboxInvestmentSession
      meta: SandboxMeta
    }
  }
  /** Expire an investment session */
  "POST /portal/api/apps/{app_id}/sandbox/investment_sessions/{id}/expire": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxInvestmentSession
      meta: SandboxMeta
    }
  }
  /** Resume an investment session */
  "POST /portal/api/apps/{app_id}/sandbox/investment_sessions/{id}/resume": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxInvestmentSession
      meta: SandboxMeta
    }
  }
  /** Start an investment session */
  "POST /portal/api/apps/{app_id}/sandbox/investment_sessions/{id}/start": {
    path: {
      app_id: string
      id: string
    }
    body?: SandboxSessionStart
    response: {
      data: SandboxInvestmentSession
      meta: SandboxMeta
    }
  }
  /** Create an investment */
  "POST /portal/api/apps/{app_id}/sandbox/investments": {
    path: {
      app_id: string
    }
    body: SandboxNewInvestment
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Cancel an investment */
  "POST /portal/api/apps/{app_id}/sandbox/investments/{id}/cancel": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Update an investment’s amount */
  "POST /portal/api/apps/{app_id}/sandbox/investments/{id}/change_amount": {
    path: {
      app_id: string
      id: string
    }
    body: SandboxNewAmount
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Confirm an investment */
  "POST /portal/api/apps/{app_id}/sandbox/investments/{id}/confirm": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Convert an investment */
  "POST /portal/api/apps/{app_id}/sandbox/investments/{id}/convert": {
    path: {
      app_id: string
      id: string
    }
    body?: SandboxConversion
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Execute an investment */
  "POST /portal/api/apps/{app_id}/sandbox/investments/{id}/execute": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Hide an investment */
  "POST /portal/api/apps/{app_id}/sandbox/investments/{id}/hide": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Move an investment */
  "POST /portal/api/apps/{app_id}/sandbox/investments/{id}/move": {
    path: {
      app_id: string
      id: string
    }
    body: SandboxRelocation
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Pay an investment */
  "POST /portal/api/apps/{app_id}/sandbox/investments/{id}/pay": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Refund an investment */
  "POST /portal/api/apps/{app_id}/sandbox/investments/{id}/refund": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Reinstate an investment */
  "POST /portal/api/apps/{app_id}/sandbox/investments/{id}/reinstate": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Sign an investment */
  "POST /portal/api/apps/{app_id}/sandbox/investments/{id}/sign": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Unhide an investment */
  "POST /portal/api/apps/{app_id}/sandbox/investments/{id}/unhide": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Verify the investor’s identity */
  "POST /portal/api/apps/{app_id}/sandbox/investments/{id}/verify_identity": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Create a sandbox join session */
  "POST /portal/api/apps/{app_id}/sandbox/join_sessions": {
    path: {
      app_id: string
    }
    body: SandboxNewJoinSession
    response: {
      data: SandboxJoinSession
      meta: SandboxMeta
    }
  }
  /** Finish a join session’s flow */
  "POST /portal/api/apps/{app_id}/sandbox/join_sessions/{id}/await_approval": {
    path: {
      app_id: string
      id: string
    }
    body?: SandboxFinish
    response: {
      data: SandboxJoinSession
      meta: SandboxMeta
    }
  }
  /** Cancel a sandbox join session */
  "POST /portal/api/apps/{app_id}/sandbox/join_sessions/{id}/cancel": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxJoinSession
      meta: SandboxMeta
    }
  }
  /** Complete a join session */
  "POST /portal/api/apps/{app_id}/sandbox/join_sessions/{id}/complete": {
    path: {
      app_id: string
      id: string
    }
    body?: SandboxJoinCompletion
    response: {
      data: SandboxJoinSession
      meta: SandboxMeta
    }
  }
  /** Expire a join session */
  "POST /portal/api/apps/{app_id}/sandbox/join_sessions/{id}/expire": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxJoinSession
      meta: SandboxMeta
    }
  }
  /** Mark a person ineligible */
  "POST /portal/api/apps/{app_id}/sandbox/join_sessions/{id}/mark_ineligible": {
    path: {
      app_id: string
      id: string
    }
    body: SandboxIneligible
    response: {
      data: SandboxJoinSession
      meta: SandboxMeta
    }
  }
  /** Reject a join session */
  "POST /portal/api/apps/{app_id}/sandbox/join_sessions/{id}/reject": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxJoinSession
      meta: SandboxMeta
    }
  }
  /** Sign in to a session */
  "POST /portal/api/apps/{app_id}/sandbox/join_sessions/{id}/sign_in": {
    path: {
      app_id: string
      id: string
    }
    body: SandboxSignIn
    response: {
      data: SandboxJoinSession
      meta: SandboxMeta
    }
  }
  /** Approve a membership application */
  "POST /portal/api/apps/{app_id}/sandbox/memberships/{id}/approve": {
    path: {
      app_id: string
      id: string
    }
    body?: SandboxApproval
    response: {
      data: SandboxMembership
      meta: SandboxMeta
    }
  }
  /** Decline a membership application */
  "POST /portal/api/apps/{app_id}/sandbox/memberships/{id}/decline": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxMembership
      meta: SandboxMeta
    }
  }
  /** Fail a membership payment */
  "POST /portal/api/apps/{app_id}/sandbox/memberships/{id}/fail_payment": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxMembership
      meta: SandboxMeta
    }
  }
  /** Join a syndicate */
  "POST /portal/api/apps/{app_id}/sandbox/memberships/{id}/join": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxMembership
      meta: SandboxMeta
    }
  }
  /** Leave a syndicate */
  "POST /portal/api/apps/{app_id}/sandbox/memberships/{id}/leave": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxMembership
      meta: SandboxMeta
    }
  }
  /** Remove a member */
  "POST /portal/api/apps/{app_id}/sandbox/memberships/{id}/remove": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxMembership
      meta: SandboxMeta
    }
  }
  /** Withdraw a membership application */
  "POST /portal/api/apps/{app_id}/sandbox/memberships/{id}/withdraw": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxMembership
      meta: SandboxMeta
    }
  }
  /** Cancel an offering */
  "POST /portal/api/apps/{app_id}/sandbox/offerings/{id}/cancel": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxOffering
      meta: SandboxMeta
    }
  }
  /** Close an offering */
  "POST /portal/api/apps/{app_id}/sandbox/offerings/{id}/close": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxOffering
      meta: SandboxMeta
    }
  }
  /** Start closing an offering */
  "POST /portal/api/apps/{app_id}/sandbox/offerings/{id}/closing": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxOffering
      meta: SandboxMeta
    }
  }
  /** Open an offering */
  "POST /portal/api/apps/{app_id}/sandbox/offerings/{id}/open": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxOffering
      meta: SandboxMeta
    }
  }
  /** List records to play with */
  "GET /portal/api/apps/{app_id}/sandbox/records": {
    path: {
      app_id: string
    }
    response: {
      data: SandboxRecords
    }
  }
  /** Apply for membership */
  "POST /portal/api/apps/{app_id}/sandbox/syndicates/{id}/apply": {
    path: {
      app_id: string
      id: string
    }
    body: SandboxPerson
    response: {
      data: SandboxMembership
      meta: SandboxMeta
    }
  }
  /** Invite an address */
  "POST /portal/api/apps/{app_id}/sandbox/syndicates/{id}/invite": {
    path: {
      app_id: string
      id: string
    }
    body: SandboxInvite
    response: {
      data: SandboxInvitation
      meta: SandboxMeta
    }
  }
  /** Join a syndicate directly */
  "POST /portal/api/apps/{app_id}/sandbox/syndicates/{id}/join": {
    path: {
      app_id: string
      id: string
    }
    body: SandboxPerson
    response: {
      data: SandboxMembership
      meta: SandboxMeta
    }
  }
  /** Invite an address again */
  "POST /portal/api/apps/{app_id}/sandbox/syndicates/{id}/reinvite": {
    path: {
      app_id: string
      id: string
    }
    body: SandboxInvite
    response: {
      data: SandboxInvitation
      meta: SandboxMeta
    }
  }
  /** Deactivate a user */
  "POST /portal/api/apps/{app_id}/sandbox/users/{id}/deactivate": {
    path: {
      app_id: string
      id: string
    }
    response: {
      data: SandboxUser
      meta: SandboxMeta
    }
  }
  /** Visit with a referral code */
  "POST /portal/api/apps/{app_id}/sandbox/users/{id}/visit": {
    path: {
      app_id: string
      id: string
    }
    body: SandboxVisit
    response: {
      data: SandboxUser
      meta: SandboxMeta
    }
  }
  /** Add scopes to an app */
  "POST /portal/api/apps/{app_id}/scopes": {
    path: {
      app_id: string
    }
    body: ScopeChange
    response: ScopeAddition
  }
  /** Preview a scope change */
  "POST /portal/api/apps/{app_id}/scopes/preview": {
    path: {
      app_id: string
    }
    body?: WantedScopes
    response: ScopePreview
  }
  /** Remove scopes from an app */
  "POST /portal/api/apps/{app_id}/scopes/remove": {
    path: {
      app_id: string
    }
    body: ScopeChange
    response: ScopeRemoval
  }
  /** Get an app’s request counts */
  "GET /portal/api/apps/{app_id}/usage": {
    path: {
      app_id: string
    }
    query?: {
      mode?: "test" | "live"
      /** `hour` by default. */
      unit?: "hour" | "day"
    }
    response: {
      data: AppUsage
    }
  }
  /** List an app’s webhook deliveries */
  "GET /portal/api/apps/{app_id}/webhook_deliveries": {
    path: {
      app_id: string
    }
    query?: {
      mode?: "test" | "live"
      status?: "pending" | "delivered" | "exhausted" | "canceled"
      /** Events with these names, wildcards included (`investment.*`). If left out, all events. */
      types?: Array<"investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed" | "*" | "investment.*" | "offering.*" | "investment_session.*" | "syndicate_member.*" | "join_session.*" | "installation.*" | "referral_cohorts.*" | "intent.*">
      endpoint_id?: string
      /** Deliveries created at this time or later, in the time of their world (`created_at`). */
      since?: string
      /** Deliveries created before this time. */
      until?: string
      /** A complete id: of a delivery (its redeliveries are found too), an event, an endpoint or an installation, or of a company, syndicate, offering, investment, membership or session that the event is about. */
      q?: string
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<AppWebhookDelivery>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        request_id: string
      }
    }
  }
  /** Get an app’s webhook delivery */
  "GET /portal/api/apps/{app_id}/webhook_deliveries/{delivery_id}": {
    path: {
      app_id: string
      delivery_id: string
    }
    response: AppWebhookDeliveryWithPayloadEnvelope
  }
  /** Redeliver an app’s webhook delivery */
  "POST /portal/api/apps/{app_id}/webhook_deliveries/{delivery_id}/redeliver": {
    path: {
      app_id: string
      delivery_id: string
    }
    response: AppWebhookDeliveryEnvelope
  }
  /** Redeliver an app’s webhook deliveries */
  "POST /portal/api/apps/{app_id}/webhook_deliveries/redeliver": {
    path: {
      app_id: string
    }
    body?: AppWebhookRedeliveryRequest
    response: AppWebhookRedeliveryEnvelope
  }

  /** Get an app’s delivery counts */
  "GET /portal/api/apps/{app_id}/webhook_deliveries/usage": {
    path: {
      app_id: string
    }
    query?: {
      mode?: "test" | "live"
      endpoint_id?: string
      /** `hour` by default. */
      unit?: "hour" | "day"
    }
    response: AppDeliveryUsageEnvelope
  }
  /** List an app’s webhook endpoints */
  "GET /portal/api/apps/{app_id}/webhook_endpoints": {
    path: {
      app_id: string
    }
    query?: {
      mode?: "test" | "live"
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<AppWebhookEndpoint>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        /** How many endpoints an app can have in each mode. */
        quota: number
        request_id: string
      }
    }
  }
  /** Create an app’s webhook endpoint */
  "POST /portal/api/apps/{app_id}/webhook_endpoints": {
    path: {
      app_id: string
    }
    body: NewAppWebhookEndpoint
    response: AppWebhookEndpointEnvelope
  }
  /** Get an app’s webhook endpoint */
  "GET /portal/api/apps/{app_id}/webhook_endpoints/{endpoint_id}": {
    path: {
      app_id: string
      endpoint_id: string
    }
    response: AppWebhookEndpointEnvelope
  }
  /** Update an app’s webhook endpoint */
  "PATCH /portal/api/apps/{app_id}/webhook_endpoints/{endpoint_id}": {
    path: {
      app_id: string
      endpoint_id: string
    }
    body?: WebhookEndpointChange
    response: AppWebhookEndpointEnvelope
  }
  /** Delete an app’s webhook endpoint */
  "DELETE /portal/api/apps/{app_id}/webhook_endpoints/{endpoint_id}": {
    path: {
      app_id: string
      endpoint_id: string
    }
    response: {
      data: {
        id: string
        type: "webhook_endpoint"
        removed: true
      }
    }
  }
  /** Enable an app’s webhook endpoint */
  "POST /portal/api/apps/{app_id}/webhook_endpoints/{endpoint_id}/reenable": {
    path: {
      app_id: string
      endpoint_id: string
    }
    response: AppWebhookEndpointEnvelope
  }
  /** Replay an app’s webhook deliveries */
  "POST /portal/api/apps/{app_id}/webhook_endpoints/{endpoint_id}/replay": {
    path: {
      app_id: string
      endpoint_id: string
    }
    body: WebhookReplayRequest
    response: WebhookReplayEnvelope
  }
  /** Rotate an app’s webhook secret */
  "POST /portal/api/apps/{app_id}/webhook_endpoints/{endpoint_id}/rotate_secret": {
    path: {
      app_id: string
      endpoint_id: string
    }
    response: AppWebhookEndpointEnvelope
  }
  /** Test an app’s webhook endpoint */
  "POST /portal/api/apps/{app_id}/webhook_endpoints/{endpoint_id}/test": {
    path: {
      app_id: string
      endpoint_id: string
    }
    body?: WebhookTestRequest
    response: WebhookTestEnvelope
  }
  /** Accept a team invitation */
  "POST /portal/api/invitations/{organization_id}/accept": {
    path: {
      organization_id: string
    }
    response: {
      data: OwnOrganization
    }
  }
  /** Decline a team invitation */
  "POST /portal/api/invitations/{organization_id}/decline": {
    path: {
      organization_id: string
    }
    response: undefined
  }
  /** Get the signed-in person */
  "GET /portal/api/me": {
    response: {
      data: SignedInPerson
      meta: {
        /** Send it in X-Portico-Csrf with every change. Empty for a command line; it needs no token. */
        csrf: string
      }
    }
  }
  /** List your organizations */
  "GET /portal/api/organizations": {
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<OwnOrganization>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Create an organization */
  "POST /portal/api/organizations": {
    body: OrganizationName
    response: {
      data: OwnOrganization
    }
  }
  /** Get your organization */
  "GET /portal/api/organizations/{organization_id}": {
    path: {
      organization_id: string
    }
    response: {
      data: OwnOrganization
    }
  }
  /** Rename an organization */
  "PATCH /portal/api/organizations/{organization_id}": {
    path: {
      organization_id: string
    }
    body: OrganizationName
    response: {
      data: OwnOrganization
    }
  }
  /** List team invitations */
  "GET /portal/api/organizations/{organization_id}/invitations": {
    path: {
      organization_id: string
    }
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<TeamInvitation>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Withdraw a team invitation */
  "DELETE /portal/api/organizations/{organization_id}/invitations/{invitation_id}": {
    path: {
      organization_id: string
      invitation_id: string
    }
    response: undefined
  }
  /** List team members */
  "GET /portal/api/organizations/{organization_id}/members": {
    path: {
      organization_id: string
    }
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<Member>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Invite a team member */
  "POST /portal/api/organizations/{organization_id}/members": {
    path: {
      organization_id: string
    }
    body: NewMember
    response: {
      data: TeamInvitation
    }
  }
  /** Update a member’s role */
  "PATCH /portal/api/organizations/{organization_id}/members/{account_id}": {
    path: {
      organization_id: string
      account_id: string
    }
    body: RoleChange
    response: {
      data: Member
    }
  }
  /** Remove a team member */
  "DELETE /portal/api/organizations/{organization_id}/members/{account_id}": {
    path: {
      organization_id: string
      account_id: string
    }
    response: undefined
  }
  /** List notices */
  "GET /portal/api/organizations/{organization_id}/notices": {
    path: {
      organization_id: string
    }
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<Notice>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** List selectable scopes */
  "GET /portal/api/scopes": {
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<PickerScope>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Get your session */
  "GET /portal/api/session": {
    response: {
      data: {
        type: "session"
        attributes: {
          kind: "browser" | "command_line"
          device: string | null
          created_at: string
          /** Recorded at most every five minutes. */
          last_used_at: string
          expires_at: string
        }
      }
    }
  }
  /** Start a command-line session */
  "POST /portal/api/session": {
    body: {
      code: string
      code_verifier: string
    }
    response: {
      /** `portico_cli_…`, shown once. */
      access_token: string
      token_type: "bearer"
      /** Seconds without a use after which the session ends. */
      expires_in: number
      expires_at: string
      device: string
    }
  }
  /** End your session */
  "DELETE /portal/api/session": {
    response: undefined
  }
  /** Get the usage conditions */
  "GET /portal/api/usage_conditions": {
    response: {
      data: {
        version: string
        url: string
      }
    }
  }
  /** Get the portfolio summary */
  "GET /portfolio": {
    query?: {
      /** `sold`: all stakes were sold to other holders. `exited`, `failed`: the stakes ended in an exit or a failure. */
      status?: "active" | "exited" | "sold" | "failed"
      /** Only positions in this company (`co_…`). */
      company?: string
    }
    response: {
      data: PortfolioSummary
    }
  }
  /** List portfolio positions */
  "GET /portfolio/positions": {
    query?: {
      /** `sold`: all stakes were sold to other holders. `exited`, `failed`: the stakes ended in an exit or a failure. */
      status?: "active" | "exited" | "sold" | "failed"
      /** Only positions in this company (`co_…`). */
      company?: string
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<PortfolioPosition>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Check readiness */
  "GET /readyz": {
    response: Ready
  }
  /** List referral codes */
  "GET /referral_codes": {
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<ReferralCode>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        /** How many codes an app can have in each mode. */
        quota: number
        request_id: string
      }
    }
  }
  /** Create a referral code */
  "POST /referral_codes": {
    body?: NewReferralCode
    response: ReferralCodeEnvelope
  }
  /** Get a referral code */
  "GET /referral_codes/{id}": {
    path: {
      id: string
    }
    response: ReferralCodeEnvelope
  }
  /** Update a referral code */
  "PATCH /referral_codes/{id}": {
    path: {
      id: string
    }
    body?: ReferralCodeChange
    response: ReferralCodeEnvelope
  }
  /** Get referral code statistics */
  "GET /referral_codes/{id}/stats": {
    path: {
      id: string
    }
    query?: {
      /** The maximum number of rows in the page, 53 by default. A number above 106 counts as 106, and zero or less as 53. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<ReferralWeek>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        referral_code: string
        /** The last week that was published; null before the first. */
        published_through: string | null
        /** The next week is published without groups of fewer people than this. */
        k: number
        request_id: string
      }
    }
  }
  /** Get the sandbox clock */
  "GET /sandbox/clock": {
    response: {
      data: SandboxClock
    }
  }
  /** Advance the sandbox clock */
  "POST /sandbox/clock": {
    body: AdvanceClock
    response: {
      data: SandboxClock
      meta: SandboxMeta
    }
  }
  /** Create a sandbox installation */
  "POST /sandbox/installations": {
    body: NewSandboxInstallation
    response: {
      data: Installation
      meta: SandboxMeta
    }
  }
  /** Create a sandbox investment session */
  "POST /sandbox/investment_sessions": {
    body: SandboxNewInvestmentSession
    response: {
      data: SandboxInvestmentSession
      meta: SandboxMeta
    }
  }
  /** Abandon an investment session */
  "POST /sandbox/investment_sessions/{id}/abandon": {
    path: {
      id: string
    }
    response: {
      data: SandboxInvestmentSession
      meta: SandboxMeta
    }
  }
  /** Cancel a sandbox investment session */
  "POST /sandbox/investment_sessions/{id}/cancel": {
    path: {
      id: string
    }
    response: {
      data: SandboxInvestmentSession
      meta: SandboxMeta
    }
  }
  /** Complete an investment session */
  "POST /sandbox/investment_sessions/{id}/complete": {
    path: {
      id: string
    }
    body?: SandboxCheckoutEnd
    response: {
      data: SandboxInvestmentSession
      meta: SandboxMeta
    }
  }
  /** Expire an investment session */
  "POST /sandbox/investment_sessions/{id}/expire": {
    path: {
      id: string
    }
    response: {
      data: SandboxInvestmentSession
      meta: SandboxMeta
    }
  }
  /** Resume an investment session */
  "POST /sandbox/investment_sessions/{id}/resume": {
    path: {
      id: string
    }
    response: {
      data: SandboxInvestmentSession
      meta: SandboxMeta
    }
  }
  /** Start an investment session */
  "POST /sandbox/investment_sessions/{id}/start": {
    path: {
      id: string
    }
    body?: SandboxSessionStart
    response: {
      data: SandboxInvestmentSession
      meta: SandboxMeta
    }
  }
  /** Create an investment */
  "POST /sandbox/investments": {
    body: SandboxNewInvestment
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Cancel an investment */
  "POST /sandbox/investments/{id}/cancel": {
    path: {
      id: string
    }
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Update an investment’s amount */
  "POST /sandbox/investments/{id}/change_amount": {
    path: {
      id: string
    }
    body: SandboxNewAmount
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Confirm an investment */
  "POST /sandbox/investments/{id}/confirm": {
    path: {
      id: string
    }
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Convert an investment */
  "POST /sandbox/investments/{id}/convert": {
    path: {
      id: string
    }
    body?: SandboxConversion
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Execute an investment */
  "POST /sandbox/investments/{id}/execute": {
    path: {
      id: string
    }
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Hide an investment */
  "POST /sandbox/investments/{id}/hide": {
    path: {
      id: string
    }
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Move an investment */
  "POST /sandbox/investments/{id}/move": {
    path: {
      id: string
    }
    body: SandboxRelocation
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Pay an investment */
  "POST /sandbox/investments/{id}/pay": {
    path: {
      id: string
    }
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Refund an investment */
  "POST /sandbox/investments/{id}/refund": {
    path: {
      id: string
    }
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Reinstate an investment */
  "POST /sandbox/investments/{id}/reinstate": {
    path: {
      id: string
    }
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Sign an investment */
  "POST /sandbox/investments/{id}/sign": {
    path: {
      id: string
    }
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Unhide an investment */
  "POST /sandbox/investments/{id}/unhide": {
    path: {
      id: string
    }
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Verify the investor’s identity */
  "POST /sandbox/investments/{id}/verify_identity": {
    path: {
      id: string
    }
    response: {
      data: SandboxInvestment
      meta: SandboxMeta
    }
  }
  /** Create a sandbox join session */
  "POST /sandbox/join_sessions": {
    body: SandboxNewJoinSession
    response: {
      data: SandboxJoinSession
      meta: SandboxMeta
    }
  }
  /** Finish a join session’s flow */
  "POST /sandbox/join_sessions/{id}/await_approval": {
    path: {
      id: string
    }
    body?: SandboxFinish
    response: {
      data: SandboxJoinSession
      meta: SandboxMeta
    }
  }
  /** Cancel a sandbox join session */
  "POST /sandbox/join_sessions/{id}/cancel": {
    path: {
      id: string
    }
    response: {
      data: SandboxJoinSession
      meta: SandboxMeta
    }
  }
  /** Complete a join session */
  "POST /sandbox/join_sessions/{id}/complete": {
    path: {
      id: string
    }
    body?: SandboxJoinCompletion
    response: {
      data: SandboxJoinSession
      meta: SandboxMeta
    }
  }
  /** Expire a join session */
  "POST /sandbox/join_sessions/{id}/expire": {
    path: {
      id: string
    }
    response: {
      data: SandboxJoinSession
      meta: SandboxMeta
    }
  }
  /** Mark a person ineligible */
  "POST /sandbox/join_sessions/{id}/mark_ineligible": {
    path: {
      id: string
    }
    body: SandboxIneligible
    response: {
      data: SandboxJoinSession
      meta: SandboxMeta
    }
  }
  /** Reject a join session */
  "POST /sandbox/join_sessions/{id}/reject": {
    path: {
      id: string
    }
    response: {
      data: SandboxJoinSession
      meta: SandboxMeta
    }
  }
  /** Sign in to a session */
  "POST /sandbox/join_sessions/{id}/sign_in": {
    path: {
      id: string
    }
    body: SandboxSignIn
    response: {
      data: SandboxJoinSession
      meta: SandboxMeta
    }
  }
  /** Approve a membership application */
  "POST /sandbox/memberships/{id}/approve": {
    path: {
      id: string
    }
    body?: SandboxApproval
    response: {
      data: SandboxMembership
      meta: SandboxMeta
    }
  }
  /** Decline a membership application */
  "POST /sandbox/memberships/{id}/decline": {
    path: {
      id: string
    }
    response: {
      data: SandboxMembership
      meta: SandboxMeta
    }
  }
  /** Fail a membership payment */
  "POST /sandbox/memberships/{id}/fail_payment": {
    path: {
      id: string
    }
    response: {
      data: SandboxMembership
      meta: SandboxMeta
    }
  }
  /** Join a syndicate */
  "POST /sandbox/memberships/{id}/join": {
    path: {
      id: string
    }
    response: {
      data: SandboxMembership
      meta: SandboxMeta
    }
  }
  /** Leave a syndicate */
  "POST /sandbox/memberships/{id}/leave": {
    path: {
      id: string
    }
    response: {
      data: SandboxMembership
      meta: SandboxMeta
    }
  }
  /** Remove a member */
  "POST /sandbox/memberships/{id}/remove": {
    path: {
      id: string
    }
    response: {
      data: SandboxMembership
      meta: SandboxMeta
    }
  }
  /** Withdraw a membership application */
  "POST /sandbox/memberships/{id}/withdraw": {
    path: {
      id: string
    }
    response: {
      data: SandboxMembership
      meta: SandboxMeta
    }
  }
  /** Cancel an offering */
  "POST /sandbox/offerings/{id}/cancel": {
    path: {
      id: string
    }
    response: {
      data: SandboxOffering
      meta: SandboxMeta
    }
  }
  /** Close an offering */
  "POST /sandbox/offerings/{id}/close": {
    path: {
      id: string
    }
    response: {
      data: SandboxOffering
      meta: SandboxMeta
    }
  }
  /** Start closing an offering */
  "POST /sandbox/offerings/{id}/closing": {
    path: {
      id: string
    }
    response: {
      data: SandboxOffering
      meta: SandboxMeta
    }
  }
  /** Open an offering */
  "POST /sandbox/offerings/{id}/open": {
    path: {
      id: string
    }
    response: {
      data: SandboxOffering
      meta: SandboxMeta
    }
  }
  /** Apply for membership */
  "POST /sandbox/syndicates/{id}/apply": {
    path: {
      id: string
    }
    body: SandboxPerson
    response: {
      data: SandboxMembership
      meta: SandboxMeta
    }
  }
  /** Invite an address */
  "POST /sandbox/syndicates/{id}/invite": {
    path: {
      id: string
    }
    body: SandboxInvite
    response: {
      data: SandboxInvitation
      meta: SandboxMeta
    }
  }
  /** Join a syndicate directly */
  "POST /sandbox/syndicates/{id}/join": {
    path: {
      id: string
    }
    body: SandboxPerson
    response: {
      data: SandboxMembership
      meta: SandboxMeta
    }
  }
  /** Invite an address again */
  "POST /sandbox/syndicates/{id}/reinvite": {
    path: {
      id: string
    }
    body: SandboxInvite
    response: {
      data: SandboxInvitation
      meta: SandboxMeta
    }
  }
  /** Deactivate a user */
  "POST /sandbox/users/{id}/deactivate": {
    path: {
      id: string
    }
    response: {
      data: SandboxUser
      meta: SandboxMeta
    }
  }
  /** Visit with a referral code */
  "POST /sandbox/users/{id}/visit": {
    path: {
      id: string
    }
    body: SandboxVisit
    response: {
      data: SandboxUser
      meta: SandboxMeta
    }
  }
  /** Get the status */
  "GET /status.json": {
    response: Status
  }
  /** List syndicates */
  "GET /syndicates": {
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<Syndicate>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Get a syndicate */
  "GET /syndicates/{syndicate_id}": {
    path: {
      syndicate_id: string
    }
    response: {
      data: Syndicate
    }
  }
  /** Update a syndicate */
  "PATCH /syndicates/{syndicate_id}": {
    path: {
      syndicate_id: string
    }
    body: SyndicateChanges
    response: {
      data: Syndicate
    }
  }
  /** List syndicate deals */
  "GET /syndicates/{syndicate_id}/deals": {
    path: {
      syndicate_id: string
    }
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<SyndicateDeal>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Get a syndicate deal */
  "GET /syndicates/{syndicate_id}/deals/{fundraise_id}": {
    path: {
      syndicate_id: string
      fundraise_id: string
    }
    response: {
      data: SyndicateDeal
    }
  }
  /** Propose to close a deal */
  "POST /syndicates/{syndicate_id}/deals/{fundraise_id}/close": {
    path: {
      syndicate_id: string
      fundraise_id: string
    }
    response: {
      data: SyndicateDeal
      meta: {
        close_deal_intent: IntentReview
      }
    }
  }
  /** Propose to finalize a deal */
  "POST /syndicates/{syndicate_id}/deals/{fundraise_id}/finalize": {
    path: {
      syndicate_id: string
      fundraise_id: string
    }
    response: {
      data: SyndicateDeal
      meta: {
        finalize_deal_intent: IntentReview
      }
    }
  }
  /** List deal investors */
  "GET /syndicates/{syndicate_id}/deals/{fundraise_id}/investors": {
    path: {
      syndicate_id: string
      fundraise_id: string
    }
    query?: {
      /** How many rows to skip, 0 by default. Ignored if a cursor is given. */
      offset?: number
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<DealInvestor>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        /** The same as page_count. */
        count: number
        /** The number of members who invested in the deal. */
        total_count: number
        offset: number
        /** The maximum number of rows in a page of this request. */
        per_page: number
      }
    }
  }
  /** List join sessions */
  "GET /syndicates/{syndicate_id}/join_sessions": {
    path: {
      syndicate_id: string
    }
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<JoinSession>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Create a join session */
  "POST /syndicates/{syndicate_id}/join_sessions": {
    path: {
      syndicate_id: string
    }
    body?: NewJoinSession
    response: JoinSessionEnvelope
  }
  /** Get a join session */
  "GET /syndicates/{syndicate_id}/join_sessions/{join_session_id}": {
    path: {
      syndicate_id: string
      join_session_id: string
    }
    response: JoinSessionEnvelope
  }
  /** Cancel a join session */
  "DELETE /syndicates/{syndicate_id}/join_sessions/{join_session_id}": {
    path: {
      syndicate_id: string
      join_session_id: string
    }
    response: JoinSessionEnvelope
  }
  /** List join themes */
  "GET /syndicates/{syndicate_id}/join_themes": {
    path: {
      syndicate_id: string
    }
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<JoinTheme>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Create a join theme */
  "POST /syndicates/{syndicate_id}/join_themes": {
    path: {
      syndicate_id: string
    }
    body: NewJoinTheme
    response: JoinThemeEnvelope
  }
  /** Update a join theme */
  "PATCH /syndicates/{syndicate_id}/join_themes/{theme_id}": {
    path: {
      syndicate_id: string
      theme_id: string
    }
    body?: JoinThemeChange
    response: JoinThemeEnvelope
  }
  /** List syndicate members */
  "GET /syndicates/{syndicate_id}/members": {
    path: {
      syndicate_id: string
    }
    query?: {
      /** If left out: all roles except exiled, resigned, removed, declined and withdrawn. */
      role?: "creator" | "manager" | "member" | "invitee" | "applicant" | "approved" | "payment_failed" | "exiled" | "resigned" | "removed" | "declined" | "withdrawn"
      permission?: "full_access" | "operator"
      /** Part of a name or an email address. */
      search?: string
      /** One of directory, newest, oldest, alphabetical, last_activity, investment_amount. Any other value means directory: the order that managers gave. */
      sort?: string
      /** Whether the member has invested in any of the syndicate’s selected deals. */
      has_invested?: boolean
      /** Whether the member is accredited: verified or self-attested. */
      accredited?: boolean
      /** Part of a tag: what a member can help with. */
      tag?: string
      /** Part of a city, state or country. Members who hide their location are not found. */
      location?: string
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<SyndicateMember>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Update a syndicate member */
  "PATCH /syndicates/{syndicate_id}/members/{member_id}": {
    path: {
      syndicate_id: string
      member_id: string
    }
    body: SyndicateMemberChanges
    response: {
      data: SyndicateMember
    }
  }

  /** Approve a membership application */
  "POST /syndicates/{syndicate_id}/members/{member_id}/approve": {
    path: {
      syndicate_id: string
      member_id: string
    }
    response: {
      data: SyndicateMember
    }
  }
  /** Decline a membership application */
  "POST /syndicates/{syndicate_id}/members/{member_id}/decline": {
    path: {
      syndicate_id: string
      member_id: string
    }
    response: {
      data: SyndicateMember
    }
  }
  /** Demote a syndicate manager */
  "POST /syndicates/{syndicate_id}/members/{member_id}/demote": {
    path: {
      syndicate_id: string
      member_id: string
    }
    response: {
      data: SyndicateMember
    }
  }
  /** Hide a syndicate member */
  "POST /syndicates/{syndicate_id}/members/{member_id}/hide": {
    path: {
      syndicate_id: string
      member_id: string
    }
    response: {
      data: SyndicateMember
    }
  }
  /** List a member’s investments */
  "GET /syndicates/{syndicate_id}/members/{member_id}/investments": {
    path: {
      syndicate_id: string
      member_id: string
    }
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<MemberInvestment>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        /** The same as page_count. */
        count: number
        /** ISO 4217, in lower case. */
        currency: string
        /** The sum in this currency. In minor units of the currency. */
        total_amount_cents: number
        /** The sums in each currency. The first entry repeats `currency` and `total_amount_cents`. */
        total_by_currency: Array<{
          /** ISO 4217, in lower case. */
          currency: string
          /** The sum in this currency. In minor units of the currency. */
          total_amount_cents: number
        }>
      }
    }
  }
  /** Promote a syndicate member */
  "POST /syndicates/{syndicate_id}/members/{member_id}/promote": {
    path: {
      syndicate_id: string
      member_id: string
    }
    response: {
      data: SyndicateMember
    }
  }
  /** Resend a syndicate invitation */
  "POST /syndicates/{syndicate_id}/members/{member_id}/resend_invite": {
    path: {
      syndicate_id: string
      member_id: string
    }
    response: {
      data: SyndicateMember
    }
  }
  /** Restore a syndicate member */
  "POST /syndicates/{syndicate_id}/members/{member_id}/restore": {
    path: {
      syndicate_id: string
      member_id: string
    }
    response: {
      data: SyndicateMember
    }
  }
  /** Withdraw an invitation */
  "POST /syndicates/{syndicate_id}/members/{member_id}/withdraw_invite": {
    path: {
      syndicate_id: string
      member_id: string
    }
    response: {
      data: SyndicateMember
    }
  }
  /** Invite a syndicate member */
  "POST /syndicates/{syndicate_id}/members/invite": {
    path: {
      syndicate_id: string
    }
    body: NewSyndicateInvitation
    response: {
      data: SyndicateMember
    }
  }
  /** Reorder syndicate members */
  "POST /syndicates/{syndicate_id}/members/reorder": {
    path: {
      syndicate_id: string
    }
    body: NewSyndicateMemberOrder
    response: {
      data: SyndicateMemberOrder
    }
  }
  /** Get a syndicate’s portfolio summary */
  "GET /syndicates/{syndicate_id}/portfolio": {
    path: {
      syndicate_id: string
    }
    query?: {
      /** `sold`: all stakes were sold to other holders. `exited`, `failed`: the stakes ended in an exit or a failure. */
      status?: "active" | "exited" | "sold" | "failed"
      /** Only positions in this company (`co_…`). */
      company?: string
    }
    response: {
      data: SyndicatePortfolioSummary
    }
  }
  /** List syndicate portfolio positions */
  "GET /syndicates/{syndicate_id}/portfolio/positions": {
    path: {
      syndicate_id: string
    }
    query?: {
      /** `sold`: all stakes were sold to other holders. `exited`, `failed`: the stakes ended in an exit or a failure. */
      status?: "active" | "exited" | "sold" | "failed"
      /** Only positions in this company (`co_…`). */
      company?: string
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<SyndicatePortfolioPosition>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Get syndicate statistics */
  "GET /syndicates/{syndicate_id}/statistics": {
    path: {
      syndicate_id: string
    }
    response: {
      data: SyndicateStatistics
    }
  }
  /** Get the current user */
  "GET /users/me": {
    response: {
      data: User
    }
  }
  /** Update the current user */
  "PATCH /users/me": {
    body?: ProfileChanges
    response: {
      data: User
    }
  }
  /** List the user’s companies */
  "GET /users/me/companies": {
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<MyCompany>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        /** The same as page_count. */
        count: number
      }
    }
  }
  /** List followed companies */
  "GET /users/me/follows": {
    query?: {
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<Follow>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
      }
    }
  }
  /** Follow a company */
  "PUT /users/me/follows/{company_id}": {
    path: {
      company_id: string
    }
    response: {
      data: FollowState
    }
  }
  /** Unfollow a company */
  "DELETE /users/me/follows/{company_id}": {
    path: {
      company_id: string
    }
    response: {
      data: FollowState
    }
  }
  /** List webhook endpoints */
  "GET /webhook_endpoints": {
    query?: {
      /** Endpoints of one mode. If left out, all endpoints that the credential manages. */
      mode?: "test" | "live"
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<WebhookEndpoint>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        /** The number of records in this response. */
        count: number
        /** How many endpoints an app can have in each mode. */
        quota: number
        request_id: string
      }
    }
  }
  /** Create a webhook endpoint */
  "POST /webhook_endpoints": {
    body: NewWebhookEndpoint
    response: WebhookEndpointEnvelope
  }
  /** Get a webhook endpoint */
  "GET /webhook_endpoints/{id}": {
    path: {
      id: string
    }
    response: WebhookEndpointEnvelope
  }
  /** Update a webhook endpoint */
  "PATCH /webhook_endpoints/{id}": {
    path: {
      id: string
    }
    body?: WebhookEndpointChange
    response: WebhookEndpointEnvelope
  }
  /** Delete a webhook endpoint */
  "DELETE /webhook_endpoints/{id}": {
    path: {
      id: string
    }
    response: {
      data: {
        id: string
        type: "webhook_endpoint"
        removed: true
      }
    }
  }
  /** List webhook deliveries */
  "GET /webhook_endpoints/{id}/deliveries": {
    path: {
      id: string
    }
    query?: {
      /** Deliveries with this status. */
      status?: "pending" | "delivered" | "exhausted" | "canceled"
      /** The maximum number of rows in the page, 25 by default. A number above 100 counts as 100, and zero or less as 25. */
      per_page?: number
      /** The previous page's meta.next_cursor, unchanged. */
      cursor?: string
    }
    response: {
      data: Array<WebhookDelivery>
      meta: {
        /** Whether another page exists. Read pages until this is false. */
        has_more: boolean
        /** Rows in this page. */
        page_count: number
        /** The opaque cursor of the next page, if any. */
        next_cursor: string | null
        request_id: string
      }
    }
  }
  /** Get a webhook delivery */
  "GET /webhook_endpoints/{id}/deliveries/{delivery_id}": {
    path: {
      id: string
      delivery_id: string
    }
    response: WebhookDeliveryWithPayloadEnvelope
  }
  /** Redeliver a webhook delivery */
  "POST /webhook_endpoints/{id}/deliveries/{delivery_id}/redeliver": {
    path: {
      id: string
      delivery_id: string
    }
    response: WebhookDeliveryEnvelope
  }
  /** Enable a webhook endpoint */
  "POST /webhook_endpoints/{id}/reenable": {
    path: {
      id: string
    }
    response: WebhookEndpointEnvelope
  }
  /** Replay webhook deliveries */
  "POST /webhook_endpoints/{id}/replay": {
    path: {
      id: string
    }
    body: WebhookReplayRequest
    response: WebhookReplayEnvelope
  }
  /** Rotate a webhook signing secret */
  "POST /webhook_endpoints/{id}/rotate_secret": {
    path: {
      id: string
    }
    response: WebhookEndpointEnvelope
  }
  /** Test a webhook endpoint */
  "POST /webhook_endpoints/{id}/test": {
    path: {
      id: string
    }
    body?: WebhookTestRequest
    response: WebhookTestEnvelope
  }
}

/** The body of each webhook, by the name of its event. */
export interface EventPayloads {
  /** Receive installation.created */
  "installation.created": {
    id: string
    event: "installation.created"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      target: {
        type: "company"
        id: string
        name: string
      } | {
        type: "syndicate"
        id: string
        name: string
      } | {
        type: "user"
        id: string
        name: null
      }
      tier: "founder" | "admin" | "editor" | "manager" | "user"
      scopes: Array<string>
      installed_at: string
      installed_by: {
        /** founder, manager, user, partner, or the platform’s own name for its staff. */
        role: string
      }
      /** With microseconds. */
      occurred_at: string
      status: "active"
    }
    installation: EventInstallation
  }
  /** Receive installation.revoked */
  "installation.revoked": {
    id: string
    event: "installation.revoked"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      target: {
        type: "company"
        id: string
        name: string
      } | {
        type: "syndicate"
        id: string
        name: string
      } | {
        type: "user"
        id: string
        name: null
      }
      tier: "founder" | "admin" | "editor" | "manager" | "user"
      scopes: Array<string>
      installed_at: string
      installed_by: {
        /** founder, manager, user, partner, or the platform’s own name for its staff. */
        role: string
      }
      /** With microseconds. */
      occurred_at: string
      status: "revoked"
      revoked_at: string
      revoked_by: {
        /** founder, manager, user, partner, or the platform’s own name for its staff. */
        role: string
      }
    }
    installation: EventInstallation
  }
  /** Receive intent.approved */
  "intent.approved": {
    id: string
    event: "intent.approved"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      /** The proposed action, for example syndicates.close_deal. */
      action: string
      status: "approved"
      resource: {
        type: "syndicate"
        id: string
      } | {
        type: "company"
        id: string
      }
      /** With microseconds. */
      occurred_at: string
    }
    installation: EventInstallation
  }
  /** Receive intent.executed */
  "intent.executed": {
    id: string
    event: "intent.executed"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      /** The proposed action, for example syndicates.close_deal. */
      action: string
      status: "executed"
      resource: {
        type: "syndicate"
        id: string
      } | {
        type: "company"
        id: string
      }
      /** With microseconds. */
      occurred_at: string
    }
    installation: EventInstallation
  }
  /** Receive intent.expired */
  "intent.expired": {
    id: string
    event: "intent.expired"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      /** The proposed action, for example syndicates.close_deal. */
      action: string
      status: "expired"
      resource: {
        type: "syndicate"
        id: string
      } | {
        type: "company"
        id: string
      }
      /** With microseconds. */
      occurred_at: string
    }
    installation: EventInstallation
  }
  /** Receive intent.failed */
  "intent.failed": {
    id: string
    event: "intent.failed"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      /** The proposed action, for example syndicates.close_deal. */
      action: string
      status: "failed"
      resource: {
        type: "syndicate"
        id: string
      } | {
        type: "company"
        id: string
      }
      /** With microseconds. */
      occurred_at: string
    }
    installation: EventInstallation
  }
  /** Receive intent.rejected */
  "intent.rejected": {
    id: string
    event: "intent.rejected"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      /** The proposed action, for example syndicates.close_deal. */
      action: string
      status: "rejected"
      resource: {
        type: "syndicate"
        id: string
      } | {
        type: "company"
        id: string
      }
      /** With microseconds. */
      occurred_at: string
    }
    installation: EventInstallation
  }
  /** Receive investment.amount_changed */
  "investment.amount_changed": {
    id: string
    event: "investment.amount_changed"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      offering: string
      investor: {
        id: string
        name: string
        /** Only for a company’s installation with read:investors:pii. */
        email?: string
      }
      investor_totals?: InvestorTotals
      status: "active" | "reserved" | "executed"
      amounts: {
        /** Whole units of the offering’s currency, not cents. */
        committed: number
      }
      previous_amounts: {
        /** Whole units of the offering’s currency, not cents. */
        committed: number
      }
      /** With microseconds. */
      occurred_at: string
    }
    installation: EventInstallation
  }
  /** Receive investment.canceled */
  "investment.canceled": {
    id: string
    event: "investment.canceled"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      offering: string
      investor: {
        id: string
        name: string
        /** Only for a company’s installation with read:investors:pii. */
        email?: string
      }
      investor_totals?: InvestorTotals
      status: "canceled"
      amounts: {
        /** Whole units of the offering’s currency, not cents. */
        committed: number | null
      }
      canceled_at: string
      /** With microseconds. */
      occurred_at: string
    }
    installation: EventInstallation
  }
  /** Receive investment.changed */
  "investment.changed": {
    id: string
    event: "investment.changed"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      /** False: the company no longer sees the investment. */
      visible: boolean
      reason: "changed" | "recomputed" | "investor_deactivated"
      company: string
      /** With microseconds. */
      observed_at: string
      /** True if the investment was never published to this receiver before. */
      first: boolean
      /** Top-level fields of the record that differ from the last published copy. */
      fields: Array<string>
    }
    installation: EventInstallation
  }
  /** Receive investment.converted */
  "investment.converted": {
    id: string
    event: "investment.converted"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      offering: string
      investor: {
        id: string
        name: string
        /** Only for a company’s installation with read:investors:pii. */
        email?: string
      }
      investor_totals?: InvestorTotals
      status: "converted"
      amounts: {
        /** Whole units of the offering’s currency, not cents. */
        committed: number
      }
      converted_to: string | null
      /** With microseconds. */
      occurred_at: string
    }
    installation: EventInstallation
  }
  /** Receive investment.created */
  "investment.created": {
    id: string
    event: "investment.created"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      offering: string
      investor: {
        id: string
        name: string
        /** Only for a company’s installation with read:investors:pii. */
        email?: string
      }
      investor_totals?: InvestorTotals
      status: "active" | "reserved"
      amounts: {
        /** Whole units of the offering’s currency, not cents. */
        committed: number
      }
      /** With microseconds. */
      occurred_at: string
    }
    installation: EventInstallation
  }
  /** Receive investment.executed */
  "investment.executed": {
    id: string
    event: "investment.executed"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      offering: string
      investor: {
        id: string
        name: string
        /** Only for a company’s installation with read:investors:pii. */
        email?: string
      }
      investor_totals?: InvestorTotals
      status: "executed"
      amounts: {
        /** Whole units of the offering’s currency, not cents. */
        committed: number
      }
    }
    installation: EventInstallation
  }
  /** Receive investment.referred */
  "investment.referred": {
    id: string
    event: "investment.referred"
    created_at: string
    mode: "test" | "live"
    data: {
      referral_code: string
      company: string
      /** Opaque: the same for this investment in the statistics of this company. */
      investment_token: string
      /** Opaque: the same investor at this company; another company has another token. */
      investor_token: string
      week: string
      amount_tier: "small" | "medium" | "large"
      status: "active" | "reserved" | "executed" | "canceled" | "converted"
      time_to_invest: "direct" | "assisted" | "delayed"
    }
    installation: EventInstallation
  }
  /** Receive investment.reinstated */
  "investment.reinstated": {
    id: string
    event: "investment.reinstated"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      offering: string
      investor: {
        id: string
        name: string
        /** Only for a company’s installation with read:investors:pii. */
        email?: string
      }
      investor_totals?: InvestorTotals
      status: "active" | "reserved"
      amounts: {
        /** Whole units of the offering’s currency, not cents. */
        committed: number
      }
      /** With microseconds. */
      occurred_at: string
    }
    installation: EventInstallation
  }
  /** Receive investment_session.canceled */
  "investment_session.canceled": {
    id: string
    event: "investment_session.canceled"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      offering: string
      email: string | null
      allocation_cents: number | null
      expires_at: string
      status: "canceled"
    }
    installation: EventInstallation
  }
  /** Receive investment_session.completed */
  "investment_session.completed": {
    id: string
    event: "investment_session.completed"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      offering: string
      email: string | null
      allocation_cents: number | null
      expires_at: string
      status: "completed"
      investment: string
    }
    installation: EventInstallation
  }
  /** Receive investment_session.created */
  "investment_session.created": {
    id: string
    event: "investment_session.created"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      offering: string
      email: string | null
      allocation_cents: number | null
      expires_at: string
      status: "pending"
    }
    installation: EventInstallation
  }
  /** Receive investment_session.expired */
  "investment_session.expired": {
    id: string
    event: "investment_session.expired"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      offering: string
      email: string | null
      allocation_cents: number | null
      expires_at: string
      status: "expired"
    }
    installation: EventInstallation
  }
  /** Receive investment_session.started */
  "investment_session.started": {
    id: string
    event: "investment_session.started"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      offering: string
      email: string | null
      allocation_cents: number | null
      expires_at: string
      status: "in_progress"
    }
    installation: EventInstallation
  }
  /** Receive join_session.canceled */
  "join_session.canceled": {
    id: string
    event: "join_session.canceled"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      syndicate: string
      status: "canceled"
      user: {
        id: string
        name: string
      } | null
      ineligible_reason: null
      theme: {
        id: null
        version: null
        override_fingerprint: null
      } | {
        id: string
        version: number
        override_fingerprint: string | null
      }
      /** With microseconds. */
      occurred_at: string
    }
    installation: EventInstallation
  }
  /** Receive join_session.completed */
  "join_session.completed": {
    id: string
    event: "join_session.completed"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      syndicate: string
      status: "joined"
      user: {
        id: string
        name: string
      }
      ineligible_reason: null
      theme: {
        id: null
        version: null
        override_fingerprint: null
      } | {
        id: string
        version: number
        override_fingerprint: string | null
      }
      /** With microseconds. */
      occurred_at: string
    }
    installation: EventInstallation
  }
  /** Receive join_session.expired */
  "join_session.expired": {
    id: string
    event: "join_session.expired"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      syndicate: string
      status: "expired"
      user: {
        id: string
        name: string
      } | null
      ineligible_reason: null
      theme: {
        id: null
        version: null
        override_fingerprint: null
      } | {
        id: string
        version: number
        override_fingerprint: string | null
      }
      /** With microseconds. */
      occurred_at: string
    }
    installation: EventInstallation
  }
  /** Receive join_session.ineligible */
  "join_session.ineligible": {
    id: string
    event: "join_session.ineligible"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      syndicate: string
      status: "ineligible"
      user: {
        id: string
        name: string
      } | null
      ineligible_reason: "accreditation_required" | "jurisdiction" | "blocked" | "club_unavailable" | "requires_investment"
      theme: {
        id: null
        version: null
        override_fingerprint: null
      } | {
        id: string
        version: number
        override_fingerprint: string | null
      }
      /** With microseconds. */
      occurred_at: string
    }
    installation: EventInstallation
  }
  /** Receive join_session.pending_approval */
  "join_session.pending_approval": {
    id: string
    event: "join_session.pending_approval"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      syndicate: string
      status: "pending_approval"
      user: {
        id: string
        name: string
      }
      ineligible_reason: null
      theme: {
        id: null
        version: null
        override_fingerprint: null
      } | {
        id: string
        version: number
        override_fingerprint: string | null
      }
      /** With microseconds. */
      occurred_at: string
    }
    installation: EventInstallation
  }
  /** Receive join_session.rejected */
  "join_session.rejected": {
    id: string
    event: "join_session.rejected"
    created_at: string
    mode: "test" | "live"
    data: {
      id: string
      syndicate: string
      status: "rejected"
      user: {
        id: string
        name: string
      }
      ineligible_reason: null
      theme: {
        id: null
        version: null
        override_fingerprint: null
      } | {
        id: string
        version: number
        override_fingerprint: string | null
      }
      /** With microseconds. */
      occurred_at: string
    }
    installation: EventInstallation
  }
  /** Receive offering.canceled */
  "offering.canceled": {
    id: string
    event: "offering.canceled"
    created_at: string
    mode: "test" | "live"
    data: {
      offering: string
      company: {
        name: string
        /** The company’s name in web addresses, for example `example-company`. */
        url: string
      }
      status: "canceled"
    }
    installation: EventInstallation
  }
  /** Receive offering.closed */
  "offering.closed": {
    id: string
    event: "offering.closed"
    created_at: string
    mode: "test" | "live"
    data: {
      offering: string
      company: {
        name: string
        /** The company’s name in web addresses, for example `example-company`. */
        url: string
      }
      status: "closed"
    }
    installation: EventInstallation
  }
  /** Receive offering.closing */
  "offering.closing": {
    id: string
    event: "offering.closing"
    created_at: string
    mode: "test" | "live"
    data: {
      offering: string
      company: {
        name: string
        /** The company’s name in web addresses, for example `example-company`. */
        url: string
      }
      status: "closing"
      expected_disbursement_at?: string
    }
    installation: EventInstallation
  }
  /** Receive offering.opened */
  "offering.opened": {
    id: string
    event: "offering.opened"
    created_at: string
    mode: "test" | "live"
    data: {
      offering: string
      company: {
        name: string
        /** The company’s name in web addresses, for example `example-company`. */
        url: string
      }
      status: "open"
    }
    installation: EventInstallation
  }
  /** Receive referral_cohorts.published */
  "referral_cohorts.published": {
    id: string
    event: "referral_cohorts.published"
    created_at: string
    mode: "test" | "live"
    data: {
      week: string
      published_at: string
    }
  }
  /** Receive syndicate_member.applied */
  "syndicate_member.applied": {
    id: string
    event: "syndicate_member.applied"
    created_at: string
    mode: "test" | "live"
    data: {
      syndicate: string
      /** With microseconds. */
      occurred_at: string
      id: string
      user: {
        id: string
        name: string
        email: string
      }
      status: "pending"
      approved_by: null
    }
    installation: EventInstallation
  }
  /** Receive syndicate_member.approved */
  "syndicate_member.approved": {
    id: string
    event: "syndicate_member.approved"
    created_at: string
    mode: "test" | "live"
    data: {
      syndicate: string
      /** With microseconds. */
      occurred_at: string
      id: string
      user: {
        id: string
        name: string
        email: string
      }
      status: "approved"
      approved_by: {
        id: string
        name: string
      }
    }
    installation: EventInstallation
  }
  /** Receive syndicate_member.declined */
  "syndicate_member.declined": {
    id: string
    event: "syndicate_member.declined"
    created_at: string
    mode: "test" | "live"
    data: {
      syndicate: string
      /** With microseconds. */
      occurred_at: string
      id: string
      user: {
        id: string
        name: string
        email: string
      }
      status: "declined" | "withdrawn"
      approved_by: {
        id: string
        name: string
      } | null
    }
    installation: EventInstallation
  }
  /** Receive syndicate_member.invited */
  "syndicate_member.invited": {
    id: string
    event: "syndicate_member.invited"
    created_at: string
    mode: "test" | "live"
    data: {
      syndicate: string
      /** With microseconds. */
      occurred_at: string
      email: string
      name: string
      user: string | null
      invited_by: {
        id: string
        name: string
      }
    }
    installation: EventInstallation
  }
  /** Receive syndicate_member.joined */
  "syndicate_member.joined": {
    id: string
    event: "syndicate_member.joined"
    created_at: string
    mode: "test" | "live"
    data: {
      syndicate: string
      /** With microseconds. */
      occurred_at: string
      id: string
      user: {
        id: string
        name: string
        email: string
      }
      status: "member"
      approved_by: {
        id: string
        name: string
      } | null
    }
    installation: EventInstallation
  }
  /** Receive syndicate_member.left */
  "syndicate_member.left": {
    id: string
    event: "syndicate_member.left"
    created_at: string
    mode: "test" | "live"
    data: {
      syndicate: string
      /** With microseconds. */
      occurred_at: string
      id: string
      user: {
        id: string
        name: string
        email: string
      }
      status: "left" | "removed" | "payment_failed"
      approved_by: {
        id: string
        name: string
      } | null
    }
    installation: EventInstallation
  }
  /** Receive syndicate_member.reinvited */
  "syndicate_member.reinvited": {
    id: string
    event: "syndicate_member.reinvited"
    created_at: string
    mode: "test" | "live"
    data: {
      syndicate: string
      /** With microseconds. */
      occurred_at: string
      email: string
      name: string
      user: string | null
      invited_by: {
        id: string
        name: string
      }
    }
    installation: EventInstallation
  }
}
