/** The record of a network: what its folder holds besides the chains. */
import { randomBytes } from 'node:crypto';
import { CHAINS, type ChainSpec } from './chains.ts';
import { basePortOf, newAccess, readRecord, type NetworkRecord } from './store.ts';

export interface NetworkOptions {
	dir: string;
	basePort: number;
	profile: string;
	/** Determines all keys and the history; random by default. */
	seed?: string | undefined;
	/** Whether the history only funds the wallets. */
	bare?: boolean;
	/** Whether the asset chains have only just begun. */
	young?: boolean;
	/** `datacarriersize` of the asset chains, overriding the profile's. */
	dataCarrierSize?: number | undefined;
}

/** Returns the ids of a chain's daemons: the one with the wallet, then those of notaries. */
export const daemonIds = (spec: ChainSpec): string[] => [
	spec.name,
	...Array.from({ length: spec.notaryDaemons }, (_, n) => `${spec.name}-notary-${n + 1}`)
];

/** Returns the record of a new network, with new passwords. */
export const newRecord = ({ basePort, profile, seed }: NetworkOptions): NetworkRecord => {
	const ids = CHAINS.flatMap(daemonIds);
	return {
		format: 1,
		profile,
		seed: seed ?? randomBytes(32).toString('hex'),
		createdAt: Math.floor(Date.now() / 1000),
		clockAhead: 0,
		control: { port: basePort, password: randomBytes(24).toString('hex') },
		daemons: Object.fromEntries(ids.map((id, n) => [id, newAccess(basePort + 2 + 2 * n)])),
		ready: false
	};
};

/** Reads the record of a folder, with all ports moved to the base port; null when the folder has none. */
export const readRecordFor = ({ dir, basePort }: NetworkOptions): NetworkRecord | null => {
	const record = readRecord(dir);
	if (record === null) return null;
	const by = basePort - basePortOf(record);
	const { control, node, daemons } = record;
	for (const one of [control, ...(node ? [node] : []), ...Object.values(daemons)]) one.port += by;
	return record;
};

/** Returns the record of a network that begins again: the same keys and passwords, but none of its history. */
export const renewedRecord = ({ daemons, ...kept }: NetworkRecord): NetworkRecord => ({
	...kept,
	daemons: Object.fromEntries(
		Object.entries(daemons).map(([id, { port, user, password }]) => [
			id,
			{ port, user, password, newKeys: 0, importedKeys: [] }
		])
	),
	createdAt: Math.floor(Date.now() / 1000),
	clockAhead: 0,
	ready: false
});
