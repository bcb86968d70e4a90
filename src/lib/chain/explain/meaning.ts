/** What a part of some bytes means, as a code with what its words are made of. They are in `lib/messages/decoder`. */
import type { Satoshi } from '../amount.ts';

type None = Readonly<Record<never, never>>;

/** Of scripts, keys and conditions. */
export interface ScriptMeanings {
	'burn-key': None;
	/** The key of the token module, for which everybody can sign. */
	'global-key': None;
	'invalid-key': None;
	'key-address': { address: string };
	'hash-address': { address: string };
	/** A push of more bytes than the script has. */
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
	/** `evals`: codes of the modules; `keys`: hex of the public keys that signed. */
	'opens-condition': { evals: readonly number[]; keys: readonly string[]; hashType: number };
	signature: { hashType: number };
	'pushes-data': None;
}

/** Of payloads and proofs. */
export interface PayloadMeanings {
	'stored-backwards': None;
	'tokenid-forwards': None;
	/** A transaction inside of too many others. */
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
	/** `root`: of the branch that begins at the burn; null when there is none. */
	'import-payload': { root: string | null };
	'import-proof': None;
	/** `eval`: code of the module of non-fungible data. */
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

/** Of blocks and transactions, and what a transaction is for. */
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
	/** `matches`: whether the payouts are those that the burn names. */
	'self-import': { amount: Satoshi; matches: boolean };
	/** `amount`: null of tokens. `approvals`: of notaries; null with a proof through notarizations. */
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
