/**
 * Joins the headings that a place stands under, outermost first, into one text. Stored passages contain it, so a change of it
 * has to raise `PASSAGES_VERSION`.
 */
export const BETWEEN_HEADINGS = ' › ';
