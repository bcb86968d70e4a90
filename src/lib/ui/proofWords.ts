/** Words for a proof that was checked. Used alike by the server's page and by the browser's own check. */
import type { CheckedProof, StageKind, Verdict } from '#lib/chain/proofTree.ts';

export const STAGE_TITLES: Readonly<Record<StageKind, string>> = {
	block: 'From the transaction to the block',
	mom: 'From the block to the MoM',
	momom: 'From the MoM to the MoMoM',
	rest: 'Further up'
};

export const ROOT_NAMES: Readonly<Record<StageKind, string>> = {
	block: 'merkle root of the block',
	mom: 'MoM, the root over blocks',
	momom: 'MoMoM, the root over MoMs',
	rest: 'end of the branch'
};

export const VERDICTS: Readonly<
	Record<Verdict, { word: string; sign: string; state: 'good' | 'bad' | 'wait' | 'unknown' }>
> = {
	ok: { word: 'agrees with the chain', sign: '✓', state: 'good' },
	computed: { word: 'nothing to compare with', sign: '·', state: 'unknown' },
	mismatch: { word: 'differs: here it fails', sign: '✕', state: 'bad' },
	follows: { word: 'differs because of what is below', sign: '≠', state: 'wait' }
};

const hashes = (n: number): string => `${n} ${n === 1 ? 'hash' : 'hashes'}`;

const WAYS: Readonly<Record<StageKind, string>> = {
	block: 'from the transaction to the block',
	mom: 'from the block to the MoM',
	momom: 'from the MoM to the MoMoM',
	rest: 'further up'
};

/** The outcome in one sentence. */
export function outcomeOf({ sound, compared, agreed, fault }: CheckedProof): string {
	if (sound) {
		return compared === 0
			? 'Every level was computed; there was nothing to compare the hashes with.'
			: `All ${hashes(compared)} that the chains have, too, agree.`;
	}
	const rest = `${agreed} of ${hashes(compared)} agree.`;
	if (fault === null) return rest;
	if (fault.what === 'transaction') {
		return `The proof fails at the transaction: its bytes have another id. ${rest}`;
	}
	const way = WAYS[fault.stage ?? 'rest'];
	if (fault.what === 'root') {
		return `The proof fails at the ${ROOT_NAMES[fault.stage ?? 'rest']}: it leads to another hash than the chain has. ${rest}`;
	}
	return fault.what === 'sibling'
		? `The proof fails at level ${fault.level} on the way ${way}: the hash that it gives there is not the chain’s. ${rest}`
		: `The proof fails at level ${fault.level} on the way ${way}: its hashes lead elsewhere than the chain’s. ${rest}`;
}
