/** Everyday verbs, and those of documentation, for what can be done to anything: see ../expressions.ts. */
export const ACTIONS = `
make bigger | make larger | get bigger | blow up size > expand, resize, increase, enlarge, grow, expansion
make smaller | get smaller | boil down > reduce, shrink, resize, compress
make longer | drag out | stretch time > extend, extension, prolong
make shorter | cut short > truncate, shorten, trim
make faster | speed up > performance, optimize, accelerate, cache
make slower | slow down > throttle, delay, rate limit
make sure > ensure, verify, validate, guarantee
make public > publish, share, expose
make same > synchronize, sync, consistent
make ready > prepare, provision, initialize, setup
make up name | give name | call something else > rename, name, label, alias
make again | do over > recreate, rebuild, retry, repeat
make go away > remove, dismiss, suppress, delete
make work again | bring back to life | get going again > recover, repair, restore, restart, troubleshoot
make look different | change look > theme, style, customize, appearance, layout
give back > return, release, restore, refund
give out | hand out > distribute, issue, grant, assign
give up on > abort, abandon, timeout, fail
give in turn > round robin, rotate
hand over > transfer, handover, delegate, pass, export
hand back > return, release
take away > remove, revoke, subtract, withdraw
take back > revoke, revert, undo, return, withdraw
take out > remove, extract, drain, exclude
take off > remove, detach, unassign, uninstall
take down > disable, remove, shut down, unpublish
take apart > parse, split, decompose
take over > takeover, migrate, failover, import, inherit
take along | bring over | bring along > migrate, import, transfer, migration
take turns > rotation, round robin, schedule
take part > join, participate, participant
take place of | stand in for > replace, substitute, fallback
bring back > restore, recover, revert, undelete
bring in > import, add, invite, include, ingest
bring together > merge, combine, aggregate, group
bring down > stop, shut down, reduce
put away > archive, store
put back > restore, revert, return, roll back
put in > insert, add, enter, install
put in front > prepend, prefix, proxy
put at end | tack on > append, suffix
put in order > sort, order, arrange
put into groups > group, categorize, organize
push back date > postpone, defer, delay, snooze, reschedule
put on top > overlay, surcharge, stack
put together > combine, assemble, compose, merge, bundle, build
put somewhere else > move, relocate, migrate
throw away > delete, discard, remove, uninstall
throw out > remove, evict, reject, expel
wipe out | wipe clean > erase, delete, purge, clear, reset
clean out | clear out | sweep out > purge, cleanup, prune, clear
clean up after > cleanup, garbage collection, prune
get rid > remove, delete, uninstall, discard
thin out > prune, retention, sample
weed out > filter, exclude, deduplicate
leave out > exclude, omit, skip, ignore
leave alone > ignore, skip, exclude, unmanaged
cut off > truncate, strip, disconnect, trim, cutoff
cut out > remove, extract, exclude, crop
chop up | break up into > split, chunk, partition, segment
cut down on > reduce, limit, minimize
stick together > merge, join, concatenate
glue together > join, concatenate, merge, integrate
pull together > aggregate, collect, combine
pull out > extract, withdraw, export
pull in > import, fetch, include
pull apart > split, separate
tear down > destroy, remove, uninstall, teardown
set up > setup, configure, install, configuration
set aside > reserve, allocate, reservation
set going | get going | kick off > start, trigger, launch, run
turn on | switch on > enable, activate
turn off | switch off > disable, deactivate
turn back on | switch back on | switch on again | turn on again > reactivate, re-enable, enable, reactivation
turn into > convert, transform, conversion
turn down > decline, reject, refuse
turn over to > delegate, transfer
switch over > failover, switch, migrate
switch places | swap round > swap, exchange, reorder
hang up on > disconnect, close, terminate, abort
hold back > delay, withhold, defer, limit
hold on to > retain, keep, retention
keep out > block, deny, exclude, restrict
keep away > block, exclude, deny, isolate
keep apart > isolate, separate, isolation
keep alive | keep running > keepalive, persistent, service, restart
keep in step | keep the same | keep up to date > sync, synchronize, synchronization, replicate, update
keep to itself > private, visibility
keep safe > protect, secure, backup
keep copy > backup, replica, archive, retain
keep hands off > read-only, lock, protect
let in > allow, admit, grant, allowlist
let through > allow, permit, forward, authorize
let know | give shout | drop line > notify, alert, notification
let others | let other people > share, permission, collaborate
let choose > select, option, preference
lock away > encrypt, protect, secure
lock in place > pin, lock, freeze
open up > open, expose, unlock
close down > shut down, close, terminate
shut up > mute, silence, disable
shut off > disable, stop, block
block off > reserve, block
look up > lookup, search, query, retrieve
look after > manage, maintain, administer
look for > search, find, query, filter
look at later > bookmark, save, snooze
find again > search, bookmark, tag
find one's way | find way around > navigation, overview, guide
dig out > extract, recover, search
dig into > debug, inspect, analyze, drill down
track down > find, trace, locate, debug
check on > monitor, status, health check
check against > validate, compare, verify
go back > revert, roll back, undo, rollback, restore
go back and forth > toggle, switch
go over > exceed, review
go over limit | go beyond > exceed, limit, quota, overage
go away > expire, remove, disappear
go missing | get lost > lost, missing, not found
go out of date > expire, stale, obsolete
go wrong > error, failure, troubleshooting
go down > outage, unavailable, failure
go round | get round | get around > bypass, workaround, skip
go live > deploy, publish, production, launch
come back > return, resume, recover
come up again > restart, recover, recur
where from > origin, source, referrer
come over from | come from another > migrate, migration, import
come to end > expire, end, complete
fall back on > fallback, failover
fall down > crash, fail, failure, overload
run out > expire, exhausted, quota, expiry
run out of room > storage, capacity, disk, full
run over > exceed, overrun
run side by side | run next to > concurrent, parallel, sidecar
run by itself | do by itself | by itself > automatic, automatically, automate, scheduled
run through > process, pipeline
step in > intervene, approval, manual
stand by > standby, idle
start over | start again | start afresh > reset, restart, retry
start up > boot, startup, launch
stop for while | take break | take rest > pause, suspend
stop coming > unsubscribe, mute, disable
stop working > fail, break, error, unavailable
stop people > prevent, restrict, block, deny
stop in middle > interrupt, cancel, abort
call off > cancel, cancellation, abort
call back later > callback, asynchronous
call up > invoke, dial, retrieve
break down > outage, failure, breakdown
break off > abort, disconnect, cancel
break apart > split, separate
mix up > confuse, conflict, shuffle
match up > match, reconcile, map, mapping
pair up > pair, match, link
line up > align, queue, order
add up > total, sum, aggregate
count up > count, total, aggregate, metrics
count down > timer, countdown
point to > refer, link, reference, redirect
point out > highlight, annotate
pass on > forward, propagate, delegate, proxy
pass along > forward, propagate, pass
pass by > skip, bypass
send on > forward, redirect, relay
send away > redirect, dispatch
send out > dispatch, deliver, broadcast, publish
send back > return, reply, respond, bounce
send round > broadcast, distribute, circulate
send off > submit, send, dispatch
show off > preview, demo, showcase
show how > guide, tutorial, example
hide away > hide, archive, collapse
cover up | paint over > mask, redact, hide
fill up > full, capacity, quota, fill
fill ahead | fill beforehand > prefill, populate, template, default
write over > overwrite, replace
read aloud | read out loud | say aloud > text to speech, speech, speak
talk to each other | speak to each other > communicate, integration, connect, messaging
tell apart > distinguish, identify, differentiate, unique
tell when | tell me when | told when > notification, notify, alert, webhook, event
tell what happened > log, event, report
tell who > identify, attribution, audit
ask first | ask before > confirm, approval, prompt, confirmation
ask around > poll, survey, discover
ask again and again > poll, polling
ask for go ahead | say yes | give go ahead | sign off > approve, approval, consent
say no > reject, decline, deny
agree to > accept, consent, terms
change back > revert, undo, restore
change hands > transfer, ownership
change mind > undo, cancel, revert
change over > migrate, switch, convert
change place | change order > reorder, move, sort
change words > edit, translate, reword
move around | move about > drag, reorder, reposition
move over | move across > migrate, transfer, port, migration
move up > upgrade, promote
move out > export, migrate, leave
play back > playback, replay
play again > replay
back out > undo, roll back, cancel, revert
wait for turn > queue, priority
wait until later > delay, schedule, defer
wait too long > timeout
wake up > notify, trigger, resume, alarm
work out total > calculate, sum
work together > collaborate, integrate, integration
work without net | work on train | without connection | no connection | without internet | no internet > offline, air gap, disconnected
work around > workaround, bypass
log what > log, audit, record
watch for > watch, monitor, listen, subscribe
listen in > eavesdrop, subscribe, monitor
pick out > select, filter, choose
pick up > collect, resume, detect, receive
pick up where left off > resume, checkpoint, continue
pick which > choose, select, option
choose who > assign, permission, recipients
try out | have a go > test, trial, demo, preview, sandbox
try again > retry, attempt, backoff
try first > test, dry run, preview
use up > consume, usage, quota, exhaust
use again > reuse
use old | stay on old > legacy, pin, version
share out > distribute, allocate, split
share with others > share, sharing, public, collaborate
spread over | spread across > distribute, balance, shard, load balancing
spread out > distribute, scatter, balance
tidy up > organize, cleanup, format
sum up > summarize, summary, aggregate
tie to | tie together > link, bind, associate, attach
hook up > connect, integrate, attach, webhook
plug in > plugin, connect, attach, integration
link up > connect, link, integrate
sit on top > layer, overlay
swap in | swap out > replace, substitute, swap
skip over > skip, ignore, exclude
jump to > navigate, link, anchor
kick out > evict, ban, remove, terminate
hammer | pound on | flood with > flood, rate limit, throttle, overload
cheat | fake | forge | forged > spoof, tamper, fraud, verify, signature
double check > verify, validate, confirm
sort out > resolve, fix, organize
round off > round, rounding
grow too big > limit, size, scale, overflow
shrink down > minify, compress, reduce
carry over > rollover, propagate, migrate
carry out > execute, perform, run
follow up > reminder, follow-up
own look | own style | own design > custom, theme, style, branding
own way > custom, customize, override
own address > custom domain, domain, hostname
own page > custom, template, page
from scratch > new, initialize, create
at once | in one go | all together > bulk, batch, atomic
again and again | over and over > repeatedly, loop, retry, recurring
every day | every week | each night | each day > schedule, scheduled, daily, cron, recurring
now and then > periodic, interval, schedule
at night | in the night > quiet hours, schedule, window
at same time | same time > concurrent, parallel, simultaneous, multiple
ahead of time | in advance | beforehand > advance, preload, schedule, precompute
too often > rate limit, frequency, throttle
too many > limit, exceed, maximum, quota
too much > limit, exceed, maximum, overload
too big | too large > size, limit, maximum, exceed
too slow > performance, latency, timeout
too late > deadline, expired, timeout
too early > schedule, delay, premature
not more than | no more than | at most > limit, maximum, throttle, cap
how many at most | ceiling > limit, maximum, quota
how big may > size, limit, maximum
how long until > timeout, ttl, expiration, delay
only what changed | only changes | only new > incremental, delta, since, diff
for free | without paying | no charge > free, trial, free tier
leading part | first part | front part > prefix, beginning
last part | end part > suffix, extension
other way round > reverse, invert, inverse
`;
