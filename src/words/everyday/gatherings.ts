/** Everyday expressions for chat platforms, their bots, and games played together: see ../expressions.ts. */
export const GATHERINGS = `
make own chat robot | little robot in chat | own chat helper | program that talks in chat > bot, application, app, bot user
robot hears messages | read all messages | see what people write > gateway, event, message content, intent, listener
stay connected for events | hear things as they happen | constant connection | line stays open > gateway, websocket, heartbeat, socket mode, real-time
line dropped | lost the line | go on after break | connect again after drop > resume, reconnect, session, sequence, heartbeat
get it sent to my url | events to my web address | no open connection > webhook, interactions endpoint, http, events api, outgoing webhook
post from outside | post into chat from script | send from script to chat | drop messages into channel > incoming webhook, webhook, execute webhook
type command in chat | orders for the robot | command with slash | own command in chat > slash command, application command, command, interaction
right click on message | menu on message | menu on person > context menu, message command, user command, shortcut, message action
press button under message | choices under message | clickable things in message > button, component, select menu, interactive, action
ask user in window | little window with fields | window with boxes > modal, dialog, text input, form, view
only that person sees | visible only to one | secret answer | whisper reply > ephemeral, flag, private
robot takes long | answer takes longer | thinking sign | not answer in three seconds > defer, deferred, acknowledge, follow-up, response
pretty message | message with picture box | colored box message | fancy message > embed, rich message, attachment, block, card, formatting
fat letters in message | links in message | date in message for each > formatting, markdown, mention, timestamp
send picture in chat | attach file to message | send a file with message > attachment, upload, multipart, file
talk aside | branch of conversation > thread, thread channel, reply
place for questions | board of topics | posts with titles > forum channel, topic, thread, stream
rooms in chat | new room | close a room > channel, create channel, room, stream, conversation
group of rooms | sort the rooms > category, channel group, folder, parent
who may enter room | room only for some | hide a room | lock a room > permission overwrite, private channel, permission, role
give people powers | rank in server | badge that gives powers | color of name > role, permission, guild member, power level
add rights together | numbers for rights | rights as a number > permission bit, bitwise, flags, bitfield
throw people out | remove troublemaker | keep troublemaker out > kick, ban, remove member, moderation
no talking for hour | silence person > mute, timeout, moderation, communication disabled
catch bad messages | stop bad words by itself | delete bad messages by itself > auto moderation, automod, filter, rule, trigger
who did what in server | see who removed > audit log, moderation log
link to get in | door to server | bring friends in > invite, invitation, join
let robot into server | put robot in group | add the robot | install the robot > installation, oauth2, bot authorization, scope, install link, invite
act with user's account | see their servers | sign in with chat account | log in with chat > oauth2, scope, access token, authorization code
little faces | own little faces | smiley | own smileys > emoji, custom emoji, sticker
answer with little face | react with face > reaction, emoji
hear robot speak | play music in room | talk in voice room | join voice > voice, voice connection, voice channel, opus, udp
talk on stage | crowd listens > stage, stage instance, speaker
beep when button in voice | short sounds > soundboard
meeting in chat | plan a get-together | party on saturday > scheduled event, event
ask crowd | let crowd choose | vote in chat > poll, vote, survey
green dot | what are they playing | show what game | show playing > presence, status, activity, rich presence
little game inside chat | app inside chat window | run my page in chat > activity, embedded app, mini app, iframe
sell things in bot | pay for bot | paid features of bot > monetization, sku, entitlement, subscription, premium
wait you are too fast | asked to slow down | too many calls to chat > rate limit, 429, bucket, retry_after
robot in many servers | too many servers for one | split the robot > sharding, shard, large bot
allowed to read everything | ask to read messages | must ask for members list > privileged intent, intents, verification, scope
check call comes from chat | call really from chat company > signature, ed25519, public key, verify, signing secret
old messages | read back | go back in chat | earlier messages > history, message history, get messages, pagination, backfill
take message back | fix my message | change what i wrote > edit message, delete message, redact
keep message at top | stick message > pin, pinned message
call everybody | ping everyone > mention, everyone, here, allowed mentions, notification
tag someone > mention, notification
ids too big | number of message | number of user > snowflake, id
all people of server | list of people in room > member, members, list members, guild members
own server for chat | run chat ourselves | chat on own machine > self-hosted, homeserver, install, server, deploy
talk between servers | people on other servers | other server's people > federation, homeserver, remote
nobody in middle reads | even server can not read > end-to-end encryption, encryption, keys, megolm
check friend's device | is this my friend's device > verification, cross-signing, device, fingerprint
get old secrets on new phone | can not read old messages | old messages unreadable > key backup, recovery key, secret storage, key sharing
bring other chat together | whatsapp in one place | chat from other network > bridge, bridging, application service, integration, channel
several helpers answer | who answers visitor | hand visitor to colleague > assignment, agent, inbox, team, auto assignment
saved answers | write same answers > canned responses, macros, saved replies, template
answer from phone mail | mails become chats | mails into chat > email channel, inbox, inbound, forwarding
robot first then human | robot passes to human > agent bot, handoff, bot, assignment
how happy was visitor | ask visitor after chat > csat, survey, rating
put people in same match | find people to play | players of same strength > matchmaking, lobby, skill rating
friends list | play with friends > friends, relationship, lobby, party, presence
best scores | who has most points > leaderboard, score, ranking
reward for doing > achievement, unlock, reward
keep where player was | player continues on other computer > save, cloud save, persistence, storage
same command other language > localization, locale
robot does not answer | bot stays silent | bot sees no text > intent, message content, permission, troubleshooting
message too long for > character limit, limit, length
show who wrote | message in other name > author, username, avatar, webhook
`;
