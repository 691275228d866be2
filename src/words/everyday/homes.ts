/** Everyday expressions for home automation, things with sensors, radio and firmware: see ../expressions.ts. */
export const HOMES = `
when it gets dark | after dark | before it gets dark | when sun goes down > sunset, sun, trigger, elevation
when sun comes up | at first light > sunrise, sun, trigger
when i come home | nearly home | when i leave house | nobody is home | nobody home > presence, zone, geofence, device tracker, person, occupancy
walk past | moves in room > motion, occupancy, presence, binary sensor
door is open | window left open | forgot to close door > contact, door, binary sensor, opening
if this then that > automation, trigger, event, rule, condition
many things one button | set whole room | everything off at once | movie mode > scene, group, script, area
dim | half bright | less bright light > brightness, dimmer, transition, light
warm light | cold light | light colour > color temperature, rgb, light
too hot | too cold | warm up room > temperature, climate, thermostat, heating
air is stuffy | bad air | damp air > air quality, co2, humidity, ventilation
blinds | roller shutters | pull curtain | curtains > cover, shutter, blind
who rang bell > doorbell, camera, intercom
see who is outside | watch the yard > camera, stream, snapshot, motion detection
electricity used | current drawn | what eats electricity > energy, power, consumption, meter
sun on the roof | panels on roof | own electricity > solar, photovoltaic, energy, inverter
water leak > leak, moisture, sensor
talk to the house | say a command | tell house to | speak a command > voice assistant, assist, intent, sentence, conversation
find new devices by itself | found by itself | shows up by itself | see devices on network > discovery, mdns, zeroconf, ssdp, dhcp
add a new gadget | hook up gadget | take device in > pairing, add device, config flow, join, onboarding, adopt
gadget not reachable | device does not answer | drops off the network | lost the connection to device > unavailable, offline, availability, reconnect
gizmo | doohickey | thingy > device, hardware, entity
box that talks to gadgets | middle box | central box > hub, gateway, bridge, coordinator
several values in one device | parts of device | things a device offers > entity, endpoint, capability, cluster
current value of device | is it on or off > state, attribute, status
remember value after restart | value gone after restart | after power cut | when power returns > restore, persistence, retain, restore_mode, nvs, flash
ask device regularly | how often ask device | look at device every minute > polling, update interval, scan interval, coordinator
device tells by itself | device sends by itself | be told instead of asking > push, subscribe, local push, callback, mqtt
without the cloud | not through internet | stays in house | maker's cloud > local, local control, local api, offline
over the air > ota, wireless, wifi, over-the-air
update the device | update over network | put new program on device > firmware, ota, update, flash
dead after update | will not start after update > recovery, safe mode, flash, boot loop, rollback
put program on chip | load onto chip | burn to board > flash, upload, install, serial
wires to pin | which pin | connect wire | legs of chip > gpio, pin, pinout, wiring
button wired to | read a button | push button > binary sensor, gpio, button
bouncing button | counts button twice | pressed once counts twice > debounce, filter, delayed_on
press long | hold down button | press twice | double tap > long press, click, multi_click, event
noisy reading | value jumps | jumpy values | smooth the values | wild values > filter, average, smoothing, median, moving average
value is off | off by two degrees > calibration, offset, filter, calibrate
works on battery | run on battery | battery empties | save battery > deep sleep, battery, power saving, sleep
how strong is wifi | bad reception | weak signal > signal strength, rssi, wifi signal, antenna
no wifi found | wifi not there | wrong wifi password > fallback, access point, captive portal, hotspot, wifi
give it fixed address | always same address | address keeps changing > static ip, manual ip, dhcp, mac address
small screen on device | show text on screen | write on little screen > display, lcd, oled, lambda, font
colourful strip | strip of lights | row of lights > led strip, addressable, neopixel, effect
flash light > effect, blink, strobe, pulse
spin motor | turn a motor | how fast fan > motor, servo, stepper, fan, speed, pwm
open with card | tag at door | hold card to > nfc, rfid, tag, reader
unlock door | keypad at door | code at door > lock, keypad, access code
counts pulses | count turns | counting blinks of meter > pulse counter, pulse meter, meter
measure distance | how full tank | how far water > ultrasonic, distance, level, sensor
tell if broken | tell if it hangs | restart when hangs | frozen device > watchdog, reboot, restart, health
same setup many devices | share config between devices | twenty of same device > packages, substitutions, template, include
own little program in | bit of own code | run c code > lambda, script, custom component, template
value from other values | compute from sensors | combine two readings > template, template sensor, derived, helper
turn off after minutes | stay on for while > delay, timer, delayed, duration
how long has been on | total time on > duration, history stats, uptime, duty time
rooms and floors | which room | sort devices by room > area, floor, zone, label, location
board with buttons | screen with tiles | panel for house | wall tablet > dashboard, card, view, lovelace
ready-made recipe | share my automation | copy others automation > blueprint, template, example
where values over days | old values | values of yesterday > history, recorder, statistics, long-term
remote control | copy the remote | learn remote > infrared, remote, transmitter, receiver
old radio plug | radio signal | listen to radio > rf, 433, receiver, remote
play sound on speaker | speak through speaker | say in kitchen > media player, tts, announce, speaker
guest for a day | cleaner on mondays > user, access code, schedule, permission
extra box in the middle | reach further | far away sensors | extend reach > repeater, router, mesh, range extender, proxy
talk to phone without wifi | near phone only > bluetooth, ble
talk to other kinds of gadgets | talk to apple home > bridge, matter, homekit, integration
messages between gadgets | gadgets post values | shared board of values > mqtt, topic, broker, publish, subscribe
last word when it dies | tells others it died > last will, availability, birth message
shadow of device | twin of device | wish for device state > device shadow, digital twin, desired state
thousand devices at once | fleet of devices | many gadgets in field > fleet, provisioning, bulk, group
first time it wakes | new device at factory > provisioning, enrollment, certificate, registration
light in hall | light goes on when | light when i walk > motion, automation, light, trigger
same as yesterday | like last time > restore, history, scene
turn all off when leaving | forgot to switch off > presence, automation, away, scene
how long lamp burns | burns all night > duration, timer, timeout
learn new word | house understands > sentence, intent, custom sentences
`;
