/** Formats an outpoint as a key for maps: `txid:index`. */
export const outpointKey = (txid: string, vout: number): string => `${txid}:${vout}`;
