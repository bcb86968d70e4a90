/** Texts about the daemon's indexes: what each provides, and what is missing without it. */
import { z } from 'zod';
import { catalogueOf, entry } from './catalogue.ts';
import { chainProblemMessage } from './chainProblem.ts';
import { RECORDED, recordedText } from './errors/recorded.ts';

/** All indexes, in display order. */
export const INDEX_NAMES = ['txindex', 'addressindex', 'spentindex', 'timestampindex'] as const;

export type IndexName = (typeof INDEX_NAMES)[number];

const daemon = z.string();

/** Why a question about a daemon could not be answered. */
const unansweredMessages = catalogueOf({
	refused: entry({ error: RECORDED }, ({ error }) => recordedText(error)),
	/** @see chainProblemMessage */
	failed: entry(
		{ chain: z.string(), error: RECORDED.nullable(), since: z.number().nullable() },
		chainProblemMessage
	),
	'not-served': entry(
		{ daemon, method: z.string() },
		({ daemon, method }) => `${daemon} does not serve ${method}.`
	),
	'form-unknown': entry(
		{ daemon },
		({ daemon }) => `${daemon} answered in a form that is not known.`
	),
	'no-transaction': entry({}, () => 'Block 1 lists no transaction.'),
	'all-unspent': entry({}, () => 'The first transactions of the chain are unspent.'),
	'no-spend': entry({}, () => 'The newest blocks hold no transaction that spends.'),
	'no-time': entry({}, () => 'It does not tell the time of its newest block.')
});

/** As a parameter of another message; stored with the checks before a burn. */
export const UNANSWERED = unansweredMessages.schema;
export type Unanswered = z.output<typeof UNANSWERED>;
export const unansweredMessage = (why: Unanswered): string => unansweredMessages.text(why);

/** Whether an index is on, and how that was determined. */
export interface IndexFact {
	readonly name: IndexName;
	readonly state: 'on' | 'off' | 'unknown';
	/** Whether tokens or burns on this chain are built with the index, and fail while it is off. */
	readonly builds?: boolean | undefined;
	/** Why the state is unknown. */
	readonly why?: Unanswered | undefined;
}

interface Words {
	/** What the index provides, as a sentence. */
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

/** Describes what the index provides, or what is missing without it. */
export function indexDetail({ name, state, builds, why }: IndexFact): string {
	const { gives, without } = WORDS[name];
	if (state === 'on') return gives;
	if (state === 'unknown') {
		return `${why === undefined ? '' : `${unansweredMessage(why)} `}With it: ${gives}`;
	}
	return builds
		? `${without} Release 0.9.0 builds no tokens and no burns without this index.`
		: without;
}

/** Describes the fact in sentences that name the index. */
export const indexMessage = (fact: IndexFact): string =>
	fact.state === 'unknown'
		? `It is not known whether ${fact.name} is on. ${indexDetail(fact)}`
		: `${fact.name} is ${fact.state}. ${indexDetail(fact)}`;
