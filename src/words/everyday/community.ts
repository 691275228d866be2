/** Everyday expressions for support, chat, moderation and social software: see ../expressions.ts. */
export const COMMUNITY = `
pass to boss > escalation, escalate
pass to colleague | hand over chat | give to other agent > transfer, handoff, reassign
who takes ticket | give out tickets > assignment, routing, round robin
how fast answer | how quick reply > response time, sla
first answer time | how long until answered > response time, sla
ready made reply | prewritten answer | stock answer > canned response, macro, saved reply
answers customers find themselves | help yourself | find answer alone > self service, knowledge base, faq
often asked | usual questions | asks > faq, knowledge base
close question | question done | case closed > resolve, resolved, close ticket
open case again | bring back ticket > reopen
two same tickets | put tickets together > merge, duplicate
waiting on customer | customer not answer > pending, on hold
how happy customers | are they happy | customer mood > csat, satisfaction, survey, nps
out of hours | closed at night > business hours, availability, auto reply
reply automatically | robot answers > auto reply, chatbot, bot
talk to visitors | chat on website | little chat window | chat bubble > live chat, chat widget, messenger
talk to human | real person > handoff, agent, human
all messages one place | messages from everywhere > shared inbox, inbox, omnichannel
note only team sees | whisper to colleague | hidden remark > internal note, private note
hang on the line | waiting line | line of callers > queue, hold
phone menu > ivr, call routing
what know about customer | customer facts > profile, crm, contact
same customer twice | double contacts > duplicate, merge, deduplication
possible customers | interested people > lead, prospect
deals we work on | chances of sale | sale steps > pipeline, opportunity, deal
best customers | important customer | big customer > vip, account, tier
kinds of customers | group customers | slice customers > segment, segmentation
nasty people | rude people | troll | bully > harassment, moderation, abuse
throw out of group | kick someone out | get rid of member | show the door > ban, kick, remove member
keep out for good | lock out forever > ban, permanent ban, block
cool off user | silence for a while > timeout, mute, suspension
do not want see | hide person > mute, block, hide
keep away from me | not let contact > block
tell on user | rat out | tell moderators | point out bad post > report, flag
bad words | swear | swearing | dirty words > profanity, word filter, moderation
nude pictures | naughty pictures | adult stuff | dirty pictures > nsfw, sensitive content, content warning
hide behind warning | blur picture > content warning, sensitive, spoiler
keep it civil | house rules > community guidelines, guidelines, rules
take down post | remove bad post | make post disappear > remove, moderation, takedown
check before shown | look over posts first | hold posts > approval, moderation queue, review
ask for unban | say unfair ban | contest ban > appeal
last warning | told off | slap on wrist > warning, strike
not tell banned | post seen by nobody > shadow ban, limit
stolen pictures | copied work > copyright, dmca, takedown
pretend to be me | fake profile > impersonation, verification
real person badge | blue tick | check mark name > verification, verified
made up users | second account > sock puppet, spam account, bot
flood of posts | posting too often | slow down chat | chat too fast > slow mode, rate limit, flood
gang up > brigading, harassment, moderation
who may post > permission, posting permission
only friends see | who sees post | private post | hide from strangers > visibility, privacy, followers only, audience
visible to all | open to world > public, visibility
put on my profile | top of profile > pin, pinned
take post back | unsend | unsay | delete what said > delete, retract
fix typo after | change post later > edit, edit history
write longer | too many letters | how long post > character limit, length
post at later time | post tomorrow | plan post > schedule, scheduled
people who read me > follower, audience
people i watch | whom i follow > follow, following, subscribe
ask to follow | let in followers | accept followers > follow request, approve
what is popular > trending, popular
order of posts | why see this post | which posts shown first > ranking, feed, algorithm
newest first | in order of time > chronological, sort
send to friends | pass on post | spread post > share, repost, boost
thumbs up | give heart > like, reaction, favorite
thumbs down | vote against post > downvote, dislike
best answer | right answer chosen > accepted answer, solution
earn badge | little medals | trusted members | standing in community > badge, reputation, trust level
put question to all | let people vote > poll, survey
ask to join | get people on board | add a friend > invite, invitation
join by link | link to join > invite link, invitation
only by invitation | closed group > private, invite only, approval
let in by hand | approve newcomers | check newcomers > approval, registration, review
say hello to newcomers | greet new people > welcome message, onboarding
leave group | walk out of group | get out of room > leave, unsubscribe
secret chat > direct message, private message
group talk | chat with several > group chat, channel, room
talk by voice | hear each other > voice channel, voice call, audio
see if online > presence, online status
seen message | know if read | blue ticks > read receipt, seen
dots while writing > typing indicator
answer under post | side talk | talk under message > thread, reply
call out name | get attention of | at sign name > mention
across instances | other instances talk | reach other instances > federation, activitypub
cut off server | block whole server > defederation, domain block, suspend
take followers along > account migration, move, alias
take my stuff | get my data out | take data along > export, data portability, archive
erase my account | wipe my data > account deletion, erasure, gdpr
old fashioned forum | talk board > forum, discussion, bulletin board
name others see | nickname > display name, username, handle
little picture | face picture > avatar, profile picture
move followers | take profile elsewhere > account migration, migration, alias
stop following > unfollow
tell newcomers rules | rules at joining > guidelines, terms, welcome message
post from phone | post by mobile > mobile app
warn about trigger | upsetting post > content warning, sensitive
who runs group > moderator, admin, owner
give helper powers | promote member > role, permission, moderator
list of bad people | share ban list | known bad servers > blocklist
same spam again | ads in comments | junk comments | advertising posts > spam, spam filter, moderation
stop robots joining | keep bots out | fake sign ups > captcha, bot protection, registration
follow topic | follow hashtag | keep eye on topic > subscribe, hashtag, watch
talk about us online > mention, monitoring
comments under article | readers comment > comment, commenting
dig out old post | old posts again > archive, search
dead account | not used for years > inactive account, inactive
when person dies | user passed away > memorial, deceased, account deletion
account taken over > compromised account, account recovery
cannot get in anymore | shut out of account > account recovery, lockout, password reset
`;
