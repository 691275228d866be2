/** Single everyday words for people and things that have another name in documentation: see ../expressions.ts. */
export const THINGS = `
boss | chief | head honcho > admin, administrator, owner, manager
colleague | teammate | coworker | workmate > member, team, user, collaborator
crew | squad > team, group
folks > users, members, people
newcomer | newbie | rookie > new user, onboarding, new member
stranger | outsider > guest, anonymous, external, unauthenticated, public
passer-by > visitor, guest, anonymous
shopper | buyer > customer
writer > author, contributor, editor
reader > subscriber, member, visitor
kid > children, parental, family
roster | rota > schedule, rotation, on-call
film | flick > movie, video
telly > tv, television
song | tune > music, track, audio
photo > image, picture
advert | commercial break > ad, advertisement, commercial
cellphone | smartphone > mobile, phone, mobile app
laptop > local, machine, desktop, computer
wifi password > network, ssid, credentials
e-mail > email
chitchat | banter > chat, conversation
handbook > documentation, knowledge, manual
leaflet | brochure > file, pdf, download
scribbles > notes, drawing
shelf > collection, library
drawer > folder, collection
cupboard > storage, archive
parcel tracking > shipment, tracking
wares > products, items
stock room > inventory, warehouse
receipt for > invoice, receipt
timetable | agenda of day > schedule, calendar
get-together > meeting, event
vacation | holidays > out of office, time off, leave
lunch break > break, out of office, unavailable
overnight > cron, schedule, scheduled, nightly
weekly | monthly > recurring, schedule, interval, report
quarter of hour | half hour > minutes, interval, duration
password sheet > secrets, password manager
passcode | pin code > code, otp, password, pin
fingerprint > biometric, webauthn, passkey
robot > bot, automated, crawler
spy | snooper > tracking, privacy
thief | scammer > fraud, attacker, abuse
intruder | burglar > attacker, unauthorized, alarm, security
rubbish | junk > spam, trash, cleanup, deleted
leftover > orphaned, unused, cleanup, remaining
hiccup | glitch | blip > error, issue, failure, transient
culprit > cause, root cause, debug
workaround for > limitation, known issues, troubleshooting
chip > hardware, cpu, gpu, processor
graphics chip | graphics card | video card > gpu, hardware acceleration
cable > connection, wired, ethernet, serial
socket on wall | wall plug | smart plug > switch, plug, outlet, relay
heater | radiator > climate, thermostat, heating
bulb | lamp > light, led
shutter | roller blind > cover, blind
buzzer > sound, speaker, beep
colours | colors > theme, color, style, css
good looks > theme, appearance, style
wording > text, message, template, label
headline > title, heading
blurb > description, excerpt, summary
cover picture > image, poster, artwork, thumbnail
sidekick > assistant, companion, sidecar
walkthrough > tutorial, guide, quick start
recipe > example, template, guide, blueprint, how-to
cheat sheet > reference, shortcuts, commands
checklist for > checklist, steps, requirements
knob > setting, option, parameter, configuration
switch for > option, flag, toggle, setting
lever > option, setting
allowance > limit, quota
cap | upper bound > limit, maximum, quota
speed limit > rate limit, throttle
waiting room | waiting list > queue, pending, lobby
pile > queue, backlog, batch
heap of > many, bulk, batch
bunch > batch, bulk, group, multiple
twin > copy, duplicate, clone, replica
spare > backup, standby, replica, fallback
plan b > fallback, failover, backup, alternative
rescue > recovery, restore, recover
undo button > undo, revert, rollback
emergency > incident, urgent, critical, disaster recovery
paperwork > documents, compliance, requirements
fine print > terms, limits, limitations, license
`;
