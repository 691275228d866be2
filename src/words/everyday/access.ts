/** Everyday expressions about who gets in, what they may do, and how secrets are kept: see ../expressions.ts. */
export const ACCESS = `
get back into account | regain access | recover my account > account recovery, password reset
can not log in | locked out | shut out > lockout, login, account recovery, password reset
forget my password | lose my password | no longer know password > password reset, account recovery
make people log in | ask to log in | force to log in > authentication, login required
stay logged in | keep me logged in | not log in again | log in every time > session, remember me, refresh token, session lifetime
kick out of session | log out everywhere | log out other devices | sign out all devices > session revocation, revoke, active sessions
keep kicking me out | log me out | keep getting logged out > session timeout, session expiry, logout
login for everything | same login everywhere | company login | log in with google | work account login > single sign-on, sso, oauth, saml, identity provider
second step at login | code from phone | code by text message | six digit code > two-factor, multi-factor, totp, one-time code
lose my phone | new phone codes | lose authenticator | phone stolen > recovery codes, backup codes, two-factor
log in without password | no password login | fingerprint login | face login > passkey, webauthn, passwordless, magic link
link in email login | login link | log in by email > magic link, passwordless, one-time link
prove who i am | prove who they are | show who i am | know who is calling > authentication, identity, identity verification, credentials
check it is really | make sure really > authentication, identity verification
let through the door > access control, authentication, authorization, grant access
add someone to team | bring people in | get colleagues in > invitation, member, onboarding
person leaves company | employee leaves | left the team | leaver > offboarding, deprovisioning, deactivate, revoke
add people automatically | create users automatically | accounts from directory > provisioning, scim, directory sync, ldap
active directory login | company directory > ldap, directory, identity provider, sso
close my account | get rid of account | quit the service | leave the service > account deletion, deactivation
change who owns | hand over ownership | give to new owner > ownership transfer, owner
pretend to be user | act as another user | log in as customer | see as user > impersonation, act on behalf
act for user | do on behalf > delegation, impersonation, oauth, delegated access
log in for machine | robot account | bot login | account for script > service account, machine user, api key, client credentials
guess passwords | try many passwords | password guessing > brute force, rate limit, lockout, credential stuffing
weak password | easy password | silly password > password policy, password strength
change password regularly | make passwords longer | password rules > password policy, password rotation
two accounts into one | join accounts | same person two accounts > account linking, merge accounts, duplicate
shared login | share one account | share password > shared account, shared credentials, service account
stop new people joining | close signups > registration, open registration, invite only
confirm email | check email is real | email address is theirs > email verification, confirmation link
change my email | change login name | new email address > email change, username, profile
switch between accounts | several accounts | more than one account > multiple accounts, account switching, profiles
stop bots signing up | fake signups | fake accounts > captcha, spam, registration
log in as guest | use without account | try without account > anonymous, guest access, unauthenticated
who can see what | who is allowed > permissions, roles, access control, authorization, rbac
only allowed some things > least privilege, scopes, permissions, restricted
only look not touch | look but not change | can only look > read-only, viewer, permissions
all powerful user | god mode > superuser, administrator, root, full access
give too much | too many rights > least privilege, excessive permissions, over-privileged
take away rights | take away access | cut off access | shut off access > revoke, revocation, deprovisioning
hand out rights | give rights > grant, permission, role assignment, share
why was i refused | turned away | says no access > forbidden, permission denied, unauthorized, access denied
keep strangers out | keep outsiders out | keep people out | lock the door > access control, authentication, firewall
break in | hacked | bad guys | broken into | got hacked > security incident, compromise, intrusion, breach
hacker | attacker gets in | bad actor | evildoer > attacker, threat, threat model
find a security hole | tell about security hole | report a hole > vulnerability disclosure, security policy, responsible disclosure
patch security hole | known holes | holes in packages > vulnerability, security advisory, cve, security update
run in a cage | fence off | run untrusted code > sandbox, isolation, seccomp, containment
keep tenants apart | keep separate customers | see other customer data | wall off > isolation, tenant isolation, multi-tenancy, segregation
sneak code in | slip code in | smuggle commands > injection, sanitization, escaping, input validation
script in page | run script in browser | nasty html > cross-site scripting, xss, content security policy, sanitization
trick user into clicking | forged form | fake request from site > csrf, clickjacking, cross-site request forgery
trick into giving password | fake login page | fake email > phishing, social engineering
stand in the middle | listen in on traffic | spy on connection | eavesdrop > man-in-the-middle, interception, tls, encryption in transit
flood the server | swamp the server | hammer the server | overrun with traffic > denial of service, ddos, rate limit
from these addresses only | only from office > ip allowlist, ip restriction, firewall
block an address | shut out address | ban address > ip block, denylist, firewall rule
snoop | pry > unauthorized access, privacy, eavesdropping
who looked at | who deleted | who touched | who changed > audit log, activity log, history, actor
climb to root | become root | get more rights | sneak more rights > privilege escalation, sudo, elevation
run as root | needs root > root privileges, rootless, sudo, non-root user
second pair of eyes | two people agree > approval, dual control, review, separation of duties
test our defenses | try to break in | hire hackers > penetration test, security audit, bug bounty
prevent cheating | changed behind our back | nobody fiddled with > integrity, tamper detection, signature, checksum
dodgy package | poisoned package | evil dependency > supply chain, malicious package, dependency confusion, provenance
where build comes from | prove where from > provenance, attestation, signature, sbom
nasty software | virus in file > antivirus, malware scan, malicious file
door left open | left wide open | open to the world > exposure, public access, misconfiguration, unauthenticated
make harder to attack | tighten up | lock down | make it safer > hardening, security, restrict, least privilege
nobody else can read | unreadable to others | not even you read | only we can read > end-to-end encryption, encryption, confidentiality
scramble the data | garble | make unreadable > encryption, encrypt, obfuscation
read what is scrambled | unscramble | make readable again > decryption, decrypt, key
scrambled on disk | stolen laptop | stolen disk | disk gets stolen > encryption at rest, disk encryption
scrambled on the wire | safe while travelling | safe on the way > encryption in transit, tls
padlock in browser | secure site | green lock | site not secure > https, tls, certificate
free certificate | get https > let's encrypt, acme, certificate issuance, tls
certificate run out | certificate too old | certificate no longer valid > certificate expiry, certificate renewal, tls
home made certificate | browser does not trust | own certificate > self-signed, certificate authority, trust store
where to put passwords | passwords out of code | hide api key | store keys safely > secrets management, vault, environment variables, secret store
password in git | key in git | committed password | pushed key by accident > secret scanning, leaked secret, rotation, history rewrite
key got out | key leaked | lost my key | key stolen | leak a password > key rotation, revoke, compromised credential
swap the key | make new key | change keys regularly | fresh key > key rotation, rotate, regenerate, roll
lose the key | key gone > key loss, recovery key, key backup, unrecoverable
hide in log | keep out of logs | black out | blank out > redaction, masking, scrubbing, sanitize
password shows in log | secret in log | print the password > redaction, masking, sensitive data, log scrubbing
store passwords safely | how passwords are kept | plain text passwords > password hashing, bcrypt, argon2, salt
know message is from | message really from | prove it came from > signature verification, hmac, authenticity
sign the release | check the download | download not tampered > checksum, signature, gpg, integrity
keys in hardware | key on a stick | usb key > hardware security module, hsm, security key, yubikey
data got out | data on the internet | spill data > data breach, data leak, exposure, incident
password in known leak | password was stolen elsewhere > breached password, compromised password, credential stuffing
never shown again | see it only once | show key again > api key, secret, regenerate, one-time display
stand-in for card number | placeholder for card | never touch card numbers > tokenization, pci, token
password for the key | unlock the key | ask for key password > passphrase, keyring, ssh agent
pass along the password | hand secret to container | give secret to job > secret injection, environment variable, secrets mount
both sides show papers | client shows certificate | both ends prove > mutual tls, mtls, client certificate
talk from code | call from my program | call from code | drive from program > api, sdk, client library
`;
