/** Capabilities of daemons, and the findings from which they are derived. */
import {
	indexMessage,
	unansweredMessage,
	type IndexFact,
	type IndexName,
	type Unanswered
} from './daemonIndexes.ts';

/** Short name of a capability, as the command line lists it. */
export type CapabilityId =
	| 'read'
	| 'sapling'
	| 'tokens'
	| 'migration'
	| 'completion'
	| 'approvals'
	| 'self-import'
	| 'wallet'
	| IndexName;

export const CAPABILITY_TITLES: Readonly<Record<CapabilityId, string>> = {
	read: 'Read blocks',
	sapling: 'Sapling transactions',
	tokens: 'Tokens',
	migration: 'Migrations',
	completion: 'Complete the proof of an import',
	approvals: 'Notary approvals',
	'self-import': 'Self-imports',
	wallet: 'Sign with a wallet',
	txindex: 'Find transactions by txid',
	addressindex: 'Find what an address holds',
	spentindex: 'Say what spent an output',
	timestampindex: 'Find blocks by time'
};

type None = Readonly<Record<string, never>>;

/** Parameters of each finding. */
interface Findings {
	'not-answered': None;
	'method-unanswered': { readonly method: string; readonly why: Unanswered };
	'method-missing': { readonly method: string };
	'method-answered': { readonly method: string };
	'wallet.none': None;
	'wallet.there': None;
	'pubkey.none': None;
	'indexes.off': { readonly names: readonly IndexName[] };
	'ccid.none': None;
	'ccid.set': { readonly ccid: number };
	/** The CCid is outside the range in which coins can migrate; 0 means none. */
	'ccid.outside': { readonly ccid: number; readonly first: number; readonly last: number };
	'ccid.shared': { readonly ccid: number };
	'import-mode.unset': None;
	'import-mode.other': { readonly mode: string };
	'import-key.unset': None;
	'import-key.own': None;
	'import-key.other': None;
	'not-told': None;
	'sapling.no-height': None;
	'sapling.active': { readonly height: number };
	'sapling.ahead': { readonly height: number; readonly blocks: number };
	'blocks.some': { readonly blocks: number };
	'blocks.not-told': None;
	'notary.none': None;
	'notary.is': { readonly id: number };
	index: IndexFact;
}

/** A finding about a capability, as a code. */
export type CapabilityFinding = {
	readonly [Code in keyof Findings]: { readonly code: Code; readonly params: Findings[Code] };
}[keyof Findings];

const WORDS: { readonly [Code in keyof Findings]: (params: Findings[Code]) => string } = {
	'not-answered': () => 'getinfo was not answered.',
	'method-unanswered': ({ method, why }) => `${method} was not answered: ${unansweredMessage(why)}`,
	'method-missing': ({ method }) => `The daemon does not serve ${method}.`,
	'method-answered': ({ method }) => `${method} is answered.`,
	'wallet.none': () => 'The daemon runs without a wallet.',
	'wallet.there': () => 'getinfo tells a balance.',
	'pubkey.none': () => 'The daemon runs without -pubkey.',
	'indexes.off': ({ names }) =>
		`The daemon runs without ${names.join(' and ')}, which release 0.9.0 needs to build.`,
	'ccid.none': () => 'The chain has no ac_cc.',
	'ccid.set': ({ ccid }) => `The chain has ac_cc=${ccid}.`,
	'ccid.outside': ({ ccid, first, last }) =>
		`Coins move between chains with one CCid from ${first} to ${last}; this chain has ${ccid === 0 ? 'none' : ccid}.`,
	'ccid.shared': ({ ccid }) => `The chain has the CCid ${ccid}.`,
	'import-mode.unset': () => 'ac_import is not configured here.',
	'import-mode.other': ({ mode }) => `The chain has ac_import=${mode}.`,
	'import-key.unset': () => 'ac_pubkey is not configured here.',
	'import-key.own': () => 'The daemon runs with the key of ac_pubkey.',
	'import-key.other': () => 'The daemon does not run with the key of ac_pubkey.',
	'not-told': () => 'getinfo does not tell.',
	'sapling.no-height': () => 'The height of Sapling is not known yet.',
	'sapling.active': ({ height }) => `Active since block ${height}.`,
	'sapling.ahead': ({ height, blocks }) =>
		`Sapling begins at block ${height}, and the chain is at ${blocks}.`,
	'blocks.some': ({ blocks }) => `At block ${blocks}.`,
	'blocks.not-told': () => 'getinfo was answered.',
	'notary.none': () => 'The daemon does not run with the key of a notary.',
	'notary.is': ({ id }) => `The daemon runs with the key of notary ${id}.`,
	index: (fact) => indexMessage(fact)
};

/** Describes a finding as a sentence. */
export function capabilityMessage({ code, params }: CapabilityFinding): string {
	const words = WORDS[code] as (params: CapabilityFinding['params']) => string;
	return words(params);
}
