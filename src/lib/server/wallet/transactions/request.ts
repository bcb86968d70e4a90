/** What people ask for, read from the text of a form. Every mistake is found at its field. */
import { decodeAddress } from '#lib/chain/address.ts';
import { daemonSpelling, parseCoins, type Satoshi } from '#lib/chain/amount.ts';
import { bytesEqual, bytesToHex, hexToBytes, isHex } from '#lib/chain/bytes.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import { BURN_PUBKEY, TOKENS_GLOBAL_PUBKEY } from '#lib/chain/cryptocondition.ts';
import { isValidPubkey } from '#lib/chain/key.ts';
import { parseUnits } from '#lib/chain/tokenUnits.ts';
import { chainErrorMessage } from '#lib/messages/chainErrors.ts';

/** Komodo daemon 0.9.0: lengths in bytes. */
export const NAME_BYTES = 32;
export const DESCRIPTION_BYTES = 4096;
export const DATA_BYTES = 10_001;

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
	CreateRequest | TransferRequest | MergeRequest | SelfImportRequest | ApprovalRequest;

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
		return 'The daemon cannot read so large an amount exactly. Choose a smaller supply.';
	}
}

function readSupply(text: string, errors: FieldErrors): Satoshi {
	try {
		const supply = parseCoins(text);
		const fault = supply > 0n ? spellingFault(supply) : 'The supply must be more than nothing.';
		if (fault !== null) errors['supply'] = fault;
		return supply;
	} catch (error) {
		if (!isChainError(error, 'amount')) throw error;
		errors['supply'] = chainErrorMessage(error);
		return 0n;
	}
}

function readData(text: string, errors: FieldErrors): string {
	// Long hex comes with line breaks where it was copied from.
	const data = text.replace(/\s+/g, '').toLowerCase();
	if (data === '') errors['data'] = 'A non-fungible token needs data in hexadecimal digits.';
	else if (!isHex(data)) {
		errors['data'] = 'Write the data as an even number of hexadecimal digits (0-9, a-f).';
	} else if (data.length / 2 > DATA_BYTES) {
		errors['data'] = `The data has ${data.length / 2} bytes; ${DATA_BYTES} are the most.`;
	} else {
		const code = parseInt(data.slice(0, 2), 16);
		if (!USABLE_NFT_CODES.has(code)) {
			errors['data'] =
				`Data that starts with ${data.slice(0, 2)} makes a token that can never move: no module would check it. Start with ${[...USABLE_NFT_CODES.keys()].map((known) => known.toString(16)).join(' or ')}.`;
		}
	}
	return data;
}

/** Reads the form of a token creation. */
export function readCreate(typed: {
	kind: string;
	name: string;
	supply: string;
	description: string;
	data: string;
}): Read<CreateRequest> {
	const errors: FieldErrors = {};
	const nonFungible = typed.kind === 'non-fungible';
	if (typed.kind !== 'fungible' && !nonFungible)
		errors['kind'] = 'Choose what kind of token it is.';
	const nameBytes = bytesOf(typed.name);
	if (typed.name.trim() === '') errors['name'] = 'Give the token a name.';
	else if (nameBytes > NAME_BYTES) {
		errors['name'] = `The name has ${nameBytes} bytes; ${NAME_BYTES} are the most.`;
	} else if (UNSEEN.test(typed.name)) {
		errors['name'] = 'The name has a character that cannot be seen. Type it anew.';
	}
	const descriptionBytes = bytesOf(typed.description);
	if (descriptionBytes > DESCRIPTION_BYTES) {
		errors['description'] =
			`The description has ${descriptionBytes} bytes; ${DESCRIPTION_BYTES} are the most.`;
	} else if (UNWRITABLE.test(typed.description)) {
		errors['description'] = 'The description has a character that cannot be written to the chain.';
	}
	const supply = nonFungible ? 1n : readSupply(typed.supply, errors);
	const data = nonFungible ? readData(typed.data, errors) : '';
	if (Object.keys(errors).length > 0) return { ok: false, errors };
	return {
		ok: true,
		request: {
			kind: 'token-create',
			name: typed.name,
			description: typed.description,
			supply,
			data
		}
	};
}

/** Why a text cannot receive tokens, or null when it is a key that can. */
export function recipientFault(text: string): string | null {
	if (text === '') return 'Enter the public key that receives.';
	try {
		decodeAddress(text);
		return 'This is an address. Tokens are sent to a public key: ask the recipient for 66 hexadecimal digits that start with 02 or 03. Sent to an address they would be destroyed.';
	} catch (error) {
		if (!isChainError(error, 'address')) throw error;
	}
	if (!isHex(text) || text.length !== 66) {
		return 'A public key has 66 hexadecimal digits and starts with 02 or 03.';
	}
	if (bytesEqual(hexToBytes(text), BURN_PUBKEY)) {
		return 'This is the burn key: what is sent there is gone. Use "Burn" if that is what you want.';
	}
	if (!isValidPubkey(text)) {
		return 'This is not a public key: no private key belongs to it, and tokens sent there would be destroyed. Check for a typing error.';
	}
	if (bytesEqual(hexToBytes(text), TOKENS_GLOBAL_PUBKEY)) {
		return 'This is the key of the token module itself, whose private key everybody knows.';
	}
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
	// Any bytes can be a name on the chain, also none that can be typed.
	const name = token.name.trim();
	const word = name === '' ? token.tokenid : name;
	if (typed.confirmation.trim() !== word) {
		errors['confirmation'] =
			`Type ${name === '' ? 'the id of the token' : "the token's name"}, ${word}, to confirm that it is burned.`;
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
