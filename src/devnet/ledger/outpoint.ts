/** The key under which an output is kept in maps: `txid:index`. */
export const outpointKey = (txid: string, vout: number): string => `${txid}:${vout}`;
