/** Everyday expressions for identity, sign-in and permissions as products offer them: see ../expressions.ts. */
export const MEMBERS = `
use company accounts | company passwords | office account to enter | with their work account > single sign-on, sso, saml, oidc, identity provider, ldap
button with google | enter with facebook | github button at login > social login, oauth, identity provider, external provider
new colleagues get account by themselves | account made at first login | accounts come and go by themselves > provisioning, scim, just-in-time, jit, directory sync
fired people still enter | gone people still in > deprovisioning, deactivate, scim, revoke
groups from company list | rank from company list | groups come along > group mapping, role mapping, claims, group sync
only people with our mail | only our company addresses | people of our domain > allowed domains, domain restriction, domain verification, email domain
first person in | very first user | who is boss at start > admin, first user, initial, owner, bootstrap
wait until boss lets in | newcomer must wait > pending, approval, default role
make somebody boss | give admin rights | another boss | raise to boss > admin, promote, role, grant
lost boss password | boss locked out | forgot admin password > reset password, admin, recovery, cli
bundle of rights | set of rights | own set of rights > role, custom role, permission set, policy
only own things | only their own rows | see only what they made > row-level, ownership, item permissions, filter, policy
see but not some fields | hide some columns | hide salary column > field permissions, column-level, field-level
strangers may read | open without login > public, anonymous, unauthenticated, public role
rights by group | right from group | several rights at once > group, inheritance, role, union
ask if allowed | is user allowed > authorization check, permission check, policy evaluation, can
rules who may what | rules for rights in text > policy, access rules, rbac, abac, policy language
owner of thing and its folders | right goes down to children | rights through folders > relationship, inheritance, rebac, hierarchy
key for program | key for my script | password for program | secret for script > api key, access token, personal access token, service account, client credentials
key only for some things | key that can only read | weak key on purpose > scope, restricted key, permissions, fine-grained
key stops working | key no longer works | key is too old > expiration, expired, refresh, rotation
get new key without asking | new key by itself | stay in after hour > refresh token, renewal, session, offline_access
where sent after login | page after login | comes back after login > redirect uri, callback url, redirect
wrong page after login | address does not match | login comes back with error > redirect uri mismatch, callback, configuration
program on tv | type code on other device | no keyboard for login > device code, device authorization flow
app has no secret | secret in phone app | login from page code > pkce, public client, authorization code
what is inside token | what token says | read the token > claims, jwt, payload, decode, introspection
more facts in token | add to token | own fact in token > custom claims, claims, mapper, token customization, hook
how long logged in | log out after while | stay in longer > session lifetime, session duration, token lifetime, timeout, expiration
log out of all programs | leave everywhere at once > single logout, global logout, session, revoke, backchannel
second proof | extra code | code app | code each time > mfa, two-factor, 2fa, totp, otp
force extra code > enforce, mfa policy, require, two-factor
only asks sometimes for code | trust this computer | not ask code here > remember device, trusted device, risk-based, step-up
key in laptop | finger instead | face instead of password | without a password > passkey, webauthn, fido2, passwordless, biometric
own look of login | words on login page > branding, theme, custom login, hosted login, white label
own login window | login inside my page > custom ui, embedded login, login api, elements
do something at sign up | check with us first | stop some people at sign up > hook, action, trigger, pre-registration, blocking
bring old users | old users keep passwords | move users from other > user migration, import users, password hash, bulk import
customers as companies | each customer company own people | customer companies > organizations, tenants, multi-tenancy, b2b, workspaces
belongs to two companies | member of two > membership, multiple organizations, switch organization
ask somebody to company | let colleague in by mail > invitation, invite, member
program talks to program | no person involved | server speaks to server > client credentials, machine-to-machine, service account, m2m
help customer by seeing | see what customer sees | go in as customer > impersonation, act as, support access
log of logins | strange logins > audit log, sign-in log, events, suspicious, anomaly
too many wrong passwords | tries again and again | guessing > lockout, brute force, rate limit, attack protection
password known by thieves | password too easy > breached password, password policy, complexity
leave for good | wants everything deleted > delete account, erasure, gdpr, deletion
lock myself out | locked myself out | shut myself out > password reset, reset, recovery, admin
staff login > sso, single sign-on, oidc, saml, ldap
put them in bundles | rights in bundles > group, role, permission
kick user out of devices | out of all devices | throw out of all sessions > session, revoke, logout, invalidate
come in with google | come in with github | enter with existing account > social sign-in, social, oauth, identity provider
after a person registers | after someone signs up | once they have signed up > hook, webhook, after registration, action
server calls another | no person there > client credentials, machine-to-machine, service account
user open this file | may open this | who can open it > permission, check, relation, authorization
show everyone who may | list who has access | who has access to it > expand, permission, access list
in every program | out of every program | all programs at once > single logout, global logout, front-channel, back-channel
web address for login | login under our address > custom domain, domain, cname
mail texts in our words | own words in mails | change text of mails > email template, template, courier
prove it once more | ask password again | type password again > reauthentication, step-up, privileged session
person must be over | agree to new terms | accept our rules > terms of service, consent, terms
lost phone with codes | phone with the codes > recovery codes, lookup secrets, backup codes
before risky step | before something dangerous > step-up, aal2, reauthentication, privileged session
as customer sees it | look as the customer > impersonation
can not type on tv | device without keyboard > device authorization, device code
robots make accounts | bots make accounts > captcha, bot protection
`;
