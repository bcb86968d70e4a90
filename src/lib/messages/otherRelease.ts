/**
 * What another release of Komodeck stored, and this one has no word for: while servers are updated one by one, some
 * store what others do not know.
 */
export const OTHER_RELEASE = 'Known to another release only';
