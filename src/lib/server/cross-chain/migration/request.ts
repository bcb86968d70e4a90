import { decodeAddress } from '#lib/chain/address.ts';
import { parseCoins, type Satoshi } from '#lib/chain/amount.ts';
import { isHex } from '#lib/chain/bytes.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import { parseUnits } from '#lib/chain/tokenUnits.ts';
import type { RequestFault } from '#lib/messages/migration/requestFaults.ts';
import { recipientFault } from '../../wallet/transactions/request.ts';
import type { MigrationPolicy } from './states.ts';

/** The chain on which the others are notarized. */
export const MAIN_CHAIN = 'KMD';

/** What is to be carried, as a form gives it. */
export interface MigrationInput {
	source: string;
	destination: string;
	/** Who receives: an address, for a token a public key. */
	address: string;
	/** As text: coins, or with `decimals` wholes of the token. */
	amount: string;
	policy: MigrationPolicy;
	/** The token's id on the source; absent for coins. */
	tokenid?: string;
	/** Units of the token that are one whole, as a power of ten. */
	decimals?: number;
	/** Notaries approve the burn, which is published for them, instead of notarizations that prove it. */
	approvals?: boolean;
}

/** The same, read. */
export interface MigrationRequest {
	source: string;
	destination: string;
	address: string;
	/** Satoshi, or units of the token. */
	amount: Satoshi;
	policy: MigrationPolicy;
	/** Lower-case hex; null for coins. */
	tokenid: string | null;
	/** The transaction that is turned into a burn; null where the daemon chooses the outputs. */
	composed: Composed | null;
	/** The backup route from the start: the burn is published when it is sent. */
	approvals?: boolean;
}

/** What a person chose to spend, and whom it pays. */
export interface Composed {
	/** Unsigned transaction, hex. */
	hex: string;
	/** It was brought along: it cannot be composed anew when its time is over. */
	pasted: boolean;
	/** How many of its last inputs nobody chose: they pay what the chosen ones lack. */
	added: number;
}

/** A member of the form. */
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

/** What is wrong, by the field. */
export type FieldErrors = Partial<Record<RequestField, RequestFault>>;

/** Why an address cannot receive coins of an import; null when it can. */
export function addressFault(address: string): RequestFault | null {
	if (address === '') return { code: 'address-missing' };
	try {
		return decodeAddress(address).kind === 'p2pkh' ? null : { code: 'script-address' };
	} catch (error) {
		if (!isChainError(error, 'address')) throw error;
		return /^0[23][0-9a-f]{64}$/i.test(address)
			? { code: 'public-key' }
			: { code: 'unreadable', error: error.fault };
	}
}

/** Coins that one migration can have, or what is wrong with the text. */
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

/** The most units that the daemon takes: it measures them by the limit for coins. */
function readTokenUnits(
	text: string,
	decimals: number
): { amount: bigint } | { fault: RequestFault } {
	const read = parseUnits(text, decimals);
	if (!read.ok) return { fault: { code: 'unreadable', error: read.fault } };
	if (read.units > MOST) return { fault: { code: 'units-above', most: MOST } };
	return { amount: read.units };
}

/** Why a text is no public key that can receive tokens; null when it is one. */
function keyFault(text: string): RequestFault | null {
	const why = recipientFault(text);
	return why === null ? null : { code: 'recipient-key', why };
}

/** The chains of a form that were not chosen. */
export function chainErrors({
	source,
	destination
}: Pick<MigrationInput, 'source' | 'destination'>) {
	const errors: FieldErrors = {};
	if (source === '') errors.source = { code: 'source-missing' };
	if (destination === '') errors.destination = { code: 'destination-missing' };
	return errors;
}

/** The amount and the recipient of a request, or what is wrong with them, each at its field. */
export function readRequest(
	input: MigrationInput
): { request: MigrationRequest } | { errors: FieldErrors } {
	const errors = chainErrors(input);
	const token = input.tokenid !== undefined;
	const tokenid = input.tokenid?.trim().toLowerCase() ?? null;
	const written = input.address.trim();
	// Base58 knows upper case, so only hex is brought to lower case.
	const address = isHex(written) ? written.toLowerCase() : written;
	if (tokenid !== null && !/^[0-9a-f]{64}$/.test(tokenid)) {
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
