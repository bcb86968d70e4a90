import type { Gateway } from '../daemon/types.ts';

/** Parameters of the chain that no method tells. */
export interface ImportMode {
	/** Value of `ac_import`; null when nobody configured it. */
	mode: string | null;
	/** Value of `ac_pubkey`, hex; null when nobody configured it. */
	pubkey: string | null;
}

/** Reads what is configured for a chain, at whichever of its daemons. */
export function importModeOf(gateway: Gateway, chain: string): ImportMode {
	const all = gateway.daemons().filter((daemon) => daemon.chain === chain);
	const first = <K extends 'acImport' | 'acPubkey'>(key: K): string | null =>
		all.find((daemon) => daemon[key] !== null)?.[key] ?? null;
	return { mode: first('acImport'), pubkey: first('acPubkey')?.toLowerCase() ?? null };
}
