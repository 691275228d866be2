/** Nouns that look like verbs: `the domain pricing`, `Booking objects`. */
export const NOUN_IN_ING =
  /^(?:billing|booking|building|funding|heading|listing|mapping|meeting|posting|pricing|ranking|rating|recording|routing|setting|shipping|signing|string|timing|training|warning)$/;
