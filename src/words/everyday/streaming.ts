/** Everyday expressions for film and music at home, broadcasting, maps and apps on phones: see ../expressions.ts. */
export const STREAMING = `
film stutters | picture stops | keeps loading film | film keeps stopping | waits all the time > buffering, transcoding, bitrate, bandwidth, playback
player does not know format | film will not play | will not play on tv | tv can not play > codec, transcoding, direct play, container, supported formats
use graphics chip for film | fans go wild | processor at full playing | make playing cheaper > hardware acceleration, transcoding, vaapi, nvenc, quick sync, gpu
lower quality on phone | less data on phone | smaller picture when slow > bitrate, quality, adaptive, transcoding
wrong film recognized | wrong cover | wrong title for film | takes film for other > identify, metadata, naming, match, provider
film not found in list | new film not showing | films not listed | added film missing > library scan, library, naming, permissions, folder
how to name files | name my films | names of episodes | seasons wrong > naming, folder structure, season, episode, organization
covers and texts | info about films from | pictures of actors > metadata, provider, images, artwork, nfo
words at bottom | text under film | text for deaf | foreign words shown > subtitles, captions, srt
other spoken language | hear in french | wrong language spoken > audio track, language, playback settings
watch from outside home | watch on holiday | reach films from outside > remote access, reverse proxy, port forwarding, networking, vpn
kids not see films | keep kids from films | films for grown ups > parental control, rating, user, access schedule
pick up film where stopped > resume, playback position, continue watching, watched
watch together apart | watch with friends | same time with friends > syncplay, watch party, group
record from tv | tape a show | watch tv channels | tv at home > live tv, dvr, recording, tuner, guide, epg
what comes on tv | tv times > guide data, epg, xmltv
film on plane | take film with me | save film on tablet > download, offline
play on other screen | throw to tv | send to speaker | control tv from phone > cast, chromecast, dlna, remote control
skip the beginning song | jump over titles > intro skip, media segments, chapters
many rips of one film | same film twice | two qualities of film > versions, multiple versions, merge
songs by album | music sorted wrong | name of singer wrong > music, tags, metadata, album artist
books to listen | listen to books > audiobook, books
add to media box | new abilities for player > plugin, repository, catalog
put it in a box | run in box > docker, container, image, compose
films on network drive | films on other box | films on nas > network share, nfs, smb, mount, storage
gets no rights to films | can not see folder | may not read films > permissions, access, mount, user
move to new box | take to new machine | new server old data > migration, backup, restore, data directory
put film up | let users send films | send film to server > upload, ingest, asset, tus
film for website | show film on page | player on page > player, embed, playback id, hls
broadcast now | send camera live | live to many people > live stream, rtmp, ingest, broadcast, stream key
too far behind live | delay of seconds | seconds late > latency, low latency, ll-hls, webrtc
look again after live | live kept for later > recording, vod, dvr, replay
only who paid sees film | stop film copying | film links stolen > signed url, drm, token, playback policy, domain restriction
little picture of film | picture from film | preview while sliding > thumbnail, poster, storyboard, trickplay, preview
cut part out of film | only a piece of film > clip, trim
count who watched | how long did they watch > view, watch time, analytics, engagement
call with picture | talk face to face online | see each other > video call, webrtc, room, participant, track
hear echo | noise in call > echo cancellation, noise suppression, audio
let others see screen > screen share, track, publish
call does not connect | blocked by office net > turn, stun, ice, firewall, connectivity
dots and streets | draw map on page | map on my site > map, tiles, layer, style, marker
look of map | dark map | own colors of map > style, layer, theme, basemap
way from a to b | how to drive | shortest drive | how long is the drive > directions, routing, route, navigation, travel time
how far in ten minutes | reach within minutes > isochrone, reachability
find place by typing | finish the address | suggestion of address > geocoding, autocomplete, search, places
where is phone now | follow a car | follow driver > location tracking, geolocation, live location, telemetry
warn when leaves place | tell when arrives > geofence, event, boundary
too many points to show | thousands of points > cluster, vector tile, heatmap, aggregation
mountains in 3d | buildings in 3d > terrain, extrusion, elevation, 3d
line on map | shape on map | area in color on map > geojson, line, polygon, layer, feature
map when no net | map in forest > offline, tile, region, download, pack
picture from above | photo from space > satellite, imagery, raster
open app from link | link goes into app | link opens the app > deep link, universal link, app link, url scheme
put in the app shop | get into app store | send to testers | give to testers > app store, release, testflight, submission, distribution, play store
shop says no to app | apple refuses > review, rejection, guidelines
change app without shop | fix without new version | update app without store > over-the-air, ota, code push, update
app dies | app closes by itself | app falls over > crash, crash reporting, stack trace, symbolication
signed by apple | papers for app | papers from apple > certificate, provisioning profile, code signing, keystore
work while closed | when app not open | in pocket working > background, background task, service, fetch
ask to use camera | ask phone for place | phone asks user > permissions, permission request, plist, manifest
buy inside app | pay in app > in-app purchase, subscription, storekit, billing
store on phone | keep on phone safely > local storage, keychain, secure storage, sqlite, persistence
app icon | first picture at start | picture when app starts > icon, splash screen, launch screen, assets
next screen | go back to screen | tabs at bottom > navigation, stack, router, tab
keyboard covers | field hidden by keyboard > keyboard avoiding, safe area, insets
long list jerky | list stutters > flatlist, virtualized, performance, lazy
use phone's own code | code in swift | bridge to phone code > native module, bridge, plugin, platform channel, native code
pretend phone | phone on computer > emulator, simulator
keep folder from showing | folder should not show | hide folder from library > exclude, ignore
jump over the opening | skip song at start | without opening song > intro, media segments, skip
cut the adverts | without adverts | remove ads from recording > commercial, post processing, comskip
film keeps stuttering | film jerks | choppy film > transcoding, hardware acceleration, playback, bandwidth
type with remote | password with remote | typing on tv > quick connect, code, pairing
two qualities | 4k and small one > versions, multiple versions, resolution
sound without picture | picture without sound > audio, codec, transcoding, playback
too loud at night | voices too quiet > downmix, volume, normalization, audio
share with family | family sees my films > user, access, library access, sharing
which box to buy | what machine for films > hardware, requirements, hardware selection
`;
