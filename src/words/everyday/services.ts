/** Everyday expressions for mail, language models, maps, bookings, schools, health, games: see ../expressions.ts. */
export const SERVICES = `
sort incoming bugs | go through new issues | sort by urgency > triage
what users really want | ask users | watch users try > user research, interview, usability test
smallest thing that works | first rough version > mvp
worth the work > cost benefit, roi, impact
big feature > epic
link ticket to code | tasks from commits > integration, issue linking
lands in junk | goes to junk | junk mail | end up in junk | thrown in junk > spam, deliverability, spf, dkim
mail not arriving | mail never comes | did not get mail | mails vanish | no mail received > deliverability, delivery, bounce, spam
mail comes back | returned mail | address does not exist | mail bounces > bounce, undeliverable
send in our name | fake sender | mail pretending us | forged sender > spoofing, dmarc, spf, dkim
prove mail ours | let others trust mail > dkim, spf, dmarc
who mail comes from | name on mail > sender, from address
where answers go | answers to mail > reply to
no more mails | stop mails | get off list | do not want newsletter > unsubscribe, opt out
confirm mail address | click link in mail | really their address > confirmation, opt in, email verification
write to all customers | mail everyone | mass mail > newsletter, campaign, broadcast, bulk email
people on list | who gets newsletter > subscriber, mailing list, recipient
never mail again > suppression list, blocklist, unsubscribe
opened mail | did they read mail | who opened mail > open rate, open tracking, tracking pixel
hidden picture in mail | invisible picture > tracking pixel
put name in mail | own text for each > personalization, merge tag, variable
mails one after another | series of mails | mails in row > drip campaign, sequence, automation
best subject line | try two mails > split test, subject line
mails look broken | mail looks ugly > email template, html email, rendering
sort mails by itself | mails into folders > filter, rule, sieve
all mail for domain | mail to any address > catch all, alias
second mail address | throwaway address | hide my mail > alias, disposable email, masked email
send mails on | pass mail along > forwarding, forward, relay
out of office | away on holiday mail > autoresponder, vacation, auto reply
put mails away | out of inbox > archive
no unread left | empty the inbox > inbox zero, archive
answer mail by mail | write post by mail | mail becomes ticket > inbound email, incoming email, email piping
mail too big | file too large mail > attachment size, size limit, attachment
trick into clicking | mail from fake bank | lure password > phishing
mails that matter | password mails | order mails > transactional email
text to phone | message to phone > sms, text message
disappear after reading | messages go away > disappearing messages, self destruct, expiration
nobody reads along | read along | only two can read > encryption, e2ee
same chat everywhere | messages on all devices > sync, multi device, linked device
chat networks together | talk from other app > bridge, bridging, integration
send at best time | send mail tomorrow > schedule, send time
clean up list | dead addresses > list hygiene, bounce, inactive
mail sign up box | get more readers > signup form, subscribe form
send slowly at first | new sender not trusted > warm up, reputation
on black list > blocklist, ip reputation, reputation
mail by own server | run own mail > smtp, self hosted, mail server
mail stuck | mails pile up > mail queue, queue
mail unreadable letters | strange signs in mail > encoding, charset
mailbox many people | mailbox for team > shared mailbox, shared inbox
teach computer | train on own data | make model learn | feed model data > training, fine tuning, dataset
make smarter for us | adapt model > fine tuning, lora
makes things up | invents facts | tells nonsense | ai lies | dreams up answers > hallucination, grounding
show where knows | back up answer > citation, source, grounding
let ai read docs | answer from our documents | ask own files | chat with documents > rag, retrieval, knowledge base
text into numbers | words as numbers > embedding, vector
store for vectors | find similar text > vector database, vector store, similarity search
cut up text | cut into pieces | pieces of document > chunking, chunk, splitter
what model remembers | talk too long > context window, context length, token limit
remember earlier chats | remember from last time > memory, conversation history
what tell model | how to ask ai | order to model | word it right > prompt, prompt engineering
rules for model | tell how behave > system prompt, instruction
think aloud | think before answer | step by step thinking > reasoning, thinking
always same answer | less random | wilder answers > temperature, sampling, seed
answer as json | fixed answer shape > structured output, json schema
answer word by word | see answer appear > streaming, stream
let ai do things | model calls function | model use programs > tool calling, function calling, tool
several bots together | many agents | bots working together > multi agent, orchestration, handoff
bot runs in circles | never stops working | goes on forever agent > max iterations, loop, recursion limit
ask human first | human says yes | human checks > approval, interrupt, human review
trick the bot | talk model into | make ai misbehave > prompt injection, jailbreak, guardrail
keep ai from saying | bad answers | stop nasty output > guardrail, moderation, content filter, safety
how good is model | check answers | which model better > evaluation, benchmark, eval
too expensive model | what does ai cost | save on model > token usage, cost, pricing
same question again | not ask model twice > caching, prompt caching
run model at home | ai on own computer | without sending to openai > local model, self hosted, inference
smaller model | squeeze model > quantization, distillation
learned by heart | good only on training > overfitting, generalization
tell spam from good | sort into kinds > classification, classifier
not enough examples | few of one kind > data augmentation, class imbalance
mark examples | tag training examples > labeling, annotation
model gets worse | model worse over time > drift, model drift, monitoring
why model says | look inside model > explainability, interpretability
pick up training again | go on training later > checkpoint, resume
keep track of tries | which run was best > experiment tracking, mlflow
train on many machines | train on several cards > distributed training, multi gpu, data parallel
memory full on card | card out of memory > gpu memory, batch size, oom
guess what like | suggest what like > recommendation, recommender
picture from words | make picture with ai > image generation, diffusion
pick words out | find names in text > entity extraction, named entity, ner
short version of text | sum up text | make text short > summarization, summary
read pictures with ai | ai looks at picture > vision, multimodal
newer than model > knowledge cutoff, retrieval
swap model | other ai vendor > provider, model selection
calling model too often | model says slow down > rate limit, quota
which text was found | wrong pieces found | better hits for bot > retrieval, reranking, relevance
see what bot did | follow bot steps > tracing, observability, trace
bot plans steps | bot divides work > planning, planner, agent
feed website to bot | read site into bot > crawler, ingestion, loader
refresh bot knowledge | bot answers old stuff > reindex, sync, ingestion
secret text for bot | keep names from ai > pii, redaction, anonymization
talk to bot | phone bot > voice agent, chatbot
how far away | how far is | way between points > distance, distance matrix
nearby | what is near > proximity, radius, geospatial, nearby search
address to point | find address on map > geocoding, geocode
point to address | coordinates to address | name of place here > reverse geocoding
inside area | leaves area | enters zone > geofence, polygon, boundary
pin on map | dot on map | mark place > marker, map pin
many dots on map | dots pile up > clustering, marker cluster
map without net | map on trip > offline map, tiles, download
map pieces | map pictures > tile, tile server, vector tile
record my walk > gps track, gpx, location history
reserve room | book a table | reserve seat > booking, reservation
free times | open slots > availability, time slot
booked twice | two people same room > double booking, overbooking, conflict
did not show up | guest never arrived | customer stays away > attendance, cancellation policy
call off appointment | move appointment | other time instead > reschedule, cancel, cancellation
time between appointments | breathing room > buffer, buffer time
full then line | wait for free place | all places taken > waitlist, waiting list, capacity
how many may come | too many people > capacity, limit, attendee limit
get in at door | scan at entrance | let people in door > check in, ticket, qr code
sell seats | tickets for concert > ticketing, ticket, seating
pass ticket on | give ticket to friend > ticket transfer, transfer
learn with class | pupils | kids at school > student, course, classroom
give marks | school marks > grade, grading, gradebook
hand in homework | homework > assignment, submission
hand in late | after deadline homework > late submission, extension, deadline
test for pupils | check knowledge > quiz, exam, assessment
copied homework | copy from neighbor | cheat in test > plagiarism, academic integrity, cheating
paper at end | proof of course > certificate, completion
put in course | let into course | join class > enrollment, enrolment
how far pupil | what learned so far > progress, completion, progress tracking
little cards to learn | learn words > flashcard, spaced repetition
show again before forget | repeat before forgetting > spaced repetition, interval, review
sick people | people at doctor > patient
what doctor wrote | papers of patient | patient file > health record, medical record, ehr
pills | what pills taken | medicine taken > medication, prescription, dose
cannot take medicine | bad reaction to > allergy, adverse reaction, intolerance
see doctor by video | doctor on screen | talk to doctor online > telehealth, telemedicine, video visit
blood results | what lab found > lab result, observation, diagnostic report
jab > vaccination, immunization
patient says yes | may share health > consent, authorization
who looked at patient | peek at records > audit log, access log
doctor sends on | send to specialist > referral
exchange with hospital | talk to hospital system > hl7, fhir, interoperability
save game | go on playing later | keep progress game > save, save file, checkpoint
lost progress | save gone > save, corruption, backup
play with others | play together > multiplayer, co op, lobby
find opponents | get into match | fair opponents > matchmaking, rating
best players | top players > leaderboard, ranking, high score
cheater | plays unfair | see through walls > anti cheat, cheating, ban
game jerky | game stutters > frame rate, fps, lag, performance
late reaction game | rubber banding > lag, latency, ping
trophies | win medals > achievement
change the game | players add things | fan made additions > mod, modding
buy in game | coins for money > microtransaction, purchase
things go through walls | walk through wall > collision, collision detection, physics
computer opponents | computer plays > ai, npc, bot
play with pad | use gamepad > controller, gamepad, input
room in game | part of game > level, scene, map
harder or easier | game too hard > difficulty
user whereabouts | whereabouts | know position of phone > geolocation, location, gps
how high is place | mountains on map > elevation, terrain
next train | when bus comes > public transport, transit, gtfs
streets jammed | cars queue > traffic
best order of stops | visit many places > route optimization, waypoint
area on map | draw region > polygon, area, geojson
coordinates wrong way | points in sea | map shifted > longitude, latitude, projection, coordinate
pay before visit | pay to book > deposit, prepayment
who serves customer | choose hairdresser > staff, resource, provider
rent out things | borrow equipment > rental, resource booking
every week same room | repeat booking > recurring booking, recurrence
wristband | check guests > check in, attendee
teach online | lesson by video > online course, virtual classroom
teacher sees work | group work pupils > assignment, group
parents see marks | mother of pupil > guardian, parent
who was in class | skip school | missed class > attendance, absence
points for effort | how points given > rubric, grading
next visit doctor | see doctor when > appointment, scheduling
wrong patient | same patient twice > patient matching, duplicate, merge
emergency look | open file in emergency > break glass, emergency access
family sees file | mother of patient > proxy access, caregiver, guardian
pause game | stop game for while > pause
make own level > level editor
computer draws slowly | too many pictures second > frame rate, rendering
sound of steps | noise in game > sound effect, audio
bags of player | things player carries > inventory, item
talk with figures > dialogue, quest
figure walks | make figure move > animation, character controller, movement
`;
