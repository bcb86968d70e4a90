/**
 * Requirements of tokens and migrations for a daemon and its chain: their state, and how to fix what is
 * missing.
 */
import { indexMessage, type IndexFact } from './daemonIndexes.ts';
import { plural } from '#lib/text/plural.ts';

type None = Readonly<Record<string, never>>;

/** Ids of the requirements, as the page marks them; startup parameters keep their own name. */
export type NeedId =
	| 'txindex'
	| 'addressindex'
	| 'spentindex'
	| 'timestampindex'
	| 'pubkey'
	| 'wallet'
	| 'sapling'
	| 'ac_cc'
	| 'shared-ccid'
	| 'notarizations'
	| 'datacarriersize'
	| 'main-daemon'
	| 'token-methods'
	| 'migration-methods'
	| 'completion-methods'
	| 'ac_import'
	| 'ac_pubkey';

export type NeedGroupId = 'reading' | 'tokens' | 'migrations' | 'self-imports';

/** Parameters of each finding. */
export interface NeedParams {
	/** The daemon did not respond, so the state is unknown. */
	'not-reported': None;
	index: IndexFact;
	'pubkey.set': { readonly pubkey: string };
	'pubkey.none': None;
	'wallet.open': None;
	'wallet.none': None;
	'wallet.locked': None;
	'sapling.active': { readonly height: number };
	'sapling.ahead': { readonly height: number; readonly blocks: number };
	'sapling.no-height': None;
	'modules.on': { readonly ccid: number };
	'modules.off': { readonly chain: string; readonly isMain: boolean };
	'ccid.shared': { readonly ccid: number; readonly siblings: readonly string[] };
	'ccid.alone': { readonly ccid: number };
	'ccid.too-small': { readonly ccid: number };
	'ccid.too-large': { readonly ccid: number };
	'notarizations.some': { readonly height: number };
	'notarizations.none': None;
	/** Bytes: `relays` as configured, `usual` by default, `wanted` to relay every import. */
	'relay.enough': { readonly relays: number };
	'relay.tokens-large': RelayParams & { readonly relays: number };
	'relay.too-small': RelayParams & { readonly relays: number; readonly importBytes: number };
	'relay.unknown': RelayParams & { readonly usual: number; readonly importBytes: number };
	'main.configured': None;
	'main.missing': None;
	'methods.served': { readonly method: string };
	'methods.missing': { readonly method: string };
	'self-import.unset': None;
	'self-import.by-pubkey': None;
	'self-import.other-mode': { readonly chain: string; readonly mode: string };
	'self-import.own-key': None;
	'self-import.other-key': { readonly pubkey: string };
}

interface RelayParams {
	readonly chain: string;
	readonly wanted: number;
}

/** A finding, as a code of the catalog. */
export type NeedFinding = {
	readonly [Code in keyof NeedParams]: { readonly code: Code; readonly params: NeedParams[Code] };
}[keyof NeedParams];

interface NeedWords {
	/** The finding. */
	readonly details: string;
	/** How to fix it; null when nothing needs to be done. */
	readonly fix: string | null;
}

/** Says how to switch on an index of a daemon. */
export const switchOnMessage = (index: string): string =>
	`Start the daemon with ${index}=1 and once with -reindex.`;

export const NEED_LABELS: Readonly<Record<NeedId, string>> = {
	txindex: 'txindex',
	addressindex: 'addressindex',
	spentindex: 'spentindex',
	timestampindex: 'timestampindex',
	pubkey: 'pubkey',
	wallet: 'Wallet',
	sapling: 'Sapling',
	ac_cc: 'ac_cc',
	'shared-ccid': 'ac_cc of 100 or more',
	notarizations: 'Notarizations',
	datacarriersize: 'datacarriersize',
	'main-daemon': 'Daemon of KMD',
	'token-methods': 'Methods of the token module',
	'migration-methods': 'Methods of migrations',
	'completion-methods': 'Methods of the main chain',
	ac_import: 'ac_import',
	ac_pubkey: 'ac_pubkey'
};

export const NEED_TITLES: Readonly<Record<NeedGroupId, string>> = {
	reading: 'For reading',
	tokens: 'For tokens',
	migrations: 'For migrations',
	'self-imports': 'For self-imports'
};

const CHAIN_PARAMETER =
	'It is a parameter of the whole chain, which every daemon of the chain has to be started with: it cannot be changed for one daemon.';
const SAPLING_FIX = 'Wait until it is active: what is built before would be rejected after.';
const REJECTED = 'rejected with “64: scriptpubkey”';

const fine = (details: string): NeedWords => ({ details, fix: null });

const relayFix = ({ chain, wanted }: RelayParams): string =>
	`Start every daemon that relays or mines for ${chain} with datacarriersize=${wanted}.`;

const ccidFix = `Coins move between chains of one id from 101 to 65535. ${CHAIN_PARAMETER}`;

function sharedWords({ ccid, siblings }: NeedParams['ccid.shared']): NeedWords {
	const reach = `The id is ${ccid}, as that of ${siblings.join(', ')}.`;
	return fine(
		ccid === 100
			? `${reach} The interface document asks for more than 100, release 0.9.0 takes 100.`
			: reach
	);
}

const WORDS: { readonly [Code in keyof NeedParams]: (params: NeedParams[Code]) => NeedWords } = {
	'not-reported': () => fine('Not reported.'),
	index: (fact) => ({
		details: indexMessage(fact),
		fix: fact.state === 'off' ? switchOnMessage(fact.name) : null
	}),
	'pubkey.set': ({ pubkey }) => fine(`The daemon runs with the key ${pubkey.slice(0, 10)}….`),
	'pubkey.none': () => ({
		details: 'The daemon runs without a pubkey, so it builds neither tokens nor burns.',
		fix: 'Start it with -pubkey= and the public key of one of its wallet’s keys (66 hex digits), or call setpubkey once.'
	}),
	'wallet.open': () => fine('The daemon has a wallet, which is not locked.'),
	'wallet.none': () => ({
		details: 'The daemon runs without a wallet: it can be read, and builds nothing.',
		fix: 'Start it without -disablewallet.'
	}),
	'wallet.locked': () => ({
		details: 'The wallet is locked: what it builds is not signed.',
		fix: 'Unlock it with walletpassphrase at the daemon.'
	}),
	'sapling.active': ({ height }) => fine(`Active since block ${height}.`),
	'sapling.ahead': ({ height, blocks }) => ({
		details: `Sapling begins at block ${height}, and the chain is at ${blocks}.`,
		fix: SAPLING_FIX
	}),
	'sapling.no-height': () => ({
		details: 'It is not known when Sapling begins on this chain.',
		fix: SAPLING_FIX
	}),
	'modules.on': ({ ccid }) => fine(`The chain has ac_cc=${ccid}.`),
	'modules.off': ({ chain, isMain }) => ({
		details: `${chain} was started without ac_cc: outputs with conditions cannot be spent, so there are no tokens.`,
		fix: isMain ? `${chain} has no tokens. Use an asset chain.` : CHAIN_PARAMETER
	}),
	'ccid.shared': sharedWords,
	'ccid.alone': ({ ccid }) => ({
		details: `The id is ${ccid}, and no other chain that is configured here has it.`,
		fix: 'Configure a daemon of a chain with the same ac_cc.'
	}),
	'ccid.too-small': ({ ccid }) => ({
		details: `The chain’s id (ac_cc) is ${ccid}: its coins are not exchangeable with those of another chain.`,
		fix: ccidFix
	}),
	'ccid.too-large': ({ ccid }) => ({
		details: `The chain’s id (ac_cc) is ${ccid}: notarizations hold 16 bits of it only.`,
		fix: ccidFix
	}),
	'notarizations.some': ({ height }) => fine(`Notarized up to block ${height}.`),
	'notarizations.none': () => ({
		details: 'The chain was never notarized: a burn on it cannot be proven on another chain.',
		fix: 'Only notary approvals are left, by five notaries.'
	}),
	'relay.enough': ({ relays }) => fine(`It relays ${plural(relays, 'byte')}.`),
	'relay.tokens-large': (params) => ({
		details: `It relays ${plural(params.relays, 'byte')}: imports of coins pass, larger ones of tokens may not.`,
		fix: relayFix(params)
	}),
	'relay.too-small': (params) => ({
		details: `It relays ${plural(params.relays, 'byte')}, and an import has about ${params.importBytes}: it is ${REJECTED}.`,
		fix: relayFix(params)
	}),
	'relay.unknown': (params) => ({
		details: `It cannot be read by RPC, and it is not configured. Without it release 0.9.0 relays ${plural(params.usual, 'byte')}, and an import has about ${params.importBytes}: it would be ${REJECTED}.`,
		fix: `${relayFix(params)} Then write it into the configuration here.`
	}),
	'main.configured': () => fine('One is configured: imports are completed there.'),
	'main.missing': () => ({
		details:
			'None is configured, and imports that are proven by notarizations are completed on KMD.',
		fix: 'Configure a daemon of KMD. Without one only notary approvals are left.'
	}),
	'methods.served': ({ method }) => fine(`The daemon answers ${method}.`),
	'methods.missing': ({ method }) => ({
		details: `The daemon does not serve ${method}.`,
		fix: 'Use a release of the daemon that has them (0.9.0 does).'
	}),
	'self-import.unset': () => ({
		details: 'It is not configured here.',
		fix: 'Set it in KOMODECK_SELF_IMPORT; it cannot be read by RPC.'
	}),
	'self-import.by-pubkey': () => fine('PUBKEY: coins can be created.'),
	'self-import.other-mode': ({ chain, mode }) => ({
		details: `${chain} has ac_import=${mode}; only PUBKEY lets the owner of a key create coins.`,
		fix: CHAIN_PARAMETER
	}),
	'self-import.own-key': () => fine('It is the key of this daemon.'),
	'self-import.other-key': ({ pubkey }) => ({
		details: `It is ${pubkey}, not the key of this daemon.`,
		fix: 'Coins are created by the daemon that runs with this key.'
	})
};

/** Renders a finding, and how to fix it. */
export const needMessage = <Code extends keyof NeedParams>({
	code,
	params
}: {
	readonly code: Code;
	readonly params: NeedParams[Code];
}): NeedWords => WORDS[code](params);
