/** What each index of a daemon gives, and what is missing without it: the one place that words it. Pure. */
import type { Indexes, Told } from './read.ts';

export type IndexName = keyof Indexes;

/** All of them, in the order in which they are shown. */
export const INDEX_NAMES = ['txindex', 'addressindex', 'spentindex', 'timestampindex'] as const;

interface Words {
	/** What the index gives, as a sentence. */
	gives: string;
	/** What is missing without it, as a sentence. */
	without: string;
}

const WORDS: Readonly<Record<IndexName, Words>> = {
	txindex: {
		gives: 'Transactions are found by their txid.',
		without:
			'A transaction is found by its txid only while one of its outputs is unspent: pages, proofs and migrations need more.'
	},
	addressindex: {
		gives: 'Balances, outputs and transactions of any address are found.',
		without: 'Addresses, token balances and holders cannot be read from the daemon.'
	},
	spentindex: {
		gives: 'The daemon says what spent an output, and what the inputs of a transaction are worth.',
		without:
			'The daemon does not say what spent an output, nor what the inputs of a transaction are worth: Komodeck reads their parents instead.'
	},
	timestampindex: {
		gives: 'Blocks are found by their time (getblockhashes).',
		without:
			'Blocks cannot be found by their time (getblockhashes). Scripts may ask for that; Komodeck does not.'
	}
};

/** Without these, release 0.9.0 refuses to build a token transaction or a burn, whatever the chain. */
export const BUILDING: readonly IndexName[] = ['addressindex', 'spentindex'];

/** Whether an index is on, and what follows. */
export interface IndexFact {
	name: IndexName;
	/** Null when that is not known. */
	on: boolean | null;
	state: 'on' | 'off' | 'unknown';
	/** What the index gives, or what is missing without it, as a sentence. */
	detail: string;
}

/**
 * Says of one index whether it is on, and what it gives or what is missing.
 * @param builds whether tokens or burns are built on this chain, so that what they need is named
 */
export function indexFact(name: IndexName, told: Told<boolean>, builds: boolean): IndexFact {
	const { gives, without } = WORDS[name];
	if (told.kind !== 'told') {
		return { name, on: null, state: 'unknown', detail: `${told.words} With it: ${gives}` };
	}
	if (told.value) return { name, on: true, state: 'on', detail: gives };
	const building = builds && BUILDING.includes(name);
	const more = building ? ' Release 0.9.0 builds no tokens and no burns without this index.' : '';
	return { name, on: false, state: 'off', detail: `${without}${more}` };
}

/** The fact as sentences that begin with what is meant, as “txindex of KMD”. */
export function indexSentence({ on, state, detail }: IndexFact, subject: string): string {
	return on === null
		? `It is not known whether ${subject} is on. ${detail}`
		: `${subject} is ${state}. ${detail}`;
}
