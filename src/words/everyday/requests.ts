/** Everyday expressions for requests, errors, limits, events and queues: see ../expressions.ts. */
export const REQUESTS = `
what can i send | what may pass in | which fields > parameters, request body, schema, reference
what get back | what it gives back > response, return value, response body, schema
how often may call | how many calls | too many calls | calls per minute > rate limit, quota, throttling
calm down | hold your horses > throttling, rate limit, backoff
told to wait | turned down for now > rate limit, throttling, retry-after
too big to send | request too large | body too big > payload limit, request size limit, maximum size
how big can be | how big may get | biggest size | largest file > maximum size, size limit, upload limit
send twice | sent same thing twice | ran twice | go through twice > idempotency, duplicate, deduplication, idempotency key
charge twice | pay twice | billed twice > idempotency key, duplicate charge, retry
never twice > exactly-once, idempotency, deduplication
try again later | keep trying | have another go > retry, exponential backoff, retry policy
give up trying | stop trying | how many tries | how often it tries > retry limit, maximum attempts, backoff, timeout
wait longer each time | wait between tries > exponential backoff, jitter, retry delay
takes forever | never answers | waits forever | no answer comes > timeout, deadline, unresponsive
how long to wait | wait at most | give up waiting > timeout, deadline, request timeout
next lot | only get first hundred | rest of the list | more results > pagination, cursor, next page, page size
how many at once | how many per page > page size, limit, per page, batch size
only parts needed | fewer fields | leave out fields | smaller answer > field selection, sparse fieldsets, partial response, projection
pull in related things | get related too | avoid many calls | all in one call > expand, include, embed, batch request
many in one go | lots in one go > batch, bulk, bulk operation
change only one field | change just a part | without sending everything > partial update, patch, merge patch
changed it meanwhile | overwrite each other | edit at same time | step on each other > concurrency control, optimistic locking, etag, conflict
only if unchanged | only if not changed > conditional request, etag, if-match
what went wrong | what does error mean | strange number error | explain error > error code, error message, status code, troubleshooting
sent wrong stuff | sent rubbish | bad input | wrong data sent > validation error, invalid request
blow up | fall over | keel over | go belly up | conk out > crash, failure, error, outage
server is broken | server side error > internal server error, 5xx
can not find it | nowhere to be found > not found, missing
gone for good page | no longer there > deleted, removed, deprecated
half worked | failed | part of it failed > partial failure, partial success, error handling, rollback
swallow error | eat the error | fail quietly | fail without saying > silent failure, error handling, unhandled exception, logging
old calls stop working | break my code | stop working after change | break existing callers > breaking change, api versioning, deprecation, backward compatibility
which version of api | stick to old api | pin the version > api version, version header, versioning
going away | being phased out | will be dropped | end of the road > deprecation, sunset, end of life, removal
call from browser | blocked by browser | from another site | from another domain > cors, cross-origin, access-control-allow-origin
pass along id | follow a request | tie calls together > correlation id, request id, trace id, tracing
send a file along | file in request > multipart, file upload, form data
list of all calls | machine readable description | describe the api > openapi, api reference, schema, specification
make client from spec | generate the client | write client for me > code generation, openapi generator, sdk, client generation
ask for exactly | flexible call > graphql, query language, field selection
where does it listen | which address to call | web address to call > endpoint, base url, url, port
try without real | play around safely | without real money | practice account > sandbox, test mode, test data, staging
do nothing just show | what would happen | without really doing | try run > dry run, preview, plan, simulate
stop calling broken service | leave alone when down > circuit breaker, fallback, backoff
still limp along | work with part down | carry on without > graceful degradation, fallback, fault tolerance, resilience
start and check later | long job answer later > asynchronous, job status, polling, 202 accepted
how far along | is it done yet | how much longer | when is it ready > progress, job status, status, polling
call it off | stop half way | stop a running job > cancel, cancellation, abort
spending allowance | use up allowance | how much left | calls left > quota, remaining, usage, rate limit headers
too old browser | weird characters | garbled letters | funny characters > encoding, utf-8, character set, unicode
give a shout | tap on the shoulder | heads up > notification, webhook, alert, event, subscription
call my server | call me back | ping my server | tell my server > webhook, callback url, endpoint
hear about changes | find out about changes | learn of changes > webhook, change events, subscription, notification
keep asking | ask over and over | ask every minute > polling, long polling, interval, webhook
fake webhook | forged call > webhook signature, signing secret, hmac, signature verification
missed a message | missed a call | did not get message | server was down missed > redelivery, retry, missed events, replay
same message again | get same event twice | got it twice > duplicate delivery, at-least-once, deduplication, idempotency
wrong order | out of order | arrive in order | jumbled order | first in first out > ordering, message ordering, sequence, fifo
messages that keep failing | poison message | park bad messages | undeliverable > dead letter queue, dead-letter, poison message handling, retry limit
pile up | back up in line | queue grows | can not keep up | fall behind > backlog, lag, backpressure, queue depth, consumer lag
too fast for receiver | drown the receiver | ease off sending > backpressure, flow control, throttling, buffer
wait in line | stand in line | line up work | put aside for later > queue, job queue, enqueue, background job
do work later | do in background | not make user wait > background job, asynchronous, queue, scheduling
who does the work | hands for the jobs > worker, consumer, worker pool, concurrency
share out work | split the work | divide the jobs > work distribution, consumer group, partition, load balancing
lost on the way | no message lost | never lose message > delivery guarantee, at-least-once, durability, acknowledgement
tell it was received | confirm receipt > acknowledgement, ack, 2xx response
jump the queue | more urgent first > priority, priority queue, scheduling
tell all of them | shout to all > broadcast, fan-out, publish subscribe, topic
choose which events | pick the events | too many events > event types, event filter, subscription
start over from beginning | play back events | read old events again > replay, offset, event log, retention
remember where left off | continue where left off | pick up where > offset, checkpoint, cursor, resume
straight away | right away updates | live updates > real-time, streaming, websocket, server-sent events, push
bit by bit | word by word | piece by piece | trickle in > streaming, chunked, incremental, server-sent events
keep the line open | talk both ways > websocket, persistent connection, keep-alive, bidirectional
line drops | connection goes away | cut off mid stream > disconnect, reconnect, resume, heartbeat
come back after drop | dial back in > reconnect, resume, backoff
still breathing > heartbeat, keep-alive, ping, liveness, health check
when something happens do | kick off when > trigger, event handler, automation, hook
write down everything happened | history as truth | rebuild from history > event sourcing, event log, replay
changes straight from database | tell when row changes | watch the table > change data capture, replication, trigger, change stream
stop sending me | switch off messages | no more messages > unsubscribe, disable webhook, opt out, mute
test webhook on laptop | reach my laptop | from internet to laptop | open my localhost > tunnel, port forwarding, local testing, ngrok
too many messages together | lump messages | bundle messages > batching, digest, debounce, aggregation
only after quiet | wait till typing stops | fires too often > debounce, throttle
stuck in queue | jobs not running | nothing gets picked up > stalled job, worker, queue, visibility timeout
`;
