/** Everyday expressions for notifications, messages that products send, on-call duty and incidents: see ../expressions.ts. */
export const ALERTS = `
remind me later | show again later | bring up again later > snooze, remind, reminder, postpone
come back to it | get back to later | deal with tomorrow > snooze, follow-up, reminder
until morning | until next morning | in the middle of the night | while i sleep | while people sleep | when people sleep > quiet hours, do not disturb, schedule, delivery window
during dinner | outside working time | after work hours | on my day off > quiet hours, business hours, do not disturb, availability
leave me in peace | not be disturbed | stop bothering > do not disturb, mute, snooze, unsubscribe
only certain messages | choose what hear about | choose which messages | pick which mails | decide what get told > preferences, notification settings, subscription, topic
same message twice | message arrives twice | told twice | same alert twice | sent more than once > deduplication, idempotency, duplicate
many alerts into one | roll messages together | fifty alerts at once > grouping, batching, digest, aggregation, deduplication
wait and collect | collect before sending | gather up before sending > batch, digest, throttle, delay
too many messages | bombard | flood inbox | drown in alerts | overwhelmed by alerts > throttle, digest, rate limit, frequency, noise, mute
try other way if not read | another way if no answer | if they do not open | if not seen > fallback, escalation, channel, delay, condition
which way to reach | how people are reached | ways to reach > channel, provider, contact method, preferences
message on phone screen | message on lock screen | pop up on phone | message on locked phone > push, push notification, apns, fcm
little bell | bell icon | bell in corner | list of messages in app > in-app, inbox, notification center, feed
mark as seen | already looked at message | make red dot go away > read, seen, mark as read, unread
words of message | text of message | change wording of message | what the message says > template, content, layout, editor
different text per language | message in their language | message in own language > localization, translation, locale, i18n
put customer name in | name of person in text | fill in name > variable, personalization, merge tag, liquid, template
who gets told > recipient, subscriber, audience, user
list of people to send | group of people to tell | send to whole group > topic, audience, segment, broadcast, list
certain kind of people > segment, audience, condition, filter
steps of messages > workflow, sequence, journey, automation
wait few days then > delay, wait, step
look at message before send | how message will look | try message on myself > preview, test, test mode
did message arrive | was it delivered | what became of message > delivery, status, delivery status, log, webhook
see what was sent | past messages sent > log, activity, history, message log
phone number not valid | wrong phone number > validation, invalid, e.164, bounce
own mail service > provider, smtp, integration
send from our address | from our own name | mail from our domain > domain verification, sender, dkim, spf
stop all mail link | link at bottom mail > unsubscribe, opt-out
text messages | texts to phone | send texts > sms, twilio
message at their time | morning where they live | in their own time zone > time zone, timezone, schedule, send time
tell another program | tell my own system | let our system know | inform other program > webhook, callback, event, endpoint
missed messages while down | server did not answer > retry, replay, redeliver, backoff, failed
send again by hand | send event again > resend, replay, retry, redeliver
wrong order arrive | arrive in wrong order > ordering, sequence, fifo
is message genuine > signature, verify, signing secret, webhook
stop sending after many failures | keep failing | give up sending > disable, retry, exhausted, dead letter
whose turn | on duty | whose week is it > on-call, schedule, rotation, shift
swap a night | swap shifts | take my shift | cover for me | cover for colleague > override, swap, shift, schedule
nobody reacts | no one responds | nobody answers | nobody replies | first person does not answer > escalation, escalation policy, timeout, acknowledge
next person gets called | go to next person | ring the next > escalation, escalation policy, level
say i am looking | take the alarm | claim alarm > acknowledge, acknowledgement, assign
shut the alarm up | stop alarm while working | no alarms during work > silence, mute, maintenance, snooze, suppress
alarm goes off | alarm went off | alarm rings > alert, trigger, notification
alarm for nothing > false positive, noise, threshold, flapping
comes and goes | on and off again | back and forth all time > flapping, debounce, hysteresis
solves itself | goes away by itself | closes itself | close by itself > auto-resolve, resolve, resolved, auto-close
send to right team | right people get it | sort to right team > routing, route, rule, service, assignment
how serious | how urgent > severity, priority, urgency, impact
phone rings | call my phone | wake me > phone call, page, notification, on-call
tell customers we are down | tell public about trouble | public page about trouble > status page, incident, subscriber, announcement
planned work | planned downtime | we take it down on purpose | work on system tonight > maintenance, maintenance window, scheduled
write down what happened | go over it afterwards | look back at what happened > postmortem, review, retrospective, timeline
who does what in outage | who speaks to customers | roles in crisis > incident commander, role, responder, communications
call in helpers | pull in experts | bring in other team > responder, add responders, escalate, collaboration
talk room for outage | call for outage | room to fix in > war room, conference bridge, channel, incident
list of steps to fix | what to do when breaks | cheat sheet for breakage > runbook, playbook, procedure
sign of life | still alive signal | tell if job did not run | should have reported by now | hear nothing from it > heartbeat, dead man's switch, ping, monitor, check
bring alarms in from | alarms from other tools | connect our monitoring > integration, alert source, webhook, inbound
make alarm readable | reword alarm | what alarm text shows > template, message, title, formatting
handed over at monday | change of shift > handoff, shift, rotation, handover
around the world cover | teams in other continents | follow the sun > rotation, time zone, schedule
how quick did we react | how fast we reacted | how long to fix > mtta, mttr, response time, analytics
who was called how often | how many nights | fair share of nights > report, analytics, on-call load, fairness
get told on slack | message in slack | in our chat tool | post in teams chat > slack, chatops, integration, teams
phone is on silent | phone was on silent | even when phone is quiet | phone muted at night > do not disturb, override, critical alerts, push, volume
never heard the alarm | did not hear alarm | sleep through the page | sleeps through alarm | slept through it > escalation, push notification, override, do not disturb, notification rule
dial a number | call a number | people can call > phone, call routing, phone number, live call
alarm someone by hand | page someone by hand | call somebody in by hand > manual, direct paging, escalate, page
stopped reporting | stops reporting | no longer reports > heartbeat, monitor, missing, no data
duty roster | duty list | list of who is on duty > on-call schedule, rotation, schedule
alarm text | text of alarm | how alarm reads > template, templating, appearance
by their tags | sort by tags > label, tag, routing
person who started it gets > author, trigger, initiator
pass alarm to other tool | make ticket from alarm | open a ticket from alarm > outgoing webhook, integration, ticket
first line of help | second line of help > escalation, tier, level
only on workdays ring | ring only by day > schedule, notification rule, working hours, urgency
`;
