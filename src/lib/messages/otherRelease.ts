/**
 * Replaces a stored code that this release does not know: while servers are updated one by one, a newer one may
 * store codes unknown to the others.
 */
export const OTHER_RELEASE = 'Known to another release only';
