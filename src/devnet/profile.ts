/** How faithful a network is to the released daemon, and how fast. */
export interface Profile {
	name: ProfileName;
	/** `datacarriersize` of KMD and of the asset chains. */
	dataCarrierSize: { main: number; asset: number };
	/** The dust rule is relay policy; a fast network carries a single satoshi. */
	relaysDust: boolean;
	/** First height of Sapling on KMD and on the asset chains. */
	saplingHeight: { main: number; asset: number };
	/** Coinbase maturity of KMD and of the asset chains. */
	maturity: { main: number; asset: number };
	/** Release 0.9.0 builds token burns only towards a chain called LABS. */
	tokenBurnsOnlyToLabs: boolean;
	/** Funding puts change at any place among the outputs; release 0.9.0 keeps it before the last one. */
	changeAnywhere: boolean;
	/** What the daemons were started to keep beside their blocks; none of it is kept unless it is asked for. */
	addressIndex: boolean;
	spentIndex: boolean;
	timestampIndex: boolean;
	/** The daemons know this network's notaries: else they list no notarization of a block, and find all by a search. */
	notaryTable: boolean;
	/** Speaks the forms of the interface document, and no others. */
	seedForms: boolean;
	/** Which release of the trading node is played. */
	kdfBuild: '2.5.1' | '3.0.0';
	/** Milliseconds between blocks when the network runs by itself. */
	blockEveryMs: number;
	/** Blocks from one round of the notaries to the next. */
	blocksPerRound: number;
	/** Without a send for so long the network slows down by the factor. */
	idleAfterMs: number;
	idleFactor: number;
}

export type ProfileName = 'fast' | 'daemon-0.9.0' | 'kdf' | 'plain' | 'seed';

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
	// The trading node as released, by its own name; the chains are the fast ones.
	['kdf', { ...FAST, name: 'kdf' }],
	['seed', { ...FAST, name: 'seed', seedForms: true }],
	// Daemons as they are installed: no optional index, and notaries of another network in their table.
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
			// A chain with ac_cc switches the other two on, and never this one.
			timestampIndex: false,
			notaryTable: true,
			seedForms: false,
			// The trading node's recordings come from this release.
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
 * A profile, with the `datacarriersize` that the asset chains' daemons are started with where one is given.
 * @throws RangeError for a name that is none
 */
export const profileOf = (name: string, dataCarrierSize?: number): Profile => {
	const profile = PROFILES.get(name);
	if (!profile)
		throw new RangeError(`there is no profile ${name}; use ${profileNames.join(' or ')}`);
	if (dataCarrierSize === undefined) return profile;
	const { main } = profile.dataCarrierSize;
	return { ...profile, dataCarrierSize: { main, asset: dataCarrierSize } };
};
