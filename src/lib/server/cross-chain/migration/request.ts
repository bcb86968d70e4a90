import { bareText } from '#lib/chain/bareText.ts';
import { decodeAddress } from '#lib/chain/address.ts';
import { parseCoins, type Satoshi } from '#lib/chain/amount.ts';
import { isHex } from '#lib/chain/bytes.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import { isHash, isPubkeyText } from '#lib/chain/idText.ts';
import { parseUnits } from '#lib/chain/tokenUnits.ts';
import type { RequestFault } from '#lib/messages/migration/requestFaults.ts';
import { recipientFault } from '../../wallet/transactions/request.ts';
import type { MigrationPolicy } from './states.ts';

/** A migration as entered in a form. */
export interface MigrationInput {
	source: string;
	destination: string;
	/** Recipient: an address, for a token a public key. */
	address: string;
	/** As text: coins, or whole tokens by `decimals`. */
	amount: string;
	policy: MigrationPolicy;
	/** The token's id on the source; absent for coins. */
	tokenid?: string;
	/** Decimals of the token: base units in a whole, as a power of ten. */
	decimals?: number;
	/** Whether to publish the burn for approval by notaries, instead of proving it by notarizations. */
	approvals?: boolean;
}

/** The parsed input. */
export interface MigrationRequest {
	source: string;
	destination: string;
	address: string;
	/** Satoshi, or units of the token. */
	amount: Satoshi;
	policy: MigrationPolicy;
	/** Lower-case hex; null for coins. */
	tokenid: string | null;
	/** The transaction that is converted into a burn; null when the daemon selects the outputs. */
	composed: Composed | null;
	/** The backup route from the start: the burn is published when it is sent. */
	approvals?: boolean;
}

/** The transaction that is converted into a burn. */
export interface Composed {
	/** Unsigned transaction, hex. */
	hex: string;
	/** Whether it was pasted: then it cannot be composed again after it has expired. */
	pasted: boolean;
	/** How many of its last inputs were added to the selected ones. */
	added: number;
}

/** A field of the form. */
export type RequestField =
	| 'source'
	| 'destination'
	| 'tokenid'
	| 'address'
	| 'amount'
	| 'policy'
	| 'outputs'
	| 'recipients'
	| 'raw';

/** Komodo daemon 0.9.0: "Cannot export more than 1 million coins per export." */
export const MOST: Satoshi = 1_000_000n * 100_000_000n;

/** What is wrong, by field. */
export type FieldErrors = Partial<Record<RequestField, RequestFault>>;

/** Returns why an address cannot receive coins of an import; null when it can. */
export function addressFault(address: string): RequestFault | null {
	if (address === '') return { code: 'address-missing' };
	try {
		return decodeAddress(address).kind === 'p2pkh' ? null : { code: 'script-address' };
	} catch (error) {
		if (!isChainError(error, 'address')) throw error;
		return isPubkeyText(address.toLowerCase())
			? { code: 'public-key' }
			: { code: 'unreadable', error: error.fault };
	}
}

/** Parses coins within the limit of one migration, or returns what is wrong with the text. */
export function readCoins(text: string): { amount: Satoshi } | { fault: RequestFault } {
	try {
		const amount = parseCoins(text);
		if (amount === 0n) return { fault: { code: 'amount-zero' } };
		return amount > MOST ? { fault: { code: 'amount-above', most: MOST } } : { amount };
	} catch (error) {
		if (!isChainError(error, 'amount')) throw error;
		return { fault: { code: 'unreadable', error: error.fault } };
	}
}

/** Parses token units. The daemon applies its limit for coins to them. */
function readTokenUnits(
	text: string,
	decimals: number
): { amount: bigint } | { fault: RequestFault } {
	const read = parseUnits(text, decimals);
	if (!read.ok) return { fault: { code: 'unreadable', error: read.fault } };
	if (read.units > MOST) return { fault: { code: 'units-above', most: MOST } };
	return { amount: read.units };
}

/** Returns why a text is not a public key that can receive tokens; null when it is. */
function keyFault(text: string): RequestFault | null {
	const why = recipientFault(text);
	return why === null ? null : { code: 'recipient-key', why };
}

/** Reports the chains of a form that are missing. */
export function chainErrors({
	source,
	destination
}: Pick<MigrationInput, 'source' | 'destination'>) {
	const errors: FieldErrors = {};
	if (source === '') errors.source = { code: 'source-missing' };
	if (destination === '') errors.destination = { code: 'destination-missing' };
	return errors;
}

/** Parses amount and recipient of a request, or returns what is wrong at each field. */
export function readRequest(
	input: MigrationInput
): { request: MigrationRequest } | { errors: FieldErrors } {
	const errors = chainErrors(input);
	const token = input.tokenid !== undefined;
	const tokenid = input.tokenid === undefined ? null : bareText(input.tokenid).toLowerCase();
	const written = bareText(input.address);
	// Base58 is case-sensitive, so only hex is converted to lower case.
	const address = isHex(written) ? written.toLowerCase() : written;
	if (tokenid !== null && !isHash(tokenid)) {
		errors.tokenid = { code: 'token-missing' };
	}
	const amount = token
		? readTokenUnits(input.amount, input.decimals ?? 0)
		: readCoins(input.amount);
	if ('fault' in amount) errors.amount = amount.fault;
	const fault = token ? keyFault(address) : addressFault(address);
	if (fault !== null) errors.address = fault;
	if ('fault' in amount || Object.keys(errors).length > 0) return { errors };
	const { source, destination, policy } = input;
	return {
		request: {
			source,
			destination,
			address,
			policy,
			tokenid,
			composed: null,
			...amount,
			...(input.approvals ? { approvals: true } : {})
		}
	};
}
