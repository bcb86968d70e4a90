import type { ChainParams } from './ledger/api.ts';
import type { Profile } from './profile.ts';
import { keyFor } from './wallet/keys.ts';

/** Configuration of one chain of the devnet. */
export interface ChainSpec {
	name: string;
	ccid: number;
	/** `ac_supply` in coins; for KMD, the coins assumed to have been issued earlier. */
	premine: number;
	/** Block reward in satoshi. */
	reward: bigint;
	acImport?: 'PUBKEY';
	/** Number of additional daemons of the chain, each with a notary's wallet. */
	notaryDaemons: number;
}

/** Coins of the treasury at the start; it funds the users' wallets and the notaries. */
const PREMINE = 10_000_000;

export const CHAINS: readonly ChainSpec[] = [
	{ name: 'KMD', ccid: 0, premine: 100_000_000, reward: 300_000_000n, notaryDaemons: 0 },
	{ name: 'ALPHA', ccid: 777, premine: PREMINE, reward: 100_000_000n, notaryDaemons: 0 },
	{ name: 'BETA', ccid: 777, premine: PREMINE, reward: 100_000_000n, notaryDaemons: 5 },
	{ name: 'GAMMA', ccid: 888, premine: PREMINE, reward: 100_000_000n, notaryDaemons: 0 },
	{
		name: 'SELF',
		ccid: 999,
		premine: PREMINE,
		reward: 100_000_000n,
		acImport: 'PUBKEY',
		notaryDaemons: 0
	}
];

export const NOTARY_COUNT = 64;
export const COIN = 100_000_000n;
const BLOCK_TIME = 60;

/** Returns the parameters of a chain's ledger. */
export const paramsOf = (
	spec: ChainSpec,
	profile: Profile,
	seed: string,
	notaries: readonly string[],
	minerPubkey: string
): ChainParams => {
	const side = spec.name === 'KMD' ? 'main' : 'asset';
	return {
		name: spec.name,
		ccid: spec.ccid,
		...(spec.acImport
			? { acImport: spec.acImport, acPubkey: keyFor(seed, `wallet ${spec.name}`).pubkeyHex }
			: {}),
		premine: BigInt(spec.premine) * COIN,
		reward: spec.reward,
		maturity: profile.maturity[side],
		saplingHeight: profile.saplingHeight[side],
		dataCarrierSize: profile.dataCarrierSize[side],
		relaysDust: profile.relaysDust,
		requireNotarySignatures: true,
		notaries,
		minerPubkey,
		blockTime: BLOCK_TIME
	};
};
