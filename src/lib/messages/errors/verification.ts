import { plural } from '#lib/text/plural.ts';
import { baseUnitsOf, coins } from '../coins.ts';
import { withStatus, type ErrorArea } from './define.ts';

/** Satoshi, as decimal digits. */
type Satoshi = string;
/** Base units of a token, as decimal digits. */
type Units = string;
/** Null for a script without an address. */
type Address = string | null;

const payee = (address: Address): string => address ?? 'a script without an address';

interface Payment {
	amount: Satoshi;
	address: Address;
	chain: string;
}

/** An amount that differs from the requested one. */
interface Compared {
	amount: Satoshi;
	asked: Satoshi;
	chain: string;
}

/** `what`: how the transaction differs. */
const differs = (what: string): string =>
	`The transaction that the daemon built is not what was asked for: ${what}. Nothing was sent.`;

/** A built transaction that differs from what was requested. */
export const verification = {
	...withStatus(502, {
		'verification.unreadable': () => differs('it cannot be read'),
		'verification.shielded': () => differs('it touches the shielded pool'),
		'verification.input-unknown': ({ utxo }: { utxo: string }) =>
			differs(`the output ${utxo} that it spends is unknown`),
		'verification.signature-partial': ({ input }: { input: number }) =>
			differs(
				`the signature of input ${input} does not cover the whole transaction, so anyone could change where it pays`
			),
		'verification.signature-invalid': ({ input }: { input: number }) =>
			differs(`the signature of input ${input} is not good`),
		'verification.negative-output': () => differs('an output has a negative value'),
		'verification.wrong-fee': ({ fee, chain }: { fee: Satoshi; chain: string }) =>
			differs(`its fee would be ${coins(fee, chain)}`),
		'verification.foreign-output': ({ amount, address, chain }: Readonly<Payment>) =>
			differs(`it also pays ${coins(amount, chain)} to ${payee(address)}`),
		'verification.output-missing': ({ amount, address, chain }: Readonly<Payment>) =>
			differs(`it does not pay ${coins(amount, chain)} to ${payee(address)}`),
		'verification.lock-time': () => differs('it could not be mined before a certain time'),
		'verification.no-payload': () => differs('its last output does not have the payload'),
		'verification.spends-token': () => differs('it would spend units of a token'),
		'verification.no-marker': () =>
			differs('the marker that puts it into the token list is missing'),
		'verification.foreign-units': () => differs('the units would not belong to this wallet'),
		'verification.wrong-supply': ({ units, asked }: { units: Units; asked: Units }) =>
			differs(`it would create ${baseUnitsOf(units)}, and ${asked} were asked for`),
		'verification.no-creation': () => differs('it does not create a token'),
		'verification.other-name': () => differs('the name or the description is another one'),
		'verification.other-creator': () => differs('another key would be the creator of the token'),
		'verification.other-data': () => differs('the non-fungible data is another one'),
		'verification.other-key': () => differs('the units would go to another key'),
		'verification.wrong-units': ({ units, asked }: { units: Units; asked: Units }) =>
			differs(`it would move ${baseUnitsOf(units)}, and ${asked} were asked for`),
		'verification.other-token': () => differs('it does not move this token'),
		'verification.other-recipient-named': () => differs('its payload names another recipient'),
		'verification.payload-not-bare': () => differs('its payload has more than a transfer needs'),
		'verification.units-not-back': () =>
			differs('the units that are left would not come back to this wallet'),
		'verification.spends-other-token': () => differs('it would spend units of another token'),
		'verification.units-unbalanced': ({ taken, given }: { taken: Units; given: Units }) =>
			differs(`it takes ${baseUnitsOf(taken)} and gives ${given}`),
		'verification.other-inputs': () => differs('it spends other outputs'),
		'verification.source-not-issuers': ({ address }: { address: Address }) =>
			differs(
				`its first input spends coins of ${payee(address)}, and only coins of the chain’s ac_pubkey count`
			),
		'verification.source-other-recipient': ({
			paid,
			address,
			asked
		}: {
			paid: boolean;
			address: Address;
			asked: string;
		}) =>
			differs(
				paid
					? `its first output pays to ${payee(address)}, not to ${asked}`
					: `it has no output, and one that pays to ${asked} was asked for`
			),
		'verification.source-wrong-payment': ({ amount, chain }: { amount: Satoshi; chain: string }) =>
			differs(`it pays ${coins(amount, chain)} with the source transaction`),
		'verification.source-no-amount': () => differs('it does not name an amount to create'),
		'verification.source-wrong-amount': ({ amount, asked, chain }: Readonly<Compared>) =>
			differs(`it names ${coins(amount, chain)}, and ${coins(asked, chain)} were asked for`),
		'verification.no-import': () => differs('its second transaction is not an import'),
		'verification.import-unreadable': () => differs('its import cannot be read'),
		'verification.import-not-one-output': ({ outputs }: { outputs: number }) =>
			differs(`its import pays ${plural(outputs, 'output')}, and one was asked for`),
		'verification.import-other-recipient': ({
			address,
			asked
		}: {
			address: Address;
			asked: string;
		}) => differs(`its import pays to ${payee(address)}, not to ${asked}`),
		'verification.import-wrong-amount': ({ amount, asked, chain }: Readonly<Compared>) =>
			differs(
				`its import creates ${coins(amount, chain)}, and ${coins(asked, chain)} were asked for`
			),
		'verification.import-other-source': () =>
			differs('its import stands on another source transaction'),
		'verification.import-other-bytes': () =>
			differs('its import holds more or something else than the source says'),
		'verification.approval-not-notarys': () =>
			differs('its first input is not the notary’s, so it would not count'),
		'verification.approval-other-key': () =>
			differs('its first output does not pay to the notary’s key'),
		'verification.approval-other-proof': () => differs('it has another proof'),
		'verification.approval-no-proof': () => differs('its proof does not prove the burn')
	})
} satisfies ErrorArea<'verification'>;
