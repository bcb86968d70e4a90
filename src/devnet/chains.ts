import type { ChainParams } from './ledger/api.ts';
import type { Profile } from './profile.ts';
import { keyFor } from './wallet/keys.ts';

/** One chain of the network as it is set up. */
export interface ChainSpec {
	name: string;
	ccid: number;
	/** `ac_supply` in coins; KMD's stands for what was issued before. */
	premine: number;
	/** Block reward, satoshi. */
	reward: bigint;
	acImport?: 'PUBKEY';
	/** Further daemons of the chain, each with a notary's wallet. */
	notaryDaemons: number;
}

/** Coins that the treasury starts with; it pays the users' wallets and the notaries. */
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

/** What a chain's ledger is made with. */
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
