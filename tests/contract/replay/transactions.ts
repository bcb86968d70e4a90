import { parseBurn } from '#lib/chain/burn.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { parseImport } from '#lib/chain/importProof.ts';
import { classify } from '#lib/chain/script.ts';
import { parseTransaction, type Transaction, type TxOut } from '#lib/chain/transaction.ts';
import type { Roles } from './roles.ts';

const read = (hex: string): Transaction | null => {
	if (hex.length < 20 || !/^([0-9a-f]{2})+$/.test(hex)) return null;
	try {
		return parseTransaction(hex);
	} catch {
		return null;
	}
};

/** A pay-to-pubkey output belongs to the wallet itself: change, whose value is the remainder. */
const isChange = (out: TxOut): boolean => classify(out.script).type === 'pubkey';

/** Payloads with ids, hashes or other chains' bytes are compared by their kind and meaning. */
function output(out: TxOut, roles: Roles): string {
	const { type } = classify(out.script);
	const hex = bytesToHex(out.script);
	if (isChange(out)) return `change to ${roles.transcribe(hex)}`;
	if (type !== 'nulldata') return `${out.value} to ${roles.transcribe(hex)}`;
	const start = out.script[1]! <= 75 ? 2 : out.script[1] === 76 ? 3 : 4;
	return `${out.value} with data ${hex.slice(start * 2, start * 2 + 4)}`;
}

function burnOf(tx: Transaction, roles: Roles): string {
	const burn = parseBurn(tx);
	if (!burn) return '';
	const { targetSymbol, sourceSymbol, targetCcid, value, tokenCreationTx } = burn;
	const [from, to] = [sourceSymbol, targetSymbol].map((name) => roles.transcribe(name));
	return `burn of ${value} from ${from} to ${to} ${targetCcid}${tokenCreationTx ? ' of a token' : ''}`;
}

function importOf(tx: Transaction, roles: Roles): string {
	const parts = parseImport(tx);
	if (!parts) return '';
	const payouts = parts.payouts.map((out) => output(out, roles)).join('; ');
	return `import proven by ${parts.proof.kind}, ${burnOf(parts.burnTx, roles)}, pays ${payouts}`;
}

/** The recipient of the change; without a remainder there is none. */
const changeOf = (tx: Transaction, roles: Roles): string =>
	[...new Set(tx.vout.filter(isChange).map((out) => output(out, roles)))].join('; ');

/** Describes the effects of a transaction in texts that are equal for equal effects on two chains. */
function described(tx: Transaction, roles: Roles): string[] {
	const sequences = [...new Set(tx.vin.map((input) => input.sequence.toString(16)))];
	const signed = tx.vin.every((input) => input.scriptSig.length > 0);
	return [
		`version ${tx.version} ${tx.overwintered} ${tx.versionGroupId.toString(16)}`,
		`locktime ${tx.locktime > 0}, expiry ${tx.expiryHeight > 0}`,
		`inputs ${tx.vin.length > 0}, ${signed ? 'signed' : 'unsigned'}, sequence ${sequences.join()}`,
		...tx.vout.filter((out) => !isChange(out)).map((out) => `output ${output(out, roles)}`),
		importOf(tx, roles) || burnOf(tx, roles)
	];
}

/**
 * The differences between the effects of two transactions, empty when they are the same; null when one of the
 * texts is no transaction. Inputs, signatures and change may differ.
 */
export function transactionDifference(
	expected: string,
	actual: string,
	roles: Roles
): string | null {
	const [wanted, got] = [read(expected), read(actual)];
	if (!wanted || !got) return null;
	const [a, b] = [described(wanted, roles), described(got, roles)];
	const [before, after] = [changeOf(wanted, roles), changeOf(got, roles)];
	if (before !== '' && after !== '') {
		a.push(before);
		b.push(after);
	}
	const lines = Array.from({ length: Math.max(a.length, b.length) }, (_, n) => n);
	return lines
		.filter((n) => a[n] !== b[n])
		.map((n) => `${a[n] ?? 'nothing'} became ${b[n] ?? 'nothing'}`)
		.join('; ');
}
