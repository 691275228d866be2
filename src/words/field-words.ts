/**
 * Words and expressions that mean much the same to people who write about software or the work on it, and to people who ask about it, one group per
 * line. A dictionary of everyday language does not have these. Long because it is a list.
 */
export const FIELD_WORDS = `
account, profile, user
user, member, person, people
customer, client, buyer, shopper, purchaser, payer
merchant, seller, vendor, shop, store
admin, administrator, owner, operator, maintainer
moderator, moderation, staff
team, organization, organisation, company, tenant, workspace
sign up, signup, register, registration, join, create an account, onboarding
sign in, signin, log in, login, logon, authenticate, authentication
sign out, log out, logout, end session
password, passphrase, credential
credential, secret, token, key, api key
token, access token, bearer, jwt
two factor, 2fa, mfa, otp, totp, authenticator, second factor, one time code
single sign on, sso, saml, oauth, oidc, openid, identity provider
permission, right, privilege, scope, access, role, authorization, authorisation, allowed
forbidden, denied, unauthorized, unauthorised, 401, 403, not allowed
captcha, challenge, human verification, bot check
ban, block, blocklist, blacklist, suspend, kick, kick out, expel
mute, silence, ignore, hide
allowlist, whitelist, permitted, exception
invite, invitation, join link, share link
encrypt, encryption, cipher, cryptography, scramble
decrypt, decryption, unlock
tls, ssl, https, certificate, secure connection
http, plain http, insecure, unencrypted
sign, signature, verify, verification, hmac, prove, genuine, authentic, tamper
hash, digest, checksum, fingerprint
privacy, private, personal data, gdpr, confidential
public, anonymous, unauthenticated, without login, not logged in
vulnerability, security hole, exploit, cve
audit, audit log, trail, history, who did what
rate limit, throttle, throttled, quota, too many requests, 429, limit
retry, try again, repeat, resend, attempt, backoff
idempotent, idempotency, safely retry, twice, duplicate, exactly once
timeout, time out, deadline, takes too long, hang
error, failure, fault, problem, exception, fail, go wrong
error code, status code, response code, http status
warning, notice, alert, caution
bug, defect, issue, glitch
debug, troubleshoot, diagnose, diagnosis, find out why
log, logging, trace, journal
monitor, monitoring, observability, metric, telemetry, prometheus, health
health check, liveness, readiness, heartbeat, ping, alive
performance, speed, fast, slow, latency
cache, caching, cached, remember
memory, ram, heap
disk, storage, space
cpu, processor, core
endpoint, route, url, path, call, api
request, call, query
response, answer, reply, result, returned
header, http header
body, payload, content
parameter, argument, option, flag, field, property, attribute, setting
query string, url parameter
method, verb, operation, action
function, method, procedure, routine
sdk, library, package, client library, module, dependency
api, interface, programmatic
webhook, callback, notification, event, notify, signal
event, message, signal, notification
push, push notification, notify, alert, phone
subscribe, subscription, listen, follow, watch
unsubscribe, opt out, stop receiving
stream, streaming, live, real time, realtime, websocket, sse, socket
poll, polling, check regularly
queue, job, background, worker, task, async, asynchronous
schedule, scheduled, cron, timer, later, postpone, periodic, recurring, regularly
delay, wait, pause, defer
trigger, fire, emit, raise, cause, start
handler, hook, listener, callback, middleware, interceptor
plugin, plug, extension, addon, add on, module, integration
middleware, interceptor, filter
pagination, paginate, paging, page, cursor, next page, offset
sort, order, sorting, ranking
filter, search, narrow, query
search, find, look up, lookup, query, locate
list, listing, enumerate, index, all
create, add, new, make, insert, define
read, get, fetch, retrieve, load, show, view
update, edit, change, modify, patch, alter
delete, remove, destroy, erase, drop, discard, get rid of
bulk, batch, many at once, mass, multiple
copy, duplicate, clone, replicate
move, transfer, relocate, migrate
migrate, migration, upgrade, switch, move
rename, change the name
undo, revert, roll back, rollback, restore, recover
restore, recovery, bring back, backup
backup, snapshot, dump, archive
archive, archived, zip, compress
export, download, dump, save as
import, upload, ingest, load
upload, attach, attachment, send a file
download, save, fetch
sync, synchronize, synchronise, synchronization, replicate, replication, mirror, keep up to date
conflict, merge, collision
merge, combine, join, unite
split, divide, separate, partition, shard
share, publish, collaborate
publish, release, deploy, ship, go live
deploy, deployment, rollout, host, hosting, install
install, installation, setup, set up, get started
uninstall, remove
upgrade, update, newer version, migrate
version, release, revision
changelog, release notes, what changed, what is new
deprecated, obsolete, removed, legacy, old
compatible, compatibility, supported, support, works with
configure, configuration, config, setting, preference, option, customize, customise
default, standard, preset, initial
environment variable, env, variable
enable, activate, turn on, switch on
disable, deactivate, turn off, switch off
start, launch, run, boot, begin
stop, shut down, shutdown, terminate, kill, quit, end
graceful shutdown, shut down cleanly, drain
restart, reload, reboot
build, compile, bundle
test, testing, check, try
mock, fake, stub, test double
sandbox, test mode, staging, playground
production, live, prod
server, host, machine, node, instance
client, app, application, program
browser, web page, frontend
mobile, phone, app, device, android, ios
desktop, computer, pc
proxy, reverse proxy, gateway, load balancer, upstream, backend
load balancing, spread the load, distribute
cluster, nodes, replica, high availability, failover
failover, redundant, fallback, standby
container, docker, image, kubernetes, pod
cloud, aws, hosted
network, lan, connection, internet
connect, connection, link, attach
disconnect, connection lost, offline, drop
offline, without internet, disconnected
domain, hostname, dns, address
port, listening, bind
firewall, blocked, network rule
redirect, forward, rewrite
cors, cross origin, other origin
cookie, session
session, login state
database, db, sql, storage, store
table, relation, collection
row, record, entry, item
column, field
index, indexing
schema, structure, data model
transaction, commit, atomic
query, select, sql
primary key, id, identifier, unique
id, identifier, uuid, reference
object, entity, resource, record, model
type, kind, class, category
enum, constant, allowed value
array, list, collection
map, dictionary, object, hash
string, text
number, integer, numeric
boolean, flag, true or false, yes or no
null, empty, missing, none
date, time, timestamp, datetime
timezone, time zone, utc, local time
expire, expiry, expiration, ttl, valid until, lifetime, lapse
renew, renewal, extend, prolong, refresh
validate, validation, check, verify, reject invalid
serialize, serialization, encode, marshal
parse, parser, decode, deserialize
format, layout, syntax
escape, quote, encode
regex, regular expression, pattern
template, boilerplate, snippet, skeleton
macro, shortcut, snippet, abbreviation
shortcut, hotkey, key binding, keybinding, keyboard
vim, vi, modal editing
editor, ide, text editor
command line, cli, terminal, shell, console, command
script, automation, automate
workflow, pipeline, automation
ci, continuous integration, pipeline, build server
git, version control, repository, repo
commit, check in, revision
branch, fork
pull request, merge request, review
review, approve, approval, accept
documentation, docs, manual, guide, tutorial, how to
example, sample, demo
note, page, document, file
file, document, attachment
folder, directory
path, location
link, url, hyperlink, reference
broken link, dead link
backlink, linked from, mentions
tag, label, hashtag, keyword, topic
metadata, frontmatter, front matter, attribute
heading, title, section
table of contents, outline
image, picture, photo, avatar, media
video, movie, clip, media
audio, sound, voice, music
voice call, voice chat, call, talk
emoji, emoticon, smiley, reaction
sticker, emoji
theme, dark mode, colors, colours, appearance, style, css
widget, component, element
button, click, press
menu, dropdown, select
form, input, field
modal, dialog, popup
toolbar, bar, menu bar
sidebar, panel
dashboard, overview, home page
accessibility, a11y, screen reader
language, locale, translation, i18n, internationalization, localization, translate
post, status, toot, message, publish
message, chat, post, dm, direct message
comment, reply, response, answer
thread, conversation, discussion
channel, room, group chat
server, guild, community, instance
feed, timeline, stream
like, favourite, favorite, star, upvote
repost, boost, share, reblog, retweet
follow, subscribe, followers
mention, ping, tag someone
poll, vote, survey
pin, pinned, stick, keep on top
bookmark, save for later
report, complaint, complain, abuse, flag
spam, abuse, unwanted
typing, typing indicator
presence, online status, online, away
read, unread, read marker, read position, seen
draft, unpublished, unfinished
invoice, bill, statement
pay, payment, charge, collect, settle
charge, collect, debit, take money
payment method, card, credit card, bank account, wallet
refund, money back, reimburse, give back, return
dispute, chargeback, contest
payout, withdrawal, transfer, disbursement
balance, funds, money
price, cost, fee, amount
discount, coupon, promo code, voucher
tax, vat
currency, money, exchange rate
subscription, plan, recurring, membership
trial, free trial, trial period
cancel, cancellation, terminate, end, stop
proration, prorate, mid period, partial period
overdue, past due, unpaid, late, dunning
receipt, proof of payment
cart, basket, checkout
order, purchase
purchase, buy, bought
product, item, sku, good, article
entitlement, what they own, license, licence, purchased
inventory, stock
shipping, delivery, shipment, dispatch
address, location
deliver, delivery, send, dispatch
receive, accept, get
email, mail, e mail
smtp, mail server, sending mail
phone, telephone, sms, text message
contact, address book
calendar, appointment, event, date
reminder, alarm, notification
task, todo, to do, checklist
project, workspace, board
card, ticket, issue, story, item
assign, assignee, owner, responsible
due date, deadline
priority, urgent, importance
milestone, sprint, iteration
requirement, specification, spec
decision, adr, rationale, why
runbook, playbook, on call, incident
incident, outage, downtime, down
sla, uptime, availability
policy, rule, governance
compliance, regulation, legal
retention, keep, how long, delete after
limit, maximum, max, at most, cap, quota
minimum, min, at least
size, length, large, big
count, number of, how many
nested, inside, child, encapsulated
parent, ancestor, containing
child, descendant, nested
dependency, depends on, requires, prerequisite
inherit, extend, derive, subclass
override, overwrite, replace
wildcard, glob, pattern, any
static files, assets, files from a folder
serve, host, deliver
compress, compression, gzip, smaller
minify, bundle
lazy, on demand
preload, prefetch, warm up
concurrency, parallel, at the same time, simultaneous
lock, mutex, exclusive
race, race condition
thread, process, worker
leak, memory leak
garbage collection, gc, clean up
cleanup, purge, prune, gc
import, require, include
decorator, annotation, decorate
lifecycle, hook, phase
context, scope, environment
global, shared, everywhere
local, private, own
forgot, forget, forgotten, lost
windows, microsoft
mac, macos, apple
hang, stuck, unresponsive
crash, panic, abort, segfault
slow, sluggish, tuning
pause, suspend, freeze, halt
difference, diff, drift, out of sync
phase, stage, wave
diagram, chart, plot
ocr, text recognition
duplicate, twice, double
vacation, holiday, time off, day off, leave
salary, pay, compensation, wage
fired, dismissed, laid off, severance
boss, manager, supervisor
colleague, coworker, teammate
hire, new hire, onboarding
expense, reimbursement
evaluate, evaluation, appraisal, assess
`;
