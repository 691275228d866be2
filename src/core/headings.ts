/**
 * Between the headings that a place stands under, outermost first, wherever they are one text. Passages are kept with it: another one makes those that are
 * there read wrongly until `PASSAGES_VERSION` is raised.
 */
export const BETWEEN_HEADINGS = ' › ';
