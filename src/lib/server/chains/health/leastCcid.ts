import type { Dialect } from '#lib/rpc/codec.ts';

/** Returns the smallest CCid that allows migrations: 100 in release 0.9.0, 101 in the interface document. */
export const leastCcid = (dialect: Dialect): number => (dialect === 'seed' ? 101 : 100);
