/** Field errors of the forms for migrations and self-imports. */
import type { Satoshi } from '#lib/chain/amount.ts';
import { amountProse } from '#lib/text/amounts.ts';
import type { ChainFault } from '#lib/chain/chainError.ts';
import { plural } from '#lib/text/plural.ts';
import { chainErrorMessage } from '../chainErrors.ts';

/** An error as a code; `line` is the line in a list of recipients, from 1. */
export type RequestFault = (
	| { readonly code: 'source-missing' | 'destination-missing' | 'token-missing' }
	| { readonly code: 'address-missing' | 'script-address' | 'public-key' }
	/** `why`: why a text is not a public key that can receive tokens. */
	| { readonly code: 'recipient-key'; readonly why: string }
	/** An address or amount that cannot be parsed. */
	| { readonly code: 'unreadable'; readonly error: ChainFault }
	| { readonly code: 'amount-zero' | 'amount-inexact' }
	| { readonly code: 'amount-above' | 'self-import-above'; readonly most: Satoshi }
	| { readonly code: 'units-above'; readonly most: bigint }
	| { readonly code: 'recipients-missing' | 'recipient-line' | 'recipient-twice' }
	| {
			readonly code: 'payouts-above';
			readonly recipients: number;
			readonly bytes: number;
			readonly most: number;
	  }
	| { readonly code: 'raw-not-hex' | 'raw-shielded' | 'raw-version' | 'raw-no-outputs' }
	| { readonly code: 'raw-unreadable'; readonly error: ChainFault }
	| { readonly code: 'raw-output-script' | 'raw-output-empty'; readonly output: number }
	| { readonly code: 'raw-and-inputs' | 'inputs-missing' }
) & { readonly line?: number };

function withoutLine(fault: RequestFault): string {
	switch (fault.code) {
		case 'source-missing':
			return 'Choose the source chain.';
		case 'destination-missing':
			return 'Choose the destination chain.';
		case 'token-missing':
			return 'Choose a token.';
		case 'address-missing':
			return 'Enter the recipient address.';
		case 'script-address':
			return 'This is a script address. Use a normal address, which starts with R.';
		case 'public-key':
			return 'This is a public key. Use an address, which starts with R.';
		case 'recipient-key':
			return fault.why;
		case 'unreadable':
			return chainErrorMessage(fault.error);
		case 'amount-zero':
			return 'The amount must be more than zero.';
		case 'amount-inexact':
			return 'The daemon cannot read this amount exactly. Choose a smaller one.';
		case 'amount-above':
			return `One migration can have at most ${amountProse(fault.most)} coins.`;
		case 'self-import-above':
			return `One self-import can create at most ${amountProse(fault.most)} coins.`;
		case 'units-above':
			return `One migration can have at most ${plural(fault.most, 'base unit')}.`;
		case 'recipients-missing':
			return 'Enter at least one recipient.';
		case 'payouts-above':
			return `The payouts to ${plural(fault.recipients, 'recipient')} have ${fault.bytes} bytes; an import has room for ${fault.most}.`;
		case 'recipient-line':
			return 'Enter an address, a comma or a space, and the amount.';
		case 'recipient-twice':
			return 'This address is listed twice.';
		case 'raw-not-hex':
			return 'Enter the transaction as an even number of hex digits.';
		case 'raw-unreadable':
			return `This transaction cannot be decoded: ${chainErrorMessage(fault.error)}`;
		case 'raw-shielded':
			return 'The transaction uses the shielded pool, which a burn cannot.';
		case 'raw-version':
			return 'The transaction has an old version that chains with Sapling reject.';
		case 'raw-no-outputs':
			return 'The transaction has no outputs.';
		case 'raw-output-script':
			return `Output ${fault.output} does not pay a normal address: it would be lost on the destination.`;
		case 'raw-output-empty':
			return `Output ${fault.output} pays nothing.`;
		case 'raw-and-inputs':
			return 'Select UTXOs and recipients, or paste a transaction, but not both.';
		case 'inputs-missing':
			return 'Select the UTXOs to spend.';
	}
}

/** Renders an error as sentences. */
const requestFaultMessage = (fault: RequestFault): string =>
	fault.line === undefined ? withoutLine(fault) : `Line ${fault.line}: ${withoutLine(fault)}`;

/** Renders errors as sentences, by field. */
export const requestFaultMessages = <Field extends string>(
	faults: Readonly<Partial<Record<Field, RequestFault>>>
): Partial<Record<Field, string>> =>
	Object.fromEntries(
		Object.entries<RequestFault | undefined>(faults).flatMap(([field, fault]) =>
			fault === undefined ? [] : [[field, requestFaultMessage(fault)]]
		)
	) as Partial<Record<Field, string>>;
