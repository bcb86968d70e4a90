/** More chains than this are not looked through: lists of them are dense, and those that need attention come first. */
export const MANY_CHAINS = 12;
