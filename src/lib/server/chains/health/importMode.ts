import type { Gateway } from '../daemon/types.ts';

/** Parameters of the chain that no method reports. */
export interface ImportMode {
	/** Value of `ac_import`; null when not configured. */
	mode: string | null;
	/** Value of `ac_pubkey`, hex; null when not configured. */
	pubkey: string | null;
}

/** Returns the parameters configured for a chain, at any of its daemons. */
export function importModeOf(gateway: Gateway, chain: string): ImportMode {
	const all = gateway.daemons().filter((daemon) => daemon.chain === chain);
	const first = <K extends 'acImport' | 'acPubkey'>(key: K): string | null =>
		all.find((daemon) => daemon[key] !== null)?.[key] ?? null;
	return { mode: first('acImport'), pubkey: first('acPubkey')?.toLowerCase() ?? null };
}
