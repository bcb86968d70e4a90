import type { Dialect } from '#lib/rpc/codec.ts';

/** The smallest CCid whose chains can exchange: release 0.9.0 takes 100, the interface document wants more than that. */
export const leastCcid = (dialect: Dialect): number => (dialect === 'seed' ? 101 : 100);
