/** Reads requests for transactions from the text of forms. Each error is reported at its field. */
import { bareText } from '#lib/chain/bareText.ts';
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
/** A supply is backed by coins, which have eight decimals. */
export const MAX_CREATION_DECIMALS = 8;

/**
 * Eval codes that the data of a non-fungible token may start with. The daemon accepts any, but tokens with
 * other codes can never be moved or have no balance. (Observed on running daemons: of all codes tried only
 * these worked.)
 */
export const USABLE_NFT_CODES: ReadonlyMap<number, string> = new Map([
	[0xf1, 'gateways'],
	[0xf3, 'import gateway']
]);

export interface CreateRequest {
	kind: 'token-create';
	name: string;
	description: string;
	/** Satoshi that are locked, which is also the number of base units. */
	supply: Satoshi;
	/** Decimals with which the team sees the supply; absent in rows that were stored without it. */
	decimals?: number;
	/** Hex of non-fungible data, empty for a fungible token. */
	data: string;
}

export interface TransferRequest {
	kind: 'token-transfer' | 'token-burn';
	tokenid: string;
	/** Compressed public key of the recipient, hex. */
	recipient: string;
	units: bigint;
}

/** Outputs of a wallet that are consolidated into one, which a burn can spend. */
export interface MergeRequest {
	kind: 'merge';
	/** Number of outputs that are consolidated. */
	count: number;
	/** Satoshi that they hold together. */
	total: Satoshi;
}

/** Coins that a wallet pays to addresses. Amounts are satoshi. */
export interface PaymentRequest {
	kind: 'coin-send';
	payments: { address: string; amount: Satoshi }[];
	/** Sum of all payments. */
	amount: Satoshi;
	fee: Satoshi;
	/** Whether the inputs were selected by coin control; absent in rows that were stored without it. */
	isChosen?: boolean;
	/** Fee rate in satoshi per 1,000 bytes; absent in rows that were stored without it. */
	rate?: Satoshi;
}

/** Outputs of a wallet that are split into equal ones, so that several reviews can be open at the same time. */
export interface SplitRequest {
	kind: 'split';
	parts: number;
	/** Satoshi that the parts hold together. */
	amount: Satoshi;
}

/** Interest of KMD outputs that is paid back to their wallet together with them. Amounts are satoshi. */
export interface ClaimRequest {
	kind: 'claim';
	/** Number of outputs that are spent. */
	count: number;
	/** Sum of these outputs, without the interest. */
	total: Satoshi;
	/** Interest as computed here and as reported by the daemon, which agreed. */
	interest: Satoshi;
}

/**
 * Coins that are created on a chain with `ac_import=PUBKEY`, by a source transaction and its import; the
 * requests of both have the same fields.
 */
export interface SelfImportRequest {
	kind: 'self-import-source' | 'self-import';
	/** P2PKH address of the recipient. */
	address: string;
	/** Satoshi that are created. */
	amount: Satoshi;
}

/** A notary's approval of a burn, on the destination chain. */
export interface ApprovalRequest {
	kind: 'notary-approval';
	burnTxid: string;
	/** The chain of the burn. */
	source: string;
	/** Proof that the daemon's check of the burn returned, hex. */
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

/** Returns the id of the token that a request moves; null for coins, and for a token that it creates. */
export const tokenOf = (request: SendRequest): string | null =>
	'tokenid' in request ? request.tokenid : null;

/** Messages by field; empty when all fields are valid. */
export type FieldErrors = Partial<Record<string, string>>;

type Read<T> = { ok: true; request: T } | { ok: false; errors: FieldErrors };

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Control characters, marks that change the direction of text, byte order marks, lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;
/** Characters that do not come back from the chain unchanged, or that end a text early in the daemon. */
const UNWRITABLE = /\p{Cs}|\0|^\ufeff/u;

/** Returns null when the daemon parses the spelling of an amount exactly, else the message. */
function spellingFault(supply: Satoshi): string | null {
	try {
		daemonSpelling(supply);
		return null;
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
		return faults.unreadableSupply;
	}
}

/** Returns the chosen number of decimals; null when it is invalid. */
function chosenDecimals(text: string): number | null {
	const decimals = text === '' ? 0 : /^\d$/.test(text) ? Number(text) : NaN;
	return decimals <= MAX_CREATION_DECIMALS ? decimals : null;
}

/** Reads the supply in base units, each of which locks one satoshi. */
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
	// Long hex is often copied with line breaks in it.
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

/** The fields of the token form, as submitted. */
export interface TypedToken {
	kind: string;
	name: string;
	/** In whole tokens, with as many decimals as `decimals` says. */
	supply: string;
	decimals: string;
	description: string;
	data: string;
}

/** Validates the form of a token creation. */
export function readCreate(typed: TypedToken): Read<CreateRequest> {
	const errors: FieldErrors = {};
	const nonFungible = typed.kind === 'non-fungible';
	if (typed.kind !== 'fungible' && !nonFungible) errors['kind'] = faults.kind;
	const nameBytes = bytesOf(typed.name);
	if (typed.name.trim() === '') errors['name'] = faults.noName;
	else if (nameBytes > NAME_BYTES) {
		errors['name'] = faults.nameTooLong(nameBytes, NAME_BYTES);
	} else if (INVISIBLE.test(typed.name)) {
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

/** Returns why a text cannot be a recipient of tokens; null for a public key that can. */
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

/** How amounts of a token are parsed. */
interface TokenMeasure {
	/** 10^decimals base units are one whole. */
	decimals: number;
	/** Whether the token is a single unit; a typed amount is then ignored. */
	nonFungible: boolean;
}

function readUnits(text: string, measure: TokenMeasure, errors: FieldErrors): bigint {
	if (measure.nonFungible) return 1n;
	const read = parseUnits(text, measure.decimals);
	if (!read.ok) errors['amount'] = chainErrorMessage(read.fault);
	return read.ok ? read.units : 0n;
}

/** Validates the form of a token transfer. */
export function readTransfer(
	typed: { recipient: string; amount: string },
	tokenid: string,
	measure: TokenMeasure
): Read<TransferRequest> {
	const errors: FieldErrors = {};
	const written = bareText(typed.recipient);
	// Base58 is case-sensitive, so only hex is converted to lower case.
	const recipient = isHex(written) ? written.toLowerCase() : written;
	const fault = recipientFault(recipient);
	if (fault !== null) errors['recipient'] = fault;
	const units = readUnits(typed.amount, measure, errors);
	if (Object.keys(errors).length > 0) return { ok: false, errors };
	return { ok: true, request: { kind: 'token-transfer', tokenid, recipient, units } };
}

/**
 * Returns the text to type to confirm a burn: the name with invisible characters made visible, since a name
 * on the chain can be any bytes, or the token id when there is no name.
 */
export const burnWord = ({ tokenid, name }: { tokenid: string; name: string | null }): string =>
	shownName(name, tokenid).trim();

/**
 * Validates the form of a burn.
 * @param token its name, or its id when it has no name, is what the member has to type
 */
export function readBurn(
	typed: { amount: string; confirmation: string },
	token: { tokenid: string; name: string | null },
	measure: TokenMeasure
): Read<TransferRequest> {
	const errors: FieldErrors = {};
	const units = readUnits(typed.amount, measure, errors);
	const word = burnWord(token);
	const confirmed = typed.confirmation.trim();
	// A name that is pasted from elsewhere has the raw characters that the page shows by their code points.
	if (confirmed === '' || (confirmed !== word && confirmed !== token.name?.trim())) {
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
