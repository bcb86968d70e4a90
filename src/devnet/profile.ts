/** How closely a network follows the released daemon, and how fast it is. */
export interface Profile {
	name: ProfileName;
	/** `datacarriersize` of KMD and of the asset chains. */
	dataCarrierSize: { main: number; asset: number };
	/** Whether outputs below the dust limit are relayed; a fast network relays even a single satoshi. */
	relaysDust: boolean;
	/** First height of Sapling on KMD and on the asset chains. */
	saplingHeight: { main: number; asset: number };
	/** Coinbase maturity of KMD and of the asset chains. */
	maturity: { main: number; asset: number };
	/** Release 0.9.0 builds token burns only for a destination called LABS. */
	tokenBurnsOnlyToLabs: boolean;
	/** Whether funding may insert change at any position; release 0.9.0 inserts it before the last output. */
	changeAnywhere: boolean;
	/** Optional indexes that the daemons were started with. */
	addressIndex: boolean;
	spentIndex: boolean;
	timestampIndex: boolean;
	/**
	 * Whether the daemons know this network's notaries. If not, they list no notarizations of a block, but a
	 * search still finds them.
	 */
	notaryTable: boolean;
	/** Speaks only the dialect of the interface document. */
	seedForms: boolean;
	/** Simulated release of the trading node. */
	kdfBuild: '2.5.1' | '3.0.0';
	/** Milliseconds between blocks in automatic mode. */
	blockEveryMs: number;
	/** Number of blocks between rounds of notarizations. */
	blocksPerRound: number;
	/** Milliseconds without submitted transactions after which automatic mode slows down by `idleFactor`. */
	idleAfterMs: number;
	idleFactor: number;
}

export type ProfileName = 'fast' | 'daemon-0.9.0' | 'plain' | 'seed';

const FAST: Profile = {
	name: 'fast',
	dataCarrierSize: { main: 10_001, asset: 10_001 },
	relaysDust: true,
	saplingHeight: { main: 1, asset: 1 },
	maturity: { main: 1, asset: 1 },
	tokenBurnsOnlyToLabs: false,
	changeAnywhere: true,
	addressIndex: true,
	spentIndex: true,
	timestampIndex: true,
	notaryTable: true,
	seedForms: false,
	kdfBuild: '2.5.1',
	blockEveryMs: 2000,
	blocksPerRound: 4,
	idleAfterMs: 180_000,
	idleFactor: 10
};

const PROFILES: ReadonlyMap<string, Profile> = new Map<string, Profile>([
	['fast', FAST],
	['seed', { ...FAST, name: 'seed', seedForms: true }],
	// Daemons without optional indexes (on a chain with ac_cc, the address and spent indexes were disabled
	// explicitly), and with another network's notaries in their table.
	[
		'plain',
		{
			...FAST,
			name: 'plain',
			addressIndex: false,
			spentIndex: false,
			timestampIndex: false,
			notaryTable: false
		}
	],
	[
		'daemon-0.9.0',
		{
			name: 'daemon-0.9.0',
			dataCarrierSize: { main: 140, asset: 208 },
			relaysDust: false,
			saplingHeight: { main: 61, asset: 61 },
			maturity: { main: 100, asset: 1 },
			tokenBurnsOnlyToLabs: true,
			changeAnywhere: false,
			addressIndex: true,
			spentIndex: true,
			// A chain with ac_cc enables the other two by default, but not this one.
			timestampIndex: false,
			notaryTable: true,
			seedForms: false,
			// Release from which the trading node's recordings come.
			kdfBuild: '3.0.0',
			blockEveryMs: 2000,
			blocksPerRound: 4,
			idleAfterMs: 180_000,
			idleFactor: 10
		}
	]
]);

export const profileNames: readonly string[] = [...PROFILES.keys()];

/**
 * Returns a profile, optionally with another `datacarriersize` of the asset chains.
 * @throws RangeError for an unknown name
 */
export const profileOf = (name: string, dataCarrierSize?: number): Profile => {
	const profile = PROFILES.get(name);
	if (!profile)
		throw new RangeError(`there is no profile ${name}; use ${profileNames.join(' or ')}`);
	if (dataCarrierSize === undefined) return profile;
	const { main } = profile.dataCarrierSize;
	return { ...profile, dataCarrierSize: { main, asset: dataCarrierSize } };
};
