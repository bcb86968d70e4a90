/** Words for a proof that was checked. Used alike by the server's page and by the browser's own check. */
import type { CheckedProof, StageKind, Verdict } from '#lib/chain/proofTree.ts';

export const STAGE_TITLES: Readonly<Record<StageKind, string>> = {
	block: 'From the transaction to the block',
	mom: 'From the block to the MoM',
	momom: 'From the MoM to the MoMoM',
	rest: 'Further up'
};

export const ROOT_NAMES: Readonly<Record<StageKind, string>> = {
	block: 'Merkle root of the block',
	mom: 'MoM (Merkle root of blocks)',
	momom: 'MoMoM (Merkle root of MoMs)',
	rest: 'end of the branch'
};

export const VERDICTS: Readonly<
	Record<Verdict, { word: string; sign: string; state: 'good' | 'bad' | 'wait' | 'unknown' }>
> = {
	ok: { word: 'Matches', sign: '✓', state: 'good' },
	computed: { word: 'Not compared', sign: '·', state: 'unknown' },
	mismatch: { word: 'Mismatch', sign: '✕', state: 'bad' },
	follows: { word: 'Mismatch (caused by a lower level)', sign: '≠', state: 'wait' }
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
			? 'Every level was computed; there was nothing to compare with.'
			: `Proof valid: all ${hashes(compared)} match the chain.`;
	}
	const rest = `${agreed} of ${hashes(compared)} match.`;
	if (fault === null) return rest;
	if (fault.what === 'transaction') {
		return `The proof fails at the transaction: its bytes have a different ID. ${rest}`;
	}
	const way = WAYS[fault.stage ?? 'rest'];
	if (fault.what === 'root') {
		return `The proof fails at the ${ROOT_NAMES[fault.stage ?? 'rest']}: it does not match the chain. ${rest}`;
	}
	return fault.what === 'sibling'
		? `The proof fails at level ${fault.level} on the way ${way}: the given hash does not match the chain. ${rest}`
		: `The proof fails at level ${fault.level} on the way ${way}: the computed hash does not match the chain. ${rest}`;
}
