/**
 * What a part of the explained bytes means: a code with the parameters of its text. The texts are in
 * `lib/messages/decoder`.
 */
import type { Satoshi } from '../amount.ts';

type None = Readonly<Record<never, never>>;

/** Meanings of scripts, keys and crypto-conditions. */
export interface ScriptMeanings {
	'burn-key': None;
	/** Key of the token module; its private key is public, so anyone can sign with it. */
	'global-key': None;
	'invalid-key': None;
	'key-address': { address: string };
	'hash-address': { address: string };
	/** A push that announces more bytes than the script has. */
	'cut-off': None;
	'crypto-condition': None;
	'pays-address': None;
	'pays-key': None;
	'pays-script': None;
	'pays-multisig': { required: number; keys: number };
	'empty-script': None;
	'unusual-script': None;
	'data-output': None;
	unsigned: None;
	/** `evals`: eval codes of the modules; `keys`: public keys that signed, in hex. */
	'opens-condition': { evals: readonly number[]; keys: readonly string[]; hashType: number };
	signature: { hashType: number };
	'pushes-data': None;
}

/** Meanings of payloads and proofs. */
export interface PayloadMeanings {
	'stored-backwards': None;
	'tokenid-forwards': None;
	/** A transaction nested in too many others to be explained. */
	'nested-too-deep': None;
	'self-import-mark': None;
	'payouts-hash': None;
	'empty-source': None;
	'self-import-burn': None;
	'burn-payload': { of: 'coins' | 'tokens'; source: string; target: string; ccid: number };
	'kmd-notarization': None;
	'branch-index': None;
	'proof-branch': None;
	'proof-approvals': None;
	'proof-merkle-block': None;
	'approvals-needed': None;
	'branch-proof': { steps: number };
	/** `root`: the root to which the branch leads from the burn; null when the proof has no branch. */
	'import-payload': { root: string | null };
	'import-proof': None;
	/** `eval`: code of the module that the non-fungible data names. */
	'data-module': { eval: number };
	'creates-token': { name: string };
	'moves-token': { tokenid: string };
	'announces-self-import': { amount: Satoshi };
	'chain-name': None;
	mom: None;
	'mom-depth': { blocks: number };
	momom: None;
	notarization: { height: number; chain: string };
	'back-notarization': { height: number; chain: string };
	'notary-approval': None;
	payouts: { amount: Satoshi; outputs: number };
	'proof-unsound': None;
	'proof-empty': None;
	'proof-found': { transactions: number; block: string };
}

/** Meanings of blocks and transactions, including the purpose of a transaction. */
export interface TransactionMeanings {
	block: { seconds: number; transactions: number };
	'block-header': { seconds: number };
	'merkle-root': None;
	moment: { seconds: number };
	target: None;
	solution: { bytes: number };
	'pre-overwinter': None;
	overwinter: None;
	sapling: None;
	'no-lock': None;
	'lock-height': { height: number };
	'lock-moment': { seconds: number };
	'expires-never': None;
	expires: { height: number };
	'new-coins': None;
	'import-mark': None;
	'coinbase-script': None;
	'import-script': None;
	'units-in-satoshi': { units: bigint };
	'new-tokens': None;
	'new-tokens-elsewhere': None;
	'recipient-tokens': None;
	'burned-tokens': None;
	'other-tokens': None;
	'token-marker': None;
	'global-output': None;
	'value-balance': { amount: Satoshi };
	coinbase: None;
	'token-burn': { source: string; target: string; ccid: number };
	burn: { amount: Satoshi; fee: Satoshi; source: string; target: string; ccid: number };
	'self-import-object': { amount: Satoshi };
	'self-import-source': { amount: Satoshi };
	/** `matches`: whether the hash of the payouts is the one in the burn. */
	'self-import': { amount: Satoshi; matches: boolean };
	/**
	 * `amount`: null for tokens. `approvals`: number of notary approvals; null with a proof through
	 * notarizations.
	 */
	import: {
		amount: Satoshi | null;
		source: string;
		target: string;
		approvals: number | null;
		matches: boolean;
	};
	'import-unreadable': None;
	'token-created': { name: string; nft: boolean };
	payment: { amount: Satoshi; inputs: number; outputs: number };
}

export interface MeaningParams extends ScriptMeanings, PayloadMeanings, TransactionMeanings {}

export type Meaning = {
	[Code in keyof MeaningParams]: { code: Code } & MeaningParams[Code];
}[keyof MeaningParams];
