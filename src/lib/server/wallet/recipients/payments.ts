/**
 * Reads the recipients and amounts of a coin payment, typed or pasted. Each error is reported at its field.
 */
import { bareText } from '#lib/chain/bareText.ts';
import { addressOfPubkey, decodeAddress } from '#lib/chain/address.ts';
import { parseCoins, type Satoshi } from '#lib/chain/amount.ts';
import { ChainError, isChainError } from '#lib/chain/chainError.ts';
import { isValidPubkey } from '#lib/chain/key.ts';
import { chainErrorMessage } from '#lib/messages/chainErrors.ts';
import { paymentFaults as faults } from '#lib/messages/pages/wallet.ts';
import { markedText } from '#lib/text/confusables.ts';
import type { AddressBook } from '../address-book/addressBook.ts';
import {
	FEE_RATES,
	LEAST_OUTPUT,
	USUAL_FEE_RATE,
	type Payment
} from '../transactions/selectUtxos.ts';
import { recipientLines } from './lines.ts';

/** Maximum number of recipients of one transaction. */
const MOST_PAYMENTS = 100;
/** Maximum number of lines whose errors are shown; the others are only counted. */
const MOST_FAULTS = 10;
/** Takes the place of an amount: all that the other payments and the fee leave. */
const ALL = /^(max|all)$/i;

type Read<T> = { ok: true; value: T } | { ok: false; fault: string };

const read = <T>(value: T): Read<T> => ({ ok: true, value });
const refused = <T>(fault: string): Read<T> => ({ ok: false, fault });

/** Runs a parser, and converts its `ChainError` of this area to a message. */
function reading<T>(work: () => T, area: 'address' | 'amount'): Read<T> {
	try {
		return read(work());
	} catch (error) {
		if (!(error instanceof ChainError) || !isChainError(error, area)) throw error;
		return refused(chainErrorMessage(error.fault));
	}
}

/** Resolves a text to an address: an address itself, a public key, or a label of the address book. */
async function readAddress(
	book: Pick<AddressBook, 'byLabel'>,
	typed: string
): Promise<Read<string>> {
	const written = bareText(typed);
	if (written === '') return refused(faults.noRecipient);
	if (isValidPubkey(written)) return read(addressOfPubkey(written.toLowerCase()));
	const address = reading(() => decodeAddress(written), 'address');
	if (address.ok) return read(written);
	const entry = await book.byLabel(written);
	if (entry === null) return refused(faults.noLabel(address.fault));
	if (entry.kind === 'address') return read(entry.value);
	if (entry.kind === 'pubkey') return read(addressOfPubkey(entry.value));
	return refused(faults.otherLabel(markedText(entry.label), entry.kind));
}

function readAmount(typed: string): Read<Satoshi | null> {
	if (ALL.test(bareText(typed))) return read(null);
	const amount = reading(() => parseCoins(typed), 'amount');
	return !amount.ok || amount.value >= LEAST_OUTPUT ? amount : refused(faults.tooSmall);
}

/** The fields of the payment form, as submitted. */
export interface TypedPayments {
	recipient: string;
	amount: string;
	/** Further recipients, one on each line with its amount. */
	more: string;
	/** Coins per 1,000 bytes; empty for the default rate. */
	rate: string;
}

export type PaymentErrors = Partial<Record<keyof TypedPayments | 'utxos', string>>;

type ReadPayments =
	| { ok: true; payments: Payment[]; /** Satoshi per 1,000 bytes. */ rate: Satoshi }
	| { ok: false; errors: PaymentErrors };

/** Reads the further recipients, or returns the errors of the first invalid lines. */
async function readLines(
	book: Pick<AddressBook, 'byLabel'>,
	text: string
): Promise<Read<Payment[]>> {
	const lines = recipientLines(text);
	if (lines.length >= MOST_PAYMENTS)
		return refused(faults.tooMany(lines.length + 1, MOST_PAYMENTS));
	const payments: Payment[] = [];
	const wrong: string[] = [];
	for (const { line, recipient, amount: typed } of lines) {
		const address = await readAddress(book, recipient);
		const amount = readAmount(typed);
		if (address.ok && amount.ok) {
			payments.push({ address: address.value, amount: amount.value });
			continue;
		}
		const said = [address, amount].flatMap((one) => (one.ok ? [] : [one.fault]));
		wrong.push(faults.onLine(line, said.join(' ')));
	}
	if (wrong.length === 0) return read(payments);
	const rest = wrong.length - MOST_FAULTS;
	const shown = wrong.slice(0, MOST_FAULTS);
	return refused([...shown, ...(rest > 0 ? [faults.furtherLines(rest)] : [])].join('\n'));
}

function readRate(typed: string): Read<Satoshi> {
	if (bareText(typed) === '') return read(USUAL_FEE_RATE);
	const rate = reading(() => parseCoins(typed), 'amount');
	if (!rate.ok) return rate;
	return rate.value >= FEE_RATES.least && rate.value <= FEE_RATES.most
		? rate
		: refused(faults.rate(FEE_RATES.least, FEE_RATES.most));
}

/**
 * Returns the error of valid payments that do not fit together: a repeated address, or several that take all
 * that is left; null when there is none.
 */
function faultOfAll(payments: readonly Payment[]): string | null {
	const addresses = new Set(payments.map(({ address }) => address));
	if (addresses.size < payments.length) return faults.twice;
	return payments.filter(({ amount }) => amount === null).length > 1 ? faults.allTwice : null;
}

/**
 * Validates the form of a payment.
 * @param book resolves labels to addresses
 */
export async function readPayments(
	book: Pick<AddressBook, 'byLabel'>,
	typed: TypedPayments
): Promise<ReadPayments> {
	const [address, further] = await Promise.all([
		readAddress(book, typed.recipient),
		readLines(book, typed.more)
	]);
	const amount = readAmount(typed.amount);
	const rate = readRate(typed.rate);
	if (!address.ok || !amount.ok || !further.ok || !rate.ok) {
		return {
			ok: false,
			errors: {
				...(address.ok ? {} : { recipient: address.fault }),
				...(amount.ok ? {} : { amount: amount.fault }),
				...(further.ok ? {} : { more: further.fault }),
				...(rate.ok ? {} : { rate: rate.fault })
			}
		};
	}
	const payments = [{ address: address.value, amount: amount.value }, ...further.value];
	const fault = faultOfAll(payments);
	return fault === null
		? { ok: true, payments, rate: rate.value }
		: { ok: false, errors: { more: fault } };
}
