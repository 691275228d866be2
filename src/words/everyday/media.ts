/** Everyday expressions for statistics, pictures, sound, devices: see ../expressions.ts. */
export const MEDIA = `
how many people come | how many looked | see who came > visitor, analytics, traffic
which site sent | visitors come from where | where visitors come from > referrer, source, acquisition
people leave at once > bounce rate, bounce
people who come back > returning visitor, retention
how many buy | visitors become buyers | how many sign > conversion, conversion rate
where people drop out | lose people | give up halfway > funnel, drop off, conversion
way through site | what click next | path people take > user journey, path, flow
where they click | hot spots on page | where mouse goes > heatmap, click tracking
watch what users do | film visitors | play back visit > session replay, session recording
which one works better | try two variants > experiment, variant, split test
for some users only | show to few | only ten percent > feature flag, rollout, targeting
spy on users | calls home | sends usage > telemetry, tracking, privacy
ask for cookies | cookie window | cookie banner | may we track > consent, cookie consent
count without cookies | no cookies needed > cookieless, privacy, anonymous
not count myself | ignore own visits > exclude, filter, internal traffic
robots in numbers | fake visits | bots counted > bot traffic, bot filtering
which ad works | where sale came from | what ad brought > attribution, campaign, utm
mark links for ads | tags in link > utm, campaign, parameter
what want to reach | count as success > goal, conversion, kpi
users from same week | group by start > cohort, retention
now on site > real time, active visitors
where in world | from what city > geolocation, location, country
kind of device | phone or computer > device, user agent
ad blocker stops | blocked by ad > ad blocker, proxy
numbers differ | counts do not agree | different numbers > discrepancy, sampling, metric
only part counted | counted a portion > sampling
numbers as picture | draw numbers > chart, visualization, graph
round chart | cake chart > pie chart, donut
chart by time | line over days > time series, line chart
dig deeper | look closer at number | click into number > drill down
sum by group | add up per > aggregation, group by, pivot
turn table around | cross table > pivot table, pivot
strange peak | odd jump > anomaly, outlier, spike
typical value | middle value > median, average
slowest ones | worst few percent > percentile
compare with last year | better than before > comparison, period, trend
numbers rising or falling | where numbers are heading > trend, forecast
look into future | guess next month > forecast, prediction
report by mail | send numbers weekly > scheduled report, subscription, report
numbers for boss | show management > report, dashboard, executive summary
tell when number drops | warn if too low > alert, threshold
older numbers gone | how far back > retention, data retention
site feels slow > page speed, performance
count downloads > download tracking, download count
what people search > search term, keyword, site search
how long visitors stay > session duration, engagement
page most read | favorite pages of visitors > top pages, pageview
numbers of competitor > benchmark, competitor
small snippet in page | put code in site > tracking code, script, snippet
count from server | count by log > server side, log analytics
own events counted | count button presses > custom event, event tracking
hide who visitor is | no names in numbers > anonymization, pseudonymization, ip anonymization
same visitor two devices | know visitor again > user id, identity, fingerprint
ad money | what ad costs | worth of ads > ad spend, roi, campaign
show ads again | ads follow me > retargeting, remarketing
found on google | show up in google | higher in google > seo, search engine, indexing
not on google | hide from google | keep google out > robots.txt, noindex, crawler
preview when shared | picture when link shared > open graph, link preview, meta tag
where are photos kept | where pictures go > storage, library, upload
shrink picture | make picture smaller | squeeze picture > resize, compress, thumbnail, image optimization
cut picture | cut off edges | cut out part > crop, trim
turn picture | lies on side | picture sideways | upside down > rotate, orientation, exif
small preview | tiny picture > thumbnail, preview
picture does not show | broken picture > image, thumbnail, loading
hidden info in photo | camera details | where photo taken > exif, metadata, gps, geotag
find faces | who is in picture | recognize people > face recognition, face detection, people
find same photos | double pictures | looks alike > duplicate detection, duplicate, similarity
photos from phone | phone pictures automatically | copy camera roll > backup, auto upload, mobile app, sync
iphone pictures | apple photo format > heic, conversion
moving photo | photo with movement > live photo, motion photo
put pictures together | photo book | collect photos > album, gallery
write on picture | stamp on photo > watermark, annotation
blur out | hide names > redaction, blur, anonymization
see through background > transparency, background removal
video stutters | jerky | choppy | video hangs > buffering, transcoding, bitrate
will not play | change video format > transcoding, codec, conversion
lower quality | less data video | bad quality | looks blurry > quality, bitrate, resolution
words under film | text in video | read what is said > subtitle, caption
go on watching | where i left off | carry on where > resume, watch progress, continue watching
show on tv | throw on tv | play on other device > cast, chromecast, dlna, airplay
film live | go on air | broadcast myself > live streaming, broadcast, rtmp
record screen | film screen | capture what see > screen recording, screen sharing
show my screen | others see my screen > screen sharing
cut film | shorten clip | take piece of video > trim, clip, edit
poster of film | cover of album | front picture > cover art, poster, artwork, thumbnail
wrong film found | wrong title | film not recognized > metadata, matching, identify
not for kids | keep kids away | kids see only > parental control, content rating, restriction
different loudness | too loud > volume, normalization, replaygain
cannot hear | nothing to hear | no sound > audio, audio output, mute
hear myself | echo on call | own voice back > echo cancellation, feedback
background noise | hiss | crackle > noise suppression, noise reduction
sound behind picture | lips do not match > sync, delay, latency
speech into text | write what said | type by talking | talk to type > transcription, dictation, speech recognition
read text to me | computer voice > tts, speech synthesis
list of songs | songs in order > playlist, queue
no gap between songs | pause between songs | songs run together > gapless, crossfade
music in every room | several speakers > multi room, synchronized, speaker group
borrow book | ebook reader > library, ebook, epub
hook up device | connect gadget | gadget | bring device in > pairing, device, integration
device not found | does not see device | cannot find gadget > discovery, pairing, detection
device gone | fell off network | lost device connection > unavailable, offline, disconnect
battery empty fast | drains battery | eats battery | battery dies > battery, power consumption, power saving
lights on by themselves | when come home | if dark then > automation, trigger, scene
turn on from afar | control from elsewhere | from outside home > remote access, remote control
room warmth | measure warmth > temperature, sensor, thermostat
notice movement > motion detection, motion sensor, presence
who is at door | bell rings > doorbell, camera
open door by app | key on phone > lock, smart lock, access
how much power used | electricity use > energy, power consumption, meter
wrong reading | measure wrong > calibration, sensor, offset
new software on device | update gadget > firmware, ota, flashing
bricked | device dead after update > recovery, firmware, factory reset
back to as new | like from factory | start from scratch device > factory reset, reset
lost phone | stolen phone | phone gone > remote wipe, lost device, revoke
new phone | changed phone | switch phone > device migration, transfer, recovery
phones of staff | company phones | manage phones > mdm, device management
app may use camera | allow microphone | let app use > permission, privacy
show photos in turn > slideshow
old tapes | turn records digital > digitize, import, conversion
make disc files | cd to files > ripping, rip
raw pictures | camera originals > raw, original
fix colors | picture too dark | brighten picture > color correction, exposure, brightness
photo from that day | photos by day > timeline, date taken
photos of trip | photos by place > map view, location, geotag
hide private photos | photos not for others > hidden, locked folder, archive
give family photos | let family see photos > shared album, sharing, partner sharing
next episode | what next to watch > continue watching, next up
cannot play on tv | player does not support > transcoding, codec, direct play
jump over intro | skip opening > intro skip, skip
talk shows on phone | listen to shows > podcast
radio on net | net radio > internet radio, stream
phone as key | wave phone > nfc, pairing
phone finds device nearby | short distance radio > bluetooth, ble
camera at home | watch house | see who at home > camera, surveillance, motion detection
water on floor | pipe burst > leak sensor, leak
fire in house > smoke detector, alarm
button many things | set mood lights > scene, script
old readings | what was temperature > history, recorder, time series
all devices in room | group lights > area, group, room
device talks own language | make device understood > protocol, driver, integration
too far from router | signal does not reach | weak radio > signal strength, range, repeater
bring own phone | use private phone > byod
bring new person in | hire people | look for people | fill job | find staff > hiring, recruiting, recruitment
`;
