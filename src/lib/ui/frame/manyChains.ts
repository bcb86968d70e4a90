/** With more chains than this, lists are compact, and chains that need attention come first. */
export const MANY_CHAINS = 12;
