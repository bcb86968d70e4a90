/** Inputs that a notarization needs at least, each of a different notary. */
export const NOTARY_SIGNATURES = 11;
