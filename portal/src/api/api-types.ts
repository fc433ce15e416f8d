// Generated from server/openapi.json by npm run generate. Do not edit.

export interface paths {
    "/platform/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List or search accounts
         * @description Returns accounts, newest first; with `query`, those whose address or name starts with it.
         */
        get: operations["listAccounts"];
        put?: never;
        /**
         * Create an account
         * @description Creates an account with which a person signs in.
         */
        post: operations["createAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an account
         * @description Returns an account with the users it is linked to.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/accounts/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable an account
         * @description Disables an account. It is signed out everywhere and cannot sign in.
         */
        post: operations["disableAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/accounts/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable an account
         * @description Lets a disabled account sign in again.
         */
        post: operations["enableAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/accounts/{id}/factors/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset the factors of an account
         * @description Removes the authenticator app, the passkeys and the recovery codes of an account, for a person who lost them. Password and sessions stay; the person gets a mail.
         */
        post: operations["resetAccountFactors"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/accounts/{id}/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set a password for an account
         * @description Sets the password. Ends every browser session of the account and every link issued for it.
         */
        put: operations["setAccountPassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/accounts/{id}/password_link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue a one-time password link
         * @description Returns a link to a page where the person sets a password, once, within 24 hours.
         */
        post: operations["issuePasswordLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/accounts/{id}/sign_in_link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue a one-time sign-in link
         * @description Returns a link that signs one browser in, once, within 15 minutes, by a button on its page.
         */
        post: operations["issueSignInLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/accounts/{id}/staff_role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set a staff role
         * @description Gives a person a role on the platform’s staff, in place of an earlier one. It is in force from the person’s next request on.
         */
        put: operations["setStaffRole"];
        post?: never;
        /**
         * Revoke a staff role
         * @description Takes a person’s staff role away. Their next request under /platform is rejected; the account stays.
         */
        delete: operations["revokeStaffRole"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/accounts/{id}/users/{mode}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Link an account to a user
         * @description Links an account to its user in one world. The link cannot be changed afterwards.
         */
        put: operations["linkAccountUser"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/accounts/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite a person to the platform
         * @description Mails a link by which the person makes an account with this address, once, within 14 days. The link is returned as well.
         */
        post: operations["inviteToPlatform"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all apps
         * @description Returns all apps of all organizations.
         */
        get: operations["listApps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/apps/{app_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get any app
         * @description Returns an app of any organization.
         */
        get: operations["readApp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/apps/{app_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve an app
         * @description Approves an app, so that people outside its team can install it. The consent page no longer warns that the app was not reviewed.
         */
        post: operations["approveApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/apps/{app_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an app’s history
         * @description Returns what was done to an app and who did it, the operator key included, newest first. Deleted apps keep their history. A viewer sees no names and no reasons.
         */
        get: operations["readAppHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/apps/{app_id}/lift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lift a suspension
         * @description Lifts the suspension of an app. The app returns to the state that its team had set.
         */
        post: operations["liftSuspension"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/apps/{app_id}/pii_approval": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve investor PII
         * @description Approves an app for investor PII. Existing installations do not gain the scope.
         */
        post: operations["approvePii"];
        /**
         * Withdraw investor PII approval
         * @description Withdraws an app’s approval for investor PII and revokes the installations that depend on it.
         */
        delete: operations["withdrawPii"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/apps/{app_id}/programs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Grant an access program
         * @description Admits an app to an access program and adds the program’s scopes to the app.
         */
        post: operations["grantProgram"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/apps/{app_id}/programs/{program}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw an access program
         * @description Withdraws an access program from an app together with the scopes that the program added, or declines the app’s request for the program.
         */
        delete: operations["withdrawAppProgram"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/apps/{app_id}/requests/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline a team’s request
         * @description Declines a request that waits: the approval of the app, investor PII, or a program. The team gets the reason by mail, and can ask again.
         */
        post: operations["declineAppRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/apps/{app_id}/scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add operator-only scopes
         * @description Adds scopes to an app that its team cannot select by itself.
         */
        post: operations["addPlatformScopes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/apps/{app_id}/scopes/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove scopes as the operator
         * @description Removes scopes from an app, whether its team or the operator added them. This works while the app is suspended or disabled, too.
         */
        post: operations["removeAppScopesByOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/apps/{app_id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suspend an app
         * @description Suspends an app. Its credentials are rejected, and it cannot be installed. Its team gets the reason by mail.
         */
        post: operations["suspendApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/apps/{app_id}/unapprove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw an app’s approval
         * @description Withdraws the approval: people outside the app’s team can no longer install it. Existing installations stay.
         */
        post: operations["unapproveApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/facts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send platform facts
         * @description Records what happened on the host platform. A request holds up to 1,000 facts. They are applied in order, and each is applied once by its id.
         */
        post: operations["applyFacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/facts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a fact
         * @description Returns a fact that was applied, with the events it caused.
         */
        get: operations["getFact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/installations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get any installation
         * @description Returns an installation of any app, for the operator.
         */
        get: operations["readInstallationByOperator"];
        put?: never;
        post?: never;
        /**
         * Revoke any installation
         * @description Revokes an installation and, at once, every token of it.
         */
        delete: operations["revokeInstallationByOperator"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the calling operator
         * @description Returns the caller, an operator key or a signed-in person of the staff, with the role and the mode.
         */
        get: operations["readOperator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List organizations
         * @description Returns all organizations.
         */
        get: operations["listOrganizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/organizations/{organization_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an organization
         * @description Returns an organization.
         */
        get: operations["readOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/organizations/{organization_id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End an organization’s access
         * @description Ends an organization’s access for good. No credential of its apps works again, and all its installations are revoked.
         */
        post: operations["endOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/organizations/{organization_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an organization’s history
         * @description Returns what was done to an organization and its apps and who did it, newest first. A viewer sees no names and no reasons.
         */
        get: operations["readOrganizationHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/partners/of_member": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search organizations by a member
         * @description Finds organizations whose team has a person with this email address or, for `@example.org`, an address of this domain.
         */
        get: operations["searchPartnersOfMember"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/partners/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search organizations and apps
         * @description Finds organizations and apps by a part of their name, by their id, and apps also by a client id and by the host of a redirect URI.
         */
        get: operations["searchPartners"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List requests that wait
         * @description Returns the approvals, requests for investor PII and requests for programs that wait for a decision, the oldest first. `meta.counts` counts all of them.
         */
        get: operations["listPartnerRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/staff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the platform’s staff
         * @description Returns the people with a staff role, oldest account first.
         */
        get: operations["listStaff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your apps
         * @description Returns the apps of your organizations, or of one organization.
         */
        get: operations["listOwnApps"];
        put?: never;
        /**
         * Create an app
         * @description Creates an app for an organization. The request accepts the usage conditions.
         */
        post: operations["createApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your app
         * @description Returns an app of one of your organizations.
         */
        get: operations["readOwnApp"];
        put?: never;
        post?: never;
        /**
         * Delete an app
         * @description Deletes an app that was never approved, never issued a live token and was never installed; consents in the test world do not count, and they end with the app. The body repeats the app’s name. Only owners and admins can do this.
         */
        delete: operations["deleteApp"];
        options?: never;
        head?: never;
        /**
         * Update an app
         * @description Changes an app’s name, what it shows to people, or the API version to which it is pinned.
         */
        patch: operations["updateApp"];
        trace?: never;
    };
    "/portal/api/apps/{app_id}/approval_request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request the app’s approval again
         * @description Asks the platform to approve the app after it declined or withdrew the approval. A new app waits for its approval by itself.
         */
        post: operations["requestAppApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable an app
         * @description Disables an app and revokes all its tokens for good. Only owners and admins can do this.
         */
        post: operations["disableApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable an app
         * @description Lets a disabled app obtain tokens again. Only owners and admins can do this.
         */
        post: operations["enableApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an app’s events
         * @description Returns the app’s events of the last 90 days in one mode (`live`, if left out), one for each installation that an event concerns, with the body that a webhook endpoint would get now. Events are stored for apps that declare read:webhooks. A page can end early if few events fit the filters: iterate on has_more.
         */
        get: operations["listAppEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an app’s event
         * @description Returns an event of either mode with the body that a webhook endpoint would get now, its deliveries, and the API request of the app that caused it. If it concerns several installations of the app, `installation_id` selects one; without it, the first is shown.
         */
        get: operations["getAppEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream an app’s events
         * @description Sends the app’s events of one mode (`live`, if left out) as server-sent events (`text/event-stream`) until the client disconnects. Each has an `id`: connect again with the last one in `Last-Event-ID`, and the stream continues after it. It counts among the app’s open event streams. When the session ends or the person leaves the team, the stream sends an event named `end` and stops.
         */
        get: operations["streamAppEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an app’s history
         * @description Returns what was done to an app and who did it, newest first.
         */
        get: operations["listAppHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/installations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an app’s installations
         * @description Returns where the app is installed, newest first. Revoked installations stay in the list for 30 days.
         */
        get: operations["listAppInstallations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/installations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an app’s installation
         * @description Returns an installation with the scopes that the app asks for and, for each scope that the installation lacks, the reason.
         */
        get: operations["getAppInstallation"];
        put?: never;
        post?: never;
        /**
         * Revoke an app’s installation
         * @description Revokes an installation of the app and, at once, every token of it.
         */
        delete: operations["revokeAppInstallation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/installations/{id}/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview an installation’s sync
         * @description Returns the page that `GET /investments` would return now to a token of this installation, from the beginning or from a cursor; how old the cursor is, how many changes wait behind it, and why it is rejected if it is. Records of a user’s own connection are not shown: only the user’s token reads them.
         */
        get: operations["inspectAppSync"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/installations/{id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue an installation token
         * @description Issues a token of an installation on a company or syndicate, for two hours, with all of its scopes or with some of them. The token is shown only once. The app’s history records that it was issued.
         */
        post: operations["createAppInstallationToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List app keys
         * @description Returns the keys of an app, live keys first. Revoked keys are included.
         */
        get: operations["listAppKeys"];
        put?: never;
        /**
         * Create an app key
         * @description Creates a key for one of the worlds. A confidential key has a secret. The secret is shown only once.
         */
        post: operations["createAppKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update an app key
         * @description Changes a key. A key that becomes public loses its secrets. A key that becomes confidential gets a secret, which is shown only once.
         */
        patch: operations["updateAppKey"];
        trace?: never;
    };
    "/portal/api/apps/{app_id}/keys/{key_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an app key
         * @description Revokes a key for good, together with every token that was obtained with it.
         */
        post: operations["revokeAppKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/keys/{key_id}/rotate_secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a client secret
         * @description Gives a key a new secret, which is shown only once. The current secret keeps working for `overlap_seconds`, 24 hours by default.
         */
        post: operations["rotateAppSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an app’s rate limits
         * @description Returns the limits in force and how much of them the app has used in the current windows.
         */
        get: operations["readAppLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/limits/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an app’s limit use
         * @description Returns how much of the limits of its tokens and keys the app has used, and how many requests were rejected: by hour for the last 168 hours, or by day for the last 90 days (UTC). Written a few seconds behind the requests.
         */
        get: operations["readAppLimitUse"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set an app’s logo
         * @description Sets or replaces the logo of an app.
         */
        put: operations["changeAppLogo"];
        post?: never;
        /**
         * Remove an app’s logo
         * @description Removes the logo of an app.
         */
        delete: operations["removeAppLogo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an app’s overview
         * @description Returns what needs attention at the app in one mode (`live`, if left out), and which of the first steps are done.
         */
        get: operations["readAppOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/pii_request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request investor PII approval
         * @description Asks the platform to approve the app for investor PII.
         */
        post: operations["requestPiiApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/program_requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request an access program
         * @description Asks the platform to admit the app to an access program.
         */
        post: operations["requestProgram"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/referral_codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an app’s referral codes
         * @description Returns the app’s referral codes of a mode, newest first, with their counts in ranges.
         */
        get: operations["listAppReferralCodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/referral_codes/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an app’s referral statistics
         * @description Returns what a referral code brought, by week and by company, newest week first, in the ranges and rows that the app’s own token gets.
         */
        get: operations["getAppReferralStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an app’s API requests
         * @description Returns the requests of the last 7 days that were made with the app’s credentials, newest first. A request is in the list about a second after its answer. Bodies, queries, ids in paths and secrets are not stored. Times are real time, in the sandbox too.
         */
        get: operations["listAppRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an app’s API request
         * @description Returns one request of the app by the request id from the `X-Request-Id` header of its response.
         */
        get: operations["getAppRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/requests/{request_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an API request’s events
         * @description Returns the app’s events that one API request caused, oldest first, by the request id from the `X-Request-Id` header of its response. Events that a job or an approval causes later have no request id.
         */
        get: operations["listAppRequestEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/requests/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream an app’s API requests
         * @description Sends the app’s requests as server-sent events (`text/event-stream`) until the client disconnects. Each event has an `id`: connect again with the last one in `Last-Event-ID`, and the stream continues after it. When the session ends or the person leaves the team, the stream sends an event named `end` and stops.
         */
        get: operations["streamAppRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the sandbox clock
         * @description Returns the current time of the test world. Only the operator moves it.
         */
        get: operations["portalSandboxClock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/company": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a sandbox company
         * @description Makes you the founder of a company in the test world, so that you can install an app there that is not approved. The company has an open offering for investments and one for reservations, two investors and a syndicate. If you founded a company there already, the response is that one, with a new round if none of its offerings is open.
         */
        post: operations["createSandboxCompany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/investment_sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a sandbox investment session
         * @description Creates an investment session in the test world for an email address or for a user.
         */
        post: operations["portalSandboxInvestmentSessionCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/investment_sessions/{id}/abandon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Abandon an investment session
         * @description The recipient leaves the hosted flow.
         */
        post: operations["portalSandboxInvestmentSessionAbandon"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/investment_sessions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a sandbox investment session
         * @description Cancels the session as the partner who created it.
         */
        post: operations["portalSandboxInvestmentSessionCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/investment_sessions/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete an investment session
         * @description The recipient invests, or the body names the investment that they made.
         */
        post: operations["portalSandboxInvestmentSessionComplete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/investment_sessions/{id}/expire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Expire an investment session
         * @description The session expires now, before its expires_at.
         */
        post: operations["portalSandboxInvestmentSessionExpire"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/investment_sessions/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume an investment session
         * @description The recipient returns to the hosted flow.
         */
        post: operations["portalSandboxInvestmentSessionResume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/investment_sessions/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start an investment session
         * @description The recipient opens the link and starts the hosted flow.
         */
        post: operations["portalSandboxInvestmentSessionStart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/investments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an investment
         * @description Invests in an open offering of the test world. While the offering tests the waters, this makes a reservation.
         */
        post: operations["portalSandboxInvestmentCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/investments/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an investment
         * @description Cancels an investment or a reservation.
         */
        post: operations["portalSandboxInvestmentCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/investments/{id}/change_amount": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Update an investment’s amount
         * @description Changes the amount of an investment. An amount of zero cancels it.
         */
        post: operations["portalSandboxInvestmentChangeAmount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/investments/{id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm an investment
         * @description Confirms an investment. From now on it counts toward the raise.
         */
        post: operations["portalSandboxInvestmentConfirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/investments/{id}/convert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Convert an investment
         * @description Converts an investment into a successor. The successor may still be unknown.
         */
        post: operations["portalSandboxInvestmentConvert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/investments/{id}/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Execute an investment
         * @description Executes the contracts and releases the funds to the company.
         */
        post: operations["portalSandboxInvestmentExecute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/investments/{id}/hide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hide an investment
         * @description Hides an investment from the company.
         */
        post: operations["portalSandboxInvestmentHide"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/investments/{id}/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move an investment
         * @description Converts an investment into a successor in another offering, which keeps status, payments and attribution.
         */
        post: operations["portalSandboxInvestmentMove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/investments/{id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay an investment
         * @description The whole amount arrives in escrow.
         */
        post: operations["portalSandboxInvestmentPay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/investments/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund an investment
         * @description The money goes back to the investor.
         */
        post: operations["portalSandboxInvestmentRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/investments/{id}/reinstate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reinstate an investment
         * @description Reinstates a canceled investment or reservation within the grace period.
         */
        post: operations["portalSandboxInvestmentReinstate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/investments/{id}/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign an investment
         * @description The investor signs the contract.
         */
        post: operations["portalSandboxInvestmentSign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/investments/{id}/unhide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unhide an investment
         * @description Shows a hidden investment to the company again.
         */
        post: operations["portalSandboxInvestmentUnhide"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/investments/{id}/verify_identity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify the investor’s identity
         * @description The investor passes the identity check.
         */
        post: operations["portalSandboxInvestmentVerifyIdentity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/join_sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a sandbox join session
         * @description Creates a join session in the test world, as a partner’s site would.
         */
        post: operations["portalSandboxJoinSessionCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/join_sessions/{id}/await_approval": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish a join session’s flow
         * @description The person finishes the flow of a join session that a manager must approve.
         */
        post: operations["portalSandboxJoinSessionAwaitApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/join_sessions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a sandbox join session
         * @description Cancels the join session.
         */
        post: operations["portalSandboxJoinSessionCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/join_sessions/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a join session
         * @description The person becomes a member, on approval or directly.
         */
        post: operations["portalSandboxJoinSessionComplete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/join_sessions/{id}/expire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Expire a join session
         * @description The session expires now, before its expires_at.
         */
        post: operations["portalSandboxJoinSessionExpire"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/join_sessions/{id}/mark_ineligible": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a person ineligible
         * @description The session ends because the person cannot become a member.
         */
        post: operations["portalSandboxJoinSessionMarkIneligible"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/join_sessions/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a join session
         * @description A manager rejects the session.
         */
        post: operations["portalSandboxJoinSessionReject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/join_sessions/{id}/sign_in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in to a session
         * @description A signed-in person presses “Continue as …” on the first page of the join session, which sets its user.
         */
        post: operations["portalSandboxJoinSessionSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/memberships/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a membership application
         * @description Approves an application. Except in fund syndicates, the applicant becomes a member at once.
         */
        post: operations["portalSandboxMembershipApprove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/memberships/{id}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline a membership application
         * @description A manager declines the application.
         */
        post: operations["portalSandboxMembershipDecline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/memberships/{id}/fail_payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fail a membership payment
         * @description The member’s payment fails. The approval stays, and the member has to invest again.
         */
        post: operations["portalSandboxMembershipFailPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/memberships/{id}/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join a syndicate
         * @description The person becomes a member: they were approved or invited, they return, or no approval is needed.
         */
        post: operations["portalSandboxMembershipJoin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/memberships/{id}/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave a syndicate
         * @description The member resigns from the syndicate.
         */
        post: operations["portalSandboxMembershipLeave"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/memberships/{id}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a member
         * @description A manager removes the member.
         */
        post: operations["portalSandboxMembershipRemove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/memberships/{id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw a membership application
         * @description The applicant withdraws the application.
         */
        post: operations["portalSandboxMembershipWithdraw"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/offerings/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an offering
         * @description Cancels an offering and every investment in it.
         */
        post: operations["portalSandboxOfferingCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/offerings/{id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close an offering
         * @description Closes an offering. Its funds are disbursed.
         */
        post: operations["portalSandboxOfferingClose"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/offerings/{id}/closing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start closing an offering
         * @description The offering stops accepting investments.
         */
        post: operations["portalSandboxOfferingClosing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/offerings/{id}/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open an offering
         * @description Opens an offering. It accepts investments, or reservations while it tests the waters.
         */
        post: operations["portalSandboxOfferingOpen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List records to play with
         * @description Returns ids of the test world that the moves take: open offerings and their investors, syndicates and, where there is a demo, its people and other records.
         */
        get: operations["portalSandboxRecords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/syndicates/{id}/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Apply for membership
         * @description A person applies for membership of a syndicate.
         */
        post: operations["portalSandboxSyndicateApply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/syndicates/{id}/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite an address
         * @description Invites an email address to a syndicate.
         */
        post: operations["portalSandboxSyndicateInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/syndicates/{id}/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join a syndicate directly
         * @description A person joins a syndicate. They were invited, or no approval is needed.
         */
        post: operations["portalSandboxSyndicateJoin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/syndicates/{id}/reinvite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite an address again
         * @description Invites an email address to a syndicate again.
         */
        post: operations["portalSandboxSyndicateReinvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/users/{id}/deactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deactivate a user
         * @description Deactivates a user. Everything that identifies them is erased for good.
         */
        post: operations["portalSandboxUserDeactivate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/sandbox/users/{id}/visit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Visit with a referral code
         * @description A person follows a link with a referral code to a company’s page.
         */
        post: operations["portalSandboxUserVisit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add scopes to an app
         * @description Declares more scopes on the app. Existing tokens and installations keep exactly the scopes they had.
         */
        post: operations["addAppScopes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/scopes/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a scope change
         * @description Returns what adding and then removing these scopes would do in each mode, and changes nothing. A change that would be rejected is rejected here with the same error.
         */
        post: operations["previewAppScopes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/scopes/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove scopes from an app
         * @description Removes scopes from the app and, at once, from its keys, installations, codes and tokens in both worlds.
         */
        post: operations["removeAppScopes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an app’s request counts
         * @description Returns how many requests the app made and how many failed: by hour for the last 168 hours, or by day for the last 90 days (UTC).
         */
        get: operations["readAppUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/webhook_deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an app’s webhook deliveries
         * @description Returns the deliveries to all endpoints of the app in one mode (`live`, if left out), newest first: those that are pending, and those that ended in the last 30 days. A page can end early if few deliveries fit the filters: iterate on has_more.
         */
        get: operations["listAppWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/webhook_deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an app’s webhook delivery
         * @description Returns a delivery with every attempt and the endpoint’s response to it, and as `payload` the body that the endpoint would be sent now. No body is stored, so `payload` contains only data that the installation may read now.
         */
        get: operations["getAppWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/webhook_deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver an app’s webhook delivery
         * @description Sends the event again as a new delivery. A delivery that is still pending is sent at once instead.
         */
        post: operations["redeliverAppWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/webhook_deliveries/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver an app’s webhook deliveries
         * @description Sends up to 100 deliveries again, by their ids or by the filters of the list, newest first. Those that cannot be sent again are left out, each with its reason. While has_more, repeat the request with the same filter and next_cursor as cursor.
         */
        post: operations["redeliverAppWebhookDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/webhook_deliveries/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream an app’s webhook deliveries
         * @description Sends deliveries of one mode (`live`, if left out) as server-sent events (`text/event-stream`) until the client disconnects. It begins with an event named `newest`: `data` are the newest 100 that fit the filters, and all that fit from the id `since` on (null: all). After that, each event is a delivery that is new or has changed while it is among the newest 100, or is named `removed` and has the `id` of one that fits no longer. Connect again with the last `id` in `Last-Event-ID`, and `newest` has everything since, or the response is `410` if that is more than 1,000 deliveries. When the session ends or the person leaves the team, the stream sends an event named `end` and stops.
         */
        get: operations["streamAppWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/webhook_deliveries/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an app’s delivery counts
         * @description Returns how many attempts to deliver webhooks succeeded and failed, and how long deliveries waited for their first attempt: by hour for the last 168 hours, or by day for the last 90 days (UTC). Times are real time, in the sandbox too. Deleted endpoints are not counted.
         */
        get: operations["readAppDeliveryUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/webhook_endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an app’s webhook endpoints
         * @description Returns the app’s webhook endpoints with their health, newest first, of one mode or of both.
         */
        get: operations["listAppWebhookEndpoints"];
        put?: never;
        /**
         * Create an app’s webhook endpoint
         * @description Subscribes a URL to events of one mode. The response contains the signing secret, which is shown only once, so the person must have confirmed their identity recently.
         */
        post: operations["createAppWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/webhook_endpoints/{endpoint_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an app’s webhook endpoint
         * @description Returns an endpoint with its health: how many of its newest deliveries succeeded, the last success and failure, since when it fails, and why it was disabled.
         */
        get: operations["getAppWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete an app’s webhook endpoint
         * @description Deletes an endpoint for good. Nothing more is sent to it, and its queued deliveries are canceled.
         */
        delete: operations["deleteAppWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Update an app’s webhook endpoint
         * @description Changes the URL of an endpoint, or replaces its whole list of events.
         */
        patch: operations["updateAppWebhookEndpoint"];
        trace?: never;
    };
    "/portal/api/apps/{app_id}/webhook_endpoints/{endpoint_id}/reenable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable an app’s webhook endpoint
         * @description Enables an endpoint that was disabled. Its pending deliveries are sent, oldest first.
         */
        post: operations["reenableAppWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/webhook_endpoints/{endpoint_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay an app’s webhook deliveries
         * @description Sends the deliveries of a period to one endpoint again, all of them or only those that failed, oldest first.
         */
        post: operations["replayAppWebhookDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/webhook_endpoints/{endpoint_id}/rotate_secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an app’s webhook secret
         * @description Gives an endpoint a new signing secret, which is shown only once. The current secret keeps signing for 24 hours. The person must have confirmed their identity recently.
         */
        post: operations["rotateAppWebhookEndpointSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/apps/{app_id}/webhook_endpoints/{endpoint_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test an app’s webhook endpoint
         * @description Sends a signed example to an endpoint now and returns the endpoint’s response. Nothing is recorded. Ten a minute for each endpoint, counted together with tests by tokens.
         */
        post: operations["testAppWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/invitations/{organization_id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a team invitation
         * @description Accepts an invitation. You become a member of the team.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/invitations/{organization_id}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline a team invitation
         * @description Declines an invitation to a team.
         */
        post: operations["declineInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the signed-in person
         * @description Returns the signed-in person with their organizations, the teams that invited them, and the CSRF token to send with changes.
         */
        get: operations["readSignedInPerson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your organizations
         * @description Returns the organizations on whose team you are.
         */
        get: operations["listOwnOrganizations"];
        put?: never;
        /**
         * Create an organization
         * @description Creates an organization. You become its owner.
         */
        post: operations["createOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/organizations/{organization_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your organization
         * @description Returns one of your organizations.
         */
        get: operations["readOwnOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename an organization
         * @description Renames an organization. Only its owners and admins can do this.
         */
        patch: operations["renameOrganization"];
        trace?: never;
    };
    "/portal/api/organizations/{organization_id}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List team invitations
         * @description Returns the invitations to the team that have no answer yet.
         */
        get: operations["listInvitations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/organizations/{organization_id}/invitations/{invitation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw a team invitation
         * @description Withdraws an invitation to the team.
         */
        delete: operations["withdrawInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/organizations/{organization_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List team members
         * @description Returns the team of an organization.
         */
        get: operations["listMembers"];
        put?: never;
        /**
         * Invite a team member
         * @description Invites a person to the team by the email address with which they sign in. They get a mail.
         */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/organizations/{organization_id}/members/{account_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a team member
         * @description Removes a member from the team. With your own id you leave the team.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Update a member’s role
         * @description Gives a member of the team another role.
         */
        patch: operations["changeMemberRole"];
        trace?: never;
    };
    "/portal/api/organizations/{organization_id}/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List notices
         * @description Returns the notices to an organization’s team about its apps, newest first.
         */
        get: operations["listNotices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List selectable scopes
         * @description Returns the scopes that an app’s team can select by itself, in the order to show them.
         */
        get: operations["listPickerScopes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your session
         * @description Returns the session that this request belongs to: a browser’s or a command line’s.
         */
        get: operations["readOwnSession"];
        put?: never;
        /**
         * Start a command-line session
         * @description Exchanges the code that the page /command-line sent to the loopback address for a bearer token. A code works once, for 60 seconds, with the verifier of its PKCE challenge; a wrong verifier ends it.
         */
        post: operations["createCommandLineSession"];
        /**
         * End your session
         * @description Ends the session that this request belongs to.
         */
        delete: operations["endOwnSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/api/usage_conditions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the usage conditions
         * @description Returns the version of the usage conditions in force and where to read it. Every new app must accept it.
         */
        get: operations["readUsageConditions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Account: {
            attributes: {
                /**
                 * Format: date-time
                 * @description UTC, with microseconds; real time.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description UTC, with microseconds; real time.
                 */
                disabled_at: string | null;
                email: string;
                /**
                 * Format: date-time
                 * @description UTC, with microseconds; real time.
                 */
                email_verified_at: string;
                has_password: boolean;
                /** @description The OpenID Connect providers that the account is linked to. */
                issuers: string[];
                name: string;
                staff_role: ("viewer" | "support" | "compliance" | "admin") | null;
                users: {
                    live: string | null;
                    test: string | null;
                };
            };
            id: string;
            /** @constant */
            type: "account";
        };
        AccountEnvelope: {
            data: components["schemas"]["Account"];
        };
        AccountInvitationEnvelope: {
            data: {
                attributes: {
                    email: string;
                    /**
                     * Format: date-time
                     * @description UTC, with microseconds; real time.
                     */
                    expires_at: string;
                    /** @description Works once, for any person who has it: treat it as a secret. It is shown only in this response. */
                    url: string;
                };
                /** @constant */
                type: "account_invitation";
            };
        };
        AccountLinkEnvelope: {
            data: {
                attributes: {
                    account: string;
                    /**
                     * Format: date-time
                     * @description UTC, with microseconds; real time.
                     */
                    expires_at: string;
                    /** @enum {string} */
                    purpose: "sign_in" | "set_password";
                    /** @description Works once, for any person who has it: treat it as a secret. It is shown only in this response. */
                    url: string;
                };
                /** @constant */
                type: "account_link";
            };
        };
        AccountPassword: {
            password: string;
        };
        AccountUser: {
            user: string;
        };
        App: {
            attributes: {
                /** @description The API version for requests that name none. */
                api_version: string;
                approval: {
                    /**
                     * Format: date-time
                     * @description When the platform last declined or withdrew the approval.
                     */
                    declined_at: string | null;
                    /**
                     * Format: date-time
                     * @description When the team asked again.
                     */
                    requested_at: string | null;
                };
                /**
                 * Format: date-time
                 * @description Real time, UTC, with microseconds.
                 */
                approved_at: string | null;
                conditions: {
                    /**
                     * Format: date-time
                     * @description Real time, UTC, with microseconds.
                     */
                    accepted_at: string;
                    accepted_by: string;
                    /** @description Where this version can be read, on this host. */
                    url: string;
                    version: string;
                };
                /**
                 * Format: date-time
                 * @description Real time, UTC, with microseconds.
                 */
                created_at: string;
                /** @description Never approved, never issued a live token, never installed. */
                deletable: boolean;
                description: string | null;
                /**
                 * Format: date-time
                 * @description Real time, UTC, with microseconds.
                 */
                disabled_at: string | null;
                /** @description On this host. The URL changes with the logo. */
                logo_url: string | null;
                name: string;
                organization: {
                    id: string;
                    name: string;
                    /** @enum {string} */
                    status: "active" | "ended";
                };
                pii: {
                    /**
                     * Format: date-time
                     * @description Real time, UTC, with microseconds.
                     */
                    approved_at: string | null;
                    /**
                     * Format: date-time
                     * @description Real time, UTC, with microseconds.
                     */
                    requested_at: string | null;
                };
                programs: {
                    /**
                     * Format: date-time
                     * @description Real time, UTC, with microseconds.
                     */
                    approved_at: string | null;
                    /** @enum {string} */
                    program: "marketing_partner" | "founder";
                    /**
                     * Format: date-time
                     * @description Real time, UTC, with microseconds.
                     */
                    requested_at: string | null;
                    tier: number | null;
                }[];
                /** @description The declared scopes. Every app also has read:public. */
                scopes: string[];
                /** @description Where people are sent after installing. */
                setup_url: string | null;
                /** @enum {string} */
                status: "active" | "suspended" | "disabled" | "ended";
                /**
                 * Format: date-time
                 * @description Real time, UTC, with microseconds.
                 */
                suspended_at: string | null;
                suspended_reason: string | null;
                website_url: string | null;
            };
            id: string;
            /** @constant */
            type: "app";
        };
        AppAttention: {
            /**
             * Format: date-time
             * @description When it began, or when it ends. For a failing endpoint, by the clock of the mode’s world.
             */
            at: string | null;
            /** @description How many installations lack them, or how many requests were rejected. */
            count: number | null;
            /** @enum {string} */
            kind: "app_suspended" | "app_disabled" | "endpoint_disabled" | "endpoint_failing" | "limit_reached" | "limit_near" | "events_need_scope" | "secret_ending" | "signing_secret_ending" | "scopes_not_consented" | "approval_pending";
            /** @description The endpoint’s URL, or the name of the key, the limit or the program. */
            name: string | null;
            /** @description Why the app or the endpoint was stopped. */
            reason: string | null;
            /** @description Which scopes are missing. */
            scopes: string[] | null;
            /** @enum {string} */
            severity: "danger" | "warning" | "info";
            /** @description The id of the webhook endpoint or the key that it is about. */
            subject: string | null;
        };
        AppChange: {
            /** @enum {string} */
            api_version?: "2025-01-15" | "2026-10-01" | "2026-11-01";
            description?: string | null;
            name?: string;
            setup_url?: string | null;
            website_url?: string | null;
        };
        AppDeliveryUsage: {
            attributes: {
                /** @description Oldest first. Hours or days without an attempt are left out. */
                series: {
                    /**
                     * Format: date-time
                     * @description UTC, real time.
                     */
                    begins_at: string;
                    /** @description Attempts that the endpoint answered with 2xx. */
                    delivered: number;
                    /** @description Attempts that failed. A delivery can fail several times. */
                    failed: number;
                    /** @description How long a delivery waited on average until its first attempt; null without a first attempt. */
                    mean_lag_ms: number | null;
                }[];
                /** @enum {string} */
                unit: "hour" | "day";
            };
            id: string;
            /** @constant */
            type: "app_delivery_usage";
        };
        AppDeliveryUsageEnvelope: {
            data: components["schemas"]["AppDeliveryUsage"];
            meta: {
                request_id: string;
            };
        };
        AppEvent: {
            attributes: {
                /**
                 * Format: date-time
                 * @description UTC, in the time of the event’s world.
                 */
                created_at: string;
                /** @description To all endpoints of the app, newest first; at most 100. */
                deliveries: components["schemas"]["AppWebhookDelivery"][];
                /** @enum {string} */
                event: "investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed";
                /** @description Null for an event about the app itself. */
                installation_id: string | null;
                /** @enum {string} */
                mode: "test" | "live";
                /** @description The body that a webhook endpoint would get now. */
                payload: {
                    [key: string]: unknown;
                };
                /** @description In the stream: the delivery that this one repeats. Null for an event that comes for the first time. */
                redelivery_of: string | null;
                /** @description The app’s own API request that caused the event, while it is in the request log. */
                request_id: string | null;
            };
            id: string;
            /** @constant */
            type: "event";
        };
        AppEventEnvelope: {
            data: components["schemas"]["AppEvent"];
            meta: {
                request_id: string;
            };
        };
        AppInstallation: {
            id: string;
            /**
             * Format: date-time
             * @description UTC, in the time of the world.
             */
            installed_at: string;
            installed_by: {
                /** @description founder, manager, user, partner, or the platform’s own name for its staff. */
                role: string;
            };
            /**
             * Format: date-time
             * @description Real time, to the hour: when a token of the installation was last used.
             */
            last_used_at: string | null;
            /** @description The requested scopes that the installation lacks, in the catalogue’s order. */
            missing_scopes: {
                /** @enum {string} */
                reason: "removed" | "program_pending" | "pii_not_approved" | "tier_without_writes" | "founder_only" | "must_be_listed" | "not_for_installations" | "retired" | "not_consented";
                /** @description What to do to get it, in a sentence. */
                remedy: string;
                scope: string;
            }[];
            /** @enum {string} */
            mode: "test" | "live";
            /** @description What the app asks for: the scopes that it declares, those of programs it has asked for, and those that this installation lost. */
            requested_scopes: string[];
            /**
             * Format: date-time
             * @description UTC, in the time of the world.
             */
            revoked_at?: string;
            revoked_by?: {
                /** @description founder, manager, user, partner, or the platform’s own name for its staff. */
                role: string;
            };
            /** @description What was granted, which can be less than was requested. */
            scopes: string[];
            /** @enum {string} */
            status: "active" | "revoked";
            target: {
                id: string;
                /** @description Null for a user. */
                name: string | null;
                /** @enum {string} */
                type: "company" | "syndicate" | "user";
            };
            /** @enum {string} */
            tier: "founder" | "admin" | "editor" | "manager" | "user";
            /** @description Access tokens that are neither revoked nor expired. */
            valid_tokens: number;
        };
        AppKey: {
            attributes: {
                /** @enum {string} */
                client_type: "confidential" | "public";
                /**
                 * Format: date-time
                 * @description Real time, UTC, with microseconds.
                 */
                created_at: string;
                /** @enum {string} */
                mode: "test" | "live";
                name: string;
                redirect_uris: string[];
                /**
                 * Format: date-time
                 * @description Real time, UTC, with microseconds.
                 */
                revoked_at: string | null;
                /** @description The secrets in force, oldest first; a public key has none. The secrets themselves are not stored. */
                secrets: {
                    /**
                     * Format: date-time
                     * @description Real time, UTC, with microseconds.
                     */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description Real time, UTC, with microseconds.
                     */
                    expires_at: string | null;
                }[];
                /** @enum {string} */
                status: "active" | "suspended" | "disabled" | "ended" | "revoked";
            };
            id: string;
            /** @constant */
            type: "app_key";
        };
        AppKeyChange: {
            /** @enum {string} */
            client_type?: "confidential" | "public";
            name?: string;
            /** @description https anywhere, http on loopback (any port then), or a private-use scheme such as com.example.app:/ */
            redirect_uris?: string[];
        };
        AppliedFact: {
            applied_at: string;
            /** @description The events that the fact caused, in order. As receivers see them, but without an installation. */
            events: {
                created_at: string;
                data: {
                    [key: string]: unknown;
                };
                event: string;
                id: string;
                /** @enum {string} */
                mode: "test" | "live";
            }[];
            id: string;
            occurred_at: string;
            type: string;
        };
        AppLimits: {
            attributes: {
                /** @description Counted by token_client, publishable_key and server_key; token_requests counts only authenticated requests. */
                keys: {
                    id: string;
                    /** @enum {string} */
                    mode: "test" | "live";
                    public_reads: number;
                    server_requests: number;
                    token_requests: number;
                }[];
                limits: {
                    /** @description Null if the limit is lifted. */
                    limit: number | null;
                    /** @enum {string} */
                    name: "access_token" | "address" | "public_catalog" | "publishable_key" | "token_client" | "token_address" | "server_key" | "webhook_test" | "pending_intent" | "document" | "unknown_token";
                    /** @description In seconds. */
                    period: number;
                    /**
                     * Format: date-time
                     * @description Real time, UTC, with microseconds.
                     */
                    resets_at: string;
                }[];
                /** @description The busiest tokens of each mode, counted by access_token and pending_intent; the tokens are not shown. */
                tokens: {
                    client_id: string;
                    installation_id: string | null;
                    /** @enum {string} */
                    kind: "client" | "user" | "installation";
                    /** @enum {string} */
                    mode: "test" | "live";
                    new_intents: number;
                    requests: number;
                }[];
                /** @description False if a mode has more than 1,000 tokens in force: then only 1,000 of them were read. */
                tokens_complete: boolean;
                /** @description Counted by webhook_test. */
                webhook_endpoints: {
                    id: string;
                    /** @enum {string} */
                    mode: "test" | "live";
                    tests: number;
                }[];
            };
            id: string;
            /** @constant */
            type: "app_limits";
        };
        AppLimitUse: {
            attributes: {
                /** @description Oldest first. Hours or days without a request are left out. */
                series: {
                    /**
                     * Format: date-time
                     * @description Real time, UTC, with microseconds.
                     */
                    begins_at: string;
                    /** @description The limit that was in force. */
                    limit: number;
                    /** @enum {string} */
                    name: "access_token" | "publishable_key" | "server_key" | "token_client";
                    /** @description The most that one token or key has used of the limit in one of its windows. */
                    peak: number;
                    /** @description Requests over the limit, which were answered with 429. */
                    rejected: number;
                }[];
                /** @enum {string} */
                unit: "hour" | "day";
            };
            id: string;
            /** @constant */
            type: "app_limit_use";
        };
        AppOverview: {
            attributes: {
                /** @description What the team should look at now, the most urgent first. */
                attention: components["schemas"]["AppAttention"][];
                /** @description From a new app to its first delivered event, in this order. Read from what the app has done. */
                first_steps: {
                    done: boolean;
                    /** @enum {string} */
                    step: "create_key" | "call_api" | "declare_scopes" | "add_endpoint" | "install" | "receive_event";
                }[];
                /** @enum {string} */
                mode: "test" | "live";
            };
            id: string;
            /** @constant */
            type: "app_overview";
        };
        AppRequest: {
            attributes: {
                app: {
                    id: string;
                    name: string;
                };
                /** @enum {string} */
                kind: "approval" | "pii" | "program";
                organization: {
                    id: string;
                    name: string;
                };
                program: ("marketing_partner" | "founder") | null;
                /**
                 * Format: date-time
                 * @description Real time, UTC, with microseconds.
                 */
                requested_at: string;
                /** @description The tier that the team wants. */
                tier: number | null;
            };
            id: string;
            /** @constant */
            type: "app_request";
        };
        AppUsage: {
            attributes: {
                /** @description Oldest first. Hours or days without a request are left out. */
                series: {
                    /**
                     * Format: date-time
                     * @description Real time, UTC, with microseconds.
                     */
                    begins_at: string;
                    /** @description Responses with 400 to 499. */
                    client_errors: number;
                    mean_ms: number | null;
                    requests: number;
                    /** @description Responses with 500 and more. */
                    server_errors: number;
                    /** @description Counted, but not in the log, which has a maximum per minute. */
                    unlogged: number;
                }[];
                /** @enum {string} */
                unit: "hour" | "day";
            };
            id: string;
            /** @constant */
            type: "app_usage";
        };
        AppWebhookDelivery: {
            attributes: {
                api_version: string;
                attempt_count: number;
                /**
                 * Format: date-time
                 * @description UTC, in the time of the endpoint’s world.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description UTC, in the time of the endpoint’s world.
                 */
                ended_at: string | null;
                endpoint_id: string;
                event: string | null;
                event_id: string;
                installation_id: string | null;
                last_attempt: {
                    /**
                     * Format: date-time
                     * @description UTC, in the time of the endpoint’s world.
                     */
                    at: string;
                    duration_ms: number;
                    /** @description timeout, blocked_url, tls_error or connection_failed; internal if an error of this service prevented the attempt; null if the endpoint responded. */
                    error: string | null;
                    /** @description The first 1 KiB of the response body. */
                    response: string | null;
                    response_code: number | null;
                } | null;
                /** @enum {string} */
                mode: "test" | "live";
                /**
                 * Format: date-time
                 * @description Null once it ended, and while the endpoint is disabled.
                 */
                next_attempt_at: string | null;
                /** @description Why it was canceled. */
                reason: string | null;
                /** @description The delivery that this one repeats. */
                redelivery_of: string | null;
                /** @enum {string} */
                status: "pending" | "delivered" | "exhausted" | "canceled";
            };
            id: string;
            /** @constant */
            type: "webhook_delivery";
        };
        AppWebhookDeliveryEnvelope: {
            data: components["schemas"]["AppWebhookDelivery"];
            meta: {
                request_id: string;
            };
        };
        AppWebhookDeliveryWithPayload: {
            attributes: {
                api_version: string;
                attempt_count: number;
                attempts: {
                    /**
                     * Format: date-time
                     * @description UTC, in the time of the endpoint’s world.
                     */
                    at: string;
                    duration_ms: number;
                    /** @description timeout, blocked_url, tls_error or connection_failed; internal if an error of this service prevented the attempt; null if the endpoint responded. */
                    error: string | null;
                    /** @description The first 1 KiB of the response body. */
                    response: string | null;
                    response_code: number | null;
                }[];
                /**
                 * Format: date-time
                 * @description UTC, in the time of the endpoint’s world.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description UTC, in the time of the endpoint’s world.
                 */
                ended_at: string | null;
                endpoint_id: string;
                event: string | null;
                event_id: string;
                installation_id: string | null;
                last_attempt: {
                    /**
                     * Format: date-time
                     * @description UTC, in the time of the endpoint’s world.
                     */
                    at: string;
                    duration_ms: number;
                    /** @description timeout, blocked_url, tls_error or connection_failed; internal if an error of this service prevented the attempt; null if the endpoint responded. */
                    error: string | null;
                    /** @description The first 1 KiB of the response body. */
                    response: string | null;
                    response_code: number | null;
                } | null;
                /** @enum {string} */
                mode: "test" | "live";
                /**
                 * Format: date-time
                 * @description Null once it ended, and while the endpoint is disabled.
                 */
                next_attempt_at: string | null;
                /** @description The body that the endpoint would be sent now; no body is stored. Null if nothing would be sent, because the installation lost the scope, the endpoint is not subscribed to the event any more, or the event was deleted. */
                payload: {
                    [key: string]: unknown;
                } | null;
                /** @description Why `payload` is null: the reason with which the delivery would be canceled now. */
                payload_reason: string | null;
                /** @description Why it was canceled. */
                reason: string | null;
                /** @description The delivery that this one repeats. */
                redelivery_of: string | null;
                /** @enum {string} */
                status: "pending" | "delivered" | "exhausted" | "canceled";
            };
            id: string;
            /** @constant */
            type: "webhook_delivery";
        };
        AppWebhookDeliveryWithPayloadEnvelope: {
            data: components["schemas"]["AppWebhookDeliveryWithPayload"];
            meta: {
                request_id: string;
            };
        };
        AppWebhookEndpoint: {
            attributes: {
                /**
                 * Format: date-time
                 * @description UTC, in the time of the endpoint’s world.
                 */
                created_at: string;
                /** @description Null while it is enabled. */
                disabled_reason: ("failing" | "gone" | "installation_revoked") | null;
                /** @description While false, deliveries wait until the endpoint is enabled again; see reenable. */
                enabled: boolean;
                /** @description As the request named them, wildcards included. */
                events: ("investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed" | "*" | "investment.*" | "offering.*" | "investment_session.*" | "syndicate_member.*" | "join_session.*" | "installation.*" | "referral_cohorts.*" | "intent.*")[];
                /**
                 * Format: date-time
                 * @description The first failure since the last success.
                 */
                failing_since: string | null;
                health: components["schemas"]["WebhookEndpointHealth"];
                /** @description The installation that the endpoint is for; null for the whole app. */
                installation_id: string | null;
                /**
                 * Format: date-time
                 * @description UTC, in the time of the endpoint’s world.
                 */
                last_delivery_at: string | null;
                /** @description The status of the response, such as "200", or timeout, blocked_url, tls_error or connection_failed. */
                last_delivery_status: string | null;
                /** @enum {string} */
                mode: "test" | "live";
                /** @description Only in the responses of creation and rotation. */
                secret?: string;
                /** Format: uri */
                url: string;
            };
            id: string;
            /** @constant */
            type: "webhook_endpoint";
        };
        AppWebhookEndpointEnvelope: {
            data: components["schemas"]["AppWebhookEndpoint"];
            meta: {
                request_id: string;
            };
        };
        AppWebhookRedelivery: {
            /** @description How many will be sent again. */
            accepted: number;
            /** @description Those that cannot be sent again, with the type of error that each would get alone. */
            skipped: {
                id: string;
                reason: string;
            }[];
            /** @constant */
            type: "webhook_redelivery";
        };
        AppWebhookRedeliveryEnvelope: {
            data: components["schemas"]["AppWebhookRedelivery"];
            meta: {
                /** @description With filter: whether deliveries are left. */
                has_more: boolean;
                /** @description For the next request with the same filter. */
                next_cursor: string | null;
                request_id: string;
            };
        };
        AppWebhookRedeliveryRequest: {
            /** @description With filter: meta.next_cursor of the request before, unchanged. */
            cursor?: string;
            /** @description The newest 100 that the list shows with these filters. */
            filter?: {
                endpoint_id?: string;
                /** @enum {string} */
                mode?: "test" | "live";
                /** @description A whole id: of a delivery (its redeliveries too), an event, an endpoint, an installation, or a company, syndicate, offering, investment, membership or session that the event is about. */
                q?: string;
                /**
                 * Format: date-time
                 * @description Deliveries made at this time of their world or later: compare it with created_at.
                 */
                since?: string;
                /** @enum {string} */
                status?: "pending" | "delivered" | "exhausted" | "canceled";
                /** @description Events of these names, wildcards included (`investment.*`); all, if left out. */
                types?: ("investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed" | "*" | "investment.*" | "offering.*" | "investment_session.*" | "syndicate_member.*" | "join_session.*" | "installation.*" | "referral_cohorts.*" | "intent.*")[];
                /**
                 * Format: date-time
                 * @description Deliveries made before this time.
                 */
                until?: string;
            };
            /** @description These deliveries. */
            ids?: string[];
        };
        CausedEvent: {
            /** @description As a webhook with every scope would carry it. */
            data: {
                [key: string]: unknown;
            };
            /** @description The name of the event. */
            event: string;
            id: string;
            /**
             * Format: date-time
             * @description UTC, with microseconds.
             */
            occurred_at: string;
        };
        DeclinedRequest: {
            /** @enum {string} */
            kind: "approval" | "pii" | "program";
            /**
             * @description For the kind `program`.
             * @enum {string}
             */
            program?: "marketing_partner" | "founder";
            reason: string;
        };
        /** @description The format of every error. */
        Error: {
            error: {
                /** @description More data, depending on the type. */
                details?: {
                    [key: string]: unknown;
                };
                /** @description What is wrong, for a person to read. */
                message: string;
                /** @description What to do next. */
                remediation?: string;
                /** @description The id of this request in our logs. */
                request_id: string;
                /**
                 * @description The error type. Branch on this.
                 * @enum {string}
                 */
                type: "invalid_request" | "invalid_token" | "insufficient_scope" | "forbidden" | "sandbox_only" | "app_suspended" | "not_found" | "no_disclosures" | "method_not_allowed" | "already_installed" | "installation_revoked" | "idempotency_conflict" | "scope_change_blocked" | "illegal_transition" | "gone" | "endpoint_removed" | "payload_too_large" | "unsupported_media_type" | "misdirected_request" | "validation_error" | "invalid_scopes" | "use_intents" | "still_implied" | "nothing_grantable" | "scope_missing" | "session_not_cancelable" | "rate_limit_exceeded" | "internal_error" | "unavailable";
            };
        };
        Event: {
            attributes: {
                /**
                 * Format: date-time
                 * @description UTC, in the time of the event’s world.
                 */
                created_at: string;
                /** @enum {string} */
                event: "investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed";
                /** @description Null for an event about the app itself. */
                installation_id: string | null;
                /** @enum {string} */
                mode: "test" | "live";
                /** @description The body that a webhook endpoint would get now. */
                payload: {
                    [key: string]: unknown;
                };
                /** @description In the stream: the delivery that this one repeats. Null for an event that comes for the first time. */
                redelivery_of: string | null;
            };
            id: string;
            /** @constant */
            type: "event";
        };
        Fact: {
            data: {
                [key: string]: unknown;
            };
            id: string;
            /** Format: date-time */
            occurred_at: string;
            type: string;
        };
        FactError: {
            /** @description A stable code for the error in field. */
            code?: string;
            details?: {
                [key: string]: unknown;
            };
            /** @description Where in the fact, such as data.amount_cents. */
            field?: string;
            message: string;
            /** @enum {string} */
            type: "invalid_fact" | "unknown_reference" | "illegal_transition";
        };
        FactOutcome: {
            error?: components["schemas"]["FactError"];
            events: {
                event: string;
                id: string;
            }[];
            /** @description Null if the fact had no readable id. */
            id: string | null;
            /** @enum {string} */
            status: "applied" | "duplicate" | "refused";
        };
        FoundPartner: {
            attributes: {
                /** @enum {string} */
                kind: "organization" | "app";
                /** @description Which of its data the search matched. */
                matched: ("id" | "name" | "client_id" | "redirect_host" | "member")[];
                name: string;
                organization: {
                    id: string;
                    name: string;
                };
                /** @enum {string} */
                status: "active" | "suspended" | "disabled" | "ended";
            };
            id: string;
            /** @constant */
            type: "partner";
        };
        HistoryEntry: {
            attributes: {
                action: string;
                actor: {
                    /** @description The account (`acct_…`) or the app’s own key (`pk_…`) that acted. */
                    id: string | null;
                    /** @description The name of the account or of the key. */
                    name: string | null;
                    /** @enum {string} */
                    type: "member" | "key" | "platform" | "system";
                };
                /**
                 * Format: date-time
                 * @description Real time, UTC, with microseconds.
                 */
                at: string;
                details: {
                    [key: string]: unknown;
                };
            };
            id: string;
            /** @constant */
            type: "history_entry";
        };
        Installation: {
            id: string;
            /**
             * Format: date-time
             * @description UTC, in the time of the world.
             */
            installed_at: string;
            installed_by: {
                /** @description founder, manager, user, partner, or the platform’s own name for its staff. */
                role: string;
            };
            /**
             * Format: date-time
             * @description UTC, in the time of the world.
             */
            revoked_at?: string;
            revoked_by?: {
                /** @description founder, manager, user, partner, or the platform’s own name for its staff. */
                role: string;
            };
            /** @description What was granted, which can be less than was requested. */
            scopes: string[];
            /** @enum {string} */
            status: "active" | "revoked";
            target: {
                id: string;
                /** @description Null for a user. */
                name: string | null;
                /** @enum {string} */
                type: "company" | "syndicate" | "user";
            };
            /** @enum {string} */
            tier: "founder" | "admin" | "editor" | "manager" | "user";
        };
        InstallationToken: {
            /** @description Shown once. */
            access_token: string;
            /** @description Unix time. */
            created_at: number;
            /** @description Seconds. Left out where the token never expires. */
            expires_in?: number;
            installation: string;
            /** @description What the token holds, separated by spaces. */
            scope: string;
            /** @constant */
            token_type: "Bearer";
        };
        InstallationWithToken: {
            data: components["schemas"]["Installation"];
            meta: Record<string, never>;
            token: components["schemas"]["InstallationToken"];
        };
        InstallsDisconnectedByWorld: {
            live: number;
            test: number;
        };
        Investment: {
            amounts?: {
                committed_cents: number;
                currency: string;
                /** @description The amount in escrow; 0 once the investment is canceled. */
                in_escrow_cents: number;
                investment_size_cents: number;
                /** @description The amount that counts toward the raise. */
                raised_cents: number;
                /** @description Only on canceled records: the amount owed back to the investor. */
                refund_due_cents?: number;
            };
            /**
             * Format: date-time
             * @description UTC, with microseconds, in the time of the world.
             */
            applied_at?: string;
            /** @description Decimal. */
            average_share_price?: string | null;
            blockers?: {
                description?: string;
                /** @enum {string} */
                key: "needs_id" | "needs_accreditation" | "needs_signature" | "needs_payment" | "needs_review";
            }[];
            company?: string;
            contracts?: {
                early_bird: boolean;
                name: string | null;
                override_amount_cents: number | null;
            }[];
            converted_from?: string | null;
            converted_to?: string | null;
            /** @description Sync only: the place of this change. */
            cursor?: string;
            /** @description Only with read:investors:pii, or on the user’s own investments. */
            external_username?: string | null;
            /**
             * @description The group on the founder’s dashboard.
             * @enum {string}
             */
            group?: "RESERVED" | "NO PAYMENT YET" | "PENDING" | "IS READY" | "CONFIRMED";
            id: string;
            investment_type?: string;
            investor?: {
                /** @description Only with read:investors:pii, or on the user’s own investments. */
                address?: {
                    city?: string;
                    country?: string;
                    line?: string;
                    postal_code?: string;
                    state?: string;
                };
                /** @description Only with read:investors:pii, or on the user’s own investments. */
                bio?: string | null;
                /** @description True if the account is closed: identity fields are erased. */
                deactivated: boolean;
                /** @description Only with read:investors:pii, or on the user’s own investments. */
                email?: string | null;
                id: string;
                /** @description Only with read:investors:pii, or on the user’s own investments. */
                legal_name?: string;
                /** @description Only with read:investors:pii, or on the user’s own investments. */
                name?: string;
                via_entity: boolean;
            };
            /** @description Only with read:investors:pii, or on the user’s own investments. */
            message?: string | null;
            needs_whitelisting?: boolean;
            /**
             * Format: date-time
             * @description When this state was observed. Not a version number.
             */
            observed_at: string;
            offering?: string;
            offering_type?: string;
            /**
             * @description Sync only. `reprojected` before 2026-11-01.
             * @enum {string}
             */
            reason?: "changed" | "recomputed" | "investor_deactivated";
            /** @description Decimal. */
            shares?: string | null;
            /** @enum {string} */
            status?: "active" | "reserved" | "executed" | "canceled" | "converted";
            /** @description Whether the company sees it. False without any further field is a tombstone: drop your copy. */
            visible: boolean;
        };
        LoggedRequest: {
            attributes: {
                credential: {
                    installation_id: string | null;
                    /** @description The key itself, or the key with which the token was obtained. */
                    key_id: string;
                    /** @enum {string} */
                    kind: "publishable" | "client" | "user" | "installation" | "server_key";
                };
                duration_ms: number;
                error_type: string | null;
                /** @enum {string} */
                method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                /** @enum {string} */
                mode: "test" | "live";
                /** @description The path’s template, as in `/investments/{id}`. Ids and queries are not stored. */
                route: string;
                /**
                 * Format: date-time
                 * @description Real time, UTC, with microseconds.
                 */
                started_at: string;
                /** @description 499 if the client disconnected before the response. */
                status: number;
            };
            id: string;
            /** @constant */
            type: "request";
        };
        LogoPicture: {
            /** @description The picture in base64: 64 KiB at most, 16 to 1,024 pixels wide and high. */
            data: string;
            /** @enum {string} */
            media_type: "image/png" | "image/jpeg" | "image/webp";
        };
        Member: {
            attributes: {
                email: string;
                /**
                 * Format: date-time
                 * @description Real time, UTC, with microseconds.
                 */
                joined_at: string;
                name: string;
                /** @enum {string} */
                role: "owner" | "admin" | "developer";
            };
            id: string;
            /** @constant */
            type: "member";
        };
        NewAccount: {
            email: string;
            name: string;
            /** @description Leave it out for a person who signs in through the OpenID Connect provider. */
            password?: string;
            /** @description The user of each world that the account is linked to. */
            users?: {
                live?: string;
                test?: string;
            };
        };
        NewAccountInvitation: {
            email: string;
        };
        NewApp: {
            /** @description The version of the usage conditions that you have read and accept for this app. */
            accepted_conditions: string;
            description?: string | null;
            name: string;
            organization_id: string;
            scopes?: string[];
            setup_url?: string | null;
            website_url?: string | null;
        };
        NewAppInstallationToken: {
            /** @description The app’s key that the token belongs to and ends with. */
            key_id: string;
            /** @description All that the installation holds, if left out. */
            scopes?: string[];
        };
        NewAppKey: {
            /** @enum {string} */
            client_type: "confidential" | "public";
            /** @enum {string} */
            mode: "test" | "live";
            name: string;
            /** @description https anywhere, http on loopback (any port then), or a private-use scheme such as com.example.app:/ */
            redirect_uris?: string[];
        };
        NewAppWebhookEndpoint: {
            /** @description The whole list. A wildcard (`*`, `investment.*`) covers every event of the catalogue or group that can arrive at the endpoint. */
            events: ("investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed" | "*" | "investment.*" | "offering.*" | "investment_session.*" | "syndicate_member.*" | "join_session.*" | "installation.*" | "referral_cohorts.*" | "intent.*")[];
            /** @description Only events of this installation. If left out, the endpoint is for the whole app, or with an installation token for its installation. */
            installation_id?: string | null;
            /** @enum {string} */
            mode: "test" | "live";
            /** @description https, to a public address. In the test mode of a local server also http to this machine. */
            url: string;
        };
        NewMember: {
            email: string;
            /** @enum {string} */
            role: "owner" | "admin" | "developer";
        };
        Notice: {
            attributes: {
                app: {
                    id: string;
                    name: string;
                };
                /**
                 * Format: date-time
                 * @description UTC. For a failing or disabled endpoint, by the clock of the mode’s world.
                 */
                created_at: string;
                /** @enum {string} */
                event: "webhook_endpoint.failing" | "webhook_endpoint.disabled_soon" | "webhook_endpoint.disabled" | "webhook_endpoint.secret_expiring" | "app.suspended" | "app.suspension_lifted" | "app.approved" | "app.pii_approved" | "app.program_granted" | "app.request_declined" | "app.scopes_removed" | "app.pii_withdrawn" | "app_key.secret_expiring";
                /**
                 * Format: date-time
                 * @description When the replaced secret ends.
                 */
                expires_at: string | null;
                /**
                 * Format: date-time
                 * @description UTC, by the clock of the mode’s world.
                 */
                failing_since: string | null;
                /** @description Null if it concerns both modes. */
                mode: ("test" | "live") | null;
                /** @description The program that was granted or declined. */
                program: ("marketing_partner" | "founder") | null;
                /** @description Why it was disabled or suspended. */
                reason: string | null;
                /** @description What the platform declined. */
                request: ("approval" | "pii" | "program") | null;
                /** @description Which scopes were removed. */
                scopes: string[] | null;
                /** @description What ended with a scope or an approval. */
                stopped: {
                    endpoints_disabled?: number;
                    installs_disconnected: number;
                    installs_narrowed?: number;
                    refresh_tokens_revoked?: number;
                    tokens_revoked?: number;
                } | null;
                /** @description The id of the webhook endpoint, the key or the app that it is about. */
                subject: string;
                /** @description The tier that was granted. */
                tier: number | null;
                /** @description The URL of the webhook endpoint. */
                url: string | null;
            };
            id: string;
            /** @constant */
            type: "notice";
        };
        /** @description The OAuth error format. */
        OAuthError: {
            /** @description The OAuth error code. Branch on this. */
            error: string;
            /** @description The reason, for a developer to read. */
            error_description?: string;
        };
        Organization: {
            attributes: {
                /**
                 * Format: date-time
                 * @description Real time, UTC, with microseconds.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description Real time, UTC, with microseconds.
                 */
                ended_at: string | null;
                name: string;
                /** @enum {string} */
                status: "active" | "ended";
            };
            id: string;
            /** @constant */
            type: "organization";
        };
        OrganizationHistoryEntry: {
            attributes: {
                action: string;
                actor: {
                    /** @description The account (`acct_…`), the app’s own key (`pk_…`) or the operator key (`opk_…`) that acted. */
                    id: string | null;
                    /** @description The name of the account or of the key. */
                    name: string | null;
                    /** @enum {string} */
                    type: "member" | "key" | "platform" | "system";
                };
                /**
                 * Format: date-time
                 * @description Real time, UTC, with microseconds.
                 */
                at: string;
                details: {
                    [key: string]: unknown;
                };
                /** @description Why an operator did it. */
                reason: string | null;
                /** @description The organization, or which of its apps. */
                subject: string;
            };
            id: string;
            /** @constant */
            type: "history_entry";
        };
        OrganizationName: {
            name: string;
        };
        OwnOrganization: {
            attributes: {
                /**
                 * Format: date-time
                 * @description Real time, UTC, with microseconds.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description Real time, UTC, with microseconds.
                 */
                ended_at: string | null;
                name: string;
                /** @enum {string} */
                role: "owner" | "admin" | "developer";
                /** @enum {string} */
                status: "active" | "ended";
            };
            id: string;
            /** @constant */
            type: "organization";
        };
        PickerScope: {
            attributes: {
                beta: boolean;
                /** @enum {string} */
                concerns: "offerings" | "profile" | "investments" | "companies" | "syndicates" | "app" | "platform";
                /** @description What people read before they consent. */
                consent: string;
                heading: string;
                implies: string[];
                sensitive: string | null;
                /** @description `user`: people who connect the app; `company`, `syndicate`: those that it is installed on; `app`: the app itself, by client credentials. Elsewhere the scope gives nothing. */
                takes_effect_on: ("user" | "company" | "syndicate" | "app")[];
            };
            id: string;
            /** @constant */
            type: "scope";
        };
        PiiWithdrawal: {
            data: {
                attributes: {
                    installs_disconnected: components["schemas"]["InstallsDisconnectedByWorld"];
                };
                id: string;
                /** @constant */
                type: "pii_withdrawal";
            };
        };
        PlatformHistoryEntry: {
            attributes: {
                action: string;
                actor: {
                    /** @description The account (`acct_…`), the app’s own key (`pk_…`) or the operator key (`opk_…`) that acted. */
                    id: string | null;
                    /** @description The name of the account or of the key. */
                    name: string | null;
                    /** @enum {string} */
                    type: "member" | "key" | "platform" | "system";
                };
                /**
                 * Format: date-time
                 * @description Real time, UTC, with microseconds.
                 */
                at: string;
                details: {
                    [key: string]: unknown;
                };
                /** @description Why an operator did it. */
                reason: string | null;
            };
            id: string;
            /** @constant */
            type: "history_entry";
        };
        PlatformOperator: {
            data: {
                attributes: {
                    /**
                     * @description The world of the key, or the one that X-Portico-Mode names.
                     * @enum {string}
                     */
                    mode: "test" | "live";
                    /** @description The name of the key or of the person. The audit has the id instead. */
                    name: string;
                    /** @enum {string} */
                    role: "viewer" | "support" | "compliance" | "admin";
                    /**
                     * Format: date-time
                     * @description The latest time at which a person has to prove their second factor again. Null for a key.
                     */
                    session_ends_at: string | null;
                };
                id: string;
                /** @enum {string} */
                type: "operator_key" | "account";
            };
        };
        ProgramAtTier: {
            /** @enum {string} */
            program: "marketing_partner" | "founder";
            tier?: number;
        };
        Reason: {
            reason: string;
        };
        ReceivedInvitation: {
            /**
             * Format: date-time
             * @description Real time, UTC, with microseconds.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description Real time, UTC, with microseconds.
             */
            invited_at: string;
            organization: {
                id: string;
                name: string;
            };
            /** @enum {string} */
            role: "owner" | "admin" | "developer";
        };
        ReferralAnonymizedRow: {
            /** @enum {string} */
            amount_tier: "small" | "medium" | "large";
            /** @description Opaque; as in investment.referred. */
            investment_token: string;
            /** @description Opaque; another one at every company. */
            investor_token: string;
            /** @enum {string} */
            status: "active" | "reserved" | "executed" | "canceled" | "converted";
            /** @enum {string} */
            time_to_invest: "direct" | "assisted" | "delayed";
            /** @description ISO week, UTC. */
            week: string;
        };
        ReferralAnonymizedRows: {
            company: string;
            corrections: components["schemas"]["ReferralAnonymizedRow"][];
            /** @constant */
            detail: "anonymized";
            rows: components["schemas"]["ReferralAnonymizedRow"][];
        };
        ReferralCode: {
            attributes: {
                /** @description The text in links as ?ref=…: letters, digits and hyphens between them. Case does not count. */
                code: string;
                /** @description As of the last published week, never live; null before there is one. */
                counts: components["schemas"]["ReferralCodeCounts"] | null;
                /**
                 * Format: date-time
                 * @description UTC, in the time of the world.
                 */
                created_at: string;
                /** @description The app’s own name for it. Only the app sees it. */
                name: string;
                /**
                 * @description A paused code credits nothing new.
                 * @enum {string}
                 */
                status: "active" | "paused";
                /**
                 * Format: date-time
                 * @description UTC, in the time of the world: when it was renamed, paused or resumed.
                 */
                updated_at: string;
            };
            id: string;
            /** @constant */
            type: "referral_code";
        };
        ReferralCodeCounts: {
            /** @description The sum of the ranges published so far; null while there are none. */
            investors: components["schemas"]["ReferralRange"] | null;
            /** @description The last week that was published. */
            through_week: string;
        };
        ReferralFullRow: {
            /** @enum {string} */
            amount_tier: "small" | "medium" | "large";
            investment_id: string;
            /** @description Opaque; as in investment.referred. */
            investment_token: string;
            investor: {
                /** @description With read:investors:pii only. */
                email?: string | null;
                id: string;
                name: string;
            };
            /** @description Opaque; another one at every company. */
            investor_token: string;
            /** @enum {string} */
            status: "active" | "reserved" | "executed" | "canceled" | "converted";
            /** @enum {string} */
            time_to_invest: "direct" | "assisted" | "delayed";
            /** @description ISO week, UTC. */
            week: string;
        };
        ReferralFullRows: {
            company: string;
            corrections: components["schemas"]["ReferralFullRow"][];
            /** @constant */
            detail: "full";
            rows: components["schemas"]["ReferralFullRow"][];
        };
        ReferralGroup: {
            by_amount_tier: {
                /** @description Null: fewer than k people, or withheld so that such a group cannot be found by subtraction. */
                large: components["schemas"]["ReferralRange"] | null;
                /** @description Null: fewer than k people, or withheld so that such a group cannot be found by subtraction. */
                medium: components["schemas"]["ReferralRange"] | null;
                /** @description Null: fewer than k people, or withheld so that such a group cannot be found by subtraction. */
                small: components["schemas"]["ReferralRange"] | null;
            };
            by_status: {
                /** @description Null: fewer than k people, or withheld so that such a group cannot be found by subtraction. */
                active: components["schemas"]["ReferralRange"] | null;
                /** @description Null: fewer than k people, or withheld so that such a group cannot be found by subtraction. */
                canceled: components["schemas"]["ReferralRange"] | null;
                /** @description Null: fewer than k people, or withheld so that such a group cannot be found by subtraction. */
                converted: components["schemas"]["ReferralRange"] | null;
                /** @description Null: fewer than k people, or withheld so that such a group cannot be found by subtraction. */
                executed: components["schemas"]["ReferralRange"] | null;
                /** @description Null: fewer than k people, or withheld so that such a group cannot be found by subtraction. */
                reserved: components["schemas"]["ReferralRange"] | null;
            };
            by_time_to_invest: {
                /** @description Null: fewer than k people, or withheld so that such a group cannot be found by subtraction. */
                assisted: components["schemas"]["ReferralRange"] | null;
                /** @description Null: fewer than k people, or withheld so that such a group cannot be found by subtraction. */
                delayed: components["schemas"]["ReferralRange"] | null;
                /** @description Null: fewer than k people, or withheld so that such a group cannot be found by subtraction. */
                direct: components["schemas"]["ReferralRange"] | null;
            };
            investors: components["schemas"]["ReferralRange"];
        };
        ReferralRange: {
            /** @description The largest possible number of people; null: the range has no upper end. */
            max: number | null;
            /** @description The smallest possible number of people. */
            min: number;
        };
        ReferralRanges: {
            company: string;
            /** @description People who were published before and have changed since. Null: fewer than k people. */
            corrections: components["schemas"]["ReferralGroup"] | null;
            /** @description People who were newly credited. Null: fewer than k people, who wait for more. */
            credited: components["schemas"]["ReferralGroup"] | null;
            /** @constant */
            detail: "ranges";
            /** @description The first week that this describes. It includes people of earlier weeks whose investments were reported late. */
            since: string;
        };
        ReferralWeek: {
            /** @description The companies with something to report. A company that is not listed has fewer than k people, or none. A week with very many rows continues on the next page, under the same name. */
            companies: (components["schemas"]["ReferralRanges"] | components["schemas"]["ReferralAnonymizedRows"] | components["schemas"]["ReferralFullRows"])[];
            /** @description Groups of fewer people than this were withheld. */
            k: number;
            /**
             * Format: date-time
             * @description The Monday on which the week was due. Nothing of a published week changes.
             */
            published_at: string;
            /** @description ISO week, UTC. */
            week: string;
        };
        RoleChange: {
            /** @enum {string} */
            role: "owner" | "admin" | "developer";
        };
        SandboxApproval: {
            approved_by?: string;
        };
        SandboxCheckoutEnd: {
            amount_cents?: number;
            investment?: string;
            user?: string;
        };
        SandboxClock: {
            /** @description How far the test world is ahead of real time, an ISO 8601 duration. */
            ahead: string;
            ahead_seconds: number;
            /**
             * Format: date-time
             * @description UTC, with microseconds.
             */
            now: string;
        };
        SandboxCompany: {
            attributes: {
                name: string;
                /** @description Open, and accepts investments. */
                offering: string;
            };
            id: string;
            /** @constant */
            type: "sandbox_company";
        };
        SandboxConversion: {
            to?: string;
        };
        SandboxFinish: {
            user?: string;
        };
        SandboxIneligible: {
            /** @enum {string} */
            reason: "accreditation_required" | "jurisdiction" | "blocked" | "club_unavailable" | "requires_investment";
            user?: string;
        };
        SandboxInvestment: {
            /** @enum {string} */
            accreditation: "not_required" | "required" | "pending" | "passed" | "failed";
            amounts: {
                committed_cents: number;
                currency: string;
                in_escrow_cents: number;
                refund_due_cents: number;
            };
            /**
             * Format: date-time
             * @description UTC, with microseconds.
             */
            applied_at: string;
            /**
             * Format: date-time
             * @description UTC, with microseconds.
             */
            canceled_at: string | null;
            company: string;
            /**
             * Format: date-time
             * @description UTC, with microseconds.
             */
            confirmed_at: string | null;
            /**
             * Format: date-time
             * @description UTC, with microseconds.
             */
            converted_at: string | null;
            converted_from: string | null;
            converted_to: string | null;
            /**
             * Format: date-time
             * @description UTC, with microseconds.
             */
            executed_at: string | null;
            hidden: boolean;
            id: string;
            /** @enum {string} */
            identity: "not_required" | "required" | "pending" | "passed" | "failed";
            investor: {
                id: string;
            };
            offering: string;
            /** @enum {string} */
            payment: "none" | "pending" | "received" | "failed" | "refunded";
            /** @enum {string} */
            review: "not_required" | "required" | "pending" | "passed" | "failed";
            /** @enum {string} */
            signature: "not_required" | "required" | "pending" | "passed" | "failed";
            /** @enum {string} */
            status: "active" | "reserved" | "executed" | "canceled" | "converted";
        };
        SandboxInvestmentSession: {
            attributes: {
                allocation_cents: number | null;
                /**
                 * Format: date-time
                 * @description UTC, with microseconds.
                 */
                created_at: string;
                currency: string;
                email: string | null;
                /**
                 * Format: date-time
                 * @description UTC, with microseconds.
                 */
                ended_at: string | null;
                /**
                 * Format: date-time
                 * @description UTC, with microseconds.
                 */
                expires_at: string;
                funding_status: ("pending" | "succeeded" | "card_declined" | "insufficient_funds") | null;
                installation: string | null;
                investment: string | null;
                kyc_status: ("pending" | "passed" | "failed") | null;
                /** @description Your own value; returned unchanged. */
                metadata: {
                    [key: string]: unknown;
                };
                offering: string;
                /**
                 * Format: date-time
                 * @description UTC, with microseconds.
                 */
                started_at: string | null;
                /** @enum {string} */
                status: "pending" | "in_progress" | "completed" | "abandoned" | "expired" | "canceled";
                user: string | null;
            };
            id: string;
            /** @constant */
            type: "investment_session";
        };
        SandboxInvitation: {
            email: string;
            invited_by: {
                id: string;
                name: string;
            };
            name: string;
            /**
             * Format: date-time
             * @description UTC, with microseconds.
             */
            occurred_at: string;
            syndicate: string;
            user: string | null;
        };
        SandboxInvite: {
            email: string;
            invited_by?: string;
            name?: string;
        };
        SandboxJoinCompletion: {
            approved_by?: string;
            user?: string;
        };
        SandboxJoinSession: {
            attributes: {
                /**
                 * Format: date-time
                 * @description UTC, with microseconds.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description UTC, with microseconds.
                 */
                expires_at: string;
                ineligible_reason: ("accreditation_required" | "jurisdiction" | "blocked" | "club_unavailable" | "requires_investment") | null;
                installation: string | null;
                membership: string | null;
                /** @description Your own value; returned unchanged. */
                metadata: {
                    [key: string]: unknown;
                };
                /** @enum {string} */
                status: "open" | "pending_approval" | "joined" | "rejected" | "ineligible" | "canceled" | "expired";
                syndicate: string;
                user: string | null;
            };
            id: string;
            /** @constant */
            type: "join_session";
        };
        SandboxMembership: {
            attributes: {
                approved_by: string | null;
                invited_email: string | null;
                /**
                 * Format: date-time
                 * @description UTC, with microseconds.
                 */
                joined_at: string | null;
                /** @enum {string} */
                status: "pending" | "approved" | "member" | "left" | "removed" | "payment_failed" | "declined" | "withdrawn";
                syndicate: string;
                user: string;
            };
            id: string;
            /** @constant */
            type: "syndicate_member";
        };
        SandboxMeta: {
            /** @description The total number of events. */
            event_count: number;
            /** @description The events that this caused, in order; the first 1000. */
            events: components["schemas"]["CausedEvent"][];
        };
        SandboxNewAmount: {
            /** @description Zero cancels. */
            amount_cents: number;
        };
        SandboxNewInvestment: {
            amount_cents: number;
            investor: string;
            invite_link?: string;
            offering: string;
            /** @description A referral code. */
            ref?: string;
        };
        SandboxNewInvestmentSession: {
            allocation_cents?: number;
            email?: string;
            /** @description 720 if left out. */
            expires_in_hours?: number;
            /** @description Your own value; returned unchanged. */
            metadata?: {
                [key: string]: unknown;
            };
            offering: string;
            user?: string;
        };
        SandboxNewJoinSession: {
            /** @description 720 if left out. */
            expires_in_hours?: number;
            /** @description Your own value; returned unchanged. */
            metadata?: {
                [key: string]: unknown;
            };
            syndicate: string;
            user?: string;
        };
        SandboxOffering: {
            attributes: {
                /**
                 * Format: date-time
                 * @description UTC, with microseconds.
                 */
                canceled_at: string | null;
                /**
                 * Format: date-time
                 * @description UTC, with microseconds.
                 */
                closed_at: string | null;
                /**
                 * Format: date-time
                 * @description UTC, with microseconds.
                 */
                closes_at: string | null;
                company: string;
                currency: string;
                /**
                 * Format: date-time
                 * @description UTC, with microseconds.
                 */
                opens_at: string | null;
                /** @enum {string} */
                status: "upcoming" | "open" | "closing" | "closed" | "canceled";
                testing_the_waters: boolean;
            };
            id: string;
            /** @constant */
            type: "offering";
        };
        SandboxPerson: {
            user: string;
        };
        SandboxRecords: {
            attributes: {
                /** @description Ids of syndicates that you manage, and of other records of the demo. */
                examples: string[];
                /** @description Open offerings of companies that you founded or where the app is installed, then of the public catalogue; at most 100 of each. */
                offerings: {
                    company_id: string;
                    company_name: string;
                    id: string;
                    /** @description It accepts reservations instead of investments. */
                    testing_the_waters: boolean;
                }[];
                /** @description Investors of companies that you founded, at most 20, then the people of the demo, if there is one. */
                people: {
                    id: string;
                    name: string;
                }[];
            };
            /** @constant */
            type: "sandbox_records";
        };
        SandboxRelocation: {
            offering: string;
            successor?: string;
        };
        SandboxSessionStart: {
            user?: string;
        };
        SandboxSignIn: {
            user: string;
        };
        SandboxUser: {
            attributes: {
                deactivated: boolean;
            };
            id: string;
            /** @constant */
            type: "user";
        };
        SandboxVisit: {
            company: string;
            /** @description A referral code. */
            ref: string;
        };
        ScopeAddition: {
            data: {
                attributes: {
                    /** @description The scopes that it did not declare before. */
                    added: string[];
                    /** @description The scopes that the app declares now. */
                    scopes: string[];
                };
                id: string;
                /** @constant */
                type: "scope_addition";
            };
        };
        ScopeChange: {
            scopes: string[];
        };
        ScopePreview: {
            data: {
                attributes: {
                    /** @description Of the scopes to add, those that it does not declare yet. */
                    added: string[];
                    modes: {
                        live: components["schemas"]["ScopePreviewInMode"];
                        test: components["schemas"]["ScopePreviewInMode"];
                    };
                    removed: string[];
                    /** @description The scopes that the app would declare. */
                    scopes: string[];
                };
                id: string;
                /** @constant */
                type: "scope_preview";
            };
        };
        ScopePreviewInMode: {
            access_tokens: {
                /** @description How many there would be. */
                after: number;
                /** @description How many there are now. */
                before: number;
                /** @description Valid ones that would be revoked. */
                revoked: number;
            };
            endpoints: {
                /** @description How many there would be. */
                after: number;
                /** @description How many there are now. */
                before: number;
                /** @description Bound to an installation that would be revoked. */
                disabled: number;
                /** @description Would stay enabled and no longer receive some of the events that they subscribe to. */
                losing_events: number;
            };
            installations: {
                /** @description How many there would be. */
                after: number;
                /** @description How many there are now. */
                before: number;
                /** @description Would have no scope left and be revoked. */
                disconnected: number;
                /** @description Active afterwards, without an added scope that takes effect there, until they are made again. */
                lacking_added: number;
                /** @description Would lose a scope and keep others. */
                narrowed: number;
            };
            refresh_tokens: {
                /** @description How many there would be. */
                after: number;
                /** @description How many there are now. */
                before: number;
                /** @description Valid ones that would be revoked. */
                revoked: number;
            };
        };
        ScopeRemoval: {
            data: {
                attributes: {
                    /** @description Enabled webhook endpoints that were bound to an installation that is revoked. */
                    endpoints_disabled: number;
                    /** @description Installations that had no scope left and are revoked. */
                    installs_disconnected: number;
                    /** @description Installations that lost a scope and keep others. */
                    installs_narrowed: number;
                    /** @description Valid refresh tokens that were revoked. */
                    refresh_tokens_revoked: number;
                    removed: string[];
                    /** @description The scopes that the app declares now. */
                    scopes: string[];
                    /** @description Valid access tokens that were revoked. */
                    tokens_revoked: number;
                };
                id: string;
                /** @constant */
                type: "scope_removal";
            };
        };
        ScopesToAdd: {
            scopes: string[];
        };
        SecretRotation: {
            /** @description For how many seconds the current secret keeps working. Default 86400; 0 ends it at once. */
            overlap_seconds?: number;
        };
        SignedInPerson: {
            attributes: {
                email: string;
                /** @description The newest 100, newest first. */
                invitations: components["schemas"]["ReceivedInvitation"][];
                name: string;
                organizations: components["schemas"]["OwnOrganization"][];
            };
            id: string;
            /** @constant */
            type: "account";
        };
        StaffMember: {
            attributes: {
                /**
                 * Format: date-time
                 * @description Real time.
                 */
                disabled_at: string | null;
                email: string;
                /** @description The role has no effect while the account has no second factor. */
                has_factor: boolean;
                name: string;
                /** @enum {string} */
                role: "viewer" | "support" | "compliance" | "admin";
            };
            id: string;
            /** @constant */
            type: "staff_member";
        };
        StaffRole: {
            /** @enum {string} */
            role: "viewer" | "support" | "compliance" | "admin";
        };
        SyncInspection: {
            /** @description Null without a cursor, or if the cursor cannot be opened here. */
            cursor: {
                age_seconds: number;
                /**
                 * Format: date-time
                 * @description Up to when the reader has seen everything.
                 */
                as_of: string;
                /**
                 * Format: date-time
                 * @description From this world time on the cursor gets 410.
                 */
                expires_at: string;
                /**
                 * @description list: within a listing. sync: changes follow it.
                 * @enum {string}
                 */
                kind: "list" | "sync";
            } | null;
            installation_id: string;
            /** @enum {string} */
            mode: "test" | "live";
            /**
             * Format: date-time
             * @description UTC, with microseconds, in the time of the world.
             */
            now: string;
            /** @description The page that the token gets now. Null if it gets an error, and for a user’s own connection. */
            page: {
                data: components["schemas"]["Investment"][];
                meta: {
                    /** @description Whether another page exists. Iterate on this, never on an empty page. */
                    has_more: boolean;
                    /**
                     * @description bootstrap: a listing. delta: changes.
                     * @enum {string}
                     */
                    mode: "bootstrap" | "delta";
                    /** @description Always present. Store the one of the last page, and sync from it. */
                    next_cursor: string;
                    /** @description Records in this page. */
                    page_count: number;
                    /**
                     * Format: date-time
                     * @description UTC, with microseconds, in the time of the world.
                     */
                    published_through?: string;
                };
            } | null;
            /**
             * Format: date-time
             * @description Up to when changes are published; later ones come with the next pages.
             */
            published_through: string;
            /** @description Null if the API accepts the request. */
            rejection: {
                message: string;
                /**
                 * @description malformed: not from this list, or changed. other_mode: from the other mode. other_list: from the changes of the company. other_reader: made for another installation or user. identities_added: made before identities were granted. too_old: older than 90 days. access_changed: the user became or ceased to be an editor of a company.
                 * @enum {string}
                 */
                reason: "malformed" | "other_reader" | "identities_added" | "too_old" | "access_changed" | "other_mode" | "other_list";
                remediation: string | null;
                /** @description The HTTP status of the API’s response. */
                status: number;
                /** @description The type of that error. */
                type: string;
            } | null;
            /** @description Changes behind a sync cursor that concern this installation, at most 1000; complete is false if there are more. */
            waiting: {
                changes: number;
                complete: boolean;
            } | null;
        };
        TeamInvitation: {
            attributes: {
                email: string;
                /**
                 * Format: date-time
                 * @description Real time, UTC, with microseconds.
                 */
                expires_at: string;
                /**
                 * Format: date-time
                 * @description Real time, UTC, with microseconds.
                 */
                invited_at: string;
                /** @enum {string} */
                role: "owner" | "admin" | "developer";
            };
            id: string;
            /** @constant */
            type: "invitation";
        };
        WantedScopes: {
            add?: string[];
            remove?: string[];
        };
        WebhookEndpointChange: {
            /** @description The whole list. A wildcard (`*`, `investment.*`) covers every event of the catalogue or group that can arrive at the endpoint. */
            events?: ("investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed" | "*" | "investment.*" | "offering.*" | "investment_session.*" | "syndicate_member.*" | "join_session.*" | "installation.*" | "referral_cohorts.*" | "intent.*")[];
            /** @description https, to a public address. In the test mode of a local server also http to this machine. */
            url?: string;
        };
        WebhookEndpointHealth: {
            /** @description How many of these were delivered. */
            delivered: number;
            /**
             * Format: date-time
             * @description The last attempt that failed, also of a delivery that succeeded later.
             */
            last_failure_at: string | null;
            /**
             * Format: date-time
             * @description UTC, in the time of the endpoint’s world.
             */
            last_success_at: string | null;
            /** @description How many of the newest deliveries were delivered or given up: 1,000 ended ones are looked at. */
            recent: number;
            /** @description delivered divided by recent, from 0 to 1; null while there are none. */
            success_rate: number | null;
            /** @description How many deliveries are pending; at most 10,000 are counted. */
            waiting: number;
        };
        WebhookReplay: {
            /**
             * Format: date-time
             * @description There are more: send the request again with this as since.
             */
            continue_since: string | null;
            /** @description How many will be sent again. */
            queued: number;
            /** @constant */
            type: "webhook_replay";
        };
        WebhookReplayEnvelope: {
            data: components["schemas"]["WebhookReplay"];
            meta: {
                request_id: string;
            };
        };
        WebhookReplayRequest: {
            /** @description Only deliveries that failed. */
            only_failed?: boolean;
            /**
             * Format: date-time
             * @description Deliveries made at this time of the endpoint’s world or later: compare it with created_at.
             */
            since: string;
            /**
             * Format: date-time
             * @description Deliveries made before this time. If left out, until now.
             */
            until?: string;
        };
        WebhookTest: {
            /** @description Whether the response was 2xx. */
            delivered: boolean;
            duration_ms: number;
            /** @description Null if there was a response. */
            error: ("timeout" | "blocked_url" | "tls_error" | "connection_failed") | null;
            /** @enum {string} */
            event: "investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed";
            /** @description What was posted. */
            payload: {
                [key: string]: unknown;
            };
            response_code: number | null;
            /** @constant */
            type: "webhook_test";
        };
        WebhookTestEnvelope: {
            data: components["schemas"]["WebhookTest"];
            meta: {
                /** @description Only for endpoints of the whole app: what the test does not check. */
                note?: string;
                request_id: string;
            };
        };
        WebhookTestRequest: {
            /**
             * @description An event that the endpoint is subscribed to. If left out, the first.
             * @enum {string}
             */
            event?: "investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed";
        };
    };
    responses: {
        /** @description The request cannot be read: its query, a cursor, its JSON or the requested version. `error.type`: `invalid_request`. */
        BadRequest: {
            headers: {
                "Wefunder-Version": components["headers"]["ApiVersion"];
                "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Wf-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "invalid_request",
                 *         "message": "per_page is not a whole number.",
                 *         "request_id": "req_0V3xkQ2b9TzQ4mYcW8sLr7Hp"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The Idempotency-Key was used with another body, or the resource is in a state that forbids this. `error.type`: `already_installed`, `installation_revoked`, `idempotency_conflict`, `scope_change_blocked`, `illegal_transition`. */
        Conflict: {
            headers: {
                "Wefunder-Version": components["headers"]["ApiVersion"];
                "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Wf-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "idempotency_conflict",
                 *         "message": "This Idempotency-Key was used for a different request.",
                 *         "request_id": "req_0V3xkQ2b9TzQ4mYcW8sLr7Hp"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The credential is valid but lacks the scope, or may not do this to this resource. `error.type`: `insufficient_scope`, `forbidden`, `sandbox_only`, `app_suspended`. */
        Forbidden: {
            headers: {
                "Wefunder-Version": components["headers"]["ApiVersion"];
                "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Wf-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "insufficient_scope",
                 *         "message": "This token does not hold the scope this operation needs.",
                 *         "request_id": "req_0V3xkQ2b9TzQ4mYcW8sLr7Hp"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The endpoint was removed, or the cursor is too old to continue from; the message says what to do. `error.type`: `gone`, `endpoint_removed`. */
        Gone: {
            headers: {
                "Wefunder-Version": components["headers"]["ApiVersion"];
                "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Wf-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "gone",
                 *         "message": "This cursor is too old. Start again without a cursor.",
                 *         "request_id": "req_0V3xkQ2b9TzQ4mYcW8sLr7Hp"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Our fault. Repeating with the same Idempotency-Key is safe. `error.type`: `internal_error`. */
        InternalError: {
            headers: {
                "Wefunder-Version": components["headers"]["ApiVersion"];
                "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Wf-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "internal_error",
                 *         "message": "Something went wrong on our side.",
                 *         "request_id": "req_0V3xkQ2b9TzQ4mYcW8sLr7Hp"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request was sent to a host name that is not this service’s. `error.type`: `misdirected_request`. */
        MisdirectedRequest: {
            headers: {
                "Wefunder-Version": components["headers"]["ApiVersion"];
                "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Wf-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "misdirected_request",
                 *         "message": "This service does not answer under the host name of this request.",
                 *         "request_id": "req_0V3xkQ2b9TzQ4mYcW8sLr7Hp"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The record does not exist, or this credential may not see it. `error.type`: `not_found`, `no_disclosures`. */
        NotFound: {
            headers: {
                "Wefunder-Version": components["headers"]["ApiVersion"];
                "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Wf-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "not_found",
                 *         "message": "There is nothing here for this credential.",
                 *         "request_id": "req_0V3xkQ2b9TzQ4mYcW8sLr7Hp"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Our fault. Repeating with the same Idempotency-Key is safe. */
        OAuthInternalError: {
            headers: {
                "Wefunder-Version": components["headers"]["ApiVersion"];
                "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Wf-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "server_error",
                 *       "error_description": "Something went wrong on our side."
                 *     }
                 */
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The request was sent to a host name that is not this service’s. */
        OAuthMisdirectedRequest: {
            headers: {
                "Wefunder-Version": components["headers"]["ApiVersion"];
                "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Wf-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "invalid_request",
                 *       "error_description": "This service does not answer under the host name of this request."
                 *     }
                 */
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The body is larger than this operation accepts; the message has the limit. */
        OAuthPayloadTooLarge: {
            headers: {
                "Wefunder-Version": components["headers"]["ApiVersion"];
                "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Wf-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "invalid_request",
                 *       "error_description": "The request body is larger than the 1 MiB that this operation accepts."
                 *     }
                 */
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The service is temporarily unavailable. Try again after a moment. */
        OAuthUnavailable: {
            headers: {
                "Wefunder-Version": components["headers"]["ApiVersion"];
                "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Wf-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "temporarily_unavailable",
                 *       "error_description": "The service cannot answer right now."
                 *     }
                 */
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The body is not in a format this operation reads. */
        OAuthUnsupportedMediaType: {
            headers: {
                "Wefunder-Version": components["headers"]["ApiVersion"];
                "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Wf-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "invalid_request",
                 *       "error_description": "Send the body as application/json."
                 *     }
                 */
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description Our fault. Repeating with the same Idempotency-Key is safe. */
        PageInternalError: {
            headers: {
                "Wefunder-Version": components["headers"]["ApiVersion"];
                "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Wf-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /** @example <!doctype html> */
                "text/html": string;
            };
        };
        /** @description The request was sent to a host name that is not this service’s. */
        PageMisdirectedRequest: {
            headers: {
                "Wefunder-Version": components["headers"]["ApiVersion"];
                "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Wf-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /** @example <!doctype html> */
                "text/html": string;
            };
        };
        /** @description The record does not exist, or this credential may not see it. */
        PageNotFound: {
            headers: {
                "Wefunder-Version": components["headers"]["ApiVersion"];
                "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Wf-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /** @example <!doctype html> */
                "text/html": string;
            };
        };
        /** @description The service is temporarily unavailable. Try again after a moment. */
        PageUnavailable: {
            headers: {
                "Wefunder-Version": components["headers"]["ApiVersion"];
                "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Wf-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /** @example <!doctype html> */
                "text/html": string;
            };
        };
        /** @description The body is larger than this operation accepts; the message has the limit. `error.type`: `payload_too_large`. */
        PayloadTooLarge: {
            headers: {
                "Wefunder-Version": components["headers"]["ApiVersion"];
                "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Wf-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "payload_too_large",
                 *         "message": "The request body is larger than the 1 MiB that this operation accepts.",
                 *         "request_id": "req_0V3xkQ2b9TzQ4mYcW8sLr7Hp"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A rate limit is used up. Wait details.retry_after seconds. `error.type`: `rate_limit_exceeded`. */
        RateLimited: {
            headers: {
                "Wefunder-Version": components["headers"]["ApiVersion"];
                "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Wf-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "rate_limit_exceeded",
                 *         "message": "Too many requests.",
                 *         "details": {
                 *           "limit": 1000,
                 *           "period": 3600,
                 *           "retry_after": 42
                 *         },
                 *         "request_id": "req_0V3xkQ2b9TzQ4mYcW8sLr7Hp"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No credential, or an invalid one. Obtain a new token. `error.type`: `invalid_token`. */
        Unauthorized: {
            headers: {
                "Wefunder-Version": components["headers"]["ApiVersion"];
                "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Wf-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "invalid_token",
                 *         "message": "This access token is not valid.",
                 *         "request_id": "req_0V3xkQ2b9TzQ4mYcW8sLr7Hp"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service is temporarily unavailable. Try again after a moment. `error.type`: `unavailable`. */
        Unavailable: {
            headers: {
                "Wefunder-Version": components["headers"]["ApiVersion"];
                "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Wf-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "unavailable",
                 *         "message": "The service cannot answer right now.",
                 *         "request_id": "req_0V3xkQ2b9TzQ4mYcW8sLr7Hp"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body can be read but not accepted; details.fields lists each field, a code and a message. `error.type`: `validation_error`, `invalid_scopes`, `use_intents`, `still_implied`, `nothing_grantable`, `scope_missing`, `session_not_cancelable`. */
        Unprocessable: {
            headers: {
                "Wefunder-Version": components["headers"]["ApiVersion"];
                "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Wf-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "validation_error",
                 *         "message": "Some fields are not acceptable: url.",
                 *         "details": {
                 *           "fields": [
                 *             {
                 *               "field": "url",
                 *               "code": "format",
                 *               "message": "must be an https URL"
                 *             }
                 *           ]
                 *         },
                 *         "request_id": "req_0V3xkQ2b9TzQ4mYcW8sLr7Hp"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not in a format this operation reads. `error.type`: `unsupported_media_type`. */
        UnsupportedMediaType: {
            headers: {
                "Wefunder-Version": components["headers"]["ApiVersion"];
                "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                "X-Request-Id": components["headers"]["RequestId"];
                "X-Wf-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "type": "unsupported_media_type",
                 *         "message": "Send the body as application/json.",
                 *         "request_id": "req_0V3xkQ2b9TzQ4mYcW8sLr7Hp"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
         * @example 2026-11-01
         */
        ApiVersion: "2025-01-15" | "2026-10-01" | "2026-11-01";
        /**
         * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
         * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
         */
        IdempotencyKey: string;
        /**
         * @description The ETag of the response you have, or several separated by commas. The response is 304 if it has not changed.
         * @example "Zm9sbG93LXRoZS1ldGFn"
         */
        IfNoneMatch: string;
        /**
         * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
         * @example test
         */
        OperatorMode: "test" | "live";
        /**
         * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
         * @example Ticket%204711:%20the%20person%20lost%20their%20phone
         */
        OperatorReason: string;
    };
    requestBodies: never;
    headers: {
        /** @description The version of this response. */
        ApiVersion: string;
        /** @description The newest version. */
        ApiVersionLatest: string;
        /** @description The version tag of this response: send it as If-None-Match. */
        ETag: string;
        /** @description Present if this is the stored response to an earlier request with the same Idempotency-Key. */
        IdempotentReplayed: "true";
        /** @description Requests allowed in the window. */
        RateLimitLimit: number;
        /** @description Requests left in the window. */
        RateLimitRemaining: number;
        /** @description When the window ends, in Unix seconds. */
        RateLimitReset: number;
        /** @description The id of this request in our logs. Quote it when you ask for help. */
        RequestId: string;
        /** @description What is wrong with the credential (RFC 6750). */
        WwwAuthenticate: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAccounts: {
        parameters: {
            query?: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 1
                 */
                per_page?: number;
                /**
                 * @description Only accounts whose email address or name starts with this text. The case of A to Z does not matter.
                 * @example tove
                 */
                query?: string;
            };
            header?: {
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "acct_XhCs67d67XmkStAlQxDZ22Wz",
                     *           "type": "account",
                     *           "attributes": {
                     *             "email": "tove@example.com",
                     *             "name": "Tove Berg",
                     *             "has_password": true,
                     *             "issuers": [],
                     *             "users": {
                     *               "test": "usr_FZv3dT8KTgd7Y1H4qrlYeHAS",
                     *               "live": null
                     *             },
                     *             "email_verified_at": "2026-11-15T08:00:00.000000Z",
                     *             "staff_role": null,
                     *             "created_at": "2026-11-15T08:00:00.000000Z",
                     *             "disabled_at": null
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "has_more": true,
                     *         "page_count": 1,
                     *         "next_cursor": "ZXhhbXBsZS1vcGFxdWUtdmFsdWU"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Account"][];
                        meta: {
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAccount: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "tove@example.com",
                 *       "name": "Tove Berg",
                 *       "password": "lantern over a quiet harbour"
                 *     }
                 */
                "application/json": components["schemas"]["NewAccount"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "acct_XhCs67d67XmkStAlQxDZ22Wz",
                     *         "type": "account",
                     *         "attributes": {
                     *           "email": "tove@example.com",
                     *           "name": "Tove Berg",
                     *           "has_password": true,
                     *           "issuers": [],
                     *           "users": {
                     *             "test": null,
                     *             "live": null
                     *           },
                     *           "email_verified_at": "2026-11-15T08:00:00.000000Z",
                     *           "staff_role": null,
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "disabled_at": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AccountEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example acct_XhCs67d67XmkStAlQxDZ22Wz */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "acct_XhCs67d67XmkStAlQxDZ22Wz",
                     *         "type": "account",
                     *         "attributes": {
                     *           "email": "tove@example.com",
                     *           "name": "Tove Berg",
                     *           "has_password": true,
                     *           "issuers": [],
                     *           "users": {
                     *             "test": null,
                     *             "live": null
                     *           },
                     *           "email_verified_at": "2026-11-15T08:00:00.000000Z",
                     *           "staff_role": null,
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "disabled_at": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AccountEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    disableAccount: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example acct_XhCs67d67XmkStAlQxDZ22Wz */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "acct_XhCs67d67XmkStAlQxDZ22Wz",
                     *         "type": "account",
                     *         "attributes": {
                     *           "email": "tove@example.com",
                     *           "name": "Tove Berg",
                     *           "has_password": true,
                     *           "issuers": [],
                     *           "users": {
                     *             "test": "usr_FZv3dT8KTgd7Y1H4qrlYeHAS",
                     *             "live": null
                     *           },
                     *           "email_verified_at": "2026-11-15T08:00:00.000000Z",
                     *           "staff_role": null,
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "disabled_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AccountEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    enableAccount: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example acct_XhCs67d67XmkStAlQxDZ22Wz */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "acct_XhCs67d67XmkStAlQxDZ22Wz",
                     *         "type": "account",
                     *         "attributes": {
                     *           "email": "tove@example.com",
                     *           "name": "Tove Berg",
                     *           "has_password": true,
                     *           "issuers": [],
                     *           "users": {
                     *             "test": "usr_FZv3dT8KTgd7Y1H4qrlYeHAS",
                     *             "live": null
                     *           },
                     *           "email_verified_at": "2026-11-15T08:00:00.000000Z",
                     *           "staff_role": null,
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "disabled_at": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AccountEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetAccountFactors: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example acct_XhCs67d67XmkStAlQxDZ22Wz */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "acct_XhCs67d67XmkStAlQxDZ22Wz",
                     *         "type": "account",
                     *         "attributes": {
                     *           "email": "tove@example.com",
                     *           "name": "Tove Berg",
                     *           "has_password": true,
                     *           "issuers": [],
                     *           "users": {
                     *             "test": "usr_FZv3dT8KTgd7Y1H4qrlYeHAS",
                     *             "live": null
                     *           },
                     *           "email_verified_at": "2026-11-15T08:00:00.000000Z",
                     *           "staff_role": null,
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "disabled_at": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AccountEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setAccountPassword: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example acct_XhCs67d67XmkStAlQxDZ22Wz */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "a longer staple battery"
                 *     }
                 */
                "application/json": components["schemas"]["AccountPassword"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "acct_XhCs67d67XmkStAlQxDZ22Wz",
                     *         "type": "account",
                     *         "attributes": {
                     *           "email": "tove@example.com",
                     *           "name": "Tove Berg",
                     *           "has_password": true,
                     *           "issuers": [],
                     *           "users": {
                     *             "test": "usr_FZv3dT8KTgd7Y1H4qrlYeHAS",
                     *             "live": null
                     *           },
                     *           "email_verified_at": "2026-11-15T08:00:00.000000Z",
                     *           "staff_role": null,
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "disabled_at": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AccountEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    issuePasswordLink: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example acct_XhCs67d67XmkStAlQxDZ22Wz */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "type": "account_link",
                     *         "attributes": {
                     *           "account": "acct_XhCs67d67XmkStAlQxDZ22Wz",
                     *           "purpose": "set_password",
                     *           "url": "https://api.portico.example/sign-in/link/kH0EhLlf0weMJfgztgmles9MqgFytQ2bjqL9XW05HPE",
                     *           "expires_at": "2026-11-16T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AccountLinkEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    issueSignInLink: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example acct_XhCs67d67XmkStAlQxDZ22Wz */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "type": "account_link",
                     *         "attributes": {
                     *           "account": "acct_XhCs67d67XmkStAlQxDZ22Wz",
                     *           "purpose": "sign_in",
                     *           "url": "https://api.portico.example/sign-in/link/aPwLmVi6IvkpGiiYB4ZffqwS4THWge4FuulkUH1HpXI",
                     *           "expires_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AccountLinkEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setStaffRole: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example acct_XhCs67d67XmkStAlQxDZ22Wz */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "support"
                 *     }
                 */
                "application/json": components["schemas"]["StaffRole"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "acct_XhCs67d67XmkStAlQxDZ22Wz",
                     *         "type": "account",
                     *         "attributes": {
                     *           "email": "tove@example.com",
                     *           "name": "Tove Berg",
                     *           "has_password": true,
                     *           "issuers": [],
                     *           "users": {
                     *             "test": "usr_FZv3dT8KTgd7Y1H4qrlYeHAS",
                     *             "live": null
                     *           },
                     *           "email_verified_at": "2026-11-15T08:00:00.000000Z",
                     *           "staff_role": "support",
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "disabled_at": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AccountEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeStaffRole: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example acct_XhCs67d67XmkStAlQxDZ22Wz */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "acct_XhCs67d67XmkStAlQxDZ22Wz",
                     *         "type": "account",
                     *         "attributes": {
                     *           "email": "tove@example.com",
                     *           "name": "Tove Berg",
                     *           "has_password": true,
                     *           "issuers": [],
                     *           "users": {
                     *             "test": "usr_FZv3dT8KTgd7Y1H4qrlYeHAS",
                     *             "live": null
                     *           },
                     *           "email_verified_at": "2026-11-15T08:00:00.000000Z",
                     *           "staff_role": null,
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "disabled_at": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AccountEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    linkAccountUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example acct_XhCs67d67XmkStAlQxDZ22Wz */
                id: string;
                /**
                 * @description The world: test or live.
                 * @example test
                 */
                mode: "test" | "live";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user": "usr_FZv3dT8KTgd7Y1H4qrlYeHAS"
                 *     }
                 */
                "application/json": components["schemas"]["AccountUser"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "acct_XhCs67d67XmkStAlQxDZ22Wz",
                     *         "type": "account",
                     *         "attributes": {
                     *           "email": "tove@example.com",
                     *           "name": "Tove Berg",
                     *           "has_password": true,
                     *           "issuers": [],
                     *           "users": {
                     *             "test": "usr_FZv3dT8KTgd7Y1H4qrlYeHAS",
                     *             "live": null
                     *           },
                     *           "email_verified_at": "2026-11-15T08:00:00.000000Z",
                     *           "staff_role": null,
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "disabled_at": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AccountEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    inviteToPlatform: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ines@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["NewAccountInvitation"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "type": "account_invitation",
                     *         "attributes": {
                     *           "email": "ines@example.com",
                     *           "url": "https://api.portico.example/sign-up/link/pcj5Rr36Ujurt-BDgPViLcqhA1pfDJcCox3OPx4nHog",
                     *           "expires_at": "2026-11-29T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AccountInvitationEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApps: {
        parameters: {
            query?: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /**
                 * @description Only apps whose team waits for an answer.
                 * @example true
                 */
                open_requests?: boolean;
                /** @example org_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                organization_id?: string;
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 2
                 */
                per_page?: number;
            };
            header?: {
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "app_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "type": "app",
                     *           "attributes": {
                     *             "name": "Fieldbook CRM",
                     *             "description": "Keeps a founder’s investors, their questions and their updates in one place.",
                     *             "website_url": null,
                     *             "logo_url": "/assets/apps/app_0V3xkQ2b9TzQ4mYcW8sLr7Hp/logo?v=vqPVDb0WS6Ls2Go9",
                     *             "setup_url": null,
                     *             "organization": {
                     *               "id": "org_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "name": "Fieldbook",
                     *               "status": "active"
                     *             },
                     *             "status": "active",
                     *             "suspended_at": null,
                     *             "suspended_reason": null,
                     *             "disabled_at": null,
                     *             "api_version": "2026-11-01",
                     *             "scopes": [
                     *               "read:explore",
                     *               "read:profile",
                     *               "write:profile",
                     *               "write:follows",
                     *               "write:comments",
                     *               "read:investments",
                     *               "read:companies",
                     *               "read:webhooks",
                     *               "write:webhooks",
                     *               "read:referral_codes",
                     *               "write:referral_codes",
                     *               "read:installations",
                     *               "write:installations",
                     *               "read:investors:pii",
                     *               "read:syndicates",
                     *               "write:syndicates",
                     *               "read:invite_links",
                     *               "write:invite_links",
                     *               "read:investment_sessions",
                     *               "write:investment_sessions",
                     *               "write:syndicate_members",
                     *               "read:files",
                     *               "read:attribution:aggregate",
                     *               "write:attribution"
                     *             ],
                     *             "approved_at": "2026-11-15T08:00:00.000000Z",
                     *             "approval": {
                     *               "requested_at": null,
                     *               "declined_at": null
                     *             },
                     *             "pii": {
                     *               "requested_at": null,
                     *               "approved_at": null
                     *             },
                     *             "programs": [
                     *               {
                     *                 "program": "marketing_partner",
                     *                 "tier": 0,
                     *                 "requested_at": null,
                     *                 "approved_at": "2026-11-15T08:00:00.000000Z"
                     *               }
                     *             ],
                     *             "conditions": {
                     *               "version": "2026-11-01",
                     *               "url": "/conditions/2026-11-01",
                     *               "accepted_by": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "accepted_at": "2026-11-15T08:00:00.000000Z"
                     *             },
                     *             "deletable": false,
                     *             "created_at": "2026-11-15T08:00:00.000000Z"
                     *           }
                     *         },
                     *         {
                     *           "id": "app_Lh38RnVidL5pjHfGpa7uywc7",
                     *           "type": "app",
                     *           "attributes": {
                     *             "name": "Fieldbook Digest",
                     *             "description": "A weekly letter about the offerings you follow.",
                     *             "website_url": null,
                     *             "logo_url": null,
                     *             "setup_url": null,
                     *             "organization": {
                     *               "id": "org_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "name": "Fieldbook",
                     *               "status": "active"
                     *             },
                     *             "status": "active",
                     *             "suspended_at": null,
                     *             "suspended_reason": null,
                     *             "disabled_at": null,
                     *             "api_version": "2026-11-01",
                     *             "scopes": [
                     *               "read:explore",
                     *               "read:profile",
                     *               "write:follows"
                     *             ],
                     *             "approved_at": null,
                     *             "approval": {
                     *               "requested_at": null,
                     *               "declined_at": null
                     *             },
                     *             "pii": {
                     *               "requested_at": null,
                     *               "approved_at": null
                     *             },
                     *             "programs": [],
                     *             "conditions": {
                     *               "version": "2026-11-01",
                     *               "url": "/conditions/2026-11-01",
                     *               "accepted_by": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "accepted_at": "2026-11-15T08:00:00.000000Z"
                     *             },
                     *             "deletable": true,
                     *             "created_at": "2026-11-15T08:00:00.000000Z"
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "has_more": true,
                     *         "page_count": 2,
                     *         "next_cursor": "ZXhhbXBsZS1vcGFxdWUtdmFsdWU"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["App"][];
                        meta: {
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readApp: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
            };
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *         "type": "app",
                     *         "attributes": {
                     *           "name": "Quayside Ledger",
                     *           "description": "Books investments into the ledger.",
                     *           "website_url": null,
                     *           "logo_url": null,
                     *           "setup_url": null,
                     *           "organization": {
                     *             "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *             "name": "Quayside Software",
                     *             "status": "active"
                     *           },
                     *           "status": "active",
                     *           "suspended_at": null,
                     *           "suspended_reason": null,
                     *           "disabled_at": null,
                     *           "api_version": "2026-11-01",
                     *           "scopes": [
                     *             "read:investments"
                     *           ],
                     *           "approved_at": null,
                     *           "approval": {
                     *             "requested_at": null,
                     *             "declined_at": null
                     *           },
                     *           "pii": {
                     *             "requested_at": "2026-11-15T08:00:00.000000Z",
                     *             "approved_at": null
                     *           },
                     *           "programs": [
                     *             {
                     *               "program": "founder",
                     *               "tier": null,
                     *               "requested_at": "2026-11-15T08:00:00.000000Z",
                     *               "approved_at": null
                     *             }
                     *           ],
                     *           "conditions": {
                     *             "version": "2026-11-01",
                     *             "url": "/conditions/2026-11-01",
                     *             "accepted_by": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "accepted_at": "2026-11-15T08:00:00.000000Z"
                     *           },
                     *           "deletable": true,
                     *           "created_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["App"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    approveApp: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *         "type": "app",
                     *         "attributes": {
                     *           "name": "Quayside Ledger",
                     *           "description": "Books investments into the ledger.",
                     *           "website_url": null,
                     *           "logo_url": null,
                     *           "setup_url": null,
                     *           "organization": {
                     *             "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *             "name": "Quayside Software",
                     *             "status": "active"
                     *           },
                     *           "status": "active",
                     *           "suspended_at": null,
                     *           "suspended_reason": null,
                     *           "disabled_at": null,
                     *           "api_version": "2026-11-01",
                     *           "scopes": [
                     *             "read:investments"
                     *           ],
                     *           "approved_at": "2026-11-15T08:00:00.000000Z",
                     *           "approval": {
                     *             "requested_at": null,
                     *             "declined_at": null
                     *           },
                     *           "pii": {
                     *             "requested_at": "2026-11-15T08:00:00.000000Z",
                     *             "approved_at": null
                     *           },
                     *           "programs": [
                     *             {
                     *               "program": "founder",
                     *               "tier": null,
                     *               "requested_at": "2026-11-15T08:00:00.000000Z",
                     *               "approved_at": null
                     *             }
                     *           ],
                     *           "conditions": {
                     *             "version": "2026-11-01",
                     *             "url": "/conditions/2026-11-01",
                     *             "accepted_by": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "accepted_at": "2026-11-15T08:00:00.000000Z"
                     *           },
                     *           "deletable": false,
                     *           "created_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["App"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readAppHistory: {
        parameters: {
            query?: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 2
                 */
                per_page?: number;
            };
            header?: {
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "55",
                     *           "type": "history_entry",
                     *           "attributes": {
                     *             "at": "2026-11-15T08:00:00.000000Z",
                     *             "action": "app.unapproved",
                     *             "details": {},
                     *             "actor": {
                     *               "type": "platform",
                     *               "id": "opk_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "name": "demo.json"
                     *             },
                     *             "reason": "The demo"
                     *           }
                     *         },
                     *         {
                     *           "id": "54",
                     *           "type": "history_entry",
                     *           "attributes": {
                     *             "at": "2026-11-15T08:00:00.000000Z",
                     *             "action": "app.suspension_lifted",
                     *             "details": {},
                     *             "actor": {
                     *               "type": "platform",
                     *               "id": "opk_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "name": "demo.json"
                     *             },
                     *             "reason": "The demo"
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "has_more": true,
                     *         "page_count": 2,
                     *         "next_cursor": "ZXhhbXBsZS1vcGFxdWUtdmFsdWU"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PlatformHistoryEntry"][];
                        meta: {
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    liftSuspension: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *         "type": "app",
                     *         "attributes": {
                     *           "name": "Quayside Ledger",
                     *           "description": "Books investments into the ledger.",
                     *           "website_url": null,
                     *           "logo_url": null,
                     *           "setup_url": null,
                     *           "organization": {
                     *             "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *             "name": "Quayside Software",
                     *             "status": "active"
                     *           },
                     *           "status": "active",
                     *           "suspended_at": null,
                     *           "suspended_reason": null,
                     *           "disabled_at": null,
                     *           "api_version": "2026-11-01",
                     *           "scopes": [
                     *             "read:investments"
                     *           ],
                     *           "approved_at": "2026-11-15T08:00:00.000000Z",
                     *           "approval": {
                     *             "requested_at": null,
                     *             "declined_at": null
                     *           },
                     *           "pii": {
                     *             "requested_at": null,
                     *             "approved_at": null
                     *           },
                     *           "programs": [],
                     *           "conditions": {
                     *             "version": "2026-11-01",
                     *             "url": "/conditions/2026-11-01",
                     *             "accepted_by": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "accepted_at": "2026-11-15T08:00:00.000000Z"
                     *           },
                     *           "deletable": false,
                     *           "created_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["App"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    approvePii: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *         "type": "app",
                     *         "attributes": {
                     *           "name": "Quayside Ledger",
                     *           "description": "Books investments into the ledger.",
                     *           "website_url": null,
                     *           "logo_url": null,
                     *           "setup_url": null,
                     *           "organization": {
                     *             "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *             "name": "Quayside Software",
                     *             "status": "active"
                     *           },
                     *           "status": "active",
                     *           "suspended_at": null,
                     *           "suspended_reason": null,
                     *           "disabled_at": null,
                     *           "api_version": "2026-11-01",
                     *           "scopes": [
                     *             "read:investments"
                     *           ],
                     *           "approved_at": "2026-11-15T08:00:00.000000Z",
                     *           "approval": {
                     *             "requested_at": null,
                     *             "declined_at": null
                     *           },
                     *           "pii": {
                     *             "requested_at": "2026-11-15T08:00:00.000000Z",
                     *             "approved_at": "2026-11-15T08:00:00.000000Z"
                     *           },
                     *           "programs": [],
                     *           "conditions": {
                     *             "version": "2026-11-01",
                     *             "url": "/conditions/2026-11-01",
                     *             "accepted_by": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "accepted_at": "2026-11-15T08:00:00.000000Z"
                     *           },
                     *           "deletable": false,
                     *           "created_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["App"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    withdrawPii: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *         "type": "pii_withdrawal",
                     *         "attributes": {
                     *           "installs_disconnected": {
                     *             "test": 0,
                     *             "live": 0
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PiiWithdrawal"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    grantProgram: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "program": "marketing_partner",
                 *       "tier": 0
                 *     }
                 */
                "application/json": components["schemas"]["ProgramAtTier"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "type": "app",
                     *         "attributes": {
                     *           "name": "Fieldbook CRM",
                     *           "description": "Keeps a founder’s investors, their questions and their updates in one place.",
                     *           "website_url": null,
                     *           "logo_url": "/assets/apps/app_0V3xkQ2b9TzQ4mYcW8sLr7Hp/logo?v=vqPVDb0WS6Ls2Go9",
                     *           "setup_url": null,
                     *           "organization": {
                     *             "id": "org_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "name": "Fieldbook",
                     *             "status": "active"
                     *           },
                     *           "status": "active",
                     *           "suspended_at": null,
                     *           "suspended_reason": null,
                     *           "disabled_at": null,
                     *           "api_version": "2026-11-01",
                     *           "scopes": [
                     *             "read:explore",
                     *             "read:profile",
                     *             "write:profile",
                     *             "write:follows",
                     *             "write:comments",
                     *             "read:investments",
                     *             "read:companies",
                     *             "read:webhooks",
                     *             "write:webhooks",
                     *             "read:referral_codes",
                     *             "write:referral_codes",
                     *             "read:installations",
                     *             "write:installations",
                     *             "read:investors:pii",
                     *             "read:syndicates",
                     *             "write:syndicates",
                     *             "read:invite_links",
                     *             "write:invite_links",
                     *             "read:investment_sessions",
                     *             "write:investment_sessions",
                     *             "write:syndicate_members",
                     *             "read:attribution:aggregate",
                     *             "write:attribution"
                     *           ],
                     *           "approved_at": "2026-11-15T08:00:00.000000Z",
                     *           "approval": {
                     *             "requested_at": null,
                     *             "declined_at": null
                     *           },
                     *           "pii": {
                     *             "requested_at": null,
                     *             "approved_at": null
                     *           },
                     *           "programs": [
                     *             {
                     *               "program": "marketing_partner",
                     *               "tier": 0,
                     *               "requested_at": null,
                     *               "approved_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           ],
                     *           "conditions": {
                     *             "version": "2026-11-01",
                     *             "url": "/conditions/2026-11-01",
                     *             "accepted_by": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "accepted_at": "2026-11-15T08:00:00.000000Z"
                     *           },
                     *           "deletable": false,
                     *           "created_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["App"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    withdrawAppProgram: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
                /** @example founder */
                program: "marketing_partner" | "founder";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *         "type": "scope_removal",
                     *         "attributes": {
                     *           "scopes": [
                     *             "read:investments"
                     *           ],
                     *           "removed": [
                     *             "read:attribution:full"
                     *           ],
                     *           "installs_narrowed": 0,
                     *           "installs_disconnected": 0,
                     *           "tokens_revoked": 0,
                     *           "refresh_tokens_revoked": 0,
                     *           "endpoints_disabled": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ScopeRemoval"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    declineAppRequest: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "program",
                 *       "program": "founder",
                 *       "reason": "Tell us first how you delete the names."
                 *     }
                 */
                "application/json": components["schemas"]["DeclinedRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *         "type": "app",
                     *         "attributes": {
                     *           "name": "Quayside Ledger",
                     *           "description": "Books investments into the ledger.",
                     *           "website_url": null,
                     *           "logo_url": null,
                     *           "setup_url": null,
                     *           "organization": {
                     *             "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *             "name": "Quayside Software",
                     *             "status": "active"
                     *           },
                     *           "status": "active",
                     *           "suspended_at": null,
                     *           "suspended_reason": null,
                     *           "disabled_at": null,
                     *           "api_version": "2026-11-01",
                     *           "scopes": [
                     *             "read:investments"
                     *           ],
                     *           "approved_at": "2026-11-15T08:00:00.000000Z",
                     *           "approval": {
                     *             "requested_at": null,
                     *             "declined_at": null
                     *           },
                     *           "pii": {
                     *             "requested_at": "2026-11-15T08:00:00.000000Z",
                     *             "approved_at": null
                     *           },
                     *           "programs": [],
                     *           "conditions": {
                     *             "version": "2026-11-01",
                     *             "url": "/conditions/2026-11-01",
                     *             "accepted_by": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "accepted_at": "2026-11-15T08:00:00.000000Z"
                     *           },
                     *           "deletable": false,
                     *           "created_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["App"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addPlatformScopes: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "scopes": [
                 *         "read:files"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ScopesToAdd"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "type": "app",
                     *         "attributes": {
                     *           "name": "Fieldbook CRM",
                     *           "description": "Keeps a founder’s investors, their questions and their updates in one place.",
                     *           "website_url": null,
                     *           "logo_url": "/assets/apps/app_0V3xkQ2b9TzQ4mYcW8sLr7Hp/logo?v=vqPVDb0WS6Ls2Go9",
                     *           "setup_url": null,
                     *           "organization": {
                     *             "id": "org_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "name": "Fieldbook",
                     *             "status": "active"
                     *           },
                     *           "status": "active",
                     *           "suspended_at": null,
                     *           "suspended_reason": null,
                     *           "disabled_at": null,
                     *           "api_version": "2026-11-01",
                     *           "scopes": [
                     *             "read:explore",
                     *             "read:profile",
                     *             "write:profile",
                     *             "write:follows",
                     *             "write:comments",
                     *             "read:investments",
                     *             "read:companies",
                     *             "read:webhooks",
                     *             "write:webhooks",
                     *             "read:referral_codes",
                     *             "write:referral_codes",
                     *             "read:installations",
                     *             "write:installations",
                     *             "read:investors:pii",
                     *             "read:syndicates",
                     *             "write:syndicates",
                     *             "read:invite_links",
                     *             "write:invite_links",
                     *             "read:investment_sessions",
                     *             "write:investment_sessions",
                     *             "write:syndicate_members",
                     *             "read:files",
                     *             "read:attribution:aggregate",
                     *             "write:attribution"
                     *           ],
                     *           "approved_at": "2026-11-15T08:00:00.000000Z",
                     *           "approval": {
                     *             "requested_at": null,
                     *             "declined_at": null
                     *           },
                     *           "pii": {
                     *             "requested_at": null,
                     *             "approved_at": null
                     *           },
                     *           "programs": [
                     *             {
                     *               "program": "marketing_partner",
                     *               "tier": 0,
                     *               "requested_at": null,
                     *               "approved_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           ],
                     *           "conditions": {
                     *             "version": "2026-11-01",
                     *             "url": "/conditions/2026-11-01",
                     *             "accepted_by": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "accepted_at": "2026-11-15T08:00:00.000000Z"
                     *           },
                     *           "deletable": false,
                     *           "created_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["App"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeAppScopesByOperator: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "scopes": [
                 *         "read:files"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ScopeChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *         "type": "scope_removal",
                     *         "attributes": {
                     *           "scopes": [
                     *             "read:investments"
                     *           ],
                     *           "removed": [
                     *             "read:files"
                     *           ],
                     *           "installs_narrowed": 0,
                     *           "installs_disconnected": 0,
                     *           "tokens_revoked": 0,
                     *           "refresh_tokens_revoked": 0,
                     *           "endpoints_disabled": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ScopeRemoval"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    suspendApp: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "It asked for passwords."
                 *     }
                 */
                "application/json": components["schemas"]["Reason"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *         "type": "app",
                     *         "attributes": {
                     *           "name": "Quayside Ledger",
                     *           "description": "Books investments into the ledger.",
                     *           "website_url": null,
                     *           "logo_url": null,
                     *           "setup_url": null,
                     *           "organization": {
                     *             "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *             "name": "Quayside Software",
                     *             "status": "active"
                     *           },
                     *           "status": "suspended",
                     *           "suspended_at": "2026-11-15T08:00:00.000000Z",
                     *           "suspended_reason": "It asked for passwords.",
                     *           "disabled_at": null,
                     *           "api_version": "2026-11-01",
                     *           "scopes": [
                     *             "read:investments"
                     *           ],
                     *           "approved_at": "2026-11-15T08:00:00.000000Z",
                     *           "approval": {
                     *             "requested_at": null,
                     *             "declined_at": null
                     *           },
                     *           "pii": {
                     *             "requested_at": null,
                     *             "approved_at": null
                     *           },
                     *           "programs": [],
                     *           "conditions": {
                     *             "version": "2026-11-01",
                     *             "url": "/conditions/2026-11-01",
                     *             "accepted_by": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "accepted_at": "2026-11-15T08:00:00.000000Z"
                     *           },
                     *           "deletable": false,
                     *           "created_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["App"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    unapproveApp: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *         "type": "app",
                     *         "attributes": {
                     *           "name": "Quayside Ledger",
                     *           "description": "Books investments into the ledger.",
                     *           "website_url": null,
                     *           "logo_url": null,
                     *           "setup_url": null,
                     *           "organization": {
                     *             "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *             "name": "Quayside Software",
                     *             "status": "active"
                     *           },
                     *           "status": "active",
                     *           "suspended_at": null,
                     *           "suspended_reason": null,
                     *           "disabled_at": null,
                     *           "api_version": "2026-11-01",
                     *           "scopes": [
                     *             "read:investments"
                     *           ],
                     *           "approved_at": null,
                     *           "approval": {
                     *             "requested_at": null,
                     *             "declined_at": "2026-11-15T08:00:00.000000Z"
                     *           },
                     *           "pii": {
                     *             "requested_at": null,
                     *             "approved_at": null
                     *           },
                     *           "programs": [],
                     *           "conditions": {
                     *             "version": "2026-11-01",
                     *             "url": "/conditions/2026-11-01",
                     *             "accepted_by": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "accepted_at": "2026-11-15T08:00:00.000000Z"
                     *           },
                     *           "deletable": false,
                     *           "created_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["App"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    applyFacts: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "id": "user-tove-1",
                 *         "type": "user.registered",
                 *         "occurred_at": "2026-11-15T08:00:00.000Z",
                 *         "data": {
                 *           "id": "usr_FZv3dT8KTgd7Y1H4qrlYeHAS",
                 *           "name": "Tove Berg",
                 *           "email": "tove@example.com"
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": components["schemas"]["Fact"][];
                /**
                 * @example [
                 *       {
                 *         "id": "user-tove-1",
                 *         "type": "user.registered",
                 *         "occurred_at": "2026-11-15T08:00:00.000Z",
                 *         "data": {
                 *           "id": "usr_FZv3dT8KTgd7Y1H4qrlYeHAS",
                 *           "name": "Tove Berg",
                 *           "email": "tove@example.com"
                 *         }
                 *       }
                 *     ]
                 */
                "application/x-ndjson": components["schemas"]["Fact"][];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "user-tove-1",
                     *           "status": "applied",
                     *           "events": []
                     *         }
                     *       ],
                     *       "meta": {
                     *         "applied": 1,
                     *         "duplicate": 0,
                     *         "refused": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description One result for each fact sent, in the same order. */
                        data: components["schemas"]["FactOutcome"][];
                        meta: {
                            applied: number;
                            duplicate: number;
                            refused: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFact: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example user-tove-1 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "user-tove-1",
                     *         "type": "user.registered",
                     *         "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *         "applied_at": "2026-11-15T08:00:00.000000Z",
                     *         "events": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AppliedFact"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readInstallationByOperator: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
            };
            path: {
                /** @example inst_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inst_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "status": "active",
                     *         "target": {
                     *           "type": "company",
                     *           "id": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "name": "Brightkiln"
                     *         },
                     *         "tier": "founder",
                     *         "scopes": [
                     *           "read:explore",
                     *           "read:profile",
                     *           "write:profile",
                     *           "write:follows",
                     *           "write:comments",
                     *           "read:investments",
                     *           "read:companies",
                     *           "read:webhooks",
                     *           "write:webhooks",
                     *           "read:installations",
                     *           "write:installations",
                     *           "read:syndicates",
                     *           "write:syndicates",
                     *           "read:invite_links",
                     *           "write:invite_links",
                     *           "read:investment_sessions",
                     *           "write:investment_sessions",
                     *           "write:syndicate_members",
                     *           "read:files",
                     *           "read:attribution:aggregate",
                     *           "write:attribution"
                     *         ],
                     *         "installed_at": "2026-11-15T08:00:00.000000Z",
                     *         "installed_by": {
                     *           "role": "founder"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Installation"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeInstallationByOperator: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example inst_QySTWgQCz800YIUIYMVamh2y */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inst_QySTWgQCz800YIUIYMVamh2y",
                     *         "status": "revoked",
                     *         "target": {
                     *           "type": "company",
                     *           "id": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "name": "Brightkiln"
                     *         },
                     *         "tier": "founder",
                     *         "scopes": [
                     *           "read:explore",
                     *           "read:profile",
                     *           "write:profile",
                     *           "write:follows",
                     *           "write:comments",
                     *           "read:investments",
                     *           "read:companies",
                     *           "read:webhooks",
                     *           "write:webhooks",
                     *           "read:installations",
                     *           "write:installations",
                     *           "read:syndicates",
                     *           "write:syndicates",
                     *           "read:invite_links",
                     *           "write:invite_links",
                     *           "read:investment_sessions",
                     *           "write:investment_sessions",
                     *           "write:syndicate_members",
                     *           "read:files",
                     *           "read:attribution:aggregate",
                     *           "write:attribution"
                     *         ],
                     *         "installed_at": "2026-11-15T08:00:00.000000Z",
                     *         "installed_by": {
                     *           "role": "founder"
                     *         },
                     *         "revoked_at": "2026-11-15T08:00:00.000000Z",
                     *         "revoked_by": {
                     *           "role": "wefunder"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Installation"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readOperator: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "opk_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "type": "operator_key",
                     *         "attributes": {
                     *           "name": "demo.json",
                     *           "role": "admin",
                     *           "mode": "live",
                     *           "session_ends_at": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformOperator"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOrganizations: {
        parameters: {
            query?: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 2
                 */
                per_page?: number;
            };
            header?: {
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "org_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "type": "organization",
                     *           "attributes": {
                     *             "name": "Fieldbook",
                     *             "status": "active",
                     *             "created_at": "2026-11-15T08:00:00.000000Z",
                     *             "ended_at": null
                     *           }
                     *         },
                     *         {
                     *           "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *           "type": "organization",
                     *           "attributes": {
                     *             "name": "Quayside Software",
                     *             "status": "active",
                     *             "created_at": "2026-11-15T08:00:00.000000Z",
                     *             "ended_at": null
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "has_more": false,
                     *         "page_count": 2,
                     *         "next_cursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Organization"][];
                        meta: {
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readOrganization: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
            };
            path: {
                /** @example org_fKEBF23k3qxLwQPbD7C0Re34 */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *         "type": "organization",
                     *         "attributes": {
                     *           "name": "Quayside Software",
                     *           "status": "active",
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "ended_at": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Organization"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endOrganization: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example org_fKEBF23k3qxLwQPbD7C0Re34 */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "The company was dissolved."
                 *     }
                 */
                "application/json": components["schemas"]["Reason"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *         "type": "organization",
                     *         "attributes": {
                     *           "name": "Quayside Software",
                     *           "status": "ended",
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "ended_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Organization"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readOrganizationHistory: {
        parameters: {
            query?: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 2
                 */
                per_page?: number;
            };
            header?: {
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path: {
                /** @example org_fKEBF23k3qxLwQPbD7C0Re34 */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "58",
                     *           "type": "history_entry",
                     *           "attributes": {
                     *             "at": "2026-11-15T08:00:00.000000Z",
                     *             "action": "app.deleted",
                     *             "details": {
                     *               "name": "Quayside Draft",
                     *               "organization": "org_fKEBF23k3qxLwQPbD7C0Re34"
                     *             },
                     *             "actor": {
                     *               "type": "member",
                     *               "id": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "name": "Mei Huang"
                     *             },
                     *             "reason": null,
                     *             "subject": "app_c1HHjOiQ2HeqlmDY5UiEdCZ6"
                     *           }
                     *         },
                     *         {
                     *           "id": "57",
                     *           "type": "history_entry",
                     *           "attributes": {
                     *             "at": "2026-11-15T08:00:00.000000Z",
                     *             "action": "app.created",
                     *             "details": {
                     *               "name": "Quayside Draft",
                     *               "scopes": [
                     *                 "read:investments"
                     *               ],
                     *               "conditions": "2026-11-01",
                     *               "organization": "org_fKEBF23k3qxLwQPbD7C0Re34"
                     *             },
                     *             "actor": {
                     *               "type": "member",
                     *               "id": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "name": "Mei Huang"
                     *             },
                     *             "reason": null,
                     *             "subject": "app_c1HHjOiQ2HeqlmDY5UiEdCZ6"
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "has_more": true,
                     *         "page_count": 2,
                     *         "next_cursor": "ZXhhbXBsZS1vcGFxdWUtdmFsdWU"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["OrganizationHistoryEntry"][];
                        meta: {
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchPartnersOfMember: {
        parameters: {
            query: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /**
                 * @description An address, or `@` and a domain.
                 * @example @portico.example
                 */
                email: string;
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 1
                 */
                per_page?: number;
            };
            header?: {
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "org_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "type": "partner",
                     *           "attributes": {
                     *             "kind": "organization",
                     *             "name": "Fieldbook",
                     *             "status": "active",
                     *             "organization": {
                     *               "id": "org_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "name": "Fieldbook"
                     *             },
                     *             "matched": [
                     *               "member"
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "has_more": true,
                     *         "page_count": 1,
                     *         "next_cursor": "ZXhhbXBsZS1vcGFxdWUtdmFsdWU"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["FoundPartner"][];
                        meta: {
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchPartners: {
        parameters: {
            query: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 25
                 */
                per_page?: number;
                /**
                 * @description What to find.
                 * @example quayside
                 */
                query: string;
            };
            header?: {
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *           "type": "partner",
                     *           "attributes": {
                     *             "kind": "app",
                     *             "name": "Quayside Ledger",
                     *             "status": "active",
                     *             "organization": {
                     *               "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *               "name": "Quayside Software"
                     *             },
                     *             "matched": [
                     *               "name"
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *           "type": "partner",
                     *           "attributes": {
                     *             "kind": "organization",
                     *             "name": "Quayside Software",
                     *             "status": "active",
                     *             "organization": {
                     *               "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *               "name": "Quayside Software"
                     *             },
                     *             "matched": [
                     *               "name"
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "has_more": false,
                     *         "page_count": 2,
                     *         "next_cursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["FoundPartner"][];
                        meta: {
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPartnerRequests: {
        parameters: {
            query?: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /** @example approval */
                kind?: "approval" | "pii" | "program";
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 2
                 */
                per_page?: number;
            };
            header?: {
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "app_Lh38RnVidL5pjHfGpa7uywc7-approval",
                     *           "type": "app_request",
                     *           "attributes": {
                     *             "kind": "approval",
                     *             "app": {
                     *               "id": "app_Lh38RnVidL5pjHfGpa7uywc7",
                     *               "name": "Fieldbook Digest"
                     *             },
                     *             "organization": {
                     *               "id": "org_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "name": "Fieldbook"
                     *             },
                     *             "program": null,
                     *             "tier": null,
                     *             "requested_at": "2026-11-15T08:00:00.000000Z"
                     *           }
                     *         },
                     *         {
                     *           "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL-pii",
                     *           "type": "app_request",
                     *           "attributes": {
                     *             "kind": "pii",
                     *             "app": {
                     *               "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *               "name": "Quayside Ledger"
                     *             },
                     *             "organization": {
                     *               "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *               "name": "Quayside Software"
                     *             },
                     *             "program": null,
                     *             "tier": null,
                     *             "requested_at": "2026-11-15T08:00:00.000000Z"
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "has_more": true,
                     *         "page_count": 2,
                     *         "next_cursor": "ZXhhbXBsZS1vcGFxdWUtdmFsdWU",
                     *         "counts": {
                     *           "approval": 1,
                     *           "pii": 1,
                     *           "program": 1
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AppRequest"][];
                        meta: {
                            counts: {
                                approval: number;
                                pii: number;
                                program: number;
                            };
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listStaff: {
        parameters: {
            query?: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 25
                 */
                per_page?: number;
            };
            header?: {
                /**
                 * @description The dated API version to use. Without it, the app's pinned version; without that, the newest.
                 * @example 2026-11-01
                 */
                "Wefunder-Version"?: components["parameters"]["ApiVersion"];
                /**
                 * @description The mode in which a signed-in person of the staff works: live, if left out. A key belongs to one mode.
                 * @example test
                 */
                "X-Portico-Mode"?: components["parameters"]["OperatorMode"];
                /**
                 * @description Why you do this, as UTF-8 with percent-encoding: one line of 3 to 500 characters, kept in the audit. Required, unless the operator key has a reason of its own.
                 * @example Ticket%204711:%20the%20person%20lost%20their%20phone
                 */
                "X-Portico-Reason"?: components["parameters"]["OperatorReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "acct_XhCs67d67XmkStAlQxDZ22Wz",
                     *           "type": "staff_member",
                     *           "attributes": {
                     *             "name": "Tove Berg",
                     *             "email": "tove@example.com",
                     *             "role": "support",
                     *             "has_factor": false,
                     *             "disabled_at": null
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "has_more": false,
                     *         "page_count": 1,
                     *         "next_cursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["StaffMember"][];
                        meta: {
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOwnApps: {
        parameters: {
            query?: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /** @example org_fKEBF23k3qxLwQPbD7C0Re34 */
                organization_id?: string;
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 25
                 */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *           "type": "app",
                     *           "attributes": {
                     *             "name": "Quayside Ledger",
                     *             "description": null,
                     *             "website_url": null,
                     *             "logo_url": null,
                     *             "setup_url": null,
                     *             "organization": {
                     *               "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *               "name": "Quayside Software",
                     *               "status": "active"
                     *             },
                     *             "status": "active",
                     *             "suspended_at": null,
                     *             "suspended_reason": null,
                     *             "disabled_at": null,
                     *             "api_version": "2026-11-01",
                     *             "scopes": [
                     *               "read:investments"
                     *             ],
                     *             "approved_at": null,
                     *             "approval": {
                     *               "requested_at": null,
                     *               "declined_at": null
                     *             },
                     *             "pii": {
                     *               "requested_at": null,
                     *               "approved_at": null
                     *             },
                     *             "programs": [],
                     *             "conditions": {
                     *               "version": "2026-11-01",
                     *               "url": "/conditions/2026-11-01",
                     *               "accepted_by": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "accepted_at": "2026-11-15T08:00:00.000000Z"
                     *             },
                     *             "deletable": true,
                     *             "created_at": "2026-11-15T08:00:00.000000Z"
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "has_more": false,
                     *         "page_count": 1,
                     *         "next_cursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["App"][];
                        meta: {
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApp: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "organization_id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                 *       "name": "Quayside Ledger",
                 *       "scopes": [
                 *         "read:investments"
                 *       ],
                 *       "accepted_conditions": "2026-11-01"
                 *     }
                 */
                "application/json": components["schemas"]["NewApp"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *         "type": "app",
                     *         "attributes": {
                     *           "name": "Quayside Ledger",
                     *           "description": null,
                     *           "website_url": null,
                     *           "logo_url": null,
                     *           "setup_url": null,
                     *           "organization": {
                     *             "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *             "name": "Quayside Software",
                     *             "status": "active"
                     *           },
                     *           "status": "active",
                     *           "suspended_at": null,
                     *           "suspended_reason": null,
                     *           "disabled_at": null,
                     *           "api_version": "2026-11-01",
                     *           "scopes": [
                     *             "read:investments"
                     *           ],
                     *           "approved_at": null,
                     *           "approval": {
                     *             "requested_at": null,
                     *             "declined_at": null
                     *           },
                     *           "pii": {
                     *             "requested_at": null,
                     *             "approved_at": null
                     *           },
                     *           "programs": [],
                     *           "conditions": {
                     *             "version": "2026-11-01",
                     *             "url": "/conditions/2026-11-01",
                     *             "accepted_by": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "accepted_at": "2026-11-15T08:00:00.000000Z"
                     *           },
                     *           "deletable": true,
                     *           "created_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["App"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readOwnApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *         "type": "app",
                     *         "attributes": {
                     *           "name": "Quayside Ledger",
                     *           "description": null,
                     *           "website_url": null,
                     *           "logo_url": null,
                     *           "setup_url": null,
                     *           "organization": {
                     *             "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *             "name": "Quayside Software",
                     *             "status": "active"
                     *           },
                     *           "status": "active",
                     *           "suspended_at": null,
                     *           "suspended_reason": null,
                     *           "disabled_at": null,
                     *           "api_version": "2026-11-01",
                     *           "scopes": [
                     *             "read:investments"
                     *           ],
                     *           "approved_at": null,
                     *           "approval": {
                     *             "requested_at": null,
                     *             "declined_at": null
                     *           },
                     *           "pii": {
                     *             "requested_at": null,
                     *             "approved_at": null
                     *           },
                     *           "programs": [],
                     *           "conditions": {
                     *             "version": "2026-11-01",
                     *             "url": "/conditions/2026-11-01",
                     *             "accepted_by": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "accepted_at": "2026-11-15T08:00:00.000000Z"
                     *           },
                     *           "deletable": true,
                     *           "created_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["App"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example app_c1HHjOiQ2HeqlmDY5UiEdCZ6 */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Quayside Draft"
                 *     }
                 */
                "application/json": {
                    /** @description The app’s name, exactly as it is. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Done, without a body */
            204: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "description": "Books investments into the ledger."
                 *     }
                 */
                "application/json": components["schemas"]["AppChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *         "type": "app",
                     *         "attributes": {
                     *           "name": "Quayside Ledger",
                     *           "description": "Books investments into the ledger.",
                     *           "website_url": null,
                     *           "logo_url": null,
                     *           "setup_url": null,
                     *           "organization": {
                     *             "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *             "name": "Quayside Software",
                     *             "status": "active"
                     *           },
                     *           "status": "active",
                     *           "suspended_at": null,
                     *           "suspended_reason": null,
                     *           "disabled_at": null,
                     *           "api_version": "2026-11-01",
                     *           "scopes": [
                     *             "read:investments"
                     *           ],
                     *           "approved_at": null,
                     *           "approval": {
                     *             "requested_at": null,
                     *             "declined_at": null
                     *           },
                     *           "pii": {
                     *             "requested_at": null,
                     *             "approved_at": null
                     *           },
                     *           "programs": [],
                     *           "conditions": {
                     *             "version": "2026-11-01",
                     *             "url": "/conditions/2026-11-01",
                     *             "accepted_by": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "accepted_at": "2026-11-15T08:00:00.000000Z"
                     *           },
                     *           "deletable": true,
                     *           "created_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["App"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestAppApproval: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *         "type": "app",
                     *         "attributes": {
                     *           "name": "Quayside Ledger",
                     *           "description": "Books investments into the ledger.",
                     *           "website_url": null,
                     *           "logo_url": null,
                     *           "setup_url": null,
                     *           "organization": {
                     *             "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *             "name": "Quayside Software",
                     *             "status": "active"
                     *           },
                     *           "status": "active",
                     *           "suspended_at": null,
                     *           "suspended_reason": null,
                     *           "disabled_at": null,
                     *           "api_version": "2026-11-01",
                     *           "scopes": [
                     *             "read:investments"
                     *           ],
                     *           "approved_at": null,
                     *           "approval": {
                     *             "requested_at": null,
                     *             "declined_at": null
                     *           },
                     *           "pii": {
                     *             "requested_at": "2026-11-15T08:00:00.000000Z",
                     *             "approved_at": null
                     *           },
                     *           "programs": [
                     *             {
                     *               "program": "founder",
                     *               "tier": null,
                     *               "requested_at": "2026-11-15T08:00:00.000000Z",
                     *               "approved_at": null
                     *             }
                     *           ],
                     *           "conditions": {
                     *             "version": "2026-11-01",
                     *             "url": "/conditions/2026-11-01",
                     *             "accepted_by": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "accepted_at": "2026-11-15T08:00:00.000000Z"
                     *           },
                     *           "deletable": true,
                     *           "created_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["App"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    disableApp: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *         "type": "app",
                     *         "attributes": {
                     *           "name": "Quayside Ledger",
                     *           "description": "Books investments into the ledger.",
                     *           "website_url": null,
                     *           "logo_url": null,
                     *           "setup_url": null,
                     *           "organization": {
                     *             "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *             "name": "Quayside Software",
                     *             "status": "active"
                     *           },
                     *           "status": "disabled",
                     *           "suspended_at": null,
                     *           "suspended_reason": null,
                     *           "disabled_at": "2026-11-15T08:00:00.000000Z",
                     *           "api_version": "2026-11-01",
                     *           "scopes": [
                     *             "read:investments"
                     *           ],
                     *           "approved_at": null,
                     *           "approval": {
                     *             "requested_at": null,
                     *             "declined_at": null
                     *           },
                     *           "pii": {
                     *             "requested_at": "2026-11-15T08:00:00.000000Z",
                     *             "approved_at": null
                     *           },
                     *           "programs": [
                     *             {
                     *               "program": "founder",
                     *               "tier": null,
                     *               "requested_at": "2026-11-15T08:00:00.000000Z",
                     *               "approved_at": null
                     *             }
                     *           ],
                     *           "conditions": {
                     *             "version": "2026-11-01",
                     *             "url": "/conditions/2026-11-01",
                     *             "accepted_by": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "accepted_at": "2026-11-15T08:00:00.000000Z"
                     *           },
                     *           "deletable": true,
                     *           "created_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["App"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    enableApp: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *         "type": "app",
                     *         "attributes": {
                     *           "name": "Quayside Ledger",
                     *           "description": "Books investments into the ledger.",
                     *           "website_url": null,
                     *           "logo_url": null,
                     *           "setup_url": null,
                     *           "organization": {
                     *             "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *             "name": "Quayside Software",
                     *             "status": "active"
                     *           },
                     *           "status": "active",
                     *           "suspended_at": null,
                     *           "suspended_reason": null,
                     *           "disabled_at": null,
                     *           "api_version": "2026-11-01",
                     *           "scopes": [
                     *             "read:investments"
                     *           ],
                     *           "approved_at": null,
                     *           "approval": {
                     *             "requested_at": null,
                     *             "declined_at": null
                     *           },
                     *           "pii": {
                     *             "requested_at": "2026-11-15T08:00:00.000000Z",
                     *             "approved_at": null
                     *           },
                     *           "programs": [
                     *             {
                     *               "program": "founder",
                     *               "tier": null,
                     *               "requested_at": "2026-11-15T08:00:00.000000Z",
                     *               "approved_at": null
                     *             }
                     *           ],
                     *           "conditions": {
                     *             "version": "2026-11-01",
                     *             "url": "/conditions/2026-11-01",
                     *             "accepted_by": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "accepted_at": "2026-11-15T08:00:00.000000Z"
                     *           },
                     *           "deletable": true,
                     *           "created_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["App"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAppEvents: {
        parameters: {
            query?: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /**
                 * @description Events of this installation.
                 * @example inst_0V3xkQ2b9TzQ4mYcW8sLr7Hp
                 */
                installation_id?: string;
                /** @example test */
                mode?: "test" | "live";
                /**
                 * @description Which events come first. If left out, the newest.
                 * @example newest
                 */
                order?: "newest" | "oldest";
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 2
                 */
                per_page?: number;
                /**
                 * @description Events of this time of their world or later: compare it with created_at.
                 * @example 2026-11-01T00:00:00Z
                 */
                since?: string;
                /**
                 * @description Events about this company, syndicate, offering, investment, membership, session or installation. Not about a user.
                 * @example inv_0V3xkQ2b9TzQ4mYcW8sLr7Hp
                 */
                subject_id?: string;
                /**
                 * @description Events of these names, wildcards included (`investment.*`); all, if left out.
                 * @example [
                 *       "investment.*"
                 *     ]
                 */
                types?: ("investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed" | "*" | "investment.*" | "offering.*" | "investment_session.*" | "syndicate_member.*" | "join_session.*" | "installation.*" | "referral_cohorts.*" | "intent.*")[];
                /**
                 * @description Events before this time.
                 * @example 2026-11-15T00:00:00Z
                 */
                until?: string;
            };
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "evt_UhjF1clqSrOvWRq7sKUWKhYy",
                     *           "type": "event",
                     *           "attributes": {
                     *             "event": "investment.changed",
                     *             "mode": "test",
                     *             "installation_id": "inst_nBTZeSegcyCiq1WeOlGGUXqp",
                     *             "created_at": "2026-11-15T08:00:00.000000Z",
                     *             "redelivery_of": null,
                     *             "payload": {
                     *               "id": "evt_UhjF1clqSrOvWRq7sKUWKhYy",
                     *               "event": "investment.changed",
                     *               "created_at": "2026-11-15T08:00:00.000000Z",
                     *               "mode": "test",
                     *               "installation": {
                     *                 "id": "inst_nBTZeSegcyCiq1WeOlGGUXqp",
                     *                 "target": {
                     *                   "type": "user",
                     *                   "id": "usr_0V3xkQ2b9TzQ4mYcW8sLr7Hp"
                     *                 }
                     *               },
                     *               "data": {
                     *                 "id": "inv_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *                 "first": false,
                     *                 "fields": [
                     *                   "amounts"
                     *                 ],
                     *                 "reason": "changed",
                     *                 "company": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *                 "visible": true,
                     *                 "observed_at": "2026-11-15T08:00:00.000000Z"
                     *               }
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "id": "evt_UhjF1clqSrOvWRq7sKUWKhYy",
                     *           "type": "event",
                     *           "attributes": {
                     *             "event": "investment.changed",
                     *             "mode": "test",
                     *             "installation_id": "inst_5Y9ecN1MqDgAdgRLmdjka9Pj",
                     *             "created_at": "2026-11-15T08:00:00.000000Z",
                     *             "redelivery_of": null,
                     *             "payload": {
                     *               "id": "evt_UhjF1clqSrOvWRq7sKUWKhYy",
                     *               "event": "investment.changed",
                     *               "created_at": "2026-11-15T08:00:00.000000Z",
                     *               "mode": "test",
                     *               "installation": {
                     *                 "id": "inst_5Y9ecN1MqDgAdgRLmdjka9Pj",
                     *                 "target": {
                     *                   "type": "company",
                     *                   "id": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp"
                     *                 }
                     *               },
                     *               "data": {
                     *                 "id": "inv_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *                 "first": false,
                     *                 "fields": [
                     *                   "amounts"
                     *                 ],
                     *                 "reason": "changed",
                     *                 "company": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *                 "visible": true,
                     *                 "observed_at": "2026-11-15T08:00:00.000000Z"
                     *               }
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "has_more": true,
                     *         "page_count": 2,
                     *         "next_cursor": "ZXhhbXBsZS1vcGFxdWUtdmFsdWU",
                     *         "request_id": "req_tRYRdb3CMMRmj9dSsWR9t9m3"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Event"][];
                        meta: {
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                            request_id: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAppEvent: {
        parameters: {
            query?: {
                /**
                 * @description Events of this installation.
                 * @example inst_0V3xkQ2b9TzQ4mYcW8sLr7Hp
                 */
                installation_id?: string;
            };
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example evt_UhjF1clqSrOvWRq7sKUWKhYy */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "evt_UhjF1clqSrOvWRq7sKUWKhYy",
                     *         "type": "event",
                     *         "attributes": {
                     *           "event": "investment.changed",
                     *           "mode": "test",
                     *           "installation_id": "inst_5Y9ecN1MqDgAdgRLmdjka9Pj",
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "redelivery_of": null,
                     *           "payload": {
                     *             "id": "evt_UhjF1clqSrOvWRq7sKUWKhYy",
                     *             "event": "investment.changed",
                     *             "created_at": "2026-11-15T08:00:00.000000Z",
                     *             "mode": "test",
                     *             "installation": {
                     *               "id": "inst_5Y9ecN1MqDgAdgRLmdjka9Pj",
                     *               "target": {
                     *                 "type": "company",
                     *                 "id": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp"
                     *               }
                     *             },
                     *             "data": {
                     *               "id": "inv_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "first": false,
                     *               "fields": [
                     *                 "amounts"
                     *               ],
                     *               "reason": "changed",
                     *               "company": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "visible": true,
                     *               "observed_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           },
                     *           "request_id": null,
                     *           "deliveries": [
                     *             {
                     *               "id": "dlv_Rd7QebLSsGH2QBC2tfMq0h1y",
                     *               "type": "webhook_delivery",
                     *               "attributes": {
                     *                 "event": "investment.changed",
                     *                 "event_id": "evt_UhjF1clqSrOvWRq7sKUWKhYy",
                     *                 "installation_id": "inst_nBTZeSegcyCiq1WeOlGGUXqp",
                     *                 "status": "delivered",
                     *                 "reason": null,
                     *                 "api_version": "2026-11-01",
                     *                 "attempt_count": 1,
                     *                 "last_attempt": {
                     *                   "at": "2026-11-15T08:00:00.000000Z",
                     *                   "error": null,
                     *                   "response": "ok",
                     *                   "duration_ms": 42,
                     *                   "response_code": 200
                     *                 },
                     *                 "next_attempt_at": null,
                     *                 "created_at": "2026-11-15T08:00:00.000000Z",
                     *                 "ended_at": "2026-11-15T08:00:00.000000Z",
                     *                 "redelivery_of": null,
                     *                 "mode": "test",
                     *                 "endpoint_id": "whe_iU8iuCaO59Eh30fBrmDCr2t1"
                     *               }
                     *             },
                     *             {
                     *               "id": "dlv_0wUV23anvLwQYzQbK6LVKh21",
                     *               "type": "webhook_delivery",
                     *               "attributes": {
                     *                 "event": "investment.changed",
                     *                 "event_id": "evt_UhjF1clqSrOvWRq7sKUWKhYy",
                     *                 "installation_id": "inst_5Y9ecN1MqDgAdgRLmdjka9Pj",
                     *                 "status": "delivered",
                     *                 "reason": null,
                     *                 "api_version": "2026-11-01",
                     *                 "attempt_count": 1,
                     *                 "last_attempt": {
                     *                   "at": "2026-11-15T08:00:00.000000Z",
                     *                   "error": null,
                     *                   "response": "ok",
                     *                   "duration_ms": 42,
                     *                   "response_code": 200
                     *                 },
                     *                 "next_attempt_at": null,
                     *                 "created_at": "2026-11-15T08:00:00.000000Z",
                     *                 "ended_at": "2026-11-15T08:00:00.000000Z",
                     *                 "redelivery_of": null,
                     *                 "mode": "test",
                     *                 "endpoint_id": "whe_iU8iuCaO59Eh30fBrmDCr2t1"
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       },
                     *       "meta": {
                     *         "request_id": "req_4gnt2JoPPpE1fQvdZhy09RWc"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AppEventEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamAppEvents: {
        parameters: {
            query?: {
                /**
                 * @description Events of this installation.
                 * @example inst_0V3xkQ2b9TzQ4mYcW8sLr7Hp
                 */
                installation_id?: string;
                /**
                 * @description The same as the header Last-Event-ID, for clients that cannot send headers. If both are sent, the header counts.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                last_event_id?: string;
                /** @example test */
                mode?: "test" | "live";
                /**
                 * @description Events of these names, wildcards included (`investment.*`); all, if left out.
                 * @example [
                 *       "investment.*"
                 *     ]
                 */
                types?: ("investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed" | "*" | "investment.*" | "offering.*" | "investment_session.*" | "syndicate_member.*" | "join_session.*" | "installation.*" | "referral_cohorts.*" | "intent.*")[];
            };
            header?: never;
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events; `data` is an Event as JSON. */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example retry: 2000
                     *     id: ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAppHistory: {
        parameters: {
            query?: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 2
                 */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "55",
                     *           "type": "history_entry",
                     *           "attributes": {
                     *             "at": "2026-11-15T08:00:00.000000Z",
                     *             "action": "app.unapproved",
                     *             "details": {},
                     *             "actor": {
                     *               "type": "platform",
                     *               "id": null,
                     *               "name": null
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "id": "54",
                     *           "type": "history_entry",
                     *           "attributes": {
                     *             "at": "2026-11-15T08:00:00.000000Z",
                     *             "action": "app.suspension_lifted",
                     *             "details": {},
                     *             "actor": {
                     *               "type": "platform",
                     *               "id": null,
                     *               "name": null
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "has_more": true,
                     *         "page_count": 2,
                     *         "next_cursor": "ZXhhbXBsZS1vcGFxdWUtdmFsdWU"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["HistoryEntry"][];
                        meta: {
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAppInstallations: {
        parameters: {
            query?: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /**
                 * @description live, if left out.
                 * @example test
                 */
                mode?: "test" | "live";
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 25
                 */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "inst_JZslqQZl51YJcSWQ6msUJcoS",
                     *           "status": "active",
                     *           "target": {
                     *             "type": "company",
                     *             "id": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "name": "Brightkiln"
                     *           },
                     *           "tier": "founder",
                     *           "scopes": [
                     *             "read:explore",
                     *             "read:profile",
                     *             "write:profile",
                     *             "write:follows",
                     *             "write:comments",
                     *             "read:investments",
                     *             "read:companies",
                     *             "read:webhooks",
                     *             "write:webhooks",
                     *             "read:installations",
                     *             "write:installations",
                     *             "read:syndicates",
                     *             "write:syndicates",
                     *             "read:invite_links",
                     *             "write:invite_links",
                     *             "read:investment_sessions",
                     *             "write:investment_sessions",
                     *             "write:syndicate_members",
                     *             "read:files",
                     *             "read:attribution:aggregate",
                     *             "write:attribution"
                     *           ],
                     *           "installed_at": "2026-11-15T08:00:00.000000Z",
                     *           "installed_by": {
                     *             "role": "founder"
                     *           }
                     *         },
                     *         {
                     *           "id": "inst_QySTWgQCz800YIUIYMVamh2y",
                     *           "status": "revoked",
                     *           "target": {
                     *             "type": "company",
                     *             "id": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "name": "Brightkiln"
                     *           },
                     *           "tier": "founder",
                     *           "scopes": [
                     *             "read:explore",
                     *             "read:profile",
                     *             "write:profile",
                     *             "write:follows",
                     *             "write:comments",
                     *             "read:investments",
                     *             "read:companies",
                     *             "read:webhooks",
                     *             "write:webhooks",
                     *             "read:installations",
                     *             "write:installations",
                     *             "read:syndicates",
                     *             "write:syndicates",
                     *             "read:invite_links",
                     *             "write:invite_links",
                     *             "read:investment_sessions",
                     *             "write:investment_sessions",
                     *             "write:syndicate_members",
                     *             "read:files",
                     *             "read:attribution:aggregate",
                     *             "write:attribution"
                     *           ],
                     *           "installed_at": "2026-11-15T08:00:00.000000Z",
                     *           "installed_by": {
                     *             "role": "founder"
                     *           },
                     *           "revoked_at": "2026-11-15T08:00:00.000000Z",
                     *           "revoked_by": {
                     *             "role": "wefunder"
                     *           }
                     *         },
                     *         {
                     *           "id": "inst_lbnAM8CHRgIKzbTTGVuLLu5i",
                     *           "status": "active",
                     *           "target": {
                     *             "type": "syndicate",
                     *             "id": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "name": "Lakeshore Angels"
                     *           },
                     *           "tier": "manager",
                     *           "scopes": [
                     *             "read:explore",
                     *             "read:profile",
                     *             "write:profile",
                     *             "write:follows",
                     *             "write:comments",
                     *             "read:investments",
                     *             "read:companies",
                     *             "read:webhooks",
                     *             "write:webhooks",
                     *             "read:installations",
                     *             "write:installations",
                     *             "read:investors:pii",
                     *             "read:syndicates",
                     *             "write:syndicates",
                     *             "read:invite_links",
                     *             "write:invite_links",
                     *             "read:investment_sessions",
                     *             "write:investment_sessions",
                     *             "write:syndicate_members",
                     *             "read:files",
                     *             "read:attribution:aggregate",
                     *             "write:attribution"
                     *           ],
                     *           "installed_at": "2026-11-15T08:00:00.000000Z",
                     *           "installed_by": {
                     *             "role": "manager"
                     *           }
                     *         },
                     *         {
                     *           "id": "inst_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "status": "revoked",
                     *           "target": {
                     *             "type": "company",
                     *             "id": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "name": "Brightkiln"
                     *           },
                     *           "tier": "founder",
                     *           "scopes": [
                     *             "read:explore",
                     *             "read:profile",
                     *             "write:profile",
                     *             "write:follows",
                     *             "write:comments",
                     *             "read:investments",
                     *             "read:companies",
                     *             "read:webhooks",
                     *             "write:webhooks",
                     *             "read:installations",
                     *             "write:installations",
                     *             "read:syndicates",
                     *             "write:syndicates",
                     *             "read:invite_links",
                     *             "write:invite_links",
                     *             "read:investment_sessions",
                     *             "write:investment_sessions",
                     *             "write:syndicate_members",
                     *             "read:files",
                     *             "read:attribution:aggregate",
                     *             "write:attribution"
                     *           ],
                     *           "installed_at": "2026-11-15T08:00:00.000000Z",
                     *           "installed_by": {
                     *             "role": "founder"
                     *           },
                     *           "revoked_at": "2026-11-15T08:00:00.000000Z",
                     *           "revoked_by": {
                     *             "role": "founder"
                     *           }
                     *         },
                     *         {
                     *           "id": "inst_U78H90s6g6ZpzJSs1Mw13lKs",
                     *           "status": "active",
                     *           "target": {
                     *             "type": "user",
                     *             "id": "usr_0CvZNavaLSCY61sBnrpnlKBz",
                     *             "name": null
                     *           },
                     *           "tier": "user",
                     *           "scopes": [
                     *             "read:explore",
                     *             "read:profile",
                     *             "write:profile",
                     *             "write:follows",
                     *             "write:comments",
                     *             "read:investments",
                     *             "read:companies",
                     *             "read:webhooks",
                     *             "write:webhooks",
                     *             "read:installations",
                     *             "write:installations",
                     *             "read:syndicates",
                     *             "write:syndicates",
                     *             "read:invite_links",
                     *             "write:invite_links",
                     *             "read:investment_sessions",
                     *             "write:investment_sessions",
                     *             "write:syndicate_members"
                     *           ],
                     *           "installed_at": "2026-11-15T08:00:00.000000Z",
                     *           "installed_by": {
                     *             "role": "user"
                     *           }
                     *         },
                     *         {
                     *           "id": "inst_nBTZeSegcyCiq1WeOlGGUXqp",
                     *           "status": "active",
                     *           "target": {
                     *             "type": "user",
                     *             "id": "usr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "name": null
                     *           },
                     *           "tier": "user",
                     *           "scopes": [
                     *             "read:explore",
                     *             "read:profile",
                     *             "write:profile",
                     *             "write:follows",
                     *             "write:comments",
                     *             "read:investments",
                     *             "read:companies",
                     *             "read:webhooks",
                     *             "write:webhooks",
                     *             "read:installations",
                     *             "write:installations",
                     *             "read:syndicates",
                     *             "write:syndicates",
                     *             "read:invite_links",
                     *             "write:invite_links",
                     *             "read:investment_sessions",
                     *             "write:investment_sessions",
                     *             "write:syndicate_members"
                     *           ],
                     *           "installed_at": "2026-11-15T08:00:00.000000Z",
                     *           "installed_by": {
                     *             "role": "user"
                     *           }
                     *         },
                     *         {
                     *           "id": "inst_7hgFG24z7t5fKUVzL8SFQsiW",
                     *           "status": "active",
                     *           "target": {
                     *             "type": "user",
                     *             "id": "usr_c5DVPGLYMuXxR95cBIQayQWq",
                     *             "name": null
                     *           },
                     *           "tier": "user",
                     *           "scopes": [
                     *             "read:explore",
                     *             "read:profile",
                     *             "write:profile",
                     *             "write:follows",
                     *             "write:comments",
                     *             "read:investments",
                     *             "read:companies",
                     *             "read:webhooks",
                     *             "write:webhooks",
                     *             "read:installations",
                     *             "write:installations",
                     *             "read:investors:pii",
                     *             "read:syndicates",
                     *             "write:syndicates",
                     *             "read:invite_links",
                     *             "write:invite_links",
                     *             "read:investment_sessions",
                     *             "write:investment_sessions",
                     *             "write:syndicate_members"
                     *           ],
                     *           "installed_at": "2026-11-15T08:00:00.000000Z",
                     *           "installed_by": {
                     *             "role": "user"
                     *           }
                     *         },
                     *         {
                     *           "id": "inst_3vq4PHWefTHzRNTMoHcV9O4D",
                     *           "status": "active",
                     *           "target": {
                     *             "type": "user",
                     *             "id": "usr_o4ZcgtI7KCJKJgCSyxlS7SCA",
                     *             "name": null
                     *           },
                     *           "tier": "user",
                     *           "scopes": [
                     *             "read:explore",
                     *             "read:profile",
                     *             "write:profile",
                     *             "write:follows",
                     *             "write:comments",
                     *             "read:investments",
                     *             "read:companies",
                     *             "read:webhooks",
                     *             "write:webhooks",
                     *             "read:installations",
                     *             "write:installations",
                     *             "read:syndicates",
                     *             "write:syndicates",
                     *             "read:invite_links",
                     *             "write:invite_links",
                     *             "read:investment_sessions",
                     *             "write:investment_sessions",
                     *             "write:syndicate_members"
                     *           ],
                     *           "installed_at": "2026-11-15T08:00:00.000000Z",
                     *           "installed_by": {
                     *             "role": "user"
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "has_more": false,
                     *         "page_count": 8,
                     *         "next_cursor": null,
                     *         "count": 8
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Installation"][];
                        meta: {
                            /** @description Rows in this page, as page_count. */
                            count: number;
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAppInstallation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example inst_5Y9ecN1MqDgAdgRLmdjka9Pj */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inst_5Y9ecN1MqDgAdgRLmdjka9Pj",
                     *         "status": "active",
                     *         "target": {
                     *           "type": "company",
                     *           "id": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "name": "Brightkiln"
                     *         },
                     *         "tier": "founder",
                     *         "scopes": [
                     *           "read:explore",
                     *           "read:profile",
                     *           "write:profile",
                     *           "write:follows",
                     *           "write:comments",
                     *           "read:investments",
                     *           "read:companies",
                     *           "read:webhooks",
                     *           "write:webhooks",
                     *           "read:installations",
                     *           "write:installations",
                     *           "read:syndicates",
                     *           "write:syndicates",
                     *           "read:invite_links",
                     *           "write:invite_links",
                     *           "read:investment_sessions",
                     *           "write:investment_sessions",
                     *           "write:syndicate_members",
                     *           "read:files",
                     *           "read:attribution:aggregate",
                     *           "write:attribution"
                     *         ],
                     *         "installed_at": "2026-11-15T08:00:00.000000Z",
                     *         "installed_by": {
                     *           "role": "founder"
                     *         },
                     *         "mode": "test",
                     *         "requested_scopes": [
                     *           "read:explore",
                     *           "read:profile",
                     *           "write:profile",
                     *           "write:follows",
                     *           "write:comments",
                     *           "read:investments",
                     *           "read:companies",
                     *           "read:webhooks",
                     *           "write:webhooks",
                     *           "read:referral_codes",
                     *           "write:referral_codes",
                     *           "read:installations",
                     *           "write:installations",
                     *           "read:investors:pii",
                     *           "read:syndicates",
                     *           "write:syndicates",
                     *           "read:invite_links",
                     *           "write:invite_links",
                     *           "read:investment_sessions",
                     *           "write:investment_sessions",
                     *           "write:syndicate_members",
                     *           "read:files",
                     *           "read:attribution:aggregate",
                     *           "write:attribution"
                     *         ],
                     *         "missing_scopes": [
                     *           {
                     *             "scope": "read:referral_codes",
                     *             "reason": "not_for_installations",
                     *             "remedy": "Use the app’s own token: client credentials."
                     *           },
                     *           {
                     *             "scope": "write:referral_codes",
                     *             "reason": "not_for_installations",
                     *             "remedy": "Use the app’s own token: client credentials."
                     *           },
                     *           {
                     *             "scope": "read:investors:pii",
                     *             "reason": "pii_not_approved",
                     *             "remedy": "Ask the platform for the investor PII approval, then have the app installed again."
                     *           }
                     *         ],
                     *         "last_used_at": null,
                     *         "valid_tokens": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AppInstallation"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeAppInstallation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example inst_JZslqQZl51YJcSWQ6msUJcoS */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inst_JZslqQZl51YJcSWQ6msUJcoS",
                     *         "status": "revoked",
                     *         "target": {
                     *           "type": "company",
                     *           "id": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "name": "Brightkiln"
                     *         },
                     *         "tier": "founder",
                     *         "scopes": [
                     *           "read:explore",
                     *           "read:profile",
                     *           "write:profile",
                     *           "write:follows",
                     *           "write:comments",
                     *           "read:investments",
                     *           "read:companies",
                     *           "read:webhooks",
                     *           "write:webhooks",
                     *           "read:installations",
                     *           "write:installations",
                     *           "read:syndicates",
                     *           "write:syndicates",
                     *           "read:invite_links",
                     *           "write:invite_links",
                     *           "read:investment_sessions",
                     *           "write:investment_sessions",
                     *           "write:syndicate_members",
                     *           "read:files",
                     *           "read:attribution:aggregate",
                     *           "write:attribution"
                     *         ],
                     *         "installed_at": "2026-11-15T08:00:00.000000Z",
                     *         "installed_by": {
                     *           "role": "founder"
                     *         },
                     *         "revoked_at": "2026-11-15T08:00:00.000000Z",
                     *         "revoked_by": {
                     *           "role": "partner"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Installation"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    inspectAppSync: {
        parameters: {
            query?: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 1
                 */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example inst_5Y9ecN1MqDgAdgRLmdjka9Pj */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "installation_id": "inst_5Y9ecN1MqDgAdgRLmdjka9Pj",
                     *         "mode": "test",
                     *         "now": "2026-11-15T08:00:00.000000Z",
                     *         "published_through": "2026-11-15T08:00:00.000000Z",
                     *         "cursor": null,
                     *         "rejection": null,
                     *         "waiting": null,
                     *         "page": {
                     *           "data": [
                     *             {
                     *               "id": "inv_CfsVDvMHXIUM2wa0bRoRZeac",
                     *               "visible": true,
                     *               "observed_at": "2026-11-15T08:00:00.000000Z",
                     *               "status": "reserved",
                     *               "group": "RESERVED",
                     *               "converted_to": null,
                     *               "converted_from": null,
                     *               "offering": "ofr_X2ntSnRSLsw3PtR6vagmpgTo",
                     *               "company": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "investment_type": "SAFE",
                     *               "offering_type": "Reg CF",
                     *               "applied_at": "2026-07-19T08:00:00.000000Z",
                     *               "amounts": {
                     *                 "committed_cents": 20000,
                     *                 "investment_size_cents": 20000,
                     *                 "in_escrow_cents": 0,
                     *                 "raised_cents": 20000,
                     *                 "currency": "usd"
                     *               },
                     *               "shares": null,
                     *               "average_share_price": null,
                     *               "needs_whitelisting": false,
                     *               "blockers": [],
                     *               "contracts": [],
                     *               "investor": {
                     *                 "id": "usr_5QgM3pvmHPHMN2PkfpmdfzWg",
                     *                 "deactivated": false,
                     *                 "via_entity": false
                     *               }
                     *             }
                     *           ],
                     *           "meta": {
                     *             "mode": "bootstrap",
                     *             "has_more": true,
                     *             "page_count": 1,
                     *             "next_cursor": "ZXhhbXBsZS1vcGFxdWUtdmFsdWU",
                     *             "published_through": "2026-11-15T08:00:00.000000Z"
                     *           }
                     *         }
                     *       },
                     *       "meta": {
                     *         "request_id": "req_yZubRTIwx6W3eQMsaODEWNOy"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SyncInspection"];
                        meta: {
                            request_id: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAppInstallationToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example inst_5Y9ecN1MqDgAdgRLmdjka9Pj */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key_id": "pk_test_ExampleOnlyNotASecretExa",
                 *       "scopes": [
                 *         "read:investments",
                 *         "read:companies"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewAppInstallationToken"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inst_5Y9ecN1MqDgAdgRLmdjka9Pj",
                     *         "status": "active",
                     *         "target": {
                     *           "type": "company",
                     *           "id": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "name": "Brightkiln"
                     *         },
                     *         "tier": "founder",
                     *         "scopes": [
                     *           "read:explore",
                     *           "read:profile",
                     *           "write:profile",
                     *           "write:follows",
                     *           "write:comments",
                     *           "read:investments",
                     *           "read:companies",
                     *           "read:webhooks",
                     *           "write:webhooks",
                     *           "read:installations",
                     *           "write:installations",
                     *           "read:syndicates",
                     *           "write:syndicates",
                     *           "read:invite_links",
                     *           "write:invite_links",
                     *           "read:investment_sessions",
                     *           "write:investment_sessions",
                     *           "write:syndicate_members",
                     *           "read:files",
                     *           "read:attribution:aggregate",
                     *           "write:attribution"
                     *         ],
                     *         "installed_at": "2026-11-15T08:00:00.000000Z",
                     *         "installed_by": {
                     *           "role": "founder"
                     *         }
                     *       },
                     *       "token": {
                     *         "access_token": "at_test_ExampleOnlyNotASecretExampleOnlyNotASecretE",
                     *         "token_type": "Bearer",
                     *         "scope": "read:investments read:companies",
                     *         "installation": "inst_5Y9ecN1MqDgAdgRLmdjka9Pj",
                     *         "created_at": 1794729600,
                     *         "expires_in": 7200
                     *       },
                     *       "meta": {}
                     *     }
                     */
                    "application/json": components["schemas"]["InstallationWithToken"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAppKeys: {
        parameters: {
            query?: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 25
                 */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "pk_test_ExampleOnlyNotASecretExa",
                     *           "type": "app_key",
                     *           "attributes": {
                     *             "name": "Server",
                     *             "mode": "test",
                     *             "client_type": "confidential",
                     *             "redirect_uris": [
                     *               "https://ledger.example.com/callback"
                     *             ],
                     *             "status": "active",
                     *             "secrets": [
                     *               {
                     *                 "created_at": "2026-11-15T08:00:00.000000Z",
                     *                 "expires_at": null
                     *               }
                     *             ],
                     *             "created_at": "2026-11-15T08:00:00.000000Z",
                     *             "revoked_at": null
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "has_more": false,
                     *         "page_count": 1,
                     *         "next_cursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AppKey"][];
                        meta: {
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAppKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mode": "test",
                 *       "name": "Server",
                 *       "client_type": "confidential",
                 *       "redirect_uris": [
                 *         "https://ledger.example.com/callback"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewAppKey"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "pk_test_ExampleOnlyNotASecretExa",
                     *         "type": "app_key",
                     *         "attributes": {
                     *           "name": "Server",
                     *           "mode": "test",
                     *           "client_type": "confidential",
                     *           "redirect_uris": [
                     *             "https://ledger.example.com/callback"
                     *           ],
                     *           "status": "active",
                     *           "secrets": [
                     *             {
                     *               "created_at": "2026-11-15T08:00:00.000000Z",
                     *               "expires_at": null
                     *             }
                     *           ],
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "revoked_at": null
                     *         }
                     *       },
                     *       "client_secret": "sk_test_ExampleOnlyNotASecretExampleOnlyNotASecretE"
                     *     }
                     */
                    "application/json": {
                        /** @description Shown only in this response. */
                        client_secret: string | null;
                        data: components["schemas"]["AppKey"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateAppKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
                /** @example pk_test_ExampleOnlyNotASecretExa */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Web server"
                 *     }
                 */
                "application/json": components["schemas"]["AppKeyChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "pk_test_ExampleOnlyNotASecretExa",
                     *         "type": "app_key",
                     *         "attributes": {
                     *           "name": "Web server",
                     *           "mode": "test",
                     *           "client_type": "confidential",
                     *           "redirect_uris": [
                     *             "https://ledger.example.com/callback"
                     *           ],
                     *           "status": "active",
                     *           "secrets": [
                     *             {
                     *               "created_at": "2026-11-15T08:00:00.000000Z",
                     *               "expires_at": null
                     *             }
                     *           ],
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "revoked_at": null
                     *         }
                     *       },
                     *       "client_secret": null
                     *     }
                     */
                    "application/json": {
                        /** @description Shown only in this response. */
                        client_secret: string | null;
                        data: components["schemas"]["AppKey"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeAppKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
                /** @example pk_test_ExampleOnlyNotASecretExa */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "pk_test_ExampleOnlyNotASecretExa",
                     *         "type": "app_key",
                     *         "attributes": {
                     *           "name": "Web server",
                     *           "mode": "test",
                     *           "client_type": "confidential",
                     *           "redirect_uris": [
                     *             "https://ledger.example.com/callback"
                     *           ],
                     *           "status": "revoked",
                     *           "secrets": [],
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "revoked_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AppKey"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateAppSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
                /** @example pk_test_ExampleOnlyNotASecretExa */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlap_seconds": 3600
                 *     }
                 */
                "application/json": components["schemas"]["SecretRotation"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "pk_test_ExampleOnlyNotASecretExa",
                     *         "type": "app_key",
                     *         "attributes": {
                     *           "name": "Web server",
                     *           "mode": "test",
                     *           "client_type": "confidential",
                     *           "redirect_uris": [
                     *             "https://ledger.example.com/callback"
                     *           ],
                     *           "status": "active",
                     *           "secrets": [
                     *             {
                     *               "created_at": "2026-11-15T08:00:00.000000Z",
                     *               "expires_at": "2026-11-15T09:00:00.000000Z"
                     *             },
                     *             {
                     *               "created_at": "2026-11-15T08:00:00.000000Z",
                     *               "expires_at": null
                     *             }
                     *           ],
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "revoked_at": null
                     *         }
                     *       },
                     *       "client_secret": "sk_test_ExampleOnlyNotASecretExampleOnlyNotASecretE"
                     *     }
                     */
                    "application/json": {
                        /** @description Shown only in this response. */
                        client_secret: string | null;
                        data: components["schemas"]["AppKey"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readAppLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *         "type": "app_limits",
                     *         "attributes": {
                     *           "limits": [
                     *             {
                     *               "name": "access_token",
                     *               "limit": null,
                     *               "period": 3600,
                     *               "resets_at": "2026-11-15T09:00:00.000Z"
                     *             },
                     *             {
                     *               "name": "address",
                     *               "limit": null,
                     *               "period": 3600,
                     *               "resets_at": "2026-11-15T09:00:00.000Z"
                     *             },
                     *             {
                     *               "name": "public_catalog",
                     *               "limit": null,
                     *               "period": 60,
                     *               "resets_at": "2026-11-15T08:00:00.000Z"
                     *             },
                     *             {
                     *               "name": "publishable_key",
                     *               "limit": null,
                     *               "period": 300,
                     *               "resets_at": "2026-11-15T08:00:00.000Z"
                     *             },
                     *             {
                     *               "name": "token_client",
                     *               "limit": null,
                     *               "period": 3600,
                     *               "resets_at": "2026-11-15T09:00:00.000Z"
                     *             },
                     *             {
                     *               "name": "token_address",
                     *               "limit": null,
                     *               "period": 300,
                     *               "resets_at": "2026-11-15T08:00:00.000Z"
                     *             },
                     *             {
                     *               "name": "server_key",
                     *               "limit": null,
                     *               "period": 3600,
                     *               "resets_at": "2026-11-15T09:00:00.000Z"
                     *             },
                     *             {
                     *               "name": "webhook_test",
                     *               "limit": null,
                     *               "period": 60,
                     *               "resets_at": "2026-11-15T08:00:00.000Z"
                     *             },
                     *             {
                     *               "name": "pending_intent",
                     *               "limit": null,
                     *               "period": 3600,
                     *               "resets_at": "2026-11-15T09:00:00.000Z"
                     *             },
                     *             {
                     *               "name": "document",
                     *               "limit": null,
                     *               "period": 60,
                     *               "resets_at": "2026-11-15T08:00:00.000Z"
                     *             },
                     *             {
                     *               "name": "unknown_token",
                     *               "limit": null,
                     *               "period": 300,
                     *               "resets_at": "2026-11-15T08:00:00.000Z"
                     *             }
                     *           ],
                     *           "keys": [],
                     *           "webhook_endpoints": [],
                     *           "tokens": [],
                     *           "tokens_complete": true
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AppLimits"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readAppLimitUse: {
        parameters: {
            query?: {
                /** @example test */
                mode?: "test" | "live";
                /**
                 * @description `hour` by default.
                 * @example hour
                 */
                unit?: "hour" | "day";
            };
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "type": "app_limit_use",
                     *         "attributes": {
                     *           "unit": "hour",
                     *           "series": []
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AppLimitUse"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeAppLogo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "media_type": "image/png",
                 *       "data": "iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAYAAACqaXHeAAAAOklEQVR42u3OMQEAAAgDoK1/aI3h4QMJaCY8qgQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEXgYXKgABT0G4nQAAAABJRU5ErkJggg=="
                 *     }
                 */
                "application/json": components["schemas"]["LogoPicture"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *         "type": "app",
                     *         "attributes": {
                     *           "name": "Quayside Ledger",
                     *           "description": "Books investments into the ledger.",
                     *           "website_url": null,
                     *           "logo_url": "/assets/apps/app_HaaaA5Rzgoi33m6hLRQnB2vL/logo?v=WkXjSSfcuVTB0RXK",
                     *           "setup_url": null,
                     *           "organization": {
                     *             "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *             "name": "Quayside Software",
                     *             "status": "active"
                     *           },
                     *           "status": "active",
                     *           "suspended_at": null,
                     *           "suspended_reason": null,
                     *           "disabled_at": null,
                     *           "api_version": "2026-11-01",
                     *           "scopes": [
                     *             "read:investments"
                     *           ],
                     *           "approved_at": null,
                     *           "approval": {
                     *             "requested_at": null,
                     *             "declined_at": null
                     *           },
                     *           "pii": {
                     *             "requested_at": null,
                     *             "approved_at": null
                     *           },
                     *           "programs": [],
                     *           "conditions": {
                     *             "version": "2026-11-01",
                     *             "url": "/conditions/2026-11-01",
                     *             "accepted_by": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "accepted_at": "2026-11-15T08:00:00.000000Z"
                     *           },
                     *           "deletable": true,
                     *           "created_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["App"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeAppLogo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, without a body */
            204: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readAppOverview: {
        parameters: {
            query?: {
                /** @example test */
                mode?: "test" | "live";
            };
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "type": "app_overview",
                     *         "attributes": {
                     *           "mode": "live",
                     *           "attention": [],
                     *           "first_steps": [
                     *             {
                     *               "step": "create_key",
                     *               "done": true
                     *             },
                     *             {
                     *               "step": "call_api",
                     *               "done": false
                     *             },
                     *             {
                     *               "step": "declare_scopes",
                     *               "done": true
                     *             },
                     *             {
                     *               "step": "add_endpoint",
                     *               "done": false
                     *             },
                     *             {
                     *               "step": "install",
                     *               "done": false
                     *             },
                     *             {
                     *               "step": "receive_event",
                     *               "done": false
                     *             }
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AppOverview"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestPiiApproval: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *         "type": "app",
                     *         "attributes": {
                     *           "name": "Quayside Ledger",
                     *           "description": "Books investments into the ledger.",
                     *           "website_url": null,
                     *           "logo_url": null,
                     *           "setup_url": null,
                     *           "organization": {
                     *             "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *             "name": "Quayside Software",
                     *             "status": "active"
                     *           },
                     *           "status": "active",
                     *           "suspended_at": null,
                     *           "suspended_reason": null,
                     *           "disabled_at": null,
                     *           "api_version": "2026-11-01",
                     *           "scopes": [
                     *             "read:investments"
                     *           ],
                     *           "approved_at": null,
                     *           "approval": {
                     *             "requested_at": null,
                     *             "declined_at": null
                     *           },
                     *           "pii": {
                     *             "requested_at": "2026-11-15T08:00:00.000000Z",
                     *             "approved_at": null
                     *           },
                     *           "programs": [],
                     *           "conditions": {
                     *             "version": "2026-11-01",
                     *             "url": "/conditions/2026-11-01",
                     *             "accepted_by": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "accepted_at": "2026-11-15T08:00:00.000000Z"
                     *           },
                     *           "deletable": true,
                     *           "created_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["App"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestProgram: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "program": "founder"
                 *     }
                 */
                "application/json": components["schemas"]["ProgramAtTier"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *         "type": "app",
                     *         "attributes": {
                     *           "name": "Quayside Ledger",
                     *           "description": "Books investments into the ledger.",
                     *           "website_url": null,
                     *           "logo_url": null,
                     *           "setup_url": null,
                     *           "organization": {
                     *             "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *             "name": "Quayside Software",
                     *             "status": "active"
                     *           },
                     *           "status": "active",
                     *           "suspended_at": null,
                     *           "suspended_reason": null,
                     *           "disabled_at": null,
                     *           "api_version": "2026-11-01",
                     *           "scopes": [
                     *             "read:investments"
                     *           ],
                     *           "approved_at": null,
                     *           "approval": {
                     *             "requested_at": null,
                     *             "declined_at": null
                     *           },
                     *           "pii": {
                     *             "requested_at": "2026-11-15T08:00:00.000000Z",
                     *             "approved_at": null
                     *           },
                     *           "programs": [
                     *             {
                     *               "program": "founder",
                     *               "tier": null,
                     *               "requested_at": "2026-11-15T08:00:00.000000Z",
                     *               "approved_at": null
                     *             }
                     *           ],
                     *           "conditions": {
                     *             "version": "2026-11-01",
                     *             "url": "/conditions/2026-11-01",
                     *             "accepted_by": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "accepted_at": "2026-11-15T08:00:00.000000Z"
                     *           },
                     *           "deletable": true,
                     *           "created_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["App"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAppReferralCodes: {
        parameters: {
            query?: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /**
                 * @description live, if left out.
                 * @example test
                 */
                mode?: "test" | "live";
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 2
                 */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "rc_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "type": "referral_code",
                     *           "attributes": {
                     *             "code": "SPRING-26",
                     *             "name": "Spring letter",
                     *             "status": "paused",
                     *             "counts": null,
                     *             "created_at": "2026-11-15T08:00:00.000000Z",
                     *             "updated_at": "2026-11-15T08:00:00.000000Z"
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "has_more": false,
                     *         "page_count": 1,
                     *         "next_cursor": null,
                     *         "quota": 100,
                     *         "request_id": "req_owE87j6EhvAZmsKLaEDLfs8w"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ReferralCode"][];
                        meta: {
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                            /** @description How many codes an app can have in each mode. */
                            quota: number;
                            request_id: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAppReferralStats: {
        parameters: {
            query?: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /**
                 * @description live, if left out.
                 * @example test
                 */
                mode?: "test" | "live";
                /**
                 * @description How many rows, 53 by default. Above 106 means 106; zero or less means 53.
                 * @example 25
                 */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example rc_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [],
                     *       "meta": {
                     *         "has_more": false,
                     *         "page_count": 0,
                     *         "next_cursor": null,
                     *         "referral_code": "rc_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "published_through": null,
                     *         "k": 5,
                     *         "request_id": "req_91OfR3sDqxPEc26wk4wWP0UM"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ReferralWeek"][];
                        meta: {
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description The k of the next week. */
                            k: number;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                            /** @description The last week that was published; null before the first. */
                            published_through: string | null;
                            referral_code: string;
                            request_id: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAppRequests: {
        parameters: {
            query?: {
                /**
                 * @description The id of a key or of an installation.
                 * @example pk_test_0V3xkQ2b9TzQ4mYcW8sLr7Hp
                 */
                credential?: string;
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /** @example not_found */
                error_type?: string;
                /** @example PATCH */
                method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                /** @example test */
                mode?: "test" | "live";
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 1
                 */
                per_page?: number;
                /** @example req_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                request_id?: string;
                /**
                 * @description The template, as in the records.
                 * @example /users/me
                 */
                route?: string;
                /**
                 * @description Real time, UTC, with microseconds.
                 * @example 2026-11-15T08:00:00Z
                 */
                since?: string;
                /**
                 * @description `404`, `4xx`, or `error` for 400 and more.
                 * @example error
                 */
                status?: string;
                /**
                 * @description Real time, UTC, with microseconds.
                 * @example 2026-11-16T08:00:00Z
                 */
                until?: string;
            };
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "req_vBwOZ7mvSOrCdZtrpUD0N26f",
                     *           "type": "request",
                     *           "attributes": {
                     *             "mode": "test",
                     *             "started_at": "2026-11-15T08:00:00.000000Z",
                     *             "method": "PATCH",
                     *             "route": "/users/me",
                     *             "status": 200,
                     *             "duration_ms": 42,
                     *             "error_type": null,
                     *             "credential": {
                     *               "kind": "user",
                     *               "key_id": "pk_test_ExampleOnlyNotASecretExa",
                     *               "installation_id": null
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "has_more": false,
                     *         "page_count": 1,
                     *         "next_cursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["LoggedRequest"][];
                        meta: {
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAppRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example req_vBwOZ7mvSOrCdZtrpUD0N26f */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "req_vBwOZ7mvSOrCdZtrpUD0N26f",
                     *         "type": "request",
                     *         "attributes": {
                     *           "mode": "test",
                     *           "started_at": "2026-11-15T08:00:00.000000Z",
                     *           "method": "PATCH",
                     *           "route": "/users/me",
                     *           "status": 200,
                     *           "duration_ms": 42,
                     *           "error_type": null,
                     *           "credential": {
                     *             "kind": "user",
                     *             "key_id": "pk_test_ExampleOnlyNotASecretExa",
                     *             "installation_id": null
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["LoggedRequest"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAppRequestEvents: {
        parameters: {
            query?: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /** @example test */
                mode?: "test" | "live";
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 25
                 */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example req_vBwOZ7mvSOrCdZtrpUD0N26f */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [],
                     *       "meta": {
                     *         "has_more": false,
                     *         "page_count": 0,
                     *         "next_cursor": null,
                     *         "request_id": "req_96MMCd95eMyEU0eFTqf3Q89B"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Event"][];
                        meta: {
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                            request_id: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamAppRequests: {
        parameters: {
            query?: {
                /**
                 * @description The id of a key or of an installation.
                 * @example pk_test_0V3xkQ2b9TzQ4mYcW8sLr7Hp
                 */
                credential?: string;
                /** @example not_found */
                error_type?: string;
                /** @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU */
                last_event_id?: string;
                /** @example GET */
                method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                /** @example test */
                mode?: "test" | "live";
                /** @example req_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                request_id?: string;
                /**
                 * @description The template, as in the records.
                 * @example /investments/{id}
                 */
                route?: string;
                /**
                 * @description Real time, UTC, with microseconds.
                 * @example 2026-11-15T08:00:00Z
                 */
                since?: string;
                /**
                 * @description `404`, `4xx`, or `error` for 400 and more.
                 * @example error
                 */
                status?: string;
                /**
                 * @description Real time, UTC, with microseconds.
                 * @example 2026-11-16T08:00:00Z
                 */
                until?: string;
            };
            header?: never;
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events; `data` is a LoggedRequest as JSON. */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example retry: 2000
                     *     id: ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxClock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "now": "2026-11-15T08:00:00.000000Z",
                     *         "ahead": "PT0S",
                     *         "ahead_seconds": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxClock"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSandboxCompany: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "co_elMhmDmIHQgx5RPWx28t7vJs",
                     *         "type": "sandbox_company",
                     *         "attributes": {
                     *           "name": "Birch Lanterns (sandbox)",
                     *           "offering": "ofr_FV98oi8DbIFDWE4NjWITn2W5"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxCompany"];
                    };
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "co_elMhmDmIHQgx5RPWx28t7vJs",
                     *         "type": "sandbox_company",
                     *         "attributes": {
                     *           "name": "Birch Lanterns (sandbox)",
                     *           "offering": "ofr_FV98oi8DbIFDWE4NjWITn2W5"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxCompany"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxInvestmentSessionCreate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                 *       "email": "lin@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxNewInvestmentSession"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "is_Lya17MgBE2Omfo9sqseRhtIW",
                     *         "type": "investment_session",
                     *         "attributes": {
                     *           "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "status": "pending",
                     *           "email": "lin@example.com",
                     *           "user": null,
                     *           "currency": "usd",
                     *           "allocation_cents": null,
                     *           "kyc_status": null,
                     *           "funding_status": null,
                     *           "investment": null,
                     *           "installation": null,
                     *           "metadata": {},
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "started_at": null,
                     *           "ended_at": null,
                     *           "expires_at": "2026-12-15T08:00:00.000000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_HxVz1qM8hCuOEDyGp5bwS1re",
                     *             "event": "investment_session.created",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "is_Lya17MgBE2Omfo9sqseRhtIW",
                     *               "email": "lin@example.com",
                     *               "status": "pending",
                     *               "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "expires_at": "2026-12-15T08:00:00.000000Z",
                     *               "allocation_cents": null
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxInvestmentSession"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxInvestmentSessionAbandon: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example is_Lya17MgBE2Omfo9sqseRhtIW */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "is_Lya17MgBE2Omfo9sqseRhtIW",
                     *         "type": "investment_session",
                     *         "attributes": {
                     *           "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "status": "abandoned",
                     *           "email": "lin@example.com",
                     *           "user": "usr_0CvZNavaLSCY61sBnrpnlKBz",
                     *           "currency": "usd",
                     *           "allocation_cents": null,
                     *           "kyc_status": null,
                     *           "funding_status": null,
                     *           "investment": null,
                     *           "installation": null,
                     *           "metadata": {},
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "started_at": "2026-11-15T08:00:00.000000Z",
                     *           "ended_at": null,
                     *           "expires_at": "2026-12-15T08:00:00.000000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [],
                     *         "event_count": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxInvestmentSession"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxInvestmentSessionCancel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example is_v3zIUJbBGm8DI2wPN1srZjSb */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "is_v3zIUJbBGm8DI2wPN1srZjSb",
                     *         "type": "investment_session",
                     *         "attributes": {
                     *           "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "status": "canceled",
                     *           "email": "ole@example.com",
                     *           "user": null,
                     *           "currency": "usd",
                     *           "allocation_cents": null,
                     *           "kyc_status": null,
                     *           "funding_status": null,
                     *           "investment": null,
                     *           "installation": null,
                     *           "metadata": {},
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "started_at": null,
                     *           "ended_at": "2026-11-15T08:00:00.000000Z",
                     *           "expires_at": "2026-12-15T08:00:00.000000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_iTeolcwVdoXu0qrY2viiDAtC",
                     *             "event": "investment_session.canceled",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "is_v3zIUJbBGm8DI2wPN1srZjSb",
                     *               "email": "ole@example.com",
                     *               "status": "canceled",
                     *               "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "expires_at": "2026-12-15T08:00:00.000000Z",
                     *               "allocation_cents": null
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxInvestmentSession"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxInvestmentSessionComplete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example is_Lya17MgBE2Omfo9sqseRhtIW */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "user": "usr_0CvZNavaLSCY61sBnrpnlKBz",
                 *       "amount_cents": 100000
                 *     }
                 */
                "application/json": components["schemas"]["SandboxCheckoutEnd"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "is_Lya17MgBE2Omfo9sqseRhtIW",
                     *         "type": "investment_session",
                     *         "attributes": {
                     *           "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "status": "completed",
                     *           "email": "lin@example.com",
                     *           "user": "usr_0CvZNavaLSCY61sBnrpnlKBz",
                     *           "currency": "usd",
                     *           "allocation_cents": null,
                     *           "kyc_status": null,
                     *           "funding_status": null,
                     *           "investment": "inv_iUjjpM2OqBHCwK1ndl6BfzN1",
                     *           "installation": null,
                     *           "metadata": {},
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "started_at": "2026-11-15T08:00:00.000000Z",
                     *           "ended_at": "2026-11-15T08:00:00.000000Z",
                     *           "expires_at": "2026-12-15T08:00:00.000000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_RlNRHiPlLDOFAMMAHbRwsH5a",
                     *             "event": "investment.created",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "inv_iUjjpM2OqBHCwK1ndl6BfzN1",
                     *               "status": "active",
                     *               "amounts": {
                     *                 "committed": 1000
                     *               },
                     *               "investor": {
                     *                 "id": "usr_0CvZNavaLSCY61sBnrpnlKBz",
                     *                 "name": "Amara Osei",
                     *                 "email": "founder@portico.example"
                     *               },
                     *               "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "investor_totals": {
                     *                 "investor_status": "active",
                     *                 "total_committed": 1000,
                     *                 "latest_applied_at": "2026-11-15T08:00:00.000000Z",
                     *                 "active_investment_count": 1
                     *               },
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           },
                     *           {
                     *             "id": "evt_ZcbsxOiXeVvtJOUnmcA3WzYt",
                     *             "event": "investment_session.completed",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "is_Lya17MgBE2Omfo9sqseRhtIW",
                     *               "email": "lin@example.com",
                     *               "status": "completed",
                     *               "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "expires_at": "2026-12-15T08:00:00.000000Z",
                     *               "investment": "inv_iUjjpM2OqBHCwK1ndl6BfzN1",
                     *               "allocation_cents": null
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 2
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxInvestmentSession"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxInvestmentSessionExpire: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example is_w4hVdsKd1M5EGHVpr7K3uSCn */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "is_w4hVdsKd1M5EGHVpr7K3uSCn",
                     *         "type": "investment_session",
                     *         "attributes": {
                     *           "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "status": "expired",
                     *           "email": "una@example.com",
                     *           "user": null,
                     *           "currency": "usd",
                     *           "allocation_cents": null,
                     *           "kyc_status": null,
                     *           "funding_status": null,
                     *           "investment": null,
                     *           "installation": null,
                     *           "metadata": {},
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "started_at": null,
                     *           "ended_at": "2026-11-15T08:00:00.000000Z",
                     *           "expires_at": "2026-12-15T08:00:00.000000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_xTShA9hs0vOiEcwGvjDP2j27",
                     *             "event": "investment_session.expired",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "is_w4hVdsKd1M5EGHVpr7K3uSCn",
                     *               "email": "una@example.com",
                     *               "status": "expired",
                     *               "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "expires_at": "2026-12-15T08:00:00.000000Z",
                     *               "allocation_cents": null
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxInvestmentSession"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxInvestmentSessionResume: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example is_Lya17MgBE2Omfo9sqseRhtIW */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "is_Lya17MgBE2Omfo9sqseRhtIW",
                     *         "type": "investment_session",
                     *         "attributes": {
                     *           "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "status": "in_progress",
                     *           "email": "lin@example.com",
                     *           "user": "usr_0CvZNavaLSCY61sBnrpnlKBz",
                     *           "currency": "usd",
                     *           "allocation_cents": null,
                     *           "kyc_status": null,
                     *           "funding_status": null,
                     *           "investment": null,
                     *           "installation": null,
                     *           "metadata": {},
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "started_at": "2026-11-15T08:00:00.000000Z",
                     *           "ended_at": null,
                     *           "expires_at": "2026-12-15T08:00:00.000000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [],
                     *         "event_count": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxInvestmentSession"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxInvestmentSessionStart: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example is_Lya17MgBE2Omfo9sqseRhtIW */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "user": "usr_0CvZNavaLSCY61sBnrpnlKBz"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxSessionStart"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "is_Lya17MgBE2Omfo9sqseRhtIW",
                     *         "type": "investment_session",
                     *         "attributes": {
                     *           "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "status": "in_progress",
                     *           "email": "lin@example.com",
                     *           "user": "usr_0CvZNavaLSCY61sBnrpnlKBz",
                     *           "currency": "usd",
                     *           "allocation_cents": null,
                     *           "kyc_status": null,
                     *           "funding_status": null,
                     *           "investment": null,
                     *           "installation": null,
                     *           "metadata": {},
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "started_at": "2026-11-15T08:00:00.000000Z",
                     *           "ended_at": null,
                     *           "expires_at": "2026-12-15T08:00:00.000000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_12WfKz9OW3OwnKlTogL6sMv2",
                     *             "event": "investment_session.started",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "is_Lya17MgBE2Omfo9sqseRhtIW",
                     *               "email": "lin@example.com",
                     *               "status": "in_progress",
                     *               "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "expires_at": "2026-12-15T08:00:00.000000Z",
                     *               "allocation_cents": null
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxInvestmentSession"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxInvestmentCreate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                 *       "investor": "usr_FfHt5oJM6GIXjLPLZWnto3Iw",
                 *       "amount_cents": 50000
                 *     }
                 */
                "application/json": components["schemas"]["SandboxNewInvestment"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inv_uCpe1ggdrz2Ob36F8QoNZUu3",
                     *         "status": "active",
                     *         "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "company": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "investor": {
                     *           "id": "usr_FfHt5oJM6GIXjLPLZWnto3Iw"
                     *         },
                     *         "amounts": {
                     *           "committed_cents": 50000,
                     *           "in_escrow_cents": 0,
                     *           "refund_due_cents": 0,
                     *           "currency": "usd"
                     *         },
                     *         "applied_at": "2026-11-15T08:00:00.000000Z",
                     *         "confirmed_at": null,
                     *         "executed_at": null,
                     *         "canceled_at": null,
                     *         "converted_at": null,
                     *         "converted_to": null,
                     *         "converted_from": null,
                     *         "payment": "none",
                     *         "identity": "required",
                     *         "accreditation": "not_required",
                     *         "signature": "required",
                     *         "review": "not_required",
                     *         "hidden": false
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_rZItjW2LhYD7MNliG1doujUk",
                     *             "event": "investment.created",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "inv_uCpe1ggdrz2Ob36F8QoNZUu3",
                     *               "status": "active",
                     *               "amounts": {
                     *                 "committed": 500
                     *               },
                     *               "investor": {
                     *                 "id": "usr_FfHt5oJM6GIXjLPLZWnto3Iw",
                     *                 "name": "Jonas Lindqvist",
                     *                 "email": "editor@portico.example"
                     *               },
                     *               "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "investor_totals": {
                     *                 "investor_status": "active",
                     *                 "total_committed": 500,
                     *                 "latest_applied_at": "2026-11-15T08:00:00.000000Z",
                     *                 "active_investment_count": 1
                     *               },
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxInvestment"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxInvestmentCancel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example inv_uCpe1ggdrz2Ob36F8QoNZUu3 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inv_uCpe1ggdrz2Ob36F8QoNZUu3",
                     *         "status": "canceled",
                     *         "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "company": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "investor": {
                     *           "id": "usr_FfHt5oJM6GIXjLPLZWnto3Iw"
                     *         },
                     *         "amounts": {
                     *           "committed_cents": 75000,
                     *           "in_escrow_cents": 0,
                     *           "refund_due_cents": 0,
                     *           "currency": "usd"
                     *         },
                     *         "applied_at": "2026-11-15T08:00:00.000000Z",
                     *         "confirmed_at": null,
                     *         "executed_at": null,
                     *         "canceled_at": "2026-11-15T08:00:00.000000Z",
                     *         "converted_at": null,
                     *         "converted_to": null,
                     *         "converted_from": null,
                     *         "payment": "none",
                     *         "identity": "required",
                     *         "accreditation": "not_required",
                     *         "signature": "required",
                     *         "review": "not_required",
                     *         "hidden": false
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_r6nDtxLqGSAnDPI4aQCJwVad",
                     *             "event": "investment.canceled",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "inv_uCpe1ggdrz2Ob36F8QoNZUu3",
                     *               "status": "canceled",
                     *               "amounts": {
                     *                 "committed": 750
                     *               },
                     *               "investor": {
                     *                 "id": "usr_FfHt5oJM6GIXjLPLZWnto3Iw",
                     *                 "name": "Jonas Lindqvist",
                     *                 "email": "editor@portico.example"
                     *               },
                     *               "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "canceled_at": "2026-11-15T08:00:00.000000Z",
                     *               "investor_totals": {
                     *                 "investor_status": "none_active",
                     *                 "total_committed": 0,
                     *                 "latest_applied_at": null,
                     *                 "active_investment_count": 0
                     *               },
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxInvestment"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxInvestmentChangeAmount: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example inv_uCpe1ggdrz2Ob36F8QoNZUu3 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount_cents": 75000
                 *     }
                 */
                "application/json": components["schemas"]["SandboxNewAmount"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inv_uCpe1ggdrz2Ob36F8QoNZUu3",
                     *         "status": "active",
                     *         "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "company": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "investor": {
                     *           "id": "usr_FfHt5oJM6GIXjLPLZWnto3Iw"
                     *         },
                     *         "amounts": {
                     *           "committed_cents": 75000,
                     *           "in_escrow_cents": 0,
                     *           "refund_due_cents": 0,
                     *           "currency": "usd"
                     *         },
                     *         "applied_at": "2026-11-15T08:00:00.000000Z",
                     *         "confirmed_at": null,
                     *         "executed_at": null,
                     *         "canceled_at": null,
                     *         "converted_at": null,
                     *         "converted_to": null,
                     *         "converted_from": null,
                     *         "payment": "none",
                     *         "identity": "required",
                     *         "accreditation": "not_required",
                     *         "signature": "required",
                     *         "review": "not_required",
                     *         "hidden": false
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_vV2FsPkBVbeQJtVq8dA01nzH",
                     *             "event": "investment.amount_changed",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "inv_uCpe1ggdrz2Ob36F8QoNZUu3",
                     *               "status": "active",
                     *               "amounts": {
                     *                 "committed": 750
                     *               },
                     *               "investor": {
                     *                 "id": "usr_FfHt5oJM6GIXjLPLZWnto3Iw",
                     *                 "name": "Jonas Lindqvist",
                     *                 "email": "editor@portico.example"
                     *               },
                     *               "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "investor_totals": {
                     *                 "investor_status": "active",
                     *                 "total_committed": 750,
                     *                 "latest_applied_at": "2026-11-15T08:00:00.000000Z",
                     *                 "active_investment_count": 1
                     *               },
                     *               "previous_amounts": {
                     *                 "committed": 500
                     *               },
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxInvestment"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxInvestmentConfirm: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example inv_uCpe1ggdrz2Ob36F8QoNZUu3 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inv_uCpe1ggdrz2Ob36F8QoNZUu3",
                     *         "status": "active",
                     *         "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "company": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "investor": {
                     *           "id": "usr_FfHt5oJM6GIXjLPLZWnto3Iw"
                     *         },
                     *         "amounts": {
                     *           "committed_cents": 75000,
                     *           "in_escrow_cents": 75000,
                     *           "refund_due_cents": 0,
                     *           "currency": "usd"
                     *         },
                     *         "applied_at": "2026-11-15T08:00:00.000000Z",
                     *         "confirmed_at": "2026-11-15T08:00:00.000000Z",
                     *         "executed_at": null,
                     *         "canceled_at": null,
                     *         "converted_at": null,
                     *         "converted_to": null,
                     *         "converted_from": null,
                     *         "payment": "received",
                     *         "identity": "passed",
                     *         "accreditation": "not_required",
                     *         "signature": "passed",
                     *         "review": "not_required",
                     *         "hidden": false
                     *       },
                     *       "meta": {
                     *         "events": [],
                     *         "event_count": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxInvestment"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxInvestmentConvert: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example inv_kq5XkPfhPLknPr96hyCYwkt6 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["SandboxConversion"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inv_kq5XkPfhPLknPr96hyCYwkt6",
                     *         "status": "converted",
                     *         "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "company": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "investor": {
                     *           "id": "usr_c5DVPGLYMuXxR95cBIQayQWq"
                     *         },
                     *         "amounts": {
                     *           "committed_cents": 25000,
                     *           "in_escrow_cents": 0,
                     *           "refund_due_cents": 0,
                     *           "currency": "usd"
                     *         },
                     *         "applied_at": "2026-11-15T08:00:00.000000Z",
                     *         "confirmed_at": null,
                     *         "executed_at": null,
                     *         "canceled_at": null,
                     *         "converted_at": "2026-11-15T08:00:00.000000Z",
                     *         "converted_to": null,
                     *         "converted_from": null,
                     *         "payment": "none",
                     *         "identity": "required",
                     *         "accreditation": "not_required",
                     *         "signature": "required",
                     *         "review": "not_required",
                     *         "hidden": false
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_VpG5NJcBSXjVWcodeTXEQrd9",
                     *             "event": "investment.converted",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "inv_kq5XkPfhPLknPr96hyCYwkt6",
                     *               "status": "converted",
                     *               "amounts": {
                     *                 "committed": 250
                     *               },
                     *               "investor": {
                     *                 "id": "usr_c5DVPGLYMuXxR95cBIQayQWq",
                     *                 "name": "Mei Huang",
                     *                 "email": "developer@portico.example"
                     *               },
                     *               "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "converted_to": null,
                     *               "investor_totals": {
                     *                 "investor_status": "active",
                     *                 "total_committed": 1000,
                     *                 "latest_applied_at": "2026-11-15T08:00:00.000000Z",
                     *                 "active_investment_count": 1
                     *               },
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxInvestment"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxInvestmentExecute: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example inv_uCpe1ggdrz2Ob36F8QoNZUu3 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inv_uCpe1ggdrz2Ob36F8QoNZUu3",
                     *         "status": "executed",
                     *         "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "company": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "investor": {
                     *           "id": "usr_FfHt5oJM6GIXjLPLZWnto3Iw"
                     *         },
                     *         "amounts": {
                     *           "committed_cents": 75000,
                     *           "in_escrow_cents": 75000,
                     *           "refund_due_cents": 0,
                     *           "currency": "usd"
                     *         },
                     *         "applied_at": "2026-11-15T08:00:00.000000Z",
                     *         "confirmed_at": "2026-11-15T08:00:00.000000Z",
                     *         "executed_at": "2026-11-15T08:00:00.000000Z",
                     *         "canceled_at": null,
                     *         "converted_at": null,
                     *         "converted_to": null,
                     *         "converted_from": null,
                     *         "payment": "received",
                     *         "identity": "passed",
                     *         "accreditation": "not_required",
                     *         "signature": "passed",
                     *         "review": "not_required",
                     *         "hidden": false
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_zGTxZn7Na1UD60sinjc5wxl3",
                     *             "event": "investment.executed",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "inv_uCpe1ggdrz2Ob36F8QoNZUu3",
                     *               "status": "executed",
                     *               "amounts": {
                     *                 "committed": 750
                     *               },
                     *               "investor": {
                     *                 "id": "usr_FfHt5oJM6GIXjLPLZWnto3Iw",
                     *                 "name": "Jonas Lindqvist",
                     *                 "email": "editor@portico.example"
                     *               },
                     *               "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "investor_totals": {
                     *                 "investor_status": "active",
                     *                 "total_committed": 750,
                     *                 "latest_applied_at": "2026-11-15T08:00:00.000000Z",
                     *                 "active_investment_count": 1
                     *               }
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxInvestment"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxInvestmentHide: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example inv_uCpe1ggdrz2Ob36F8QoNZUu3 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inv_uCpe1ggdrz2Ob36F8QoNZUu3",
                     *         "status": "active",
                     *         "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "company": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "investor": {
                     *           "id": "usr_FfHt5oJM6GIXjLPLZWnto3Iw"
                     *         },
                     *         "amounts": {
                     *           "committed_cents": 75000,
                     *           "in_escrow_cents": 0,
                     *           "refund_due_cents": 0,
                     *           "currency": "usd"
                     *         },
                     *         "applied_at": "2026-11-15T08:00:00.000000Z",
                     *         "confirmed_at": null,
                     *         "executed_at": null,
                     *         "canceled_at": null,
                     *         "converted_at": null,
                     *         "converted_to": null,
                     *         "converted_from": null,
                     *         "payment": "none",
                     *         "identity": "required",
                     *         "accreditation": "not_required",
                     *         "signature": "required",
                     *         "review": "not_required",
                     *         "hidden": true
                     *       },
                     *       "meta": {
                     *         "events": [],
                     *         "event_count": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxInvestment"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxInvestmentMove: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example inv_uYbbpavXvZGr4yEpzTFMAMDa */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "offering": "ofr_x8HwZW9SnZTYWfoo7cjLCYTO"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxRelocation"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inv_uYbbpavXvZGr4yEpzTFMAMDa",
                     *         "status": "converted",
                     *         "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "company": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "investor": {
                     *           "id": "usr_c5DVPGLYMuXxR95cBIQayQWq"
                     *         },
                     *         "amounts": {
                     *           "committed_cents": 40000,
                     *           "in_escrow_cents": 0,
                     *           "refund_due_cents": 0,
                     *           "currency": "usd"
                     *         },
                     *         "applied_at": "2026-11-15T08:00:00.000000Z",
                     *         "confirmed_at": null,
                     *         "executed_at": null,
                     *         "canceled_at": null,
                     *         "converted_at": "2026-11-15T08:00:00.000000Z",
                     *         "converted_to": "inv_CqYpcJleD42y7pFMos46L0Zl",
                     *         "converted_from": null,
                     *         "payment": "none",
                     *         "identity": "required",
                     *         "accreditation": "not_required",
                     *         "signature": "required",
                     *         "review": "not_required",
                     *         "hidden": false
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_RhiCTi0Q5fY734D45C0Sf8t0",
                     *             "event": "investment.created",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "inv_CqYpcJleD42y7pFMos46L0Zl",
                     *               "status": "active",
                     *               "amounts": {
                     *                 "committed": 400
                     *               },
                     *               "investor": {
                     *                 "id": "usr_c5DVPGLYMuXxR95cBIQayQWq",
                     *                 "name": "Mei Huang",
                     *                 "email": "developer@portico.example"
                     *               },
                     *               "offering": "ofr_x8HwZW9SnZTYWfoo7cjLCYTO",
                     *               "investor_totals": {
                     *                 "investor_status": "active",
                     *                 "total_committed": 400,
                     *                 "latest_applied_at": "2026-11-15T08:00:00.000000Z",
                     *                 "active_investment_count": 1
                     *               },
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           },
                     *           {
                     *             "id": "evt_ml1PxmhVBuGTmrBM1xQmMdwP",
                     *             "event": "investment.converted",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "inv_uYbbpavXvZGr4yEpzTFMAMDa",
                     *               "status": "converted",
                     *               "amounts": {
                     *                 "committed": 400
                     *               },
                     *               "investor": {
                     *                 "id": "usr_c5DVPGLYMuXxR95cBIQayQWq",
                     *                 "name": "Mei Huang",
                     *                 "email": "developer@portico.example"
                     *               },
                     *               "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "converted_to": "inv_CqYpcJleD42y7pFMos46L0Zl",
                     *               "investor_totals": {
                     *                 "investor_status": "active",
                     *                 "total_committed": 1000,
                     *                 "latest_applied_at": "2026-11-15T08:00:00.000000Z",
                     *                 "active_investment_count": 1
                     *               },
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 2
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxInvestment"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxInvestmentPay: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example inv_uCpe1ggdrz2Ob36F8QoNZUu3 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inv_uCpe1ggdrz2Ob36F8QoNZUu3",
                     *         "status": "active",
                     *         "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "company": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "investor": {
                     *           "id": "usr_FfHt5oJM6GIXjLPLZWnto3Iw"
                     *         },
                     *         "amounts": {
                     *           "committed_cents": 75000,
                     *           "in_escrow_cents": 75000,
                     *           "refund_due_cents": 0,
                     *           "currency": "usd"
                     *         },
                     *         "applied_at": "2026-11-15T08:00:00.000000Z",
                     *         "confirmed_at": null,
                     *         "executed_at": null,
                     *         "canceled_at": null,
                     *         "converted_at": null,
                     *         "converted_to": null,
                     *         "converted_from": null,
                     *         "payment": "received",
                     *         "identity": "passed",
                     *         "accreditation": "not_required",
                     *         "signature": "passed",
                     *         "review": "not_required",
                     *         "hidden": false
                     *       },
                     *       "meta": {
                     *         "events": [],
                     *         "event_count": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxInvestment"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxInvestmentRefund: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example inv_mYxoexQalsvreAeJcDPVLBdF */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inv_mYxoexQalsvreAeJcDPVLBdF",
                     *         "status": "canceled",
                     *         "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "company": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "investor": {
                     *           "id": "usr_FfHt5oJM6GIXjLPLZWnto3Iw"
                     *         },
                     *         "amounts": {
                     *           "committed_cents": 30000,
                     *           "in_escrow_cents": 0,
                     *           "refund_due_cents": 0,
                     *           "currency": "usd"
                     *         },
                     *         "applied_at": "2026-11-15T08:00:00.000000Z",
                     *         "confirmed_at": null,
                     *         "executed_at": null,
                     *         "canceled_at": "2026-11-15T08:00:00.000000Z",
                     *         "converted_at": null,
                     *         "converted_to": null,
                     *         "converted_from": null,
                     *         "payment": "refunded",
                     *         "identity": "required",
                     *         "accreditation": "not_required",
                     *         "signature": "required",
                     *         "review": "not_required",
                     *         "hidden": false
                     *       },
                     *       "meta": {
                     *         "events": [],
                     *         "event_count": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxInvestment"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxInvestmentReinstate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example inv_uCpe1ggdrz2Ob36F8QoNZUu3 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inv_uCpe1ggdrz2Ob36F8QoNZUu3",
                     *         "status": "active",
                     *         "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "company": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "investor": {
                     *           "id": "usr_FfHt5oJM6GIXjLPLZWnto3Iw"
                     *         },
                     *         "amounts": {
                     *           "committed_cents": 75000,
                     *           "in_escrow_cents": 0,
                     *           "refund_due_cents": 0,
                     *           "currency": "usd"
                     *         },
                     *         "applied_at": "2026-11-15T08:00:00.000000Z",
                     *         "confirmed_at": null,
                     *         "executed_at": null,
                     *         "canceled_at": null,
                     *         "converted_at": null,
                     *         "converted_to": null,
                     *         "converted_from": null,
                     *         "payment": "none",
                     *         "identity": "required",
                     *         "accreditation": "not_required",
                     *         "signature": "required",
                     *         "review": "not_required",
                     *         "hidden": false
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_gaHbBO2roxb0JvPGtv9xL1wo",
                     *             "event": "investment.reinstated",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "inv_uCpe1ggdrz2Ob36F8QoNZUu3",
                     *               "status": "active",
                     *               "amounts": {
                     *                 "committed": 750
                     *               },
                     *               "investor": {
                     *                 "id": "usr_FfHt5oJM6GIXjLPLZWnto3Iw",
                     *                 "name": "Jonas Lindqvist",
                     *                 "email": "editor@portico.example"
                     *               },
                     *               "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "investor_totals": {
                     *                 "investor_status": "active",
                     *                 "total_committed": 750,
                     *                 "latest_applied_at": "2026-11-15T08:00:00.000000Z",
                     *                 "active_investment_count": 1
                     *               },
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxInvestment"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxInvestmentSign: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example inv_uCpe1ggdrz2Ob36F8QoNZUu3 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inv_uCpe1ggdrz2Ob36F8QoNZUu3",
                     *         "status": "active",
                     *         "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "company": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "investor": {
                     *           "id": "usr_FfHt5oJM6GIXjLPLZWnto3Iw"
                     *         },
                     *         "amounts": {
                     *           "committed_cents": 75000,
                     *           "in_escrow_cents": 0,
                     *           "refund_due_cents": 0,
                     *           "currency": "usd"
                     *         },
                     *         "applied_at": "2026-11-15T08:00:00.000000Z",
                     *         "confirmed_at": null,
                     *         "executed_at": null,
                     *         "canceled_at": null,
                     *         "converted_at": null,
                     *         "converted_to": null,
                     *         "converted_from": null,
                     *         "payment": "none",
                     *         "identity": "passed",
                     *         "accreditation": "not_required",
                     *         "signature": "passed",
                     *         "review": "not_required",
                     *         "hidden": false
                     *       },
                     *       "meta": {
                     *         "events": [],
                     *         "event_count": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxInvestment"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxInvestmentUnhide: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example inv_uCpe1ggdrz2Ob36F8QoNZUu3 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inv_uCpe1ggdrz2Ob36F8QoNZUu3",
                     *         "status": "active",
                     *         "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "company": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "investor": {
                     *           "id": "usr_FfHt5oJM6GIXjLPLZWnto3Iw"
                     *         },
                     *         "amounts": {
                     *           "committed_cents": 75000,
                     *           "in_escrow_cents": 0,
                     *           "refund_due_cents": 0,
                     *           "currency": "usd"
                     *         },
                     *         "applied_at": "2026-11-15T08:00:00.000000Z",
                     *         "confirmed_at": null,
                     *         "executed_at": null,
                     *         "canceled_at": null,
                     *         "converted_at": null,
                     *         "converted_to": null,
                     *         "converted_from": null,
                     *         "payment": "none",
                     *         "identity": "required",
                     *         "accreditation": "not_required",
                     *         "signature": "required",
                     *         "review": "not_required",
                     *         "hidden": false
                     *       },
                     *       "meta": {
                     *         "events": [],
                     *         "event_count": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxInvestment"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxInvestmentVerifyIdentity: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example inv_uCpe1ggdrz2Ob36F8QoNZUu3 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "inv_uCpe1ggdrz2Ob36F8QoNZUu3",
                     *         "status": "active",
                     *         "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "company": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "investor": {
                     *           "id": "usr_FfHt5oJM6GIXjLPLZWnto3Iw"
                     *         },
                     *         "amounts": {
                     *           "committed_cents": 75000,
                     *           "in_escrow_cents": 0,
                     *           "refund_due_cents": 0,
                     *           "currency": "usd"
                     *         },
                     *         "applied_at": "2026-11-15T08:00:00.000000Z",
                     *         "confirmed_at": null,
                     *         "executed_at": null,
                     *         "canceled_at": null,
                     *         "converted_at": null,
                     *         "converted_to": null,
                     *         "converted_from": null,
                     *         "payment": "none",
                     *         "identity": "passed",
                     *         "accreditation": "not_required",
                     *         "signature": "required",
                     *         "review": "not_required",
                     *         "hidden": false
                     *       },
                     *       "meta": {
                     *         "events": [],
                     *         "event_count": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxInvestment"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxJoinSessionCreate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxNewJoinSession"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "js_1Pqx8E3CDu6BkARvqS9CZ3ku",
                     *         "type": "join_session",
                     *         "attributes": {
                     *           "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "status": "open",
                     *           "ineligible_reason": null,
                     *           "user": null,
                     *           "membership": null,
                     *           "installation": null,
                     *           "metadata": {},
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "expires_at": "2026-12-15T08:00:00.000000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [],
                     *         "event_count": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxJoinSession"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxJoinSessionAwaitApproval: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example js_1Pqx8E3CDu6BkARvqS9CZ3ku */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "user": "usr_27aVHSXogLJtAP1AWjp72uY8"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxFinish"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "js_1Pqx8E3CDu6BkARvqS9CZ3ku",
                     *         "type": "join_session",
                     *         "attributes": {
                     *           "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "status": "pending_approval",
                     *           "ineligible_reason": null,
                     *           "user": "usr_27aVHSXogLJtAP1AWjp72uY8",
                     *           "membership": "mem_Wk00RAcrXHM9XDBOQMcNJ04M",
                     *           "installation": null,
                     *           "metadata": {},
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "expires_at": "2026-12-15T08:00:00.000000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_vzA6Fn5fCHbXPBx7k3yroVk4",
                     *             "event": "join_session.pending_approval",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "js_1Pqx8E3CDu6BkARvqS9CZ3ku",
                     *               "user": {
                     *                 "id": "usr_27aVHSXogLJtAP1AWjp72uY8",
                     *                 "name": "Edda"
                     *               },
                     *               "theme": {
                     *                 "id": null,
                     *                 "version": null,
                     *                 "override_fingerprint": null
                     *               },
                     *               "status": "pending_approval",
                     *               "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "ineligible_reason": null,
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxJoinSession"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxJoinSessionCancel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example js_QdDO0ON4VOGIXPwkP2clbVv2 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "js_QdDO0ON4VOGIXPwkP2clbVv2",
                     *         "type": "join_session",
                     *         "attributes": {
                     *           "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "status": "canceled",
                     *           "ineligible_reason": null,
                     *           "user": null,
                     *           "membership": null,
                     *           "installation": null,
                     *           "metadata": {},
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "expires_at": "2026-12-15T08:00:00.000000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_cDZ9ddQsj3drrgpc7D0pCPIK",
                     *             "event": "join_session.canceled",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "js_QdDO0ON4VOGIXPwkP2clbVv2",
                     *               "user": null,
                     *               "theme": {
                     *                 "id": null,
                     *                 "version": null,
                     *                 "override_fingerprint": null
                     *               },
                     *               "status": "canceled",
                     *               "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "ineligible_reason": null,
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxJoinSession"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxJoinSessionComplete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example js_91lgsiIEcHlYJL5qufw3Q5dh */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["SandboxJoinCompletion"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "js_91lgsiIEcHlYJL5qufw3Q5dh",
                     *         "type": "join_session",
                     *         "attributes": {
                     *           "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "status": "joined",
                     *           "ineligible_reason": null,
                     *           "user": "usr_FjJWWrQYa4oEBOSXl0djD8mc",
                     *           "membership": "mem_8PxmMCtSu4zph4FU29dRiERz",
                     *           "installation": null,
                     *           "metadata": {},
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "expires_at": "2026-12-15T08:00:00.000000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_2Fy89XiOSan8OCTOC7eoS91d",
                     *             "event": "syndicate_member.approved",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "mem_8PxmMCtSu4zph4FU29dRiERz",
                     *               "user": {
                     *                 "id": "usr_FjJWWrQYa4oEBOSXl0djD8mc",
                     *                 "name": "Dele",
                     *                 "email": "dele@example.com"
                     *               },
                     *               "status": "approved",
                     *               "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "approved_by": {
                     *                 "id": "usr_o4ZcgtI7KCJKJgCSyxlS7SCA",
                     *                 "name": "Daniel Reyes"
                     *               },
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           },
                     *           {
                     *             "id": "evt_nEVvvOGcqhetSCzAOfQ7pmQd",
                     *             "event": "syndicate_member.joined",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "mem_8PxmMCtSu4zph4FU29dRiERz",
                     *               "user": {
                     *                 "id": "usr_FjJWWrQYa4oEBOSXl0djD8mc",
                     *                 "name": "Dele",
                     *                 "email": "dele@example.com"
                     *               },
                     *               "status": "member",
                     *               "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "approved_by": {
                     *                 "id": "usr_o4ZcgtI7KCJKJgCSyxlS7SCA",
                     *                 "name": "Daniel Reyes"
                     *               },
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           },
                     *           {
                     *             "id": "evt_WNrQQeCQ0W31a3PwC8iA49cA",
                     *             "event": "join_session.completed",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "js_91lgsiIEcHlYJL5qufw3Q5dh",
                     *               "user": {
                     *                 "id": "usr_FjJWWrQYa4oEBOSXl0djD8mc",
                     *                 "name": "Dele"
                     *               },
                     *               "theme": {
                     *                 "id": null,
                     *                 "version": null,
                     *                 "override_fingerprint": null
                     *               },
                     *               "status": "joined",
                     *               "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "ineligible_reason": null,
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 3
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxJoinSession"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxJoinSessionExpire: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example js_WEwnlJbEByblDGic8oxWrefC */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "js_WEwnlJbEByblDGic8oxWrefC",
                     *         "type": "join_session",
                     *         "attributes": {
                     *           "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "status": "expired",
                     *           "ineligible_reason": null,
                     *           "user": null,
                     *           "membership": null,
                     *           "installation": null,
                     *           "metadata": {},
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "expires_at": "2026-12-15T08:00:00.000000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_NbsEkr2DZjYglCe7u1C2Izjr",
                     *             "event": "join_session.expired",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "js_WEwnlJbEByblDGic8oxWrefC",
                     *               "user": null,
                     *               "theme": {
                     *                 "id": null,
                     *                 "version": null,
                     *                 "override_fingerprint": null
                     *               },
                     *               "status": "expired",
                     *               "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "ineligible_reason": null,
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxJoinSession"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxJoinSessionMarkIneligible: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example js_DgW3XtifDsurWqp3JXhsGtdw */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "jurisdiction",
                 *       "user": "usr_27aVHSXogLJtAP1AWjp72uY8"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxIneligible"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "js_DgW3XtifDsurWqp3JXhsGtdw",
                     *         "type": "join_session",
                     *         "attributes": {
                     *           "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "status": "ineligible",
                     *           "ineligible_reason": "jurisdiction",
                     *           "user": "usr_27aVHSXogLJtAP1AWjp72uY8",
                     *           "membership": null,
                     *           "installation": null,
                     *           "metadata": {},
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "expires_at": "2026-12-15T08:00:00.000000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_7vT3pxFigpTCArh06ri3ZPvw",
                     *             "event": "join_session.ineligible",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "js_DgW3XtifDsurWqp3JXhsGtdw",
                     *               "user": {
                     *                 "id": "usr_27aVHSXogLJtAP1AWjp72uY8",
                     *                 "name": "Edda"
                     *               },
                     *               "theme": {
                     *                 "id": null,
                     *                 "version": null,
                     *                 "override_fingerprint": null
                     *               },
                     *               "status": "ineligible",
                     *               "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "ineligible_reason": "jurisdiction",
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxJoinSession"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxJoinSessionReject: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example js_1Pqx8E3CDu6BkARvqS9CZ3ku */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "js_1Pqx8E3CDu6BkARvqS9CZ3ku",
                     *         "type": "join_session",
                     *         "attributes": {
                     *           "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "status": "rejected",
                     *           "ineligible_reason": null,
                     *           "user": "usr_27aVHSXogLJtAP1AWjp72uY8",
                     *           "membership": "mem_Wk00RAcrXHM9XDBOQMcNJ04M",
                     *           "installation": null,
                     *           "metadata": {},
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "expires_at": "2026-12-15T08:00:00.000000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_Y50WObJTcjufiiBKE7trH7P7",
                     *             "event": "join_session.rejected",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "js_1Pqx8E3CDu6BkARvqS9CZ3ku",
                     *               "user": {
                     *                 "id": "usr_27aVHSXogLJtAP1AWjp72uY8",
                     *                 "name": "Edda"
                     *               },
                     *               "theme": {
                     *                 "id": null,
                     *                 "version": null,
                     *                 "override_fingerprint": null
                     *               },
                     *               "status": "rejected",
                     *               "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "ineligible_reason": null,
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxJoinSession"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxJoinSessionSignIn: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example js_1Pqx8E3CDu6BkARvqS9CZ3ku */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user": "usr_27aVHSXogLJtAP1AWjp72uY8"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxSignIn"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "js_1Pqx8E3CDu6BkARvqS9CZ3ku",
                     *         "type": "join_session",
                     *         "attributes": {
                     *           "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "status": "open",
                     *           "ineligible_reason": null,
                     *           "user": "usr_27aVHSXogLJtAP1AWjp72uY8",
                     *           "membership": null,
                     *           "installation": null,
                     *           "metadata": {},
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "expires_at": "2026-12-15T08:00:00.000000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [],
                     *         "event_count": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxJoinSession"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxMembershipApprove: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example mem_kmzQll4RfHlPx57ccW2EAGxi */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["SandboxApproval"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mem_kmzQll4RfHlPx57ccW2EAGxi",
                     *         "type": "syndicate_member",
                     *         "attributes": {
                     *           "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "user": "usr_K6fRdLXV3C2kZG0S6u3kHHZR",
                     *           "status": "member",
                     *           "approved_by": "usr_o4ZcgtI7KCJKJgCSyxlS7SCA",
                     *           "invited_email": null,
                     *           "joined_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_8YEKpgWV1BFVNB9PxYGLKrDN",
                     *             "event": "syndicate_member.approved",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "mem_kmzQll4RfHlPx57ccW2EAGxi",
                     *               "user": {
                     *                 "id": "usr_K6fRdLXV3C2kZG0S6u3kHHZR",
                     *                 "name": "Faye",
                     *                 "email": "faye@example.com"
                     *               },
                     *               "status": "approved",
                     *               "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "approved_by": {
                     *                 "id": "usr_o4ZcgtI7KCJKJgCSyxlS7SCA",
                     *                 "name": "Daniel Reyes"
                     *               },
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           },
                     *           {
                     *             "id": "evt_1ZrdrW2iUd2B71sMIdAWIFBu",
                     *             "event": "syndicate_member.joined",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "mem_kmzQll4RfHlPx57ccW2EAGxi",
                     *               "user": {
                     *                 "id": "usr_K6fRdLXV3C2kZG0S6u3kHHZR",
                     *                 "name": "Faye",
                     *                 "email": "faye@example.com"
                     *               },
                     *               "status": "member",
                     *               "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "approved_by": {
                     *                 "id": "usr_o4ZcgtI7KCJKJgCSyxlS7SCA",
                     *                 "name": "Daniel Reyes"
                     *               },
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 2
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxMembership"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxMembershipDecline: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example mem_kmzQll4RfHlPx57ccW2EAGxi */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mem_kmzQll4RfHlPx57ccW2EAGxi",
                     *         "type": "syndicate_member",
                     *         "attributes": {
                     *           "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "user": "usr_K6fRdLXV3C2kZG0S6u3kHHZR",
                     *           "status": "declined",
                     *           "approved_by": null,
                     *           "invited_email": null,
                     *           "joined_at": null
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_ix9AWmDoWaYv4yBFzWLXM6vE",
                     *             "event": "syndicate_member.declined",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "mem_kmzQll4RfHlPx57ccW2EAGxi",
                     *               "user": {
                     *                 "id": "usr_K6fRdLXV3C2kZG0S6u3kHHZR",
                     *                 "name": "Faye",
                     *                 "email": "faye@example.com"
                     *               },
                     *               "status": "declined",
                     *               "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "approved_by": null,
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxMembership"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxMembershipFailPayment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example mem_kmzQll4RfHlPx57ccW2EAGxi */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mem_kmzQll4RfHlPx57ccW2EAGxi",
                     *         "type": "syndicate_member",
                     *         "attributes": {
                     *           "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "user": "usr_K6fRdLXV3C2kZG0S6u3kHHZR",
                     *           "status": "payment_failed",
                     *           "approved_by": "usr_o4ZcgtI7KCJKJgCSyxlS7SCA",
                     *           "invited_email": null,
                     *           "joined_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_8P5DwWDjEtjGSJOcQL5vAfMX",
                     *             "event": "syndicate_member.left",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "mem_kmzQll4RfHlPx57ccW2EAGxi",
                     *               "user": {
                     *                 "id": "usr_K6fRdLXV3C2kZG0S6u3kHHZR",
                     *                 "name": "Faye",
                     *                 "email": "faye@example.com"
                     *               },
                     *               "status": "payment_failed",
                     *               "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "approved_by": {
                     *                 "id": "usr_o4ZcgtI7KCJKJgCSyxlS7SCA",
                     *                 "name": "Daniel Reyes"
                     *               },
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxMembership"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxMembershipJoin: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example mem_kmzQll4RfHlPx57ccW2EAGxi */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mem_kmzQll4RfHlPx57ccW2EAGxi",
                     *         "type": "syndicate_member",
                     *         "attributes": {
                     *           "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "user": "usr_K6fRdLXV3C2kZG0S6u3kHHZR",
                     *           "status": "member",
                     *           "approved_by": "usr_o4ZcgtI7KCJKJgCSyxlS7SCA",
                     *           "invited_email": null,
                     *           "joined_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_F5WjqlaSTfqm60pUX0JGQrsq",
                     *             "event": "syndicate_member.joined",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "mem_kmzQll4RfHlPx57ccW2EAGxi",
                     *               "user": {
                     *                 "id": "usr_K6fRdLXV3C2kZG0S6u3kHHZR",
                     *                 "name": "Faye",
                     *                 "email": "faye@example.com"
                     *               },
                     *               "status": "member",
                     *               "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "approved_by": {
                     *                 "id": "usr_o4ZcgtI7KCJKJgCSyxlS7SCA",
                     *                 "name": "Daniel Reyes"
                     *               },
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxMembership"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxMembershipLeave: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example mem_Wk00RAcrXHM9XDBOQMcNJ04M */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mem_Wk00RAcrXHM9XDBOQMcNJ04M",
                     *         "type": "syndicate_member",
                     *         "attributes": {
                     *           "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "user": "usr_27aVHSXogLJtAP1AWjp72uY8",
                     *           "status": "left",
                     *           "approved_by": null,
                     *           "invited_email": "edda@example.com",
                     *           "joined_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_ki8SR7WwPeSuzYatRkrqMJt0",
                     *             "event": "syndicate_member.left",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "mem_Wk00RAcrXHM9XDBOQMcNJ04M",
                     *               "user": {
                     *                 "id": "usr_27aVHSXogLJtAP1AWjp72uY8",
                     *                 "name": "Edda",
                     *                 "email": "edda@example.com"
                     *               },
                     *               "status": "left",
                     *               "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "approved_by": null,
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxMembership"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxMembershipRemove: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example mem_kmzQll4RfHlPx57ccW2EAGxi */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mem_kmzQll4RfHlPx57ccW2EAGxi",
                     *         "type": "syndicate_member",
                     *         "attributes": {
                     *           "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "user": "usr_K6fRdLXV3C2kZG0S6u3kHHZR",
                     *           "status": "removed",
                     *           "approved_by": "usr_o4ZcgtI7KCJKJgCSyxlS7SCA",
                     *           "invited_email": null,
                     *           "joined_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_6kccEL9ITN5RQOYRL3cQ1sy3",
                     *             "event": "syndicate_member.left",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "mem_kmzQll4RfHlPx57ccW2EAGxi",
                     *               "user": {
                     *                 "id": "usr_K6fRdLXV3C2kZG0S6u3kHHZR",
                     *                 "name": "Faye",
                     *                 "email": "faye@example.com"
                     *               },
                     *               "status": "removed",
                     *               "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "approved_by": {
                     *                 "id": "usr_o4ZcgtI7KCJKJgCSyxlS7SCA",
                     *                 "name": "Daniel Reyes"
                     *               },
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxMembership"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxMembershipWithdraw: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example mem_kmzQll4RfHlPx57ccW2EAGxi */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mem_kmzQll4RfHlPx57ccW2EAGxi",
                     *         "type": "syndicate_member",
                     *         "attributes": {
                     *           "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "user": "usr_K6fRdLXV3C2kZG0S6u3kHHZR",
                     *           "status": "withdrawn",
                     *           "approved_by": null,
                     *           "invited_email": null,
                     *           "joined_at": null
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_V5hhA544RMfT0f2AhAcbO4Kd",
                     *             "event": "syndicate_member.declined",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "mem_kmzQll4RfHlPx57ccW2EAGxi",
                     *               "user": {
                     *                 "id": "usr_K6fRdLXV3C2kZG0S6u3kHHZR",
                     *                 "name": "Faye",
                     *                 "email": "faye@example.com"
                     *               },
                     *               "status": "withdrawn",
                     *               "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "approved_by": null,
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxMembership"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxOfferingCancel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example ofr_ObbbPTJnx9h44kRzfMkcJa7v */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "ofr_ObbbPTJnx9h44kRzfMkcJa7v",
                     *         "type": "offering",
                     *         "attributes": {
                     *           "company": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "status": "canceled",
                     *           "testing_the_waters": false,
                     *           "currency": "usd",
                     *           "opens_at": "2026-11-15T08:00:00.000000Z",
                     *           "closes_at": null,
                     *           "closed_at": null,
                     *           "canceled_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_ZGWYZoMCIA6AO4Q4qC30aofE",
                     *             "event": "offering.canceled",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "status": "canceled",
                     *               "company": {
                     *                 "url": "brightkiln",
                     *                 "name": "Brightkiln"
                     *               },
                     *               "offering": "ofr_ObbbPTJnx9h44kRzfMkcJa7v"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxOffering"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxOfferingClose: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example ofr_1bCsqc6mfONxPOZY1RL1OTXe */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "ofr_1bCsqc6mfONxPOZY1RL1OTXe",
                     *         "type": "offering",
                     *         "attributes": {
                     *           "company": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "status": "closed",
                     *           "testing_the_waters": false,
                     *           "currency": "usd",
                     *           "opens_at": "2026-11-15T08:00:00.000000Z",
                     *           "closes_at": null,
                     *           "closed_at": "2026-11-15T08:00:00.000000Z",
                     *           "canceled_at": null
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_y3YEJ3l8H2ujf5RZSdX1Zk5u",
                     *             "event": "offering.closed",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "status": "closed",
                     *               "company": {
                     *                 "url": "brightkiln",
                     *                 "name": "Brightkiln"
                     *               },
                     *               "offering": "ofr_1bCsqc6mfONxPOZY1RL1OTXe"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxOffering"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxOfferingClosing: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example ofr_1bCsqc6mfONxPOZY1RL1OTXe */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "ofr_1bCsqc6mfONxPOZY1RL1OTXe",
                     *         "type": "offering",
                     *         "attributes": {
                     *           "company": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "status": "closing",
                     *           "testing_the_waters": false,
                     *           "currency": "usd",
                     *           "opens_at": "2026-11-15T08:00:00.000000Z",
                     *           "closes_at": null,
                     *           "closed_at": null,
                     *           "canceled_at": null
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_yZzNalJtmt5rcn33XGq6Af9d",
                     *             "event": "offering.closing",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "status": "closing",
                     *               "company": {
                     *                 "url": "brightkiln",
                     *                 "name": "Brightkiln"
                     *               },
                     *               "offering": "ofr_1bCsqc6mfONxPOZY1RL1OTXe"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxOffering"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxOfferingOpen: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example ofr_1bCsqc6mfONxPOZY1RL1OTXe */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "ofr_1bCsqc6mfONxPOZY1RL1OTXe",
                     *         "type": "offering",
                     *         "attributes": {
                     *           "company": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "status": "open",
                     *           "testing_the_waters": false,
                     *           "currency": "usd",
                     *           "opens_at": "2026-11-15T08:00:00.000000Z",
                     *           "closes_at": null,
                     *           "closed_at": null,
                     *           "canceled_at": null
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_vKHiwP0OxbgZrhT5vPyvOw7B",
                     *             "event": "offering.opened",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "status": "open",
                     *               "company": {
                     *                 "url": "brightkiln",
                     *                 "name": "Brightkiln"
                     *               },
                     *               "offering": "ofr_1bCsqc6mfONxPOZY1RL1OTXe"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxOffering"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxRecords: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "type": "sandbox_records",
                     *         "attributes": {
                     *           "offerings": [
                     *             {
                     *               "id": "ofr_S5qTP6lDw80qD12XzaSmQGil",
                     *               "company_id": "co_elMhmDmIHQgx5RPWx28t7vJs",
                     *               "company_name": "Birch Lanterns (sandbox)",
                     *               "testing_the_waters": true
                     *             },
                     *             {
                     *               "id": "ofr_FV98oi8DbIFDWE4NjWITn2W5",
                     *               "company_id": "co_elMhmDmIHQgx5RPWx28t7vJs",
                     *               "company_name": "Birch Lanterns (sandbox)",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_2MJzrqucux6upmhfjvq6Ixro",
                     *               "company_id": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "company_name": "Brightkiln",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "company_id": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "company_name": "Brightkiln",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_cm4KscT86e32Bnv7knQI098j",
                     *               "company_id": "co_2PuaWvyZOi70zhYFBIByYH18",
                     *               "company_name": "Heatharbor",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_ptMzbHS9x3Q0IMu2D2gFwhSl",
                     *               "company_id": "co_mlQLMGGoh8zOmxVgFf5KyHuG",
                     *               "company_name": "Kelpline",
                     *               "testing_the_waters": true
                     *             },
                     *             {
                     *               "id": "ofr_xHJIbTQkQ5TLn3twLt1cwl3m",
                     *               "company_id": "co_otWtnhUDNZhYiSwLb4g4fFB4",
                     *               "company_name": "Vireo Aerospace",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_MMqudAqh22hlPMzgIBrpFkNB",
                     *               "company_id": "co_MF7YIZWJAEKITXPcpRJ1Ik31",
                     *               "company_name": "Lantern Sleep",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_Wf5N3amvt3zXVmmxOaHiUeCJ",
                     *               "company_id": "co_DFdv6dfuqqiu1jfwrVx1iDIj",
                     *               "company_name": "Slate & Sapling",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_dXGCZYz0eBt5WMisQcQpGOhB",
                     *               "company_id": "co_dx0ylEVBuQo5rCH9zZkG1ITE",
                     *               "company_name": "Plumbline Robotics",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_B0gHIKRoKLoVDx2Mz5E7J9g3",
                     *               "company_id": "co_HbnUycthWHcpgyea7FqgZ7mS",
                     *               "company_name": "Fathom Foods",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_7UUeKqOamu4MMh5Ccke7d76c",
                     *               "company_id": "co_ZYM11wbQsW07ljuQO3NYVsM8",
                     *               "company_name": "Mendable",
                     *               "testing_the_waters": true
                     *             },
                     *             {
                     *               "id": "ofr_H6n1rS1SavWaujX07lNsVB1S",
                     *               "company_id": "co_17CYue3UY5k7B7UuHpGiWTt0",
                     *               "company_name": "Redwood Childcare Co-op",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_JqS8uqde733GliMq2wdbTJ8D",
                     *               "company_id": "co_PUT6CX0GPfnlM9GMJ6yFQxp5",
                     *               "company_name": "Tidewell",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_RMByalggHgX8rk4Cm1K2H0aN",
                     *               "company_id": "co_B9P0c8tl3jQfKyj7h730Xh54",
                     *               "company_name": "Nordlys Batteri",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_XUMLxsiuEwlKOhAXhaCOxKip",
                     *               "company_id": "co_N82kZidHMzT1rFBQz7XNLVzM",
                     *               "company_name": "Saltgrass Oysters",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_5Vq646suMu71DwGmBJPjKYax",
                     *               "company_id": "co_4tZeaMgTg785QzDdZ9WR1WpK",
                     *               "company_name": "Umami Yard",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_jPkAfeBJAJiSOo7tNATk20yP",
                     *               "company_id": "co_aTH4F8TlAYitF5DI43M6FvdD",
                     *               "company_name": "Overtone",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_idKilOfpdrrMCmwPlOnEVc89",
                     *               "company_id": "co_WuiLrV1P2SyWtVhZHoGTy73L",
                     *               "company_name": "Wintergreen Memory Care",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_d8BAmgU1ey3275SdBjUxENoy",
                     *               "company_id": "co_bkuTF7B1FY4VvKGvanhT61CR",
                     *               "company_name": "Pawprint Clinics",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_ml0wDqMpIHQ34en22wY3t6zn",
                     *               "company_id": "co_nP6Cw6GoG0tfyRqUlR1JLySE",
                     *               "company_name": "Copperline Brewing",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_3KE915PxW29w11fgaxGQEvAN",
                     *               "company_id": "co_3DQfTUcfFpGkYhmebP31fsua",
                     *               "company_name": "Driftless Solar Commons",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_Lfj2VkJJtLVD1C31r0EodTS9",
                     *               "company_id": "co_sUT2kBp1B2G1B55F0We6Xz54",
                     *               "company_name": "Cobalt Reef",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_r9iy5hcllxVxTBzbm6xeAatG",
                     *               "company_id": "co_KtUVrKbe8sGDjC7QB4s6pV2V",
                     *               "company_name": "Loamworks",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_GYxKpM6prdu8wfLdDSG3dx3z",
                     *               "company_id": "co_NHPEjITKOKBSuAe4rJWTM82A",
                     *               "company_name": "Second Current",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_N7a2RrbmLssIEKOGGjuk1dfS",
                     *               "company_id": "co_zH74RkdvxQp7V8bGyE8gie1S",
                     *               "company_name": "Kleinwerk",
                     *               "testing_the_waters": true
                     *             },
                     *             {
                     *               "id": "ofr_O7Tjj6W38dMHF2s6np9B2N7y",
                     *               "company_id": "co_ATVp7uKcSgVOHtPAroJTl2ir",
                     *               "company_name": "Holzweg",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_qfXku3XWcqkiQoeSHLZfdQ9s",
                     *               "company_id": "co_ed0TnCCls0RT0HoZdTVEzxuQ",
                     *               "company_name": "Marrow & Rye",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_HF025yQvlUHJ6PkOokyiM6jG",
                     *               "company_id": "co_L5HLMD9yAL8LFHl9x8c66Eaq",
                     *               "company_name": "Ledgerleaf",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_NwuMr54Lw8v7jmYU4KcOXG65",
                     *               "company_id": "co_2dJPPpNBPBZNDigNiomVEhXz",
                     *               "company_name": "Hearth & Hinge",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_DOZHrucYkA11S9eOpx4Jvr4u",
                     *               "company_id": "co_tXEZ6hPLgL2BdT4P0QUQ5sqV",
                     *               "company_name": "The Ninth Ward Cinema",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_IQwn4xTJbGbBAlwJyCRtx4KZ",
                     *               "company_id": "co_7KxW7SwTVfuHUdXb5fljGaE4",
                     *               "company_name": "Harvest Ledger",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_mMyyvxkAHiVw1MGtqH4V08Za",
                     *               "company_id": "co_9ng2wuKgE1tX3b7ZajsKzGNA",
                     *               "company_name": "Trailhead Commons",
                     *               "testing_the_waters": true
                     *             },
                     *             {
                     *               "id": "ofr_NhPPxe4KqRNdKv05mXemxov5",
                     *               "company_id": "co_zOJPT0ez54ZyhMNJN7Ir5qAN",
                     *               "company_name": "Atelier Vélo",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_uAkuAN64a2rCdEObZl2Rg35l",
                     *               "company_id": "co_X3ChLJgcCkpoW9l9pxRLPpgT",
                     *               "company_name": "Main Street Makers Fund",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_AGYJsivombDGzuQ3nH9OHxJ5",
                     *               "company_id": "co_epDJu6RyaiArq88fC8dy2Fv3",
                     *               "company_name": "Halftime",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_6ZCKRdHhuS3MJXWpwmSB2ZPv",
                     *               "company_id": "co_kPD2Tf887yJZppbV64dIac71",
                     *               "company_name": "Quietude",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_D5EI4JdAzk45oZpyTvpZqB0J",
                     *               "company_id": "co_gPJD1KeSQFw3QTCtdaqw1ki8",
                     *               "company_name": "Parcelbird",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_CJuFb4AkUQW4x7lJutXec5R7",
                     *               "company_id": "co_y61KCzhJNLOowVM8wFWRaP23",
                     *               "company_name": "Blue Agave Still",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_kPFv5vsnsh6d0a6ps7JF00Wa",
                     *               "company_id": "co_D4BWWuh5wXxu9dGuRDfD35mI",
                     *               "company_name": "Foxglove Games",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_3ww0UnWLaymrozzmHV5YafDO",
                     *               "company_id": "co_hUd3PtLQpCq0gKyHqGVv7zsC",
                     *               "company_name": "Ría Azul",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_1067QPhlwYwopiuevo9ZtWxE",
                     *               "company_id": "co_owkjZRaz77vGJkAFUl5XjLlg",
                     *               "company_name": "Petri & Sons",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_rCMfSRccqx2211A1D4hNWuot",
                     *               "company_id": "co_zTOGDglkebA7NJEXaOMlacl8",
                     *               "company_name": "Juniper & June",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_1LvZsYztruetqEvmPaNTaDOH",
                     *               "company_id": "co_NqRuIS5xRJhvPyn1070UiY3B",
                     *               "company_name": "Orchard Street Kitchen",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_NzLUUnP1xWssb0XjitcAYlIB",
                     *               "company_id": "co_IIv6M4bWK4QjUbttIibg52Or",
                     *               "company_name": "Pine Barrens Records",
                     *               "testing_the_waters": false
                     *             },
                     *             {
                     *               "id": "ofr_wW2VRZb5gyDLFG6VoMyuWcRO",
                     *               "company_id": "co_IS71D7cgIxbsIQOC5THs62gu",
                     *               "company_name": "Stitchwell",
                     *               "testing_the_waters": false
                     *             }
                     *           ],
                     *           "people": [
                     *             {
                     *               "id": "usr_ihU2l0HTGLJgqCsQu4Tedp3r",
                     *               "name": "Theo Investor"
                     *             },
                     *             {
                     *               "id": "usr_nIQELA3laKbhFzfB9Ch3D54M",
                     *               "name": "Iris Investor"
                     *             },
                     *             {
                     *               "id": "usr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "name": "Priya Raman"
                     *             },
                     *             {
                     *               "id": "usr_0CvZNavaLSCY61sBnrpnlKBz",
                     *               "name": "Amara Osei"
                     *             },
                     *             {
                     *               "id": "usr_FfHt5oJM6GIXjLPLZWnto3Iw",
                     *               "name": "Jonas Lindqvist"
                     *             },
                     *             {
                     *               "id": "usr_o4ZcgtI7KCJKJgCSyxlS7SCA",
                     *               "name": "Daniel Reyes"
                     *             },
                     *             {
                     *               "id": "usr_c5DVPGLYMuXxR95cBIQayQWq",
                     *               "name": "Mei Huang"
                     *             }
                     *           ],
                     *           "examples": [
                     *             "syn_eQCrQVNo3z2nTZCjyrkeHf70",
                     *             "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "ofr_x8HwZW9SnZTYWfoo7cjLCYTO",
                     *             "inv_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "usr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "app_Lh38RnVidL5pjHfGpa7uywc7",
                     *             "org_0V3xkQ2b9TzQ4mYcW8sLr7Hp"
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxRecords"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxSyndicateApply: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user": "usr_K6fRdLXV3C2kZG0S6u3kHHZR"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxPerson"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mem_kmzQll4RfHlPx57ccW2EAGxi",
                     *         "type": "syndicate_member",
                     *         "attributes": {
                     *           "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "user": "usr_K6fRdLXV3C2kZG0S6u3kHHZR",
                     *           "status": "pending",
                     *           "approved_by": null,
                     *           "invited_email": null,
                     *           "joined_at": null
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_sH0aOifIm4Z6jTcIm0lh4PQf",
                     *             "event": "syndicate_member.applied",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "mem_kmzQll4RfHlPx57ccW2EAGxi",
                     *               "user": {
                     *                 "id": "usr_K6fRdLXV3C2kZG0S6u3kHHZR",
                     *                 "name": "Faye",
                     *                 "email": "faye@example.com"
                     *               },
                     *               "status": "pending",
                     *               "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "approved_by": null,
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxMembership"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxSyndicateInvite: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "rosa.portalsandbox@example.com",
                 *       "name": "Rosa Marin"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxInvite"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "email": "rosa.portalsandbox@example.com",
                     *         "name": "Rosa Marin",
                     *         "user": null,
                     *         "invited_by": {
                     *           "id": "usr_o4ZcgtI7KCJKJgCSyxlS7SCA",
                     *           "name": "Daniel Reyes"
                     *         },
                     *         "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_0nUn2mxZDDo7dyrPCzJGxF7J",
                     *             "event": "syndicate_member.invited",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "name": "Rosa Marin",
                     *               "user": null,
                     *               "email": "rosa.portalsandbox@example.com",
                     *               "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "invited_by": {
                     *                 "id": "usr_o4ZcgtI7KCJKJgCSyxlS7SCA",
                     *                 "name": "Daniel Reyes"
                     *               },
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxInvitation"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxSyndicateJoin: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user": "usr_27aVHSXogLJtAP1AWjp72uY8"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxPerson"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mem_Wk00RAcrXHM9XDBOQMcNJ04M",
                     *         "type": "syndicate_member",
                     *         "attributes": {
                     *           "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "user": "usr_27aVHSXogLJtAP1AWjp72uY8",
                     *           "status": "member",
                     *           "approved_by": null,
                     *           "invited_email": "edda@example.com",
                     *           "joined_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_DV7KzbJu0x7YTwDR8P1MxTzy",
                     *             "event": "syndicate_member.joined",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "id": "mem_Wk00RAcrXHM9XDBOQMcNJ04M",
                     *               "user": {
                     *                 "id": "usr_27aVHSXogLJtAP1AWjp72uY8",
                     *                 "name": "Edda",
                     *                 "email": "edda@example.com"
                     *               },
                     *               "status": "member",
                     *               "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "approved_by": null,
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxMembership"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxSyndicateReinvite: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "rosa.portalsandbox@example.com",
                 *       "name": "Rosa Marin"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxInvite"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "email": "rosa.portalsandbox@example.com",
                     *         "name": "Rosa Marin",
                     *         "user": null,
                     *         "invited_by": {
                     *           "id": "usr_o4ZcgtI7KCJKJgCSyxlS7SCA",
                     *           "name": "Daniel Reyes"
                     *         },
                     *         "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *       },
                     *       "meta": {
                     *         "events": [
                     *           {
                     *             "id": "evt_264p4xRAxAGd6ElBvgzN2pJK",
                     *             "event": "syndicate_member.reinvited",
                     *             "occurred_at": "2026-11-15T08:00:00.000000Z",
                     *             "data": {
                     *               "name": "Rosa Marin",
                     *               "user": null,
                     *               "email": "rosa.portalsandbox@example.com",
                     *               "syndicate": "syn_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "invited_by": {
                     *                 "id": "usr_o4ZcgtI7KCJKJgCSyxlS7SCA",
                     *                 "name": "Daniel Reyes"
                     *               },
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           }
                     *         ],
                     *         "event_count": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxInvitation"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxUserDeactivate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example usr_TOcTY7VKgxiJeP7BcTEz3qhI */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "usr_TOcTY7VKgxiJeP7BcTEz3qhI",
                     *         "type": "user",
                     *         "attributes": {
                     *           "deactivated": true
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [],
                     *         "event_count": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxUser"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    portalSandboxUserVisit: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example usr_FfHt5oJM6GIXjLPLZWnto3Iw */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "company": "co_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                 *       "ref": "SPRING-26"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxVisit"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "usr_FfHt5oJM6GIXjLPLZWnto3Iw",
                     *         "type": "user",
                     *         "attributes": {
                     *           "deactivated": false
                     *         }
                     *       },
                     *       "meta": {
                     *         "events": [],
                     *         "event_count": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SandboxUser"];
                        meta: components["schemas"]["SandboxMeta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addAppScopes: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "scopes": [
                 *         "read:profile"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ScopeChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *         "type": "scope_addition",
                     *         "attributes": {
                     *           "scopes": [
                     *             "read:profile",
                     *             "read:investments"
                     *           ],
                     *           "added": [
                     *             "read:profile"
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ScopeAddition"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewAppScopes: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "remove": [
                 *         "read:investments"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["WantedScopes"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "type": "scope_preview",
                     *         "attributes": {
                     *           "scopes": [
                     *             "read:explore",
                     *             "read:profile",
                     *             "write:profile",
                     *             "write:follows",
                     *             "write:comments",
                     *             "read:companies",
                     *             "read:webhooks",
                     *             "write:webhooks",
                     *             "read:referral_codes",
                     *             "write:referral_codes",
                     *             "read:installations",
                     *             "write:installations",
                     *             "read:investors:pii",
                     *             "read:syndicates",
                     *             "write:syndicates",
                     *             "read:invite_links",
                     *             "write:invite_links",
                     *             "read:investment_sessions",
                     *             "write:investment_sessions",
                     *             "write:syndicate_members",
                     *             "read:files",
                     *             "read:attribution:aggregate",
                     *             "write:attribution"
                     *           ],
                     *           "added": [],
                     *           "removed": [
                     *             "read:investments"
                     *           ],
                     *           "modes": {
                     *             "test": {
                     *               "installations": {
                     *                 "before": 6,
                     *                 "after": 6,
                     *                 "narrowed": 6,
                     *                 "disconnected": 0,
                     *                 "lacking_added": 0
                     *               },
                     *               "access_tokens": {
                     *                 "before": 7,
                     *                 "after": 1,
                     *                 "revoked": 6
                     *               },
                     *               "refresh_tokens": {
                     *                 "before": 4,
                     *                 "after": 0,
                     *                 "revoked": 4
                     *               },
                     *               "endpoints": {
                     *                 "before": 1,
                     *                 "after": 1,
                     *                 "disabled": 0,
                     *                 "losing_events": 1
                     *               }
                     *             },
                     *             "live": {
                     *               "installations": {
                     *                 "before": 0,
                     *                 "after": 0,
                     *                 "narrowed": 0,
                     *                 "disconnected": 0,
                     *                 "lacking_added": 0
                     *               },
                     *               "access_tokens": {
                     *                 "before": 0,
                     *                 "after": 0,
                     *                 "revoked": 0
                     *               },
                     *               "refresh_tokens": {
                     *                 "before": 0,
                     *                 "after": 0,
                     *                 "revoked": 0
                     *               },
                     *               "endpoints": {
                     *                 "before": 0,
                     *                 "after": 0,
                     *                 "disabled": 0,
                     *                 "losing_events": 0
                     *               }
                     *             }
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ScopePreview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeAppScopes: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_HaaaA5Rzgoi33m6hLRQnB2vL */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "scopes": [
                 *         "read:profile"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ScopeChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_HaaaA5Rzgoi33m6hLRQnB2vL",
                     *         "type": "scope_removal",
                     *         "attributes": {
                     *           "scopes": [
                     *             "read:investments"
                     *           ],
                     *           "removed": [
                     *             "read:profile"
                     *           ],
                     *           "installs_narrowed": 0,
                     *           "installs_disconnected": 0,
                     *           "tokens_revoked": 0,
                     *           "refresh_tokens_revoked": 0,
                     *           "endpoints_disabled": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ScopeRemoval"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readAppUsage: {
        parameters: {
            query?: {
                /** @example test */
                mode?: "test" | "live";
                /**
                 * @description `hour` by default.
                 * @example hour
                 */
                unit?: "hour" | "day";
            };
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "type": "app_usage",
                     *         "attributes": {
                     *           "unit": "hour",
                     *           "series": [
                     *             {
                     *               "begins_at": "2026-11-15T08:00:00.000000Z",
                     *               "requests": 117,
                     *               "client_errors": 1,
                     *               "server_errors": 0,
                     *               "unlogged": 0,
                     *               "mean_ms": 42
                     *             }
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AppUsage"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAppWebhookDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /** @example whe_ZJCYZvsZ1mu2Zxhp66nAID8q */
                endpoint_id?: string;
                /** @example test */
                mode?: "test" | "live";
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 1
                 */
                per_page?: number;
                /**
                 * @description A whole id: of a delivery (its redeliveries too), an event, an endpoint, an installation, or a company, syndicate, offering, investment, membership or session that the event is about.
                 * @example evt_0V3xkQ2b9TzQ4mYcW8sLr7Hp
                 */
                q?: string;
                /**
                 * @description Deliveries made at this time of their world or later: compare it with created_at.
                 * @example 2026-11-15T08:00:00Z
                 */
                since?: string;
                /** @example exhausted */
                status?: "pending" | "delivered" | "exhausted" | "canceled";
                /**
                 * @description Events of these names, wildcards included (`investment.*`); all, if left out.
                 * @example [
                 *       "investment.*"
                 *     ]
                 */
                types?: ("investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed" | "*" | "investment.*" | "offering.*" | "investment_session.*" | "syndicate_member.*" | "join_session.*" | "installation.*" | "referral_cohorts.*" | "intent.*")[];
                /**
                 * @description Deliveries made before this time.
                 * @example 2026-11-16T08:00:00Z
                 */
                until?: string;
            };
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "dlv_M9IeQtoHp7uIBEwiwRF95bRr",
                     *           "type": "webhook_delivery",
                     *           "attributes": {
                     *             "event": "investment.amount_changed",
                     *             "event_id": "evt_9l9f8O9x2fukYpQea8WZNFIL",
                     *             "installation_id": "inst_nBTZeSegcyCiq1WeOlGGUXqp",
                     *             "status": "delivered",
                     *             "reason": null,
                     *             "api_version": "2026-11-01",
                     *             "attempt_count": 1,
                     *             "last_attempt": {
                     *               "at": "2026-11-15T08:00:00.000000Z",
                     *               "response_code": 200,
                     *               "error": null,
                     *               "duration_ms": 42,
                     *               "response": "ok"
                     *             },
                     *             "next_attempt_at": null,
                     *             "created_at": "2026-11-15T08:00:00.000000Z",
                     *             "ended_at": "2026-11-15T08:00:00.000000Z",
                     *             "redelivery_of": null,
                     *             "mode": "test",
                     *             "endpoint_id": "whe_ZJCYZvsZ1mu2Zxhp66nAID8q"
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "has_more": true,
                     *         "page_count": 1,
                     *         "next_cursor": "ZXhhbXBsZS1vcGFxdWUtdmFsdWU",
                     *         "request_id": "req_9olJFfjWSmemaP07sVtCop4N"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AppWebhookDelivery"][];
                        meta: {
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                            request_id: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAppWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example dlv_M9IeQtoHp7uIBEwiwRF95bRr */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "dlv_M9IeQtoHp7uIBEwiwRF95bRr",
                     *         "type": "webhook_delivery",
                     *         "attributes": {
                     *           "event": "investment.amount_changed",
                     *           "event_id": "evt_9l9f8O9x2fukYpQea8WZNFIL",
                     *           "installation_id": "inst_nBTZeSegcyCiq1WeOlGGUXqp",
                     *           "status": "delivered",
                     *           "reason": null,
                     *           "api_version": "2026-11-01",
                     *           "attempt_count": 1,
                     *           "last_attempt": {
                     *             "at": "2026-11-15T08:00:00.000000Z",
                     *             "response_code": 200,
                     *             "error": null,
                     *             "duration_ms": 42,
                     *             "response": "ok"
                     *           },
                     *           "next_attempt_at": null,
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "ended_at": "2026-11-15T08:00:00.000000Z",
                     *           "redelivery_of": null,
                     *           "mode": "test",
                     *           "endpoint_id": "whe_ZJCYZvsZ1mu2Zxhp66nAID8q",
                     *           "attempts": [
                     *             {
                     *               "at": "2026-11-15T08:00:00.000000Z",
                     *               "response_code": 200,
                     *               "error": null,
                     *               "duration_ms": 42,
                     *               "response": "ok"
                     *             }
                     *           ],
                     *           "payload": {
                     *             "id": "evt_9l9f8O9x2fukYpQea8WZNFIL",
                     *             "event": "investment.amount_changed",
                     *             "created_at": "2026-11-15T08:00:00.000000Z",
                     *             "mode": "test",
                     *             "installation": {
                     *               "id": "inst_nBTZeSegcyCiq1WeOlGGUXqp",
                     *               "target": {
                     *                 "type": "user",
                     *                 "id": "usr_0V3xkQ2b9TzQ4mYcW8sLr7Hp"
                     *               }
                     *             },
                     *             "data": {
                     *               "id": "inv_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "status": "active",
                     *               "amounts": {
                     *                 "committed": 5000
                     *               },
                     *               "investor": {
                     *                 "id": "usr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *                 "name": "Priya Raman"
                     *               },
                     *               "offering": "ofr_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "previous_amounts": {
                     *                 "committed": 6000
                     *               },
                     *               "occurred_at": "2026-11-15T08:00:00.000000Z"
                     *             }
                     *           },
                     *           "payload_reason": null
                     *         }
                     *       },
                     *       "meta": {
                     *         "request_id": "req_k3uA5XBa6cq4Mvj2mMkn6EHq"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AppWebhookDeliveryWithPayloadEnvelope"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliverAppWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example dlv_M9IeQtoHp7uIBEwiwRF95bRr */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "dlv_aaRVu4kFX5BB6RS5x0NAAUEI",
                     *         "type": "webhook_delivery",
                     *         "attributes": {
                     *           "event": "investment.amount_changed",
                     *           "event_id": "evt_9l9f8O9x2fukYpQea8WZNFIL",
                     *           "installation_id": "inst_nBTZeSegcyCiq1WeOlGGUXqp",
                     *           "status": "pending",
                     *           "reason": null,
                     *           "api_version": "2026-11-01",
                     *           "attempt_count": 0,
                     *           "last_attempt": null,
                     *           "next_attempt_at": "2026-11-15T08:00:00.000000Z",
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "ended_at": null,
                     *           "redelivery_of": "dlv_M9IeQtoHp7uIBEwiwRF95bRr",
                     *           "mode": "test",
                     *           "endpoint_id": "whe_ZJCYZvsZ1mu2Zxhp66nAID8q"
                     *         }
                     *       },
                     *       "meta": {
                     *         "request_id": "req_TxBOOdmq7mIXnsODyTWIh1lW"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AppWebhookDeliveryEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Gone"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliverAppWebhookDeliveries: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "mode": "test",
                 *         "status": "exhausted",
                 *         "types": [
                 *           "investment.*"
                 *         ],
                 *         "since": "2026-11-15T07:00:00.000Z",
                 *         "until": "2026-11-15T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AppWebhookRedeliveryRequest"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "type": "webhook_redelivery",
                     *         "accepted": 0,
                     *         "skipped": []
                     *       },
                     *       "meta": {
                     *         "has_more": false,
                     *         "next_cursor": null,
                     *         "request_id": "req_4uVzgV32g0KV8TNeqmVzCjph"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AppWebhookRedeliveryEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamAppWebhookDeliveries: {
        parameters: {
            query?: {
                /** @example whe_ZJCYZvsZ1mu2Zxhp66nAID8q */
                endpoint_id?: string;
                /** @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU */
                last_event_id?: string;
                /** @example test */
                mode?: "test" | "live";
                /**
                 * @description A whole id: of a delivery (its redeliveries too), an event, an endpoint, an installation, or a company, syndicate, offering, investment, membership or session that the event is about.
                 * @example evt_0V3xkQ2b9TzQ4mYcW8sLr7Hp
                 */
                q?: string;
                /**
                 * @description Deliveries made at this time of their world or later: compare it with created_at.
                 * @example 2026-11-15T08:00:00Z
                 */
                since?: string;
                /** @example exhausted */
                status?: "pending" | "delivered" | "exhausted" | "canceled";
                /**
                 * @description Events of these names, wildcards included (`investment.*`); all, if left out.
                 * @example [
                 *       "investment.*"
                 *     ]
                 */
                types?: ("investment.created" | "investment.reinstated" | "investment.canceled" | "investment.converted" | "investment.amount_changed" | "investment.executed" | "investment.changed" | "offering.opened" | "offering.closing" | "offering.closed" | "offering.canceled" | "investment_session.created" | "investment_session.started" | "investment_session.completed" | "investment_session.expired" | "investment_session.canceled" | "syndicate_member.invited" | "syndicate_member.reinvited" | "syndicate_member.applied" | "syndicate_member.approved" | "syndicate_member.joined" | "syndicate_member.left" | "syndicate_member.declined" | "join_session.pending_approval" | "join_session.completed" | "join_session.rejected" | "join_session.ineligible" | "join_session.canceled" | "join_session.expired" | "installation.created" | "installation.revoked" | "investment.referred" | "referral_cohorts.published" | "intent.approved" | "intent.rejected" | "intent.expired" | "intent.executed" | "intent.failed" | "*" | "investment.*" | "offering.*" | "investment_session.*" | "syndicate_member.*" | "join_session.*" | "installation.*" | "referral_cohorts.*" | "intent.*")[];
                /**
                 * @description Deliveries made before this time.
                 * @example 2026-11-16T08:00:00Z
                 */
                until?: string;
            };
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events; `data` is an AppWebhookDelivery as JSON. */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example retry: 2000
                     *     id: ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readAppDeliveryUsage: {
        parameters: {
            query?: {
                /** @example whe_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                endpoint_id?: string;
                /** @example test */
                mode?: "test" | "live";
                /**
                 * @description `hour` by default.
                 * @example hour
                 */
                unit?: "hour" | "day";
            };
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "app_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "type": "app_delivery_usage",
                     *         "attributes": {
                     *           "unit": "hour",
                     *           "series": [
                     *             {
                     *               "begins_at": "2026-11-15T08:00:00.000000Z",
                     *               "delivered": 37,
                     *               "failed": 0,
                     *               "mean_lag_ms": 42
                     *             }
                     *           ]
                     *         }
                     *       },
                     *       "meta": {
                     *         "request_id": "req_8tQ0soG16nfpcMrw7L27PC12"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AppDeliveryUsageEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAppWebhookEndpoints: {
        parameters: {
            query?: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /** @example test */
                mode?: "test" | "live";
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 2
                 */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "whe_ZJCYZvsZ1mu2Zxhp66nAID8q",
                     *           "type": "webhook_endpoint",
                     *           "attributes": {
                     *             "url": "https://hooks.example.com/portico",
                     *             "mode": "test",
                     *             "events": [
                     *               "investment.created",
                     *               "investment.amount_changed",
                     *               "investment.changed"
                     *             ],
                     *             "installation_id": null,
                     *             "enabled": true,
                     *             "disabled_reason": null,
                     *             "failing_since": null,
                     *             "last_delivery_at": "2026-11-15T08:00:00.000000Z",
                     *             "last_delivery_status": "200",
                     *             "created_at": "2026-11-15T08:00:00.000000Z",
                     *             "health": {
                     *               "recent": 4,
                     *               "delivered": 4,
                     *               "success_rate": 1,
                     *               "last_success_at": "2026-11-15T08:00:00.000000Z",
                     *               "last_failure_at": null,
                     *               "waiting": 0
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "id": "whe_iU8iuCaO59Eh30fBrmDCr2t1",
                     *           "type": "webhook_endpoint",
                     *           "attributes": {
                     *             "url": "https://hooks.example.com/portico/all",
                     *             "mode": "test",
                     *             "events": [
                     *               "installation.created",
                     *               "installation.revoked",
                     *               "intent.approved",
                     *               "intent.executed",
                     *               "intent.expired",
                     *               "intent.failed",
                     *               "intent.rejected",
                     *               "investment.amount_changed",
                     *               "investment.canceled",
                     *               "investment.changed",
                     *               "investment.converted",
                     *               "investment.created",
                     *               "investment.executed",
                     *               "investment.referred",
                     *               "investment.reinstated",
                     *               "investment_session.canceled",
                     *               "investment_session.completed",
                     *               "investment_session.created",
                     *               "investment_session.expired",
                     *               "investment_session.started",
                     *               "join_session.canceled",
                     *               "join_session.completed",
                     *               "join_session.expired",
                     *               "join_session.ineligible",
                     *               "join_session.pending_approval",
                     *               "join_session.rejected",
                     *               "offering.canceled",
                     *               "offering.closed",
                     *               "offering.closing",
                     *               "offering.opened",
                     *               "referral_cohorts.published",
                     *               "syndicate_member.applied",
                     *               "syndicate_member.approved",
                     *               "syndicate_member.declined",
                     *               "syndicate_member.invited",
                     *               "syndicate_member.joined",
                     *               "syndicate_member.left",
                     *               "syndicate_member.reinvited"
                     *             ],
                     *             "installation_id": null,
                     *             "enabled": true,
                     *             "disabled_reason": null,
                     *             "failing_since": null,
                     *             "last_delivery_at": "2026-11-15T08:00:00.000000Z",
                     *             "last_delivery_status": "200",
                     *             "created_at": "2026-11-15T08:00:00.000000Z",
                     *             "health": {
                     *               "recent": 33,
                     *               "delivered": 33,
                     *               "success_rate": 1,
                     *               "last_success_at": "2026-11-15T08:00:00.000000Z",
                     *               "last_failure_at": null,
                     *               "waiting": 0
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "has_more": false,
                     *         "page_count": 2,
                     *         "next_cursor": null,
                     *         "quota": 10,
                     *         "request_id": "req_swstwSuiCkoagErdwHWpbFUv"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AppWebhookEndpoint"][];
                        meta: {
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                            /** @description How many endpoints an app can have in each mode. */
                            quota: number;
                            request_id: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAppWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mode": "test",
                 *       "url": "https://hooks.example.com/portico",
                 *       "events": [
                 *         "investment.created",
                 *         "investment.amount_changed",
                 *         "investment.changed"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewAppWebhookEndpoint"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "whe_ZJCYZvsZ1mu2Zxhp66nAID8q",
                     *         "type": "webhook_endpoint",
                     *         "attributes": {
                     *           "url": "https://hooks.example.com/portico",
                     *           "mode": "test",
                     *           "events": [
                     *             "investment.created",
                     *             "investment.amount_changed",
                     *             "investment.changed"
                     *           ],
                     *           "installation_id": null,
                     *           "enabled": true,
                     *           "disabled_reason": null,
                     *           "failing_since": null,
                     *           "last_delivery_at": null,
                     *           "last_delivery_status": null,
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "health": {
                     *             "recent": 0,
                     *             "delivered": 0,
                     *             "success_rate": null,
                     *             "last_success_at": null,
                     *             "last_failure_at": null,
                     *             "waiting": 0
                     *           },
                     *           "secret": "whsec_ZXhhbXBsZS1vbmx5LWV4YW1wbGUtb25seS1leGFtcGxl"
                     *         }
                     *       },
                     *       "meta": {
                     *         "request_id": "req_iRX4s1tf4Ko8mYkrIhCUmobC"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AppWebhookEndpointEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAppWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example whe_ZJCYZvsZ1mu2Zxhp66nAID8q */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "whe_ZJCYZvsZ1mu2Zxhp66nAID8q",
                     *         "type": "webhook_endpoint",
                     *         "attributes": {
                     *           "url": "https://hooks.example.com/portico",
                     *           "mode": "test",
                     *           "events": [
                     *             "investment.created",
                     *             "investment.amount_changed",
                     *             "investment.changed"
                     *           ],
                     *           "installation_id": null,
                     *           "enabled": true,
                     *           "disabled_reason": null,
                     *           "failing_since": null,
                     *           "last_delivery_at": null,
                     *           "last_delivery_status": null,
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "health": {
                     *             "recent": 0,
                     *             "delivered": 0,
                     *             "success_rate": null,
                     *             "last_success_at": null,
                     *             "last_failure_at": null,
                     *             "waiting": 0
                     *           }
                     *         }
                     *       },
                     *       "meta": {
                     *         "request_id": "req_HNEDVaTPtVQFfw0dm77xYjSx"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AppWebhookEndpointEnvelope"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteAppWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example whe_ZJCYZvsZ1mu2Zxhp66nAID8q */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "whe_ZJCYZvsZ1mu2Zxhp66nAID8q",
                     *         "type": "webhook_endpoint",
                     *         "removed": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            id: string;
                            /** @constant */
                            removed: true;
                            /** @constant */
                            type: "webhook_endpoint";
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateAppWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example whe_ZJCYZvsZ1mu2Zxhp66nAID8q */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         "investment.created"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEndpointChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "whe_ZJCYZvsZ1mu2Zxhp66nAID8q",
                     *         "type": "webhook_endpoint",
                     *         "attributes": {
                     *           "url": "https://hooks.example.com/portico",
                     *           "mode": "test",
                     *           "events": [
                     *             "investment.created"
                     *           ],
                     *           "installation_id": null,
                     *           "enabled": true,
                     *           "disabled_reason": null,
                     *           "failing_since": null,
                     *           "last_delivery_at": "2026-11-15T08:00:00.000000Z",
                     *           "last_delivery_status": "200",
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "health": {
                     *             "recent": 5,
                     *             "delivered": 5,
                     *             "success_rate": 1,
                     *             "last_success_at": "2026-11-15T08:00:00.000000Z",
                     *             "last_failure_at": null,
                     *             "waiting": 0
                     *           }
                     *         }
                     *       },
                     *       "meta": {
                     *         "request_id": "req_eDI41wHFu6MWfWG6xMDi2s8K"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AppWebhookEndpointEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reenableAppWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example whe_ZJCYZvsZ1mu2Zxhp66nAID8q */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "whe_ZJCYZvsZ1mu2Zxhp66nAID8q",
                     *         "type": "webhook_endpoint",
                     *         "attributes": {
                     *           "url": "https://hooks.example.com/portico",
                     *           "mode": "test",
                     *           "events": [
                     *             "investment.created"
                     *           ],
                     *           "installation_id": null,
                     *           "enabled": true,
                     *           "disabled_reason": null,
                     *           "failing_since": null,
                     *           "last_delivery_at": "2026-11-15T08:00:00.000000Z",
                     *           "last_delivery_status": "200",
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "health": {
                     *             "recent": 5,
                     *             "delivered": 5,
                     *             "success_rate": 1,
                     *             "last_success_at": "2026-11-15T08:00:00.000000Z",
                     *             "last_failure_at": null,
                     *             "waiting": 0
                     *           }
                     *         }
                     *       },
                     *       "meta": {
                     *         "request_id": "req_9Pk5Eb8FYh7CKF5302G1JLTQ"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AppWebhookEndpointEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayAppWebhookDeliveries: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example whe_ZJCYZvsZ1mu2Zxhp66nAID8q */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-11-15T07:00:00.000Z",
                 *       "only_failed": true
                 *     }
                 */
                "application/json": components["schemas"]["WebhookReplayRequest"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "type": "webhook_replay",
                     *         "queued": 0,
                     *         "continue_since": null
                     *       },
                     *       "meta": {
                     *         "request_id": "req_yVljlcVGhZJZzOy9TlC6JqY0"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookReplayEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateAppWebhookEndpointSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example whe_ZJCYZvsZ1mu2Zxhp66nAID8q */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "whe_ZJCYZvsZ1mu2Zxhp66nAID8q",
                     *         "type": "webhook_endpoint",
                     *         "attributes": {
                     *           "url": "https://hooks.example.com/portico",
                     *           "mode": "test",
                     *           "events": [
                     *             "investment.created",
                     *             "investment.amount_changed",
                     *             "investment.changed"
                     *           ],
                     *           "installation_id": null,
                     *           "enabled": true,
                     *           "disabled_reason": null,
                     *           "failing_since": null,
                     *           "last_delivery_at": "2026-11-15T08:00:00.000000Z",
                     *           "last_delivery_status": "200",
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "health": {
                     *             "recent": 5,
                     *             "delivered": 5,
                     *             "success_rate": 1,
                     *             "last_success_at": "2026-11-15T08:00:00.000000Z",
                     *             "last_failure_at": null,
                     *             "waiting": 0
                     *           },
                     *           "secret": "whsec_ZXhhbXBsZS1vbmx5LWV4YW1wbGUtb25seS1leGFtcGxl"
                     *         }
                     *       },
                     *       "meta": {
                     *         "request_id": "req_wRGHhAsxYS4HATUDYVMC21EJ"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AppWebhookEndpointEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testAppWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example app_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                app_id: string;
                /** @example whe_ZJCYZvsZ1mu2Zxhp66nAID8q */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "event": "investment.created"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookTestRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "type": "webhook_test",
                     *         "delivered": true,
                     *         "response_code": 200,
                     *         "error": null,
                     *         "duration_ms": 42,
                     *         "event": "investment.created",
                     *         "payload": {
                     *           "id": "evt_test_l2EmxL6ykk20CszmzBP5MQJ5",
                     *           "event": "investment.created",
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "mode": "test",
                     *           "installation": {
                     *             "id": "inst_test_I16U3OIl14zPsXEKttYjUiCN",
                     *             "target": null,
                     *             "test": true
                     *           },
                     *           "data": {
                     *             "id": "inv_bVkAzJ2co9x4HO8MdGArqhoX",
                     *             "offering": "ofr_hNav7QdMnUtsSsv1w4tukHic",
                     *             "amounts": {
                     *               "committed": 250
                     *             },
                     *             "investor": {
                     *               "id": "usr_aEtyf3igJz9qKstbj2oNrMtW",
                     *               "name": "Example Investor",
                     *               "email": "investor@example.com"
                     *             },
                     *             "status": "active",
                     *             "occurred_at": "2026-01-11T08:00:00.000000Z",
                     *             "investor_totals": {
                     *               "active_investment_count": 1,
                     *               "total_committed": 250,
                     *               "latest_applied_at": "2026-01-11T08:00:00Z",
                     *               "investor_status": "active"
                     *             }
                     *           }
                     *         }
                     *       },
                     *       "meta": {
                     *         "request_id": "req_QC1TYbawtqbUt4FI941goExG",
                     *         "note": "This test shows transport and signature only. Whether the event arrives depends on each installation and its scopes."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookTestEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example org_fKEBF23k3qxLwQPbD7C0Re34 */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *         "type": "organization",
                     *         "attributes": {
                     *           "name": "Quayside Software",
                     *           "status": "active",
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "ended_at": null,
                     *           "role": "developer"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["OwnOrganization"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    declineInvitation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example org_fKEBF23k3qxLwQPbD7C0Re34 */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, without a body */
            204: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readSignedInPerson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "type": "account",
                     *         "attributes": {
                     *           "name": "Mei Huang",
                     *           "email": "developer@portico.example",
                     *           "organizations": [
                     *             {
                     *               "id": "org_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "type": "organization",
                     *               "attributes": {
                     *                 "name": "Fieldbook",
                     *                 "status": "active",
                     *                 "created_at": "2026-11-15T08:00:00.000000Z",
                     *                 "ended_at": null,
                     *                 "role": "owner"
                     *               }
                     *             }
                     *           ],
                     *           "invitations": []
                     *         }
                     *       },
                     *       "meta": {
                     *         "csrf": "ZXhhbXBsZS1vcGFxdWUtdmFsdWU"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SignedInPerson"];
                        meta: {
                            /** @description Send it in X-Portico-Csrf with every change. Empty for a command line, which needs none. */
                            csrf: string;
                        };
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOwnOrganizations: {
        parameters: {
            query?: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 25
                 */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "org_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "type": "organization",
                     *           "attributes": {
                     *             "name": "Fieldbook",
                     *             "status": "active",
                     *             "created_at": "2026-11-15T08:00:00.000000Z",
                     *             "ended_at": null,
                     *             "role": "owner"
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "has_more": false,
                     *         "page_count": 1,
                     *         "next_cursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["OwnOrganization"][];
                        meta: {
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createOrganization: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Quayside Tools"
                 *     }
                 */
                "application/json": components["schemas"]["OrganizationName"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *         "type": "organization",
                     *         "attributes": {
                     *           "name": "Quayside Tools",
                     *           "status": "active",
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "ended_at": null,
                     *           "role": "owner"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["OwnOrganization"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readOwnOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example org_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "org_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "type": "organization",
                     *         "attributes": {
                     *           "name": "Fieldbook",
                     *           "status": "active",
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "ended_at": null,
                     *           "role": "owner"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["OwnOrganization"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    renameOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example org_fKEBF23k3qxLwQPbD7C0Re34 */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Quayside Software"
                 *     }
                 */
                "application/json": components["schemas"]["OrganizationName"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "org_fKEBF23k3qxLwQPbD7C0Re34",
                     *         "type": "organization",
                     *         "attributes": {
                     *           "name": "Quayside Software",
                     *           "status": "active",
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "ended_at": null,
                     *           "role": "owner"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["OwnOrganization"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 25
                 */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @example org_fKEBF23k3qxLwQPbD7C0Re34 */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "oi_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "type": "invitation",
                     *           "attributes": {
                     *             "email": "editor@portico.example",
                     *             "role": "developer",
                     *             "invited_at": "2026-11-15T08:00:00.000000Z",
                     *             "expires_at": "2026-11-29T08:00:00.000000Z"
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "has_more": false,
                     *         "page_count": 1,
                     *         "next_cursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TeamInvitation"][];
                        meta: {
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    withdrawInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example oi_HNzQrNfonb7JgBecTv04IfQv */
                invitation_id: string;
                /** @example org_fKEBF23k3qxLwQPbD7C0Re34 */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, without a body */
            204: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 25
                 */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @example org_fKEBF23k3qxLwQPbD7C0Re34 */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "acct_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "type": "member",
                     *           "attributes": {
                     *             "name": "Mei Huang",
                     *             "email": "developer@portico.example",
                     *             "role": "owner",
                     *             "joined_at": "2026-11-15T08:00:00.000000Z"
                     *           }
                     *         },
                     *         {
                     *           "id": "acct_EhlYYB7nEC5RcnM7fUTOb1Hq",
                     *           "type": "member",
                     *           "attributes": {
                     *             "name": "Jonas Lindqvist",
                     *             "email": "editor@portico.example",
                     *             "role": "developer",
                     *             "joined_at": "2026-11-15T08:00:00.000000Z"
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "has_more": false,
                     *         "page_count": 2,
                     *         "next_cursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Member"][];
                        meta: {
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Visible ASCII characters without spaces. Makes a repeat safe: within 24 hours the same key, caller and body get the first response again, with Idempotent-Replayed: true. Another body with the same key gets 409.
                 * @example 2f1d7c1e-6f0b-4c8e-9a51-3d2b8f7e6a40
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example org_fKEBF23k3qxLwQPbD7C0Re34 */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "editor@portico.example",
                 *       "role": "developer"
                 *     }
                 */
                "application/json": components["schemas"]["NewMember"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "oi_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *         "type": "invitation",
                     *         "attributes": {
                     *           "email": "editor@portico.example",
                     *           "role": "developer",
                     *           "invited_at": "2026-11-15T08:00:00.000000Z",
                     *           "expires_at": "2026-11-29T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TeamInvitation"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example acct_EhlYYB7nEC5RcnM7fUTOb1Hq */
                account_id: string;
                /** @example org_fKEBF23k3qxLwQPbD7C0Re34 */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, without a body */
            204: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeMemberRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example acct_EhlYYB7nEC5RcnM7fUTOb1Hq */
                account_id: string;
                /** @example org_fKEBF23k3qxLwQPbD7C0Re34 */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "admin"
                 *     }
                 */
                "application/json": components["schemas"]["RoleChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "acct_EhlYYB7nEC5RcnM7fUTOb1Hq",
                     *         "type": "member",
                     *         "attributes": {
                     *           "name": "Jonas Lindqvist",
                     *           "email": "editor@portico.example",
                     *           "role": "admin",
                     *           "joined_at": "2026-11-15T08:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Member"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listNotices: {
        parameters: {
            query?: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 2
                 */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @example org_0V3xkQ2b9TzQ4mYcW8sLr7Hp */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "ntc_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *           "type": "notice",
                     *           "attributes": {
                     *             "event": "app.program_granted",
                     *             "app": {
                     *               "id": "app_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *               "name": "Fieldbook CRM"
                     *             },
                     *             "mode": null,
                     *             "subject": "app_0V3xkQ2b9TzQ4mYcW8sLr7Hp",
                     *             "url": null,
                     *             "failing_since": null,
                     *             "reason": null,
                     *             "expires_at": null,
                     *             "scopes": null,
                     *             "stopped": null,
                     *             "request": null,
                     *             "program": "marketing_partner",
                     *             "tier": 0,
                     *             "created_at": "2026-11-15T08:00:00.000000Z"
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "has_more": false,
                     *         "page_count": 1,
                     *         "next_cursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Notice"][];
                        meta: {
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPickerScopes: {
        parameters: {
            query?: {
                /**
                 * @description The previous page's meta.next_cursor, unchanged.
                 * @example ZXhhbXBsZS1vcGFxdWUtdmFsdWU
                 */
                cursor?: string;
                /**
                 * @description How many rows, 25 by default. Above 100 means 100; zero or less means 25.
                 * @example 25
                 */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "read:explore",
                     *           "type": "scope",
                     *           "attributes": {
                     *             "concerns": "offerings",
                     *             "heading": "Offerings",
                     *             "consent": "See offerings as you see them, including those you were invited to and those for accredited investors only.",
                     *             "sensitive": null,
                     *             "implies": [],
                     *             "beta": false,
                     *             "takes_effect_on": [
                     *               "user"
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "id": "read:profile",
                     *           "type": "scope",
                     *           "attributes": {
                     *             "concerns": "profile",
                     *             "heading": "Your profile",
                     *             "consent": "See your name, email address, account status, companies you follow publicly, activity and connected apps.",
                     *             "sensitive": null,
                     *             "implies": [
                     *               "read:profile:follows"
                     *             ],
                     *             "beta": false,
                     *             "takes_effect_on": [
                     *               "user"
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "id": "write:profile",
                     *           "type": "scope",
                     *           "attributes": {
                     *             "concerns": "profile",
                     *             "heading": "Your profile",
                     *             "consent": "See and change your profile, and disconnect apps you have connected.",
                     *             "sensitive": null,
                     *             "implies": [
                     *               "read:profile"
                     *             ],
                     *             "beta": false,
                     *             "takes_effect_on": [
                     *               "user"
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "id": "write:follows",
                     *           "type": "scope",
                     *           "attributes": {
                     *             "concerns": "profile",
                     *             "heading": "Your profile",
                     *             "consent": "Follow and unfollow companies for you, and see every company you follow.",
                     *             "sensitive": null,
                     *             "implies": [
                     *               "read:profile:follows"
                     *             ],
                     *             "beta": false,
                     *             "takes_effect_on": [
                     *               "user"
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "id": "write:comments",
                     *           "type": "scope",
                     *           "attributes": {
                     *             "concerns": "profile",
                     *             "heading": "Your profile",
                     *             "consent": "Draft questions, answers and comments for you. Nothing is posted until you approve it.",
                     *             "sensitive": null,
                     *             "implies": [],
                     *             "beta": false,
                     *             "takes_effect_on": [
                     *               "user"
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "id": "read:investments",
                     *           "type": "scope",
                     *           "attributes": {
                     *             "concerns": "investments",
                     *             "heading": "Your investments",
                     *             "consent": "See your investments, reservations and portfolio, and the investments in a company you help run.",
                     *             "sensitive": "What you invested or reserved, where and when; for a company you help run, the same of its investors, unnamed.",
                     *             "implies": [],
                     *             "beta": false,
                     *             "takes_effect_on": [
                     *               "user",
                     *               "company"
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "id": "read:companies",
                     *           "type": "scope",
                     *           "attributes": {
                     *             "concerns": "companies",
                     *             "heading": "Companies you run",
                     *             "consent": "See the companies you have access to, their offerings and funds (SPVs), and the investors of any you help run.",
                     *             "sensitive": "What each investor of a company you help run committed, and when. Installed there, it also receives their names.",
                     *             "implies": [],
                     *             "beta": false,
                     *             "takes_effect_on": [
                     *               "user",
                     *               "company"
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "id": "read:webhooks",
                     *           "type": "scope",
                     *           "attributes": {
                     *             "concerns": "app",
                     *             "heading": "The app itself",
                     *             "consent": "See which of its own addresses are notified when something happens.",
                     *             "sensitive": null,
                     *             "implies": [],
                     *             "beta": false,
                     *             "takes_effect_on": [
                     *               "user",
                     *               "company",
                     *               "syndicate"
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "id": "write:webhooks",
                     *           "type": "scope",
                     *           "attributes": {
                     *             "concerns": "app",
                     *             "heading": "The app itself",
                     *             "consent": "See and choose which of its own addresses are notified when something happens.",
                     *             "sensitive": null,
                     *             "implies": [
                     *               "read:webhooks"
                     *             ],
                     *             "beta": false,
                     *             "takes_effect_on": [
                     *               "user",
                     *               "company",
                     *               "syndicate"
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "id": "read:referral_codes",
                     *           "type": "scope",
                     *           "attributes": {
                     *             "concerns": "app",
                     *             "heading": "The app itself",
                     *             "consent": "See its own referral codes and how much they are used.",
                     *             "sensitive": null,
                     *             "implies": [],
                     *             "beta": false,
                     *             "takes_effect_on": [
                     *               "app"
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "id": "write:referral_codes",
                     *           "type": "scope",
                     *           "attributes": {
                     *             "concerns": "app",
                     *             "heading": "The app itself",
                     *             "consent": "Create, rename and pause its own referral codes, and see how much they are used.",
                     *             "sensitive": null,
                     *             "implies": [
                     *               "read:referral_codes"
                     *             ],
                     *             "beta": false,
                     *             "takes_effect_on": [
                     *               "app"
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "id": "read:installations",
                     *           "type": "scope",
                     *           "attributes": {
                     *             "concerns": "app",
                     *             "heading": "The app itself",
                     *             "consent": "See where it is installed.",
                     *             "sensitive": null,
                     *             "implies": [],
                     *             "beta": false,
                     *             "takes_effect_on": [
                     *               "user",
                     *               "company",
                     *               "syndicate"
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "id": "write:installations",
                     *           "type": "scope",
                     *           "attributes": {
                     *             "concerns": "app",
                     *             "heading": "The app itself",
                     *             "consent": "See where it is installed, and install or remove it on companies and syndicates you can edit.",
                     *             "sensitive": null,
                     *             "implies": [
                     *               "read:installations"
                     *             ],
                     *             "beta": false,
                     *             "takes_effect_on": [
                     *               "user",
                     *               "company",
                     *               "syndicate"
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "id": "read:investors:pii",
                     *           "type": "scope",
                     *           "attributes": {
                     *             "concerns": "companies",
                     *             "heading": "Companies you run",
                     *             "consent": "See who the investors of a company you help run are.",
                     *             "sensitive": "Each investor’s name, legal name, email address, postal address, username, bio and message.",
                     *             "implies": [],
                     *             "beta": false,
                     *             "takes_effect_on": [
                     *               "user",
                     *               "company"
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "id": "read:syndicates",
                     *           "type": "scope",
                     *           "attributes": {
                     *             "concerns": "syndicates",
                     *             "heading": "Syndicates you manage",
                     *             "consent": "See the syndicates you manage, with their members, deals, statistics and portfolio.",
                     *             "sensitive": "For a syndicate you manage: each member’s name and email address, and what they invested through it.",
                     *             "implies": [],
                     *             "beta": false,
                     *             "takes_effect_on": [
                     *               "user",
                     *               "syndicate"
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "id": "write:syndicates",
                     *           "type": "scope",
                     *           "attributes": {
                     *             "concerns": "syndicates",
                     *             "heading": "Syndicates you manage",
                     *             "consent": "See and run your syndicates: members, deals and settings. What cannot be undone still needs your approval.",
                     *             "sensitive": "For a syndicate you manage: each member’s name and email address, and what they invested through it.",
                     *             "implies": [
                     *               "read:syndicates",
                     *               "write:syndicate_members"
                     *             ],
                     *             "beta": false,
                     *             "takes_effect_on": [
                     *               "user",
                     *               "syndicate"
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "id": "read:invite_links",
                     *           "type": "scope",
                     *           "attributes": {
                     *             "concerns": "companies",
                     *             "heading": "Companies you run",
                     *             "consent": "See the links and personal invitations that lead people to your offerings.",
                     *             "sensitive": null,
                     *             "implies": [],
                     *             "beta": false,
                     *             "takes_effect_on": [
                     *               "user",
                     *               "company",
                     *               "syndicate"
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "id": "write:invite_links",
                     *           "type": "scope",
                     *           "attributes": {
                     *             "concerns": "companies",
                     *             "heading": "Companies you run",
                     *             "consent": "See, make and change the links and personal invitations that lead people to your offerings.",
                     *             "sensitive": null,
                     *             "implies": [
                     *               "read:invite_links"
                     *             ],
                     *             "beta": false,
                     *             "takes_effect_on": [
                     *               "user",
                     *               "company",
                     *               "syndicate"
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "id": "read:investment_sessions",
                     *           "type": "scope",
                     *           "attributes": {
                     *             "concerns": "companies",
                     *             "heading": "Companies you run",
                     *             "consent": "See the checkouts it opened for people at your offerings, and how they ended.",
                     *             "sensitive": null,
                     *             "implies": [],
                     *             "beta": true,
                     *             "takes_effect_on": [
                     *               "user",
                     *               "company",
                     *               "syndicate"
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "id": "write:investment_sessions",
                     *           "type": "scope",
                     *           "attributes": {
                     *             "concerns": "companies",
                     *             "heading": "Companies you run",
                     *             "consent": "Send people it knows to a checkout for your offerings, and see how it ended. They decide there for themselves.",
                     *             "sensitive": null,
                     *             "implies": [
                     *               "read:investment_sessions"
                     *             ],
                     *             "beta": true,
                     *             "takes_effect_on": [
                     *               "user",
                     *               "company",
                     *               "syndicate"
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "id": "write:syndicate_members",
                     *           "type": "scope",
                     *           "attributes": {
                     *             "concerns": "syndicates",
                     *             "heading": "Syndicates you manage",
                     *             "consent": "Let people sign up to a syndicate you manage from the app’s own site.",
                     *             "sensitive": null,
                     *             "implies": [],
                     *             "beta": true,
                     *             "takes_effect_on": [
                     *               "user",
                     *               "syndicate"
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "has_more": false,
                     *         "page_count": 21,
                     *         "next_cursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PickerScope"][];
                        meta: {
                            /** @description Whether another page exists. Iterate on this, never on an empty page. */
                            has_more: boolean;
                            /** @description For the next page; opaque. */
                            next_cursor: string | null;
                            /** @description Rows in this page. */
                            page_count: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readOwnSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "type": "session",
                     *         "attributes": {
                     *           "kind": "browser",
                     *           "device": "An unknown browser",
                     *           "created_at": "2026-11-15T08:00:00.000000Z",
                     *           "last_used_at": "2026-11-15T08:00:00.000000Z",
                     *           "expires_at": "2026-11-15T16:00:00.000000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            attributes: {
                                /** Format: date-time */
                                created_at: string;
                                device: string | null;
                                /** Format: date-time */
                                expires_at: string;
                                /** @enum {string} */
                                kind: "browser" | "command_line";
                                /**
                                 * Format: date-time
                                 * @description Recorded at most every five minutes.
                                 */
                                last_used_at: string;
                            };
                            /** @constant */
                            type: "session";
                        };
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCommandLineSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "portico_cli_code_ZXhhbXBsZS1vcGFxdWUtdmFsdWUtb2YtYS1jb2RlLXg",
                 *       "code_verifier": "ZXhhbXBsZS1vcGFxdWUtdmFsdWUtb2YtYS12ZXJpZmllcg"
                 *     }
                 */
                "application/json": {
                    code: string;
                    code_verifier: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "portico_cli_ZXhhbXBsZS1vcGFxdWUtdmFsdWUtb2YtYS1zZXNzaW9u",
                     *       "token_type": "bearer",
                     *       "expires_in": 604800,
                     *       "expires_at": "2026-11-22T08:00:00.000000Z",
                     *       "device": "mei-laptop"
                     *     }
                     */
                    "application/json": {
                        /** @description `portico_cli_…`, shown once. */
                        access_token: string;
                        device: string;
                        /** Format: date-time */
                        expires_at: string;
                        /** @description Seconds without a use after which the session ends. */
                        expires_in: number;
                        /** @constant */
                        token_type: "bearer";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endOwnSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, without a body */
            204: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["Unprocessable"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readUsageConditions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Wefunder-Version": components["headers"]["ApiVersion"];
                    "Wefunder-Version-Latest": components["headers"]["ApiVersionLatest"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Wf-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "version": "2026-11-01",
                     *         "url": "/conditions/2026-11-01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            url: string;
                            version: string;
                        };
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            421: components["responses"]["MisdirectedRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
