/** Texts about Merkle proofs, shared by the server's page and the browser's own check. */
import type { CheckedProof, StageKind, Verdict } from '#lib/chain/proofTree.ts';
import { count, plural } from '#lib/text/plural.ts';

export const STAGE_TITLES: Readonly<Record<StageKind, string>> = {
	block: 'From the transaction to the block',
	mom: 'From the block to the MoM',
	momom: 'From the MoM to the MoMoM',
	rest: 'Above'
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

const WAYS: Readonly<Record<StageKind, string>> = {
	block: 'from the transaction to the block',
	mom: 'from the block to the MoM',
	momom: 'from the MoM to the MoMoM',
	rest: 'above'
};

export const proofTree = {
	title: 'Tree',
	label: (outcome: string): string => `Tree from the transaction up to its roots. ${outcome}`,
	transaction: 'Transaction',
	leaf: 'transaction',
	node: (name: string, hash: string, verdict: string): string =>
		`${name === '' ? '' : `${name}: `}${hash}, ${verdict}`,
	checked: {
		differs:
			'This browser and the server computed different results: trust neither until you know why.',
		browser: 'Every hash was recomputed in this browser.',
		server: 'Computed by the server. With JavaScript, your browser recomputes every hash.'
	},
	ofChain: 'The chain has',
	bytes: {
		known: 'The ID was computed from the bytes of the transaction.',
		unknown: 'The ID is as given; the bytes of the transaction are not available.'
	},
	oneLeaf: 'One leaf only, so it is the root.',
	caption: (stage: StageKind): string => `${STAGE_TITLES[stage]}, by level`,
	columns: { level: 'Level', sibling: 'Sibling hash', parent: 'Parent hash' },
	level: 'Level',
	sides: { left: 'Left', right: 'Right' },
	end: (stage: StageKind): string => `Ends at the ${ROOT_NAMES[stage]}`,
	copied: {
		txid: 'transaction ID',
		ofChain: 'hash of the chain',
		sibling: 'sibling hash',
		parent: 'parent hash'
	}
} as const;

export const proofPages = {
	title: 'Merkle proof',
	notes: 'Not everything was checked',
	approvals: (chain: string): string => `Notary approvals on ${chain}`,
	source: (chain: string): string => `Source transaction on ${chain}`,
	verify: {
		title: 'Verify a Merkle proof',
		lead: (chain: string): string =>
			`Paste a proof to see its tree, with every hash recomputed and compared with the chain. For the proof of a transaction of ${chain}, open that transaction.`,
		hex: 'Proof',
		hexHint:
			'Hex of an import transaction, a notary approval, or a result of assetchainproof or gettxoutproof',
		txid: 'Transaction ID',
		txidHint: (chain: string): string =>
			`Required for assetchainproof, which does not name the transaction of ${chain} it proves.`,
		button: 'Verify'
	}
} as const;

/** Renders the result of a check in one sentence. */
export function outcomeOf({ sound, compared, agreed, fault }: CheckedProof): string {
	if (sound) {
		return compared === 0
			? 'Every level was computed; there was nothing to compare with.'
			: `Proof valid: all ${plural(compared, 'hash', 'hashes')} match the chain.`;
	}
	const rest = `${count(agreed)} of ${plural(compared, 'hash', 'hashes')} match.`;
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

/** Kinds of proof pages. */
export type ProofKind =
	| { code: 'complete'; source: string; destination: string }
	| { code: 'to-notarization'; chain: string }
	| { code: 'in-block'; chain: string }
	| { code: 'self-import' | 'unnamed-source' }
	| { code: 'approved-import'; source: string; needed: number }
	| { code: 'block-proof' | 'approval'; chain: string | null; named: number }
	| { code: 'unknown'; chain: string };

export function proofKindMessage(kind: ProofKind): string {
	switch (kind.code) {
		case 'complete':
			return `Complete proof: from the burn on ${kind.source} to a MoMoM for ${kind.destination}.`;
		case 'to-notarization':
			return `From a transaction of ${kind.chain} to the MoM of the notarization that covers it.`;
		case 'in-block':
			return `From a transaction to its block on ${kind.chain}.`;
		case 'self-import':
			return 'A self-import needs no proof by notarizations: the issuer’s key authorizes it.';
		case 'unnamed-source':
			return 'The burn of this import does not name its source chain, so there is no proof to show.';
		case 'approved-import':
			return `An import by notary approvals: at least ${kind.needed} notaries approved the burn. Below is the burn’s place on ${kind.source}.`;
		case 'block-proof':
		case 'approval': {
			const what = kind.code === 'approval' ? 'Notary approval with a proof' : 'Proof';
			const where = kind.chain === null ? 'a block' : `a block of ${kind.chain}`;
			return `${what} that ${where} holds ${kind.named === 1 ? 'one transaction' : plural(kind.named, 'transaction')}.`;
		}
		case 'unknown':
			return `What ${kind.chain} knows of this transaction is unavailable now.`;
	}
}

/** A fact to show next to one part of a proof. */
export type ProofFact =
	| { code: 'in-block'; chain: string; height: number; place: number; of: number }
	| {
			code: 'mom';
			txid: string;
			symbol: string;
			blocks: number;
			/** Notarized height. */
			height: number;
			main: string;
			/** Block of the main chain that contains the notarization; null while it is pending. */
			recordedAt: number | null;
	  }
	| { code: 'momom'; txid: string; symbol: string; moms: number; main: string; height: number }
	| { code: 'root'; txid: string; chain: string; height: number };

const at = (chain: string, what: string, id: string | number): string =>
	`/chains/${encodeURIComponent(chain)}/${what}/${id}`;

/** Renders a fact, with a link to the page that shows it. */
export function proofFactMessage(fact: ProofFact): { text: string; href: string; label: string } {
	switch (fact.code) {
		case 'in-block':
			return {
				text: `Transaction ${count(fact.place)} of ${count(fact.of)} in block ${count(fact.height)} of ${fact.chain}.`,
				href: at(fact.chain, 'block', fact.height),
				label: `Block ${count(fact.height)}`
			};
		case 'mom': {
			const where = fact.recordedAt === null ? '' : ` in block ${count(fact.recordedAt)}`;
			return {
				text: `MoM of ${plural(fact.blocks, 'block')} of ${fact.symbol} up to ${count(fact.height)}, recorded on ${fact.main}${where}.`,
				href: at(fact.main, 'tx', fact.txid),
				label: 'Notarization'
			};
		}
		case 'momom':
			return {
				text: `MoMoM of ${plural(fact.moms, 'MoM')} for ${fact.symbol}, from ${fact.main} at block ${count(fact.height)}.`,
				href: at(fact.main, 'tx', fact.txid),
				label: `Notarization of ${fact.symbol}`
			};
		case 'root':
			return {
				text: `${fact.chain} holds this root since block ${count(fact.height)}.`,
				href: at(fact.chain, 'tx', fact.txid),
				label: 'Back-notarization'
			};
	}
}
