/** What people ask for, read from the text of a form. Every mistake is found at its field. */
import { decodeAddress } from '#lib/chain/address.ts';
import { daemonSpelling, type Satoshi } from '#lib/chain/amount.ts';
import { bytesEqual, bytesToHex, hexToBytes, isHex } from '#lib/chain/bytes.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import { BURN_PUBKEY, TOKENS_GLOBAL_PUBKEY } from '#lib/chain/cryptocondition.ts';
import { isValidPubkey } from '#lib/chain/key.ts';
import { parseUnits } from '#lib/chain/tokenUnits.ts';
import { shownName } from '#lib/text/visibleText.ts';
import { chainErrorMessage } from '#lib/messages/chainErrors.ts';
import { tokenFaults as faults } from '#lib/messages/pages/tokenForms.ts';
import { SCRIPT_BYTES } from '../../chains/health/relayLimits.ts';

/** Komodo daemon 0.9.0: lengths in bytes. */
export const NAME_BYTES = 32;
export const DESCRIPTION_BYTES = 4096;
/** A supply is backed by coins, which have as many. */
export const MAX_CREATION_DECIMALS = 8;

/**
 * Codes that a non-fungible token's data may start with. The daemon takes any, and tokens with any other
 * code can never move or have no balance. (Seen on running daemons: of all codes tried only these worked.)
 */
export const USABLE_NFT_CODES: ReadonlyMap<number, string> = new Map([
	[0xf1, 'gateways'],
	[0xf3, 'import gateway']
]);

export interface CreateRequest {
	kind: 'token-create';
	name: string;
	description: string;
	/** Satoshi that are locked, which is also the number of units. */
	supply: Satoshi;
	/** How many of the supply's digits the team sees behind the point; not in those that were stored without. */
	decimals?: number;
	/** Hex of non-fungible data, empty for a fungible token. */
	data: string;
}

export interface TransferRequest {
	kind: 'token-transfer' | 'token-burn';
	tokenid: string;
	/** Compressed key that receives, hex. */
	recipient: string;
	units: bigint;
}

/** Many outputs of a wallet made one, which a burn can spend. */
export interface MergeRequest {
	kind: 'merge';
	/** How many outputs are merged. */
	count: number;
	/** Satoshi that they hold together. */
	total: Satoshi;
}

/** Coins that a wallet pays to addresses. Amounts are satoshi. */
export interface PaymentRequest {
	kind: 'coin-send';
	payments: { address: string; amount: Satoshi }[];
	/** What all payments are together. */
	amount: Satoshi;
	fee: Satoshi;
	/** The outputs that it spends were chosen by hand; not in those that were stored without. */
	isChosen?: boolean;
	/** Satoshi for each 1,000 bytes; not in those that were stored without. */
	rate?: Satoshi;
}

/** Outputs of a wallet made into equal ones, so that several reviews can stand at a time. */
export interface SplitRequest {
	kind: 'split';
	parts: number;
	/** Satoshi that the parts hold together. */
	amount: Satoshi;
}

/** Interest of KMD outputs that comes back to their wallet together with them. Amounts are satoshi. */
export interface ClaimRequest {
	kind: 'claim';
	/** How many outputs are spent. */
	count: number;
	/** What they hold together, without the interest. */
	total: Satoshi;
	/** By our own count and by the daemon's, which agreed. */
	interest: Satoshi;
}

/** Coins that are created on a chain with `ac_import=PUBKEY`, by two transactions that say the same. */
export interface SelfImportRequest {
	kind: 'self-import-source' | 'self-import';
	/** Who receives, a P2PKH address. */
	address: string;
	/** Satoshi that are created. */
	amount: Satoshi;
}

/** A notary's word that a burn happened, on the destination chain. */
export interface ApprovalRequest {
	kind: 'notary-approval';
	burnTxid: string;
	/** The chain of the burn. */
	source: string;
	/** The proof that the daemon's check gave, hex. */
	txOutProof: string;
}

export type SendRequest =
	| CreateRequest
	| TransferRequest
	| PaymentRequest
	| MergeRequest
	| SplitRequest
	| ClaimRequest
	| SelfImportRequest
	| ApprovalRequest;

/** Sentences by field; empty when nothing is wrong. */
export type FieldErrors = Partial<Record<string, string>>;

type Read<T> = { ok: true; request: T } | { ok: false; errors: FieldErrors };

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Control characters, marks that turn the direction of writing, byte order marks, halves of characters. */
const UNSEEN = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;
/** What comes back from the chain as another text than it was, or ends a text early in the daemon. */
const UNWRITABLE = /\p{Cs}|\0|^\ufeff/u;

/** Null when the daemon reads the spelling of an amount exactly. */
function spellingFault(supply: Satoshi): string | null {
	try {
		daemonSpelling(supply);
		return null;
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
		return faults.unreadableSupply;
	}
}

/** The number of decimals that was chosen; null when it is none that can be. */
function chosenDecimals(text: string): number | null {
	const decimals = text === '' ? 0 : /^\d$/.test(text) ? Number(text) : NaN;
	return decimals <= MAX_CREATION_DECIMALS ? decimals : null;
}

/** The supply in base units, each of which locks one satoshi. */
function readSupply(text: string, decimals: number | null, errors: FieldErrors): Satoshi {
	if (decimals === null) {
		errors['decimals'] = faults.decimals(MAX_CREATION_DECIMALS);
		return 0n;
	}
	const read = parseUnits(text, decimals);
	const fault = read.ok ? spellingFault(read.units) : chainErrorMessage(read.fault);
	if (fault !== null) errors['supply'] = fault;
	return read.ok ? read.units : 0n;
}

function readData(text: string, errors: FieldErrors): string {
	// Long hex comes with line breaks where it was copied from.
	const data = text.replace(/\s+/g, '').toLowerCase();
	if (data === '') errors['data'] = faults.noData;
	else if (!isHex(data)) {
		errors['data'] = faults.notHex;
	} else if (data.length / 2 > SCRIPT_BYTES) {
		errors['data'] = faults.dataTooLong(data.length / 2, SCRIPT_BYTES);
	} else {
		const code = parseInt(data.slice(0, 2), 16);
		if (!USABLE_NFT_CODES.has(code)) {
			const usable = [...USABLE_NFT_CODES.keys()].map((known) => known.toString(16));
			errors['data'] = faults.unusableCode(data.slice(0, 2), usable);
		}
	}
	return data;
}

/** Reads the form of a token creation. */
export function readCreate(typed: {
	kind: string;
	name: string;
	supply: string;
	decimals: string;
	description: string;
	data: string;
}): Read<CreateRequest> {
	const errors: FieldErrors = {};
	const nonFungible = typed.kind === 'non-fungible';
	if (typed.kind !== 'fungible' && !nonFungible) errors['kind'] = faults.kind;
	const nameBytes = bytesOf(typed.name);
	if (typed.name.trim() === '') errors['name'] = faults.noName;
	else if (nameBytes > NAME_BYTES) {
		errors['name'] = faults.nameTooLong(nameBytes, NAME_BYTES);
	} else if (UNSEEN.test(typed.name)) {
		errors['name'] = faults.nameUnseen;
	}
	const descriptionBytes = bytesOf(typed.description);
	if (descriptionBytes > DESCRIPTION_BYTES) {
		errors['description'] = faults.descriptionTooLong(descriptionBytes, DESCRIPTION_BYTES);
	} else if (UNWRITABLE.test(typed.description)) {
		errors['description'] = faults.descriptionUnwritable;
	}
	const decimals = nonFungible ? 0 : chosenDecimals(typed.decimals);
	const supply = nonFungible ? 1n : readSupply(typed.supply, decimals, errors);
	const data = nonFungible ? readData(typed.data, errors) : '';
	if (Object.keys(errors).length > 0) return { ok: false, errors };
	return {
		ok: true,
		request: {
			kind: 'token-create',
			name: typed.name,
			description: typed.description,
			supply,
			decimals: decimals ?? 0,
			data
		}
	};
}

/** Why a text cannot receive tokens, or null when it is a key that can. */
export function recipientFault(text: string): string | null {
	if (text === '') return faults.noRecipient;
	try {
		decodeAddress(text);
		return faults.recipientIsAddress;
	} catch (error) {
		if (!isChainError(error, 'address')) throw error;
	}
	if (!isHex(text) || text.length !== 66) return faults.recipientNoKey;
	if (bytesEqual(hexToBytes(text), BURN_PUBKEY)) return faults.recipientBurns;
	if (!isValidPubkey(text)) return faults.recipientInvalid;
	if (bytesEqual(hexToBytes(text), TOKENS_GLOBAL_PUBKEY)) return faults.recipientIsModule;
	return null;
}

/** How the amounts of a token are read. */
interface TokenMeasure {
	/** How many units are one whole, as a power of ten. */
	decimals: number;
	/** The token is one unit: whatever is typed as an amount is passed over. */
	nonFungible: boolean;
}

function readUnits(text: string, measure: TokenMeasure, errors: FieldErrors): bigint {
	if (measure.nonFungible) return 1n;
	const read = parseUnits(text, measure.decimals);
	if (!read.ok) errors['amount'] = chainErrorMessage(read.fault);
	return read.ok ? read.units : 0n;
}

/** Reads the form of a transfer. */
export function readTransfer(
	typed: { recipient: string; amount: string },
	tokenid: string,
	measure: TokenMeasure
): Read<TransferRequest> {
	const errors: FieldErrors = {};
	const written = typed.recipient.trim();
	// Base58 knows upper case, so only hex is brought to lower case.
	const recipient = isHex(written) ? written.toLowerCase() : written;
	const fault = recipientFault(recipient);
	if (fault !== null) errors['recipient'] = fault;
	const units = readUnits(typed.amount, measure, errors);
	if (Object.keys(errors).length > 0) return { ok: false, errors };
	return { ok: true, request: { kind: 'token-transfer', tokenid, recipient, units } };
}

/** What is typed to confirm a burn: any bytes can be a name on the chain, also none that can be typed. */
export const burnWord = ({ tokenid, name }: { tokenid: string; name: string }): string =>
	shownName(name, tokenid).trim();

/**
 * Reads the form of a burn.
 * @param token its name is what the person has to type, or its id when it has none
 */
export function readBurn(
	typed: { amount: string; confirmation: string },
	token: { tokenid: string; name: string },
	measure: TokenMeasure
): Read<TransferRequest> {
	const errors: FieldErrors = {};
	const units = readUnits(typed.amount, measure, errors);
	const word = burnWord(token);
	const confirmed = typed.confirmation.trim();
	// Pasted from elsewhere it has what the page shows by its number.
	if (confirmed === '' || (confirmed !== word && confirmed !== token.name.trim())) {
		errors['confirmation'] = faults.notConfirmed(word === token.tokenid, word);
	}
	if (Object.keys(errors).length > 0) return { ok: false, errors };
	return {
		ok: true,
		request: {
			kind: 'token-burn',
			tokenid: token.tokenid,
			recipient: bytesToHex(BURN_PUBKEY),
			units
		}
	};
}
