/** Bytes of an OP_RETURN script that release 0.9.0 relays, unless it is started with another limit. */
export const DEFAULT_RELAY_BYTES = { main: 140, asset: 208 } as const;
/** Largest script that is valid at all, in bytes. */
export const SCRIPT_BYTES = 10_001;
